// A change right after a crash of the database is heard, although its transaction has a number that was used before: those
// of transactions that were lost are given out again.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testLog } from '../../test/helpers.ts'
import { killDatabase } from '../../test/kill-database.ts'
import { openSlowLine } from '../../test/slow-line.ts'
import { changesStatement, type FeedRow, openFeed } from './db.ts'
import { startEmbedded } from './embedded.ts'
import { withClient } from './embedded-postmaster.ts'

const folder = mkdtempSync(join(tmpdir(), 'mfuko-feed-'))
// As root the database runs as another user, who must get in.
chmodSync(folder, 0o711)
const start = (port = 0) =>
  startEmbedded({ dataDir: join(folder, 'database'), port, durable: true, say: () => undefined })
let server = await start()
const { url, adminUrl } = server
const line = await openSlowLine(url)
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const query = async <Row extends object>(sql: string, at = url): Promise<Row[]> =>
  withClient(at, async (client) => (await client.query(sql)).rows)

/** Takes so many numbers, for nothing that would be written to the disk at once. */
const waste = (count: number) =>
  query(`do $$ begin
    for at in 1 .. ${count} loop
      begin
        insert into probe.waste values (at);
        raise exception 'never mind';
      exception when raise_exception then null;
      end;
    end loop;
    raise exception 'never mind';
  end $$`).catch(() => undefined)

const nextNumber = async (): Promise<bigint> => {
  const [row] = await query<{ next: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as next')
  return BigInt(row?.next ?? 0)
}

test('numbers that are given out again hide nothing', async () => {
  // What nobody waits for reaches the disk by the writer of the log, some time.
  await query("alter system set wal_writer_delay = '10s'", adminUrl)
  await query('select pg_reload_conf()', adminUrl)
  await query(`create schema probe`)
  await query(`create table probe.waste (number int)`)
  await query(`create table probe.changes (
    id bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(), what text not null)`)
  const heard: string[] = []
  let gaps = 0
  const feed = await openFeed<FeedRow & { what: string }>({
    url: line.url,
    name: 'mfuko tests feed',
    channel: 'probe_changes',
    log: testLog().log,
    changesSince: (db, xmin) => db.prepared(changesStatement('probe.changes', 'c.what'), [xmin]),
    onChange: ({ what }) => heard.push(what),
    onGap: () => {
      gaps += 1
    },
  })
  try {
    await waste(300)
    const before = await nextNumber()
    await sleep(1_500)
    line.hang()
    killDatabase(server)
    await server.stop()
    server = await start(Number(new URL(url).port))
    const [change] = await query<{ xid: string }>(
      `insert into probe.changes (what) values ('hidden') returning xid::text`,
    )
    assert.ok(BigInt(change?.xid ?? 0) < before, 'a number is given out again')
    await waste(600)
    line.goOn()
    for (const end = performance.now() + 10_000; heard.length === 0 && performance.now() < end; )
      await sleep(20)
    assert.deepEqual({ heard, gaps }, { heard: ['hidden'], gaps: 0 })
  } finally {
    await feed.close()
  }
})

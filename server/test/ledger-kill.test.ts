// Kill -9 in the middle of batches: of a process with a ledger, and of the whole database. Whatever was acknowledged is
// there once, with its amounts; what nobody knows is there at most once, and once when it is repeated with its key; and
// the books are right. Slow: 4 rounds, or 20 in the thorough form, a second or two each. LEDGER_KILL_ROUNDS=200
// for more, with --limit 3600.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDb } from '../src/db/db.ts'
import { type Embedded, startEmbedded } from '../src/db/embedded.ts'
import { migrateAll } from '../src/migrate.ts'
import { reconcile } from './helpers.ts'
import { killDatabase } from './kill-database.ts'
import { checkLedger } from './ledger-checker.ts'
import { openDesk } from './ledger-crew.ts'
import { type Intent, type JournalLine, type LoadOptions, loadOwners, orderOf } from './ledger-load.ts'
import { fund, runOrders, runUntilTold, seed, seededChance, tally } from './ledger-orders.ts'
import { shortOrLong } from './thorough.ts'

const rounds = Math.ceil(Number(process.env.LEDGER_KILL_ROUNDS ?? shortOrLong(4, 20)) / 2)
const chance = seededChance(9)
/** Fast enough that a kill finds many on their way, and no faster: whatever was written is judged in each round. */
const paceMs = 20

const folder = mkdtempSync(join(tmpdir(), 'mfuko-kill-'))
// As root the database runs as another user, who must get in.
chmodSync(folder, 0o711)
const children = new Set<ChildProcess>()
let server = await start()
const { url } = server
await migrateAll({ url, say: () => undefined })
const desk = openDesk(url)
const db = openDb({ url, connectionsMax: 2, name: 'ledger tests' })
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([desk.close(), db.close()])
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
const funded = await runOrders(
  desk,
  loadOwners.map((owner) => ({ posting: fund(owner, 1_000_000_000n) })),
)
assert.deepEqual(tally(funded), { ok: loadOwners.length })

function start(port = 0): Promise<Embedded> {
  return startEmbedded({ dataDir: join(folder, 'database'), port, durable: true, say: () => undefined })
}

interface Load {
  child: ChildProcess
  intents: Map<string, Intent>
  told: Map<string, { word: string; id: string | undefined }>
  /** How many successes it has written down by now. */
  successes(): number
}

let runs = 0
function startLoad(paceMs: number): Load {
  runs += 1
  const journal = join(folder, `journal-${runs}`)
  const child = fork(fileURLToPath(new URL('ledger-load.ts', import.meta.url)), [], { execArgv: [] })
  children.add(child)
  const options: LoadOptions = { url, journal, run: runs, paceMs }
  child.send(options)
  const load: Load = { child, intents: new Map(), told: new Map(), successes: () => 0 }
  const file = openSync(journal, 'a+')
  let rest = ''
  let known = 0
  load.successes = () => {
    const lines = (rest + readFileSync(file, 'utf8')).split('\n')
    // A line that was cut by the kill was not written.
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const entry = JSON.parse(line) as JournalLine
      if ('intent' in entry) load.intents.set(entry.intent.ref, entry.intent)
      else load.told.set(entry.ref, { word: entry.word, id: entry.id })
      if ('word' in entry && entry.word === 'ok') known += 1
    }
    return known
  }
  return load
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 90_000; performance.now() < end; await sleep(20))
    if (condition()) return
  assert.fail(`waited in vain for ${what}`)
}

interface Effect {
  id: string
  /** owner → amount, as text. */
  amounts: Record<string, string>
}

async function effectsOf(refs: readonly string[]): Promise<Map<string, Effect[]>> {
  const rows = await db.rows<Effect & { ref: string }>(
    `select p.details->>'ref' as ref, p.id::text, json_object_agg(a.owner, e.amount::text) as amounts
     from ledger.postings p join ledger.entries e on e.posting_id = p.id join ledger.accounts a on a.id = e.account_id
     where p.kind = 'load' and p.details->>'ref' = any($1::text[]) group by p.id`,
    [refs],
  )
  const effects = new Map<string, Effect[]>()
  for (const { ref, ...effect } of rows) effects.set(ref, [...(effects.get(ref) ?? []), effect])
  return effects
}

const isAmounts = ({ amounts }: Effect, { from, to, amount }: Intent) =>
  amounts[from] === `-${amount}` && amounts[to] === amount && Object.keys(amounts).length === 2

/** Everything that a journal says, held against the database, before and after the unknown is repeated. */
async function judge(load: Load): Promise<{ acknowledged: number; unknown: number; lost: number }> {
  load.successes()
  const { intents, told } = load
  const refs = [...intents.keys()]
  const before = await effectsOf(refs)
  const unknown: Intent[] = []
  for (const intent of intents.values()) {
    const end = told.get(intent.ref)
    const effects = before.get(intent.ref) ?? []
    if (end?.word === 'ok') {
      assert.deepEqual(
        effects.map(({ id }) => id),
        [end.id],
        `${intent.ref} was acknowledged`,
      )
    } else {
      assert.ok(end === undefined || end.word === 'error: unavailable', `${intent.ref}: ${end?.word}`)
      assert.ok(effects.length <= 1, `${intent.ref} happened ${effects.length} times`)
      unknown.push(intent)
    }
  }
  const repeated = await runUntilTold(desk, unknown.map(orderOf))
  for (const [at, intent] of unknown.entries()) {
    // What a killed process had sent may also have been committed after we looked.
    const words = before.has(intent.ref) ? ['replayed'] : ['ok', 'replayed']
    assert.ok(words.includes(repeated[at]?.word ?? ''), `${intent.ref}: ${repeated[at]?.word}`)
  }
  const afterwards = await effectsOf(refs)
  for (const intent of intents.values()) {
    const [effect, ...more] = afterwards.get(intent.ref) ?? []
    assert.ok(
      effect && more.length === 0 && isAmounts(effect, intent),
      `${intent.ref}: once, with its amounts`,
    )
  }
  await checkLedger(url)
  await reconcile({ url })
  const lost = unknown.filter(({ ref }) => !before.has(ref)).length
  return { acknowledged: intents.size - unknown.length, unknown: unknown.length, lost }
}

describe('kill -9', () => {
  test(`of a process, ${rounds} times, while another goes on`, async (t) => {
    t.diagnostic(`seed ${seed}`)
    const survivor = startLoad(60)
    let unknown = 0
    for (let round = 0; round < rounds; round++) {
      const victim = startLoad(paceMs)
      await until(() => victim.successes() > 50, 'its first successes')
      await sleep(chance.below(300))
      const exit = once(victim.child, 'exit')
      victim.child.kill('SIGKILL')
      await exit
      const before = survivor.successes()
      await until(() => survivor.successes() > before, 'the other one to go on')
      const judged = await judge(victim)
      unknown += judged.unknown
      t.diagnostic(`round ${round}: ${JSON.stringify(judged)}`)
    }
    const exit = once(survivor.child, 'exit')
    survivor.child.send('stop')
    await exit
    assert.ok(unknown > 0, 'something was on its way when the process was killed')
    assert.equal((await judge(survivor)).unknown, 0, 'the other one was told everything')
  })

  test(`of the database, ${rounds} times`, async (t) => {
    t.diagnostic(`seed ${seed}`)
    let unknown = 0
    for (let round = 0; round < rounds; round++) {
      const load = startLoad(paceMs)
      await until(() => load.successes() > 50, 'its first successes')
      await sleep(chance.below(300))
      killDatabase(server)
      await server.stop()
      server = await start(Number(new URL(url).port))
      const before = load.successes()
      await until(() => load.successes() > before, 'the ledger to go on by itself')
      const exit = once(load.child, 'exit')
      load.child.send('stop')
      await exit
      const judged = await judge(load)
      unknown += judged.unknown
      t.diagnostic(`round ${round}: ${JSON.stringify(judged)}`)
    }
    assert.ok(unknown > 0, 'something was on its way when the database was killed')
  })
})

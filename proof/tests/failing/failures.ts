// What can happen to that which the service depends on: how it is done, how it is undone, and what people may meet
// meanwhile.
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { KnobChanges } from '../../../simulator/src/knobs.ts'
import type { Stage } from '../../rig/stage.ts'
import { newPerson, type Person } from '../../rig/world.ts'
import type { MailBox } from './mail-box.ts'
import type { Behaviour, ProviderLine } from './provider-line.ts'

export interface Failing {
  stage: Stage
  providers: ProviderLine
  mails: MailBox
  /** While this file is there, no name leads anywhere. */
  namesAway: string
  /** References of deposits of which another amount was confirmed than was asked for. */
  misconfirmed: { person: Person; reference: string }[]
}

export interface Failure {
  name: string
  /** Of money that needs no provider: `stops` is 503 for everything, `moves` is as ever, `either` is some of both. */
  money: 'stops' | 'moves' | 'either'
  /** What `/api/health` says. */
  health: 200 | 503 | 'either'
  seconds: { gate: number; night: number }
  /** Deposits that are made meanwhile are confirmed with another amount. */
  misconfirms?: true
  /** Does it, and gives what undoes it; undefined where this machine does not allow it. */
  begin(failing: Failing): Promise<(() => Promise<void> | void) | undefined>
}

const short = { gate: 2.5, night: 10 }

export const databaseFailures: Failure[] = [
  {
    ...{ name: 'PostgreSQL refuses connections', money: 'stops', health: 503, seconds: short },
    begin: async ({ stage: { wire } }) => {
      wire.refuse()
      return wire.heal
    },
  },
  {
    ...{ name: 'PostgreSQL hangs', money: 'stops', health: 503, seconds: { gate: 8, night: 40 } },
    begin: async ({ stage: { wire } }) => {
      wire.hang()
      return wire.heal
    },
  },
  {
    ...{ name: 'PostgreSQL resets connections in the middle', money: 'either', health: 'either' },
    seconds: short,
    begin: async ({ stage: { wire, scene } }) => {
      const cut = () => wire.cutAfter(scene.chance.below(30_000))
      const timer = setInterval(cut, 150)
      cut()
      return () => {
        clearInterval(timer)
        wire.heal()
      }
    },
  },
  {
    ...{ name: 'PostgreSQL takes no writes', money: 'stops', health: 503, seconds: short },
    begin: async ({ stage }) => {
      await configured(stage, 'set default_transaction_read_only = on')
      return () => configured(stage, 'reset default_transaction_read_only')
    },
  },
  {
    ...{ name: 'PostgreSQL has too many connections', money: 'stops', health: 503, seconds: short },
    begin: async ({ stage: { cluster, database, wire } }) => {
      await cluster.query('postgres', `alter database ${database} connection limit 0`)
      wire.cut()
      return async () => {
        await cluster.query('postgres', `alter database ${database} connection limit -1`)
      }
    },
  },
  {
    ...{ name: 'The disk of PostgreSQL is full', money: 'either', health: 'either', seconds: short },
    begin: fullDisk,
  },
  {
    ...{ name: 'Somebody else holds locks on all money', money: 'stops', health: 'either' },
    seconds: { gate: 5, night: 20 },
    begin: async ({ stage: { cluster, database } }) => {
      const other = new pg.Client({ connectionString: cluster.adminUrlOf(database) })
      other.on('error', () => undefined)
      await other.connect()
      await other.query('begin')
      await other.query('lock table ledger.entries, payments.payments in access exclusive mode')
      return () => other.end()
    },
  },
]

const provider = (name: string, behave: Behaviour): Failure => ({
  ...{ name: `A provider ${name}`, money: 'moves', health: 200, seconds: { gate: 2, night: 20 } },
  begin: async ({ providers }) => {
    providers.become(behave)
    return () => providers.become('well')
  },
})

const callbacks = (name: string, knobs: KnobChanges): Failure => ({
  ...{ name: `Callbacks ${name}`, money: 'moves', health: 200, seconds: { gate: 1, night: 8 } },
  begin: async ({ stage: { simulator } }) => {
    const before = simulator.knobs()
    simulator.knobs(knobs)
    return () => void simulator.knobs(before)
  },
})

export const otherFailures: Failure[] = [
  // Longer than anybody waits for one.
  { ...provider('hangs', 'hangs'), seconds: { gate: 2, night: 40 } },
  provider('answers 500', 'fails'),
  provider('talks rubbish', 'talks rubbish'),
  { ...provider('confirms another amount', 'doubles amounts'), misconfirms: true },
  callbacks('come twice', { doubled: 1 }),
  callbacks('come late', { late: 1 }),
  callbacks('overtake each other', { reordered: 1 }),
  callbacks('are forged, with another amount', { forged: 1 }),
  {
    ...{ name: 'Callbacks for orders that nobody knows', money: 'moves', health: 200 },
    seconds: { gate: 1, night: 5 },
    begin: strayCallbacks,
  },
  {
    ...{ name: 'The mail server is away', money: 'moves', health: 200, seconds: { gate: 1, night: 15 } },
    begin: async ({ stage, mails }) => {
      await mails.away()
      // Who registers is sent a mail.
      await newPerson(stage.client, { handle: 'unmailed' })
      return mails.back
    },
  },
  {
    ...{ name: 'Name servers are away', money: 'moves', health: 200, seconds: { gate: 2, night: 8 } },
    begin: async ({ namesAway }) => {
      writeFileSync(namesAway, '')
      return () => rmSync(namesAway)
    },
  },
]

const hourMs = 3_600_000

/** By so many hours, in each of the processes. */
const clock = (name: string, hours: readonly number[]): Failure => ({
  ...{ name: `The clock is ${name}`, money: 'moves', health: 200, seconds: { gate: 1, night: 8 } },
  begin: async ({ stage: { services } }) => {
    for (const [at, service] of services.entries()) service.mislead((hours[at] ?? 0) * hourMs)
    return () => {
      for (const service of services) service.mislead(0)
    }
  },
})

export const clockFailures = [
  clock('two hours ahead', [2, 2]),
  clock('two hours behind', [-2, -2]),
  clock('a day ahead in one process and a day behind in the other', [24, -24]),
]

/** For all connections there are. */
async function configured({ cluster }: Stage, what: string): Promise<void> {
  await cluster.query('postgres', `alter system ${what}`)
  await cluster.query('postgres', 'select pg_reload_conf()')
  await sleep(200)
}

const diskBytes = 32 * 2 ** 20

/** The entries of the ledger get a small disk of their own, which is then filled. */
async function fullDisk({ stage }: Failing): Promise<(() => Promise<void>) | undefined> {
  const { cluster, database, scene } = stage
  const place = mkdtempSync(join(tmpdir(), 'mfuko-proof-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=755`, 'tmpfs', place], {
      stdio: 'pipe',
    })
  } catch {
    rmSync(place, { recursive: true })
    scene.say('this machine lets nobody make a small disk: a full one is left out')
    return undefined
  }
  const { uid, gid } = statSync(join(cluster.dataDir, 'postgres'))
  const folder = join(place, 'space')
  mkdirSync(folder)
  chownSync(folder, uid, gid)
  const name = `small_${database}`
  const say = (statement: string) => cluster.query(database, statement)
  await say(`create tablespace ${name} location '${folder}'`)
  await say(`alter table ledger.entries set tablespace ${name}`)
  // Every page counts as full, so that the next entry needs a new one.
  await say('alter table ledger.entries set (fillfactor = 10)')
  fill(join(place, 'filler'))
  return async () => {
    rmSync(join(place, 'filler'))
    await say('alter table ledger.entries reset (fillfactor)')
    await say('alter table ledger.entries set tablespace pg_default')
    await say(`drop tablespace ${name}`)
    execFileSync('umount', [place])
    rmSync(place, { recursive: true })
  }
}

function fill(path: string): void {
  const block = Buffer.alloc(2 ** 16)
  try {
    for (let at = 0; at < diskBytes / block.length; at++) writeFileSync(path, block, { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** To addresses that were never given out, and of orders that were never made. */
async function strayCallbacks({ stage }: Failing): Promise<() => void> {
  const { client, scene } = stage
  const paths = [
    '/hooks/p/bm9ib2R5IGtub3dzIHRoaXMgb25l',
    '/hooks/mtn/live',
    '/hooks/mpesa/live',
    '/hooks/airtel/live',
  ]
  const body = { status: 'SUCCESSFUL', amount: '1000000', currency: 'UGX', externalId: 'nobody' }
  for (const path of [...paths, '/hooks/paystack/live']) {
    const heard = await client.look({ route: 'POST /hooks', path, body })
    if (heard.status >= 500 || heard.status === 0) scene.fault(`a stray callback to ${path}: ${heard.status}`)
  }
  return () => undefined
}

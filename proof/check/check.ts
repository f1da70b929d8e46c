// The judge of every proof: given the database, what clients wrote down and what receivers wrote down, it says each promise
// that a row breaks, in a sentence that names the row. Own SQL and own arithmetic: it imports nothing of the service, so
// that a mistake there can't hide here. The ten rules are in the files beside this one.
import pg from 'pg'
import { checkAudit, openRefusals } from './audit.ts'
import { type Database, databaseOf } from './database.ts'
import { openRulebook, type Rulebook } from './faults.ts'
import type { JournalEntry, ReceiverEntry } from './journal.ts'
import { checkLedger } from './ledger.ts'
import { checkLeftovers } from './leftovers.ts'
import { checkPayments } from './payments.ts'
import { type ClientSecret, checkReceivers } from './receivers.ts'
import { checkReplay } from './replay.ts'
import { checkRequests } from './requests.ts'

export interface CheckOptions {
  /** Those that the service runs with, in base64. */
  secrets: { idem: string; audit: string }
  /** A path, or the lines. Absent: rules 1 and 2 have nothing to say. */
  journal?: string | Iterable<JournalEntry> | AsyncIterable<JournalEntry>
  /** Things of before this moment were not journaled; by the service's clock. */
  since?: Date
  /** False: others act too, and what the journal does not tell of may be there. */
  wholeJournal?: boolean
  /** A path, or the lines. Absent: rule 7 has nothing to say. */
  receivers?: string | Iterable<ReceiverEntry> | AsyncIterable<ReceiverEntry>
  clientSecrets?: readonly ClientSecret[]
  /** False: a fault may have put first attempts out of order. */
  order?: boolean
  /** What a fault keeps from ending: notifications may still wait to be delivered. */
  mayWait?: 'notifications'
  headerPrefix?: string
  /** By the service's clock; absent: the database's. */
  now?: Date
  /** Only those; absent: all ten. */
  rules?: readonly number[]
}

export interface Checked {
  /** The first of each rule; empty when every promise was kept. */
  faults: string[]
  figures: Record<string, number>
}

export async function check(options: CheckOptions & { databaseUrl: string }): Promise<Checked> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'proof checker' })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const checked = await checkIn(client, options)
    await client.query('commit')
    return checked
  } finally {
    await client.end()
  }
}

/** Inside a transaction that the caller has opened. */
export async function checkIn(client: pg.Client, options: CheckOptions): Promise<Checked> {
  const startedAt = performance.now()
  // Compiling the large queries takes longer than they do; and each cursor is read to its end, which the planner would
  // not guess: it would look every row up for the sake of the first ones.
  await client.query(
    `select set_config(name, value, true) from (values ('jit', 'off'), ('cursor_tuple_fraction', '1'),
       ('work_mem', '64MB')) as s (name, value)`,
  )
  const db = databaseOf(client)
  const book = openRulebook()
  const idem = canonical(options.secrets.idem)
  const asks = (...rules: number[]) => rules.some((rule) => options.rules?.includes(rule) ?? true)
  const figures: Record<string, number>[] = []
  if (asks(1, 2, 9)) figures.push(await judgeRequests(db, { options, idem, book }))
  if (asks(3, 4, 5)) {
    const rules = { balance: book.rule(3), chain: book.rule(4), floor: book.rule(5) }
    figures.push({ ...(await checkLedger(db, rules)) })
  }
  if (asks(6)) figures.push(await checkPayments(db, book.rule(6), { idem }))
  if (asks(7)) figures.push(await judgeReceivers(db, { options, faults: book.rule(7) }))
  if (asks(8)) await checkLeftovers(db, book.rule(8), { idem, now: options.now })
  if (asks(9)) {
    const { events: auditEvents } = await checkAudit(db, book.rule(9), { secret: options.secrets.audit })
    figures.push({ auditEvents })
  }
  if (asks(10)) figures.push({ ...(await checkReplay(db, book.rule(10))) })
  const { faults, count } = book.findings()
  const seconds = Math.round((performance.now() - startedAt) / 10) / 100
  return { faults, figures: { ...Object.assign({}, ...figures), faults: count, seconds } }
}

interface Judging {
  options: CheckOptions
  idem: string
  book: Rulebook
}

/** The journal is read once: what was refused must be in the audit log. */
async function judgeRequests(
  db: Database,
  { options, idem, book }: Judging,
): Promise<Record<string, number>> {
  const { journal, since, wholeJournal: isWhole = true } = options
  if (journal === undefined) return {}
  const refusals = openRefusals()
  const rules = { promised: book.rule(1), unknown: book.rule(2) }
  const figures = await checkRequests(db, rules, { journal, idem, since, isWhole, also: refusals.note })
  await refusals.check(db, book.rule(9), since)
  return { ...figures }
}

const canonical = (secret: string): string => Buffer.from(secret, 'base64').toString('base64')

async function judgeReceivers(
  db: Database,
  { options, faults }: { options: CheckOptions; faults: { add(sentence: string): void } },
): Promise<Record<string, number>> {
  if (options.receivers === undefined) return {}
  return checkReceivers(db, faults, {
    receivers: options.receivers,
    clientSecrets: options.clientSecrets ?? [],
    order: options.order ?? true,
    mayWait: options.mayWait === 'notifications',
    prefix: options.headerPrefix ?? 'svc',
  })
}

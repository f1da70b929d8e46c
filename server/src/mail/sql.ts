import type { Queries, Tx } from '../db/db.ts'

export interface NewMessage {
  id: string
  address: string
  name: string
  locale: string
  template: string
  aboutKind: string | undefined
  aboutId: string | undefined
  hasCode: boolean
  data: string | undefined
  /** In the place of the data, when they hold a code. */
  sealed: Buffer | undefined
  state: 'queued' | 'failed'
  problem: string | undefined
}

export const addMessage = (tx: Tx, message: NewMessage) =>
  tx.prepared(
    `insert into mail.messages (id, to_address, to_name, locale, template, about_kind, about_id, has_code, data, sealed,
       state, problem)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      message.id,
      message.address,
      message.name,
      message.locale,
      message.template,
      message.aboutKind ?? null,
      message.aboutId ?? null,
      message.hasCode,
      message.data ?? null,
      message.sealed ?? null,
      message.state,
      message.problem ?? null,
    ],
  )

export interface MessageRow {
  number: bigint
  id: string
  queued_at: Date
  to_address: string
  to_name: string
  locale: 'en' | 'sw' | 'fr'
  template: string
  has_code: boolean
  data: object | null
  sealed: Buffer | null
  subject: string | null
  body_text: string | null
  body_html: string | null
  state: 'queued' | 'sent' | 'kept' | 'failed'
  attempts: number
  problem: string | null
  done_at: Date | null
  wiped_at: Date | null
  about_kind: string | null
  about_id: string | null
}

const columns = `number, id, queued_at, to_address, to_name, locale, template, has_code, data, sealed, subject,
  body_text, body_html, state, attempts, problem, done_at, wiped_at, about_kind, about_id`

export const readMessage = (db: Queries, id: string) =>
  db.row<MessageRow>(`select ${columns} from mail.messages where id = $1`, [id])

/** The first attempt decides what the mail says. A code that was wiped meanwhile stays wiped. */
export const keepRendered = (db: Queries, { id, subject, text, html, sealed }: Rendered) =>
  db.row<MessageRow>(
    `update mail.messages set subject = $2, body_text = $3, body_html = $4, sealed = $5, data = null
     where id = $1 and state = 'queued' and wiped_at is null returning ${columns}`,
    [id, subject, text ?? null, html ?? null, sealed ?? null],
  )

export interface Rendered {
  id: string
  subject: string
  text?: string
  html?: string
  /** In the place of both, when they show a code. */
  sealed?: Buffer
}

export interface Done {
  id: string
  state: 'sent' | 'kept' | 'failed'
  problem: string | undefined
  attempts: number
  now: Date
}

/** A code that is on its way, or will never be, is wiped in the same moment; a kept one may still be read. */
export const markDone = (db: Queries, { id, state, problem, attempts, now }: Done) =>
  db.rows(
    `with done as (select has_code and $2 <> 'kept' as wipe from mail.messages where id = $1)
     update mail.messages m set state = $2, problem = $3, attempts = $4, done_at = $5,
       data = case when wipe then null else m.data end, body_text = case when wipe then null else m.body_text end,
       body_html = case when wipe then null else m.body_html end, sealed = case when wipe then null else m.sealed end,
       wiped_at = case when wipe then coalesce(m.wiped_at, $5) else m.wiped_at end
     from done where m.id = $1 and m.state = 'queued'`,
    [id, state, problem ?? null, attempts, now],
  )

export const countAttempt = (
  tx: Tx,
  { id, problem, attempts }: { id: string; problem: string; attempts: number },
) =>
  tx.rows(`update mail.messages set problem = $2, attempts = $3 where id = $1 and state = 'queued'`, [
    id,
    problem,
    attempts,
  ])

export const wipeCodes = (db: Queries, { before, now, most }: { before: Date; now: Date; most: number }) =>
  db.rows<{ id: string }>(
    `update mail.messages set data = null, body_text = null, body_html = null, sealed = null, wiped_at = $2
     where number in (
       select number from mail.messages where has_code and wiped_at is null and queued_at < $1
       order by queued_at limit $3
     ) returning id`,
    [before, now, most],
  )

export interface Search {
  to: string | undefined
  state: string | undefined
  about: { kind: string; id: string } | undefined
  before: bigint | undefined
  limit: number
}

export type SearchRow = Omit<MessageRow, 'data' | 'sealed' | 'body_text' | 'body_html'>

/** The newest first. Only what is asked for is in the statement, so that each kind of search gets its index. */
export function searchMessages(
  db: Queries,
  { to, state, about, before, limit }: Search,
): Promise<SearchRow[]> {
  const parameters: unknown[] = []
  const given = (value: unknown) => `$${parameters.push(value)}`
  const conditions = [
    ...(to === undefined ? [] : [`lower(to_address) = lower(${given(to)})`]),
    ...(state === undefined ? [] : [`state = ${given(state)}`]),
    ...(about === undefined ? [] : [`about_kind = ${given(about.kind)}`, `about_id = ${given(about.id)}`]),
    ...(before === undefined ? [] : [`number < ${given(before)}`]),
  ]
  return db.rows<SearchRow>(
    `select number, id, queued_at, to_address, to_name, locale, template, has_code, subject, state, attempts, problem,
       done_at, wiped_at, about_kind, about_id
     from mail.messages ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
     order by number desc limit ${given(limit)}`,
    parameters,
  )
}

/** Within a day, among the newest ones about the same. */
export const countLately = (
  db: Queries,
  { about, template, among }: { about: { kind: string; id: string }; template: string; among: number },
) =>
  db.row<{ count: number }>(
    `select count(*)::int as count from (
       select template, queued_at from mail.messages where about_kind = $1 and about_id = $2
       order by number desc limit $4
     ) m where template = $3 and queued_at > now() - interval '1 day'`,
    [about.kind, about.id, template, among],
  )

export const countWaiting = (db: Queries) =>
  db.row<{ queued: bigint; failed: bigint }>(
    `select (select count(*) from (select 1 from mail.messages where state = 'queued' limit 1000) q) as queued,
       (select count(*) from (select 1 from mail.messages
         where state = 'failed' and queued_at > now() - interval '7 days' limit 1000) f) as failed`,
  )

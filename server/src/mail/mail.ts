// Mails to people. One is written down in the transaction of what it tells, and sent by a background job: by SMTP when
// there is a mail server, else it is kept where an operator can read it. It is sent at least once, under one
// Message-ID. What must stay true: what a person chose (a name, a note) is text in the mail and never part of its
// headers or its HTML, and a code stays in the database no longer than it is needed, and sealed.
import * as background from '../background/background.ts'
import { check } from '../base/check.ts'
import { newId } from '../base/ids.ts'
import type { Locale } from '../base/money.ts'
import type { Seal } from '../base/seal.ts'
import type { Queries, Tx } from '../db/db.ts'
import { contentsOf, sealContents } from './contents.ts'
import * as sql from './sql.ts'
import { hasCode, neededFields, type TemplateData, type TemplateName } from './templates.ts'

export { codeContents } from './contents.ts'
export type { TemplateData, TemplateName } from './templates.ts'

export interface Recipient {
  address: string
  name: string
  locale: Locale
}

/** The template decides what the data are. */
export type NewMail = {
  [Name in TemplateName]: {
    to: Recipient
    template: Name
    data: TemplateData[Name]
    /** What it is about, for those who look for it later. */
    about?: { kind: string; id: string } | undefined
  } & (TemplateData[Name] extends { code: string } ? { seal: Seal } : { seal?: undefined })
}[TemplateName]

export const sendTask = 'send_mail'

/** Sent when the transaction has committed. An address that can't be one is noted, and refuses nothing. */
export async function queue(tx: Tx, { to, template, data, about, seal }: NewMail): Promise<void> {
  const fields: Record<string, unknown> = { ...data }
  const missing = neededFields[template].filter((field) => fields[field] === undefined)
  check(missing.length === 0, `a mail ${template} is given ${missing.join(', ')}`)
  const id = newId('mai')
  const deliverable = isAddress(to.address)
  check(hasCode(template) === (seal !== undefined), 'a mail with a code is sealed')
  await sql.addMessage(tx, {
    id,
    address: oneLine(to.address).slice(0, addressMax),
    name: oneLine(to.name).slice(0, nameMax),
    locale: to.locale,
    template,
    aboutKind: about?.kind,
    aboutId: about?.id,
    hasCode: hasCode(template),
    data: deliverable && seal === undefined ? JSON.stringify(data) : undefined,
    sealed: deliverable ? seal && sealContents(seal, { id, contents: { data } }) : undefined,
    state: deliverable ? 'queued' : 'failed',
    problem: deliverable ? undefined : 'This is not an address that mail can be sent to.',
  })
  if (deliverable) await background.add(tx, { task: sendTask, payload: { id }, patient: true })
}

const addressMax = 254
const nameMax = 100

/** One address, without names, comments, lists or control characters; letters of any script. */
const addressForm = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[^\s\p{C}"(),:;<>@[\\\]]+$/u

const isAddress = (text: string): boolean =>
  text.length <= addressMax && text.isWellFormed() && addressForm.test(text)

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A code can't be used any more after this time, and is wiped. */
const codeHours = 24
const wipeMost = 1_000
const wipesMax = 1_000

/** Codes of mails that were kept, or are still waiting for the mail server. Returns how many. */
export async function wipeCodes(db: Queries, { now }: { now: Date }): Promise<number> {
  const before = new Date(now.getTime() - codeHours * 3_600_000)
  let wiped = 0
  for (let bites = 0; bites < wipesMax; bites++) {
    const rows = await sql.wipeCodes(db, { before, now, most: wipeMost })
    wiped += rows.length
    if (rows.length < wipeMost) break
  }
  return wiped
}

export interface MailSearch {
  /** The whole address, any case. */
  to?: string | undefined
  state?: MailRow['state'] | undefined
  about?: { kind: string; id: string } | undefined
  /** The number of the last row of the page before. */
  before?: bigint | undefined
  limit: number
}

export interface MailRow {
  number: bigint
  id: string
  to: Recipient
  template: string
  /** Absent until the first attempt to send it. */
  subject: string | undefined
  state: 'queued' | 'sent' | 'kept' | 'failed'
  attempts: number
  problem: string | undefined
  about: { kind: string; id: string } | undefined
  queuedAt: Date
  doneAt: Date | undefined
  wipedAt: Date | undefined
}

/** The newest first, without their contents. */
export async function search(
  db: Queries,
  { limit, to, state, about, before }: MailSearch,
): Promise<MailRow[]> {
  check(limit >= 1 && limit <= 1_000, 'a page has 1 to 1000 rows')
  return (await sql.searchMessages(db, { to, state, about, before, limit })).map(rowOf)
}

const lateMost = 1_000

/** How many of a kind were queued about something within a day. */
export async function countLately(
  db: Queries,
  { template, about }: { template: TemplateName; about: { kind: string; id: string } },
): Promise<number> {
  const row = await sql.countLately(db, { about, template, among: lateMost })
  return row?.count ?? 0
}

/** For watching. Counted up to a thousand. */
export async function countWaiting(db: Queries): Promise<{ queued: number; failed: number }> {
  const row = await sql.countWaiting(db)
  return { queued: Number(row?.queued ?? 0n), failed: Number(row?.failed ?? 0n) }
}

export interface MailContents {
  text: string | undefined
  html: string | undefined
}

/** One with its contents; they are absent before the first attempt, and after they were wiped. */
export async function read(
  { db, seal }: { db: Queries; seal: Seal },
  id: string,
): Promise<(MailRow & MailContents) | undefined> {
  const row = await sql.readMessage(db, id)
  if (row === undefined) return undefined
  const { text, html } = contentsOf(seal, row)
  return { ...rowOf(row), text, html }
}

const rowOf = (row: sql.SearchRow): MailRow => ({
  number: row.number,
  id: row.id,
  to: { address: row.to_address, name: row.to_name, locale: row.locale },
  template: row.template,
  subject: row.subject ?? undefined,
  state: row.state,
  attempts: row.attempts,
  problem: row.problem ?? undefined,
  about:
    row.about_kind === null || row.about_id === null ? undefined : { kind: row.about_kind, id: row.about_id },
  queuedAt: row.queued_at,
  doneAt: row.done_at ?? undefined,
  wipedAt: row.wiped_at ?? undefined,
})

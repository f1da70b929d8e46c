// One mail on its way: written out by the first attempt, then the same in every one, until it is sent, kept, or given
// up. Attempts are counted in the row and asked for as jobs; a job that runs twice, or dies in between, may send a
// mail twice under one Message-ID, and never loses it.
import * as background from '../background/background.ts'
import { someOf } from '../base/chance.ts'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Seal } from '../base/seal.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { contentsOf, sealContents } from './contents.ts'
import { sendTask } from './mail.ts'
import { render } from './render.ts'
import type { Outcome, Sender } from './send.ts'
import * as sql from './sql.ts'
import { isTemplate } from './templates.ts'

export interface Delivery {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'MAIL_FROM' | 'BRAND_NAME' | 'production'>
  baseUrl: string
  /** Opens and makes the contents of mails that show a code. */
  seal: Seal
  /** None: mails are kept. */
  sender: Sender | undefined
}

/** After each failed attempt; 15 h 42 min in all, ±20 %. A code is good for no longer than a day. */
const pausesSeconds = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]

export async function deliver(delivery: Delivery, id: string): Promise<void> {
  const found = await sql.readMessage(delivery.db, id)
  // Sent by a run before this one.
  if (found?.state !== 'queued') return
  const message = await written(delivery, found)
  if (message === undefined) return finish(delivery, found, { outcome: 'never', problem: expired })
  const { sender } = delivery
  if (sender === undefined) return keep(delivery, message)
  const { BRAND_NAME: brand } = delivery.config
  const address = senderAddress(delivery)
  const outcome = await sender.send({
    messageId: `${found.id}@${address.slice(address.lastIndexOf('@') + 1)}`,
    date: found.queued_at,
    from: { name: brand, address },
    to: { name: found.to_name, address: found.to_address },
    locale: found.locale,
    subject: message.subject,
    text: message.text,
    html: message.html,
  })
  await finish(delivery, found, outcome)
}

const expired = 'Its code expired before it could be sent.'

interface Written {
  row: sql.MessageRow
  subject: string
  text: string
  html: string
}

function writtenIn(seal: Seal, row: sql.MessageRow | undefined): Written | undefined {
  if (row === undefined || row.subject === null) return undefined
  const { text, html } = contentsOf(seal, row)
  return text === undefined || html === undefined ? undefined : { row, subject: row.subject, text, html }
}

/** Nothing, when its contents were wiped before it could be sent. */
async function written(delivery: Delivery, row: sql.MessageRow): Promise<Written | undefined> {
  const { config, baseUrl, db, seal } = delivery
  const before = writtenIn(seal, row)
  if (before !== undefined) return before
  const { id, template, locale, to_name: name } = row
  const { data } = contentsOf(seal, row)
  if (data === undefined) return undefined
  check(isTemplate(template), 'a stored mail has a template that exists')
  const { subject, ...contents } = render({
    template,
    locale,
    name,
    data,
    brand: config.BRAND_NAME,
    baseUrl,
  })
  const kept = row.has_code ? { sealed: sealContents(seal, { id, contents }) } : contents
  return writtenIn(seal, await sql.keepRendered(db, { id, subject, ...kept }))
}

export const senderAddress = ({ config, baseUrl }: Pick<Delivery, 'config' | 'baseUrl'>): string =>
  config.MAIL_FROM ?? `no-reply@${new URL(baseUrl).hostname}`

async function finish(delivery: Delivery, row: sql.MessageRow, result: Outcome): Promise<void> {
  const { db, clock, log } = delivery
  const { id, template } = row
  const attempts = row.attempts + 1
  if (result.outcome === 'sent') {
    await sql.markDone(db, { id, state: 'sent', problem: undefined, attempts, now: clock.now() })
    return log.debug({ mail: id, template, attempts }, 'sent a mail')
  }
  const { outcome, problem } = result
  // What the server says may name the recipient: it goes into the row, and its first word into the log.
  const told = { mail: id, template, attempts, problem: problem.split(':')[0] }
  const pauseSeconds = outcome === 'later' ? pausesSeconds[attempts - 1] : undefined
  if (pauseSeconds === undefined) {
    await sql.markDone(db, { id, state: 'failed', problem, attempts, now: clock.now() })
    return log.error(told, 'a mail could not be sent and is given up')
  }
  const afterMs = pauseSeconds * (800 + someOf(400))
  await db.inTransaction(async (tx) => {
    await sql.countAttempt(tx, { id, problem, attempts })
    await background.add(tx, { task: sendTask, payload: { id }, afterMs, patient: true })
  })
  log.warn(told, 'a mail could not be sent; the next attempt comes later')
}

async function keep({ db, clock, log, config }: Delivery, message: Written): Promise<void> {
  const { id, template } = message.row
  await sql.markDone(db, { id, state: 'kept', problem: undefined, attempts: 0, now: clock.now() })
  // In production a log is read by many, and a mail by one.
  if (config.production) return log.info({ mail: id, template }, 'kept a mail: there is no SMTP_URL')
  log.info({}, block(message))
}

function block({ row: { to_name, to_address }, subject, text }: Written): string {
  const rule = '-'.repeat(72)
  const head = `Mail to ${to_name} <${to_address}> (not sent: there is no SMTP_URL)`
  return ['', rule, head, subject, '', text.trimEnd(), rule].join('\n')
}

// Payments to merchants: asked for, paid, failed, refunded. What must stay true: each change of state happens once and in
// one transaction with the money and the notification that belong to it, whoever comes first; and the database enforces it.
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import { decodeReference } from '../base/reference.ts'
import * as notifications from '../notifications/notifications.ts'
import type { HistorySource } from '../transactions/transactions.ts'
import { type Asked, type NewOrder, openAsking, sweepKeys } from './asking.ts'
import { endAttempt, type NewAttempt, type Started, startAttempt } from './by-provider/attempts.ts'
import { type Match, matchUnmatched } from './by-provider/matching.ts'
import { endRefund } from './by-provider/refunds.ts'
import { startSoon } from './by-provider/soon.ts'
import { fail, type PaymentOptions } from './events.ts'
import { expireDue } from './expiry.ts'
import { openHistory } from './history.ts'
import { merchantOf } from './payee.ts'
import { type Refund, type RefundMade, refundOnce } from './refunds.ts'
import { paymentOf } from './rows.ts'
import { checkoutUrl, type Mode, type Payment, tokenForm, tokenHash, tokenOf } from './rules.ts'
import * as sql from './sql.ts'
import { type Volume, type Asked as VolumeAsked, volumeOf } from './volume/volume.ts'
import { type Payer, payFromWallet, type WalletOutcome } from './wallet.ts'

export type { Asked, NewOrder } from './asking.ts'
export type { NewAttempt, Started } from './by-provider/attempts.ts'
export type { Match } from './by-provider/matching.ts'
export type { PaymentOptions } from './events.ts'
export type { Refund, Refunded } from './refunds.ts'
export type { Failure, Mode, Payment, Status } from './rules.ts'
export { attemptsMax, failureOf, failures, statuses } from './rules.ts'
export type { AttemptRow, RefundRow } from './sql.ts'
export type { Payer } from './wallet.ts'
export { notificationsPage, paymentWebhooks } from './webhooks.ts'

export interface Payments {
  ask(order: NewOrder): Promise<Asked>
  /** `endedSince`: one that ended before, or is over since before, is not found. */
  byToken(token: string, options?: { endedSince?: Date }): Promise<Payment | undefined>
  /** Our reference, or the merchant's name for it. */
  find(whose: { merchant: number; mode: Mode | undefined; text: string }): Promise<Payment | undefined>
  byNumber(number: bigint): Promise<Payment | undefined>
  list(filter: sql.ListFilter): Promise<Payment[]>
  /** Accepted, failed and refunded, by day or week. */
  volume(asked: VolumeAsked): Promise<Volume>
  /** The oldest first. */
  attemptsOf(payment: Payment): Promise<sql.AttemptRow[]>
  details(payment: Payment): Promise<{ attempts: sql.AttemptRow[]; refunds: sql.RefundRow[] }>
  /** The newest first, as they go over the wire. */
  notificationsOf(payment: Payment): Promise<notifications.Notification[]>
  /** `declined`: not enough money; the customer may try again. `decided`: it is not pending any more. */
  payFromWallet(payment: Payment, payer: Payer): Promise<WalletOutcome>
  /**
   * Asks the customer's phone, or opens the provider's own page. Returns when the provider has it, or after a few seconds
   * of silence; what came of it is seen in `details`.
   */
  startAttempt(payment: Payment, wanted: NewAttempt): Promise<Started>
  cancel(payment: Payment): Promise<Payment>
  refund(payment: Payment, refund: Refund): Promise<Pick<RefundMade, 'answer' | 'replayed'>>
  /** An operator says which payment unmatched money was meant for. */
  matchUnmatched(match: Match): Promise<Payment>
  /** Fails what was not paid in time. Returns how many. */
  expireDue(): Promise<number>
  /** Forgets keys of repeated requests that are free again. Returns how many. */
  sweepKeys(): Promise<number>
  urlOf(payment: Payment): string
  /** What the ledger does not know of, for the history of people. */
  history: HistorySource
}

const racesMax = 10
const notificationsMax = 100

export function openPayments(options: PaymentOptions): Payments {
  const { db, clock, secrets, baseUrl } = options
  const ask = openAsking(options)
  const shaped = (row: sql.PaymentRow): Payment => paymentOf(row, secrets.idem)
  const one = async (rows: Promise<sql.PaymentRow[]>) => {
    const [row] = await rows
    return row && shaped(row)
  }
  options.operations.onEnd('payment', (operation, outcome, of) =>
    endAttempt({ ...options, db: of }, operation, outcome),
  )
  options.operations.onEnd('refund', (operation, outcome, of) =>
    endRefund({ ...options, db: of }, operation, outcome),
  )
  const byNumber: Payments['byNumber'] = (number) => one(sql.readByNumber(db, number))
  return {
    ask,
    history: openHistory(options),
    byToken: async (token, { endedSince } = {}) =>
      tokenForm.test(token)
        ? one(sql.readByToken(db, { tokenHash: tokenHash(token), endedSince }))
        : undefined,
    find: async ({ merchant, mode, text }) => {
      const reference = decodeReference(secrets.idem, text)
      const found = reference?.kind === 'PY' ? await byNumber(reference.id) : undefined
      if (found?.merchant === merchant && (mode === undefined || found.mode === mode)) return found
      return findByName(options, { merchant, mode, refTrx: text })
    },
    byNumber,
    list: async (filter) => (await sql.listPayments(db, filter)).map(shaped),
    volume: (asked) => volumeOf(db, asked),
    attemptsOf: ({ number }) => sql.readAttempts(db, number),
    details: async ({ number }) => {
      const [attempts, refunds] = await Promise.all([
        sql.readAttempts(db, number),
        sql.readRefunds(db, number),
      ])
      return { attempts, refunds }
    },
    notificationsOf: async (payment) => {
      const about = { merchant: merchantOf(payment), subject: payment.reference, limit: notificationsMax }
      return (await notifications.list(db, about)).map(({ notification }) => notification)
    },
    payFromWallet: (payment, payer) => payFromWallet(options, payment, payer),
    startAttempt: (payment, wanted) => startAttempt(options, payment, wanted),
    cancel: (payment) =>
      db.inTransaction(async (tx) => {
        const row = await sql.lockByNumber(tx, payment.number)
        check(row !== undefined, 'a payment that was seen is there')
        const locked = shaped(row)
        return locked.status === 'pending'
          ? fail(tx, locked, { code: 'cancelled_by_customer', at: clock.now() })
          : locked
      }),
    refund: async (payment, refund) => {
      let current = payment
      for (let races = 0; races < racesMax; races++) {
        const made = await refundOnce(options, current, refund)
        if (made?.operation !== undefined) await startSoon(options, made.operation)
        if (made !== undefined) return made
        current = (await byNumber(payment.number)) ?? current
      }
      throw new AppError('unavailable', { retryAfter: 1 })
    },
    matchUnmatched: (match) => matchUnmatched(options, match),
    expireDue: () => expireDue(options),
    sweepKeys: () => sweepKeys(options),
    urlOf: ({ number }) => checkoutUrl(baseUrl, tokenOf(secrets.idem, number)),
  }
}

/** The one that did not fail, else the latest. */
async function findByName(
  { db, secrets }: PaymentOptions,
  { mode, ...name }: { merchant: number; mode: Mode | undefined; refTrx: string },
): Promise<Payment | undefined> {
  for (const named of mode === undefined ? (['live', 'test'] as const) : [mode]) {
    const where = { ...name, mode: named }
    const row = (await sql.readByName(db, where)) ?? (await sql.readLatestFailed(db, where))
    if (row !== undefined) return paymentOf(row, secrets.idem)
  }
  return undefined
}

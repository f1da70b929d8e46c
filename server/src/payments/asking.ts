// A merchant asks for a payment. Many ask at once, so they are written together; the same request, or the merchant's same
// name for it, is the same payment.
import { check } from '../base/check.ts'
import { coalesce } from '../base/coalesce.ts'
import { AppError } from '../base/errors.ts'
import type { Amount } from '../base/money.ts'
import { type Db, isAway, openNumbers } from '../db/db.ts'
import type { RequestKey } from '../ledger/ledger.ts'
import * as notifications from '../notifications/notifications.ts'
import { eventOf, fail, type PaymentOptions } from './events.ts'
import { asRow, paymentOf } from './rows.ts'
import { type Mode, type Payment, paymentFee, type Source, tokenHash, tokenOf } from './rules.ts'
import * as sql from './sql.ts'

export interface NewOrder {
  /** Absent when it is for a campaign. */
  merchant: number | null
  merchantName: string
  /** Absent when it is for a merchant. */
  campaign?: string | undefined
  mode: Mode
  source: Source
  /** The merchant's own name for it. */
  refTrx: string | null
  amount: Amount
  description: string | null
  notifyUrl: string | null
  successRedirect: string | null
  failureUrl: string | null
  cancelRedirect: string | null
  /** Of a request that may be repeated. */
  key: RequestKey | undefined
}

export interface Asked {
  /** As it was when it was asked for. */
  payment: Payment
  /** The same request was answered before. */
  replayed: boolean
}

const batchMax = 100

export function openAsking(options: PaymentOptions): (order: NewOrder) => Promise<Asked> {
  const { db, secrets } = options
  const nextNumbers = openNumbers(db, sql.numbers)
  const insert = coalesce<sql.NewPayment & { payment: Payment }, boolean>({
    run: (rows) => insertAll(db, rows),
    most: batchMax,
    runsMax: 2,
    waitingMax: 5_000,
    mayRepeat: (error) => !isAway(error) && !(error instanceof AppError),
  })
  const ask = async (order: NewOrder): Promise<Asked> => {
    refuseUnpayable(options, order)
    const [number] = await nextNumbers(1)
    check(number !== undefined, 'a number was taken')
    const row = newRow(options, order, number)
    const payment = paymentOf(asRow(row), secrets.idem)
    if (await insert({ ...row, payment })) return { payment, replayed: false }
    const repeated = await repeatedRequest(options, order)
    if (repeated !== undefined) return { payment: repeated, replayed: true }
    const known = await askAgain(options, order)
    return known === 'changed now' ? ask(order) : { payment: known, replayed: false }
  }
  return ask
}

function newRow(
  { clock, secrets, checkoutMinutes }: PaymentOptions,
  order: NewOrder,
  number: bigint,
): sql.NewPayment {
  const createdAt = clock.now()
  return {
    ...order,
    campaign: order.campaign ?? null,
    number,
    amount: order.amount.minor,
    currency: order.amount.currency,
    tokenHash: tokenHash(tokenOf(secrets.idem, number)),
    // Who asks by `pay` hears that it is pending.
    events: order.source === 'pay' && (order.notifyUrl !== null || order.mode === 'test') ? 1 : 0,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + checkoutMinutes * 60_000),
  }
}

function refuseUnpayable({ prices }: PaymentOptions, { amount, source }: NewOrder): void {
  if (source === 'campaign') return
  const field = source === 'gateway' ? 'payment_amount' : 'amount'
  if (paymentFee(amount, prices).minor < amount.minor) return
  throw new AppError('validation_failed', { errors: { [field]: 'Amount must be more than its fee' } })
}

/** True where it is new; false where the merchant has used the name before. */
async function insertAll(
  db: Db,
  rows: readonly (sql.NewPayment & { payment: Payment })[],
): Promise<boolean[]> {
  return db.inTransaction(async (tx) => {
    const inserted = new Set((await sql.insertPayments(tx, rows)).map(({ number }) => number))
    const events = rows.flatMap(({ number, payment, createdAt }) =>
      inserted.has(number) && payment.source === 'pay'
        ? (eventOf({ payment, event: 'pending', at: createdAt }, 1) ?? [])
        : [],
    )
    if (events.length > 0) await notifications.add(tx, events)
    return rows.map(({ number }) => inserted.has(number))
  })
}

const keyMs = 7 * 86_400_000

/** The payment that the same request was answered with before, as it was then. */
async function repeatedRequest(
  { db, clock, secrets }: PaymentOptions,
  { key }: NewOrder,
): Promise<Payment | undefined> {
  const row = key && (await sql.readByKey(db, key.id))
  if (key === undefined || row === undefined) return undefined
  const before = new Date(clock.now().getTime() - keyMs)
  if (row.key_since <= before) {
    await sql.forgetKey(db, { key: key.id, before })
    return undefined
  }
  if (row.key_body !== key.fingerprint) throw new AppError('idempotency_conflict')
  return { ...paymentOf(row, secrets.idem), status: 'pending', failure: null }
}

/** The same name again: the same payment, if it is the same and still pending. */
async function askAgain(options: PaymentOptions, order: NewOrder): Promise<Payment | 'changed now'> {
  const { db, clock, secrets } = options
  const { merchant, mode, refTrx, source, key } = order
  // A key that was forgotten just now.
  if (refTrx === null || merchant === null) return 'changed now'
  const field = source === 'gateway' ? 'ref_trx' : 'reference'
  const row = await sql.readByName(db, { merchant, mode, refTrx })
  // It failed in this very moment, so the name is free again.
  if (row === undefined) return 'changed now'
  const known = paymentOf(row, secrets.idem)
  const refuse = (problem: string) => new AppError('validation_failed', { errors: { [field]: problem } })
  if (known.status !== 'pending')
    throw refuse('This payment was made already. Use another reference for a new one.')
  if (known.expiresAt <= clock.now()) {
    await db.inTransaction(async (tx) => {
      const locked = await sql.lockByNumber(tx, known.number)
      if (locked?.status === 'pending')
        await fail(tx, paymentOf(locked, secrets.idem), { code: 'expired', at: clock.now() })
    })
    return 'changed now'
  }
  const same = known.amount.minor === order.amount.minor && known.amount.currency === order.amount.currency
  if (!same) throw refuse('This reference belongs to a pending payment with another amount or currency.')
  if (known.source !== source)
    throw refuse(
      'This reference belongs to a pending payment of the other interface (initiate-payment or pay). Use another one.',
    )
  // The same request gets this answer again, whatever becomes of the payment.
  const isKept =
    key === undefined ||
    (await sql.keepRepeatedKey(db, { key, number: known.number, at: clock.now() })) !== undefined
  return isKept ? known : 'changed now'
}

const sweptMost = 1_000
const bitesMax = 1_000

/** Forgets keys that are free again. Returns how many. */
export async function sweepKeys({ db, clock }: Pick<PaymentOptions, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - keyMs)
  let swept = 0
  for (let bites = 0; bites < bitesMax; bites++) {
    const { length } = await sql.sweepRepeatedKeys(db, { before, most: sweptMost })
    swept += length
    if (length < sweptMost) break
  }
  return swept
}

// What a person sees of a posting, and which lines a selection takes. Pure: everything comes from the posting itself,
// which never changes, so a line reads the same for ever.
import type { Currency } from '../base/money.ts'

export const transactionTypes = [
  'transfer',
  'deposit',
  'withdrawal',
  'payment',
  'refund',
  'group_contribution',
  'group_payout',
  'campaign_contribution',
  'campaign_payout',
] as const
export type TransactionType = (typeof transactionTypes)[number]

export const transactionStatuses = ['pending', 'completed', 'failed'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const directions = ['in', 'out'] as const
export type Direction = (typeof directions)[number]

interface TypeRow {
  /** What its references begin with. */
  code: string
  /** Whose line shows the fee: who pays it. */
  feeOf: Direction | 'nobody'
}

export const typeRows: Record<TransactionType, TypeRow> = {
  transfer: { code: 'TR', feeOf: 'out' },
  deposit: { code: 'DP', feeOf: 'nobody' },
  withdrawal: { code: 'WD', feeOf: 'out' },
  // The merchant pays it.
  payment: { code: 'PY', feeOf: 'nobody' },
  refund: { code: 'RF', feeOf: 'nobody' },
  group_contribution: { code: 'GC', feeOf: 'nobody' },
  group_payout: { code: 'GP', feeOf: 'nobody' },
  campaign_contribution: { code: 'CC', feeOf: 'nobody' },
  campaign_payout: { code: 'CP', feeOf: 'in' },
}

export interface Party {
  handle?: string
  name: string
}

/** One line of somebody's history. */
export interface Happening {
  /** Absent when no money has moved. */
  postingId: bigint | undefined
  /** Absent when it is made from the posting. */
  reference: string | undefined
  type: TransactionType
  direction: Direction
  currency: Currency
  /** What moved in or out of the wallet, in minor units; above zero. */
  amount: bigint
  fee: bigint
  status: TransactionStatus
  counterparty: Party
  note: string | undefined
  /** Why it failed, for programs; the note says it in words. */
  failureCode?: string | undefined
  /** Absent when no money has moved. */
  balanceAfter: bigint | undefined
  createdAt: Date
}

/** One side of a posting. */
export interface Side {
  postingId: bigint
  kind: string
  details: object
  currency: Currency
  amount: bigint
  balanceAfter: bigint
  createdAt: Date
}

/** `nobody` is the name where a posting names no other side: the service's own. */
export function happeningOf(side: Side, nobody: string): Happening {
  const details = side.details as Record<string, unknown>
  const direction = side.amount < 0n ? 'out' : 'in'
  const type = typeOf(side.kind, direction)
  const other = direction === 'out' ? details.to : details.from
  return {
    postingId: side.postingId,
    // What a refund's details name is the payment, of which there may be several refunds.
    reference: type === 'refund' ? undefined : textOf(details.reference),
    type,
    direction,
    currency: side.currency,
    amount: direction === 'out' ? -side.amount : side.amount,
    fee: typeRows[type].feeOf === direction ? minorOf(details.fee) : 0n,
    status: 'completed',
    counterparty: partyOf(details.counterparty) ?? partyOf(other) ?? { name: nobody },
    note: textOf(details.note),
    balanceAfter: side.balanceAfter,
    createdAt: side.createdAt,
  }
}

const isType = (kind: string): kind is TransactionType => Object.hasOwn(typeRows, kind)

/** A posting of no kind that people know (a correction, say) still is money that came in or left. */
const typeOf = (kind: string, direction: Direction): TransactionType =>
  isType(kind) ? kind : direction === 'in' ? 'deposit' : 'withdrawal'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const minorOf = (value: unknown): bigint =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? BigInt(value) : 0n

function partyOf(value: unknown): Party | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { handle, name } = value as Record<string, unknown>
  const known = textOf(name)
  if (known === undefined) return undefined
  const called = textOf(handle)
  return called === undefined ? { name: known } : { handle: called, name: known }
}

export interface Selection {
  currency?: Currency | undefined
  type?: TransactionType | undefined
  direction?: Direction | undefined
  status?: TransactionStatus | undefined
  /** From this moment on … */
  from?: Date | undefined
  /** … and before this one. */
  to?: Date | undefined
  /** What people type to find something. */
  q?: string | undefined
}

/** Does a line belong to the selection? */
export function chooserOf(selection: Selection): (line: Happening) => boolean {
  const { currency, type, direction, status, from, to } = selection
  const asked = folded(selection.q?.trim() ?? '')
  const handle = asked.replace(/^@/, '')
  return (line) =>
    (currency === undefined || line.currency === currency) &&
    (type === undefined || line.type === type) &&
    (direction === undefined || line.direction === direction) &&
    (status === undefined || line.status === status) &&
    (from === undefined || line.createdAt >= from) &&
    (to === undefined || line.createdAt < to) &&
    (asked === '' || mentions(line, { asked, handle }))
}

const mentions = (line: Happening, { asked, handle }: { asked: string; handle: string }): boolean =>
  (handle !== '' && (line.counterparty.handle ?? '').includes(handle)) ||
  folded(line.counterparty.name).includes(asked) ||
  (line.note !== undefined && folded(line.note).includes(asked))

/** As people compare words: without case and accents. */
export const folded = (text: string): string =>
  // Most texts are plain, and the long way costs ten times as much.
  (isPlain(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase()

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/**
 * What the details of every line that fits must hold, if they are plain ASCII: so the ledger leaves most others out by
 * itself. A handle is found without its `@`; a word in other letters says nothing about plain details, and the name of
 * `nobody` is on lines whose details have no name at all.
 */
export function plainMention(q: string | undefined, nobody: string): string | undefined {
  const word = folded(q?.trim() ?? '').replace(/^@/, '')
  return isPlain(word) && word !== '' && !folded(nobody).includes(word) ? word : undefined
}

/** The kinds that can't be of the asked type, so that the ledger leaves them out by itself. */
export const otherKinds = (type: TransactionType | undefined): TransactionType[] =>
  type === undefined ? [] : transactionTypes.filter((kind) => kind !== type)

/** A day (`2026-03-14`, in UTC) or a moment. A day that is an end is a whole day. */
export function readMoment(text: string, { isEnd = false } = {}): Date | undefined {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  // `2026-02-30` is read as the 2nd of March.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined
  if (text.length === 10) return isEnd ? new Date(day.getTime() + dayMs) : day
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const dayMs = 86_400_000

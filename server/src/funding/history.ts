// What a person's history shows of deposits and withdrawals that moved no money, or not yet; and the steps of those that did.
import { check } from '../base/check.ts'
import { isCurrency } from '../base/money.ts'
import { decodeReference } from '../base/reference.ts'
import type { Happening, HistorySource, Step } from '../transactions/transactions.ts'
import { type FundingOptions, referenceOf } from './room.ts'
import { counterpartyOf, failureMessage, type OrderKind } from './rules.ts'
import * as sql from './sql.ts'

const kinds: Record<string, OrderKind> = { DP: 'deposit', WD: 'withdrawal' }

export const openHistory = (options: Pick<FundingOptions, 'secrets'>): HistorySource => ({
  name: 'funding',
  page: async (db, { userId, selection, before, limit }) => {
    const { type, status, currency, direction } = selection
    if (status === 'completed') return []
    const kind = direction === undefined ? type : direction === 'in' ? 'deposit' : 'withdrawal'
    if (type !== undefined && (type !== kind || !['deposit', 'withdrawal'].includes(type))) return []
    const rows = await sql.listNotCompleted(db, {
      user: userId,
      kind: kind === 'deposit' || kind === 'withdrawal' ? kind : null,
      status: status ?? null,
      currency: currency ?? null,
      before,
      limit,
    })
    return rows.map((row) => ({ place: row.number, line: lineOf(options, row) }))
  },
  find: async (db, { userId, reference }) => {
    const decoded = decodeReference(options.secrets.idem, reference)
    const kind = decoded && kinds[decoded.kind]
    const row = decoded && kind && (await sql.readOrder(db, decoded.id))
    if (row === undefined || row.kind !== kind || row.user_id !== userId) return undefined
    const steps = stepsOf(row)
    return row.posting_id === null
      ? { line: lineOf(options, row), steps }
      : { postingId: row.posting_id, steps }
  },
})

function lineOf(options: Pick<FundingOptions, 'secrets'>, row: sql.OrderRow): Happening {
  const { kind, currency, status, failure_code: code } = row
  check(isCurrency(currency), 'an order has a currency of the table')
  return {
    postingId: undefined,
    reference: referenceOf(options, row),
    type: kind,
    direction: kind === 'deposit' ? 'in' : 'out',
    currency,
    // As it will be when it has moved: what leaves a wallet is the amount with its fee.
    amount: row.amount + row.fee,
    fee: row.fee,
    status,
    counterparty: counterpartyOf({ name: row.provider_name, phone: row.phone }),
    note: status === 'failed' ? failureMessage(code ?? '') : undefined,
    failureCode: status === 'failed' ? (code ?? undefined) : undefined,
    balanceAfter: undefined,
    createdAt: row.created_at,
  }
}

function stepsOf({ status, created_at, ended_at }: sql.OrderRow): Step[] {
  const steps: Step[] = [{ status: 'pending', at: created_at }]
  if (ended_at !== null) steps.push({ status, at: ended_at })
  return steps
}

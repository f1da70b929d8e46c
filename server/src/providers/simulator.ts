// The statements of the simulator: what the networks' own books there say. They stand in for the records that a provider
// has for its customers.
import { isCurrency, readMinor } from '../base/money.ts'
import type { OperationKind, ProviderId, ProviderRecord, WireAnswer, WireRequest } from './contract.ts'

export interface StatementPage {
  provider: ProviderId
  from: Date
  to: Date
  /** The number of the last line of the page before; 0 at first. */
  after: number
}

/** So that a page is well below what one answer may have. */
const linesMost = 400

export const statementRequest = ({ provider, from, to, after }: StatementPage): WireRequest => ({
  method: 'GET',
  path: `/simulator/statements/${provider}?from=${from.toISOString()}&to=${to.toISOString()}&after=${after}&limit=${linesMost}`,
})

export interface StatementRead {
  records: ProviderRecord[]
  /** Of the last line; absent when there are no more. */
  last: number | undefined
}

/** Throws when it is not what the simulator writes: half a statement would be taken for a whole one. */
export function readStatement({ status, body }: WireAnswer): StatementRead {
  if (status !== 200) throw new Error(`the statement of the simulator has the status ${status}`)
  const read = body
    .split('\n')
    .filter((line) => line !== '')
    .map(lineOf)
  return {
    records: read.map(({ record }) => record),
    last: read.length < linesMost ? undefined : read.at(-1)?.number,
  }
}

const kinds: readonly OperationKind[] = ['collect', 'payout', 'refund']

function lineOf(line: string): { number: number; record: ProviderRecord } {
  const row = JSON.parse(line) as Record<string, unknown>
  const text = (name: string) => {
    const value = row[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const broken = () => new Error(`this is no line of a statement: ${line.slice(0, 200)}`)
  const {
    currency = '',
    amount = '',
    at = '',
  } = { currency: text('currency'), amount: text('amount'), at: text('at') }
  const kind = kinds.find((known) => known === row.kind)
  if (!isCurrency(currency) || kind === undefined || Number.isNaN(Date.parse(at))) throw broken()
  const reading = readMinor(amount.replace(/^-/, ''), currency)
  if (!('minor' in reading)) throw broken()
  const record = {
    kind,
    amount: { minor: reading.minor, currency },
    providerReference: text('id'),
    reference: text('reference'),
    receipt: text('receipt'),
    phone: text('phone') && `+${text('phone')}`,
    at: new Date(at),
  }
  return { number: Number(row.number), record }
}

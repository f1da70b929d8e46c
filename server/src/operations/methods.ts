// Which ways there are to bring money in or out, and how well each of them works just now.
import type { Clock } from '../base/clock.ts'
import { isCurrency } from '../base/money.ts'
import type { Db } from '../db/db.ts'
import type { Mode, OperationKind, Provided, ProviderId, Registry } from '../providers/providers.ts'
import * as providers from '../providers/providers.ts'
import type { NewOperation } from './model.ts'
import * as records from './records/sql.ts'
import { grade } from './rules.ts'

/** A way to bring money in or out, as it is offered to people. */
export interface Method {
  id: ProviderId
  name: string
  kind: 'mobile_money' | 'card' | 'bank'
  /** What the person must give. */
  fields: ('phone' | 'email' | 'account')[]
  health: Health
  /** Of phone numbers that are probably this provider's: `+25677`. */
  prefixes: readonly string[]
}

/** How the provider did in the last five minutes. */
export type Health = 'up' | 'degraded' | 'down'

export interface MethodsWanted {
  currency: string
  purpose: 'deposit' | 'withdrawal' | 'payment'
  mode: Mode
  /** `UG`. Absent: all that take the currency. */
  country?: string | undefined
}

/** What of an order is looked at before it is made. */
export type OrderLooked = Pick<NewOperation, 'provider' | 'mode' | 'kind' | 'amount' | 'phone' | 'account'>

export interface Methods {
  methods(wanted: MethodsWanted): Promise<Method[]>
  guess(phone: string, where: { currency: string; mode: Mode }): ProviderId | undefined
  problems(order: OrderLooked): Record<string, string>
  health(mode: Mode): Promise<Map<ProviderId, Health>>
}

const windowMs = 300_000
const knownMs = 5_000
const order: Record<Health, number> = { up: 0, degraded: 1, down: 2 }

export function openMethods({ db, clock, registry }: { db: Db; clock: Clock; registry: Registry }): Methods {
  const read = async () => {
    const rows = await records.readHealth(db, new Date(clock.now().getTime() - windowMs))
    return rows.map(({ provider, mode, calls, technical }) => ({
      provider: providers.providerOf(provider),
      mode,
      health: grade({ calls: Number(calls), technical: Number(technical) }),
    }))
  }
  let known: { at: number; rows: ReturnType<typeof read> } | undefined
  const health: Methods['health'] = async (mode) => {
    const now = clock.now().getTime()
    if (known === undefined || now - known.at >= knownMs) known = { at: now, rows: read() }
    const mine = known
    const rows = await mine.rows.catch((error: unknown) => {
      if (known === mine) known = undefined
      throw error
    })
    const graded = rows.flatMap((row) =>
      row.mode === mode && row.provider !== undefined ? [[row.provider, row.health] as const] : [],
    )
    return new Map(registry.all(mode).map(({ adapter: { id } }) => [id, new Map(graded).get(id) ?? 'up']))
  }
  return {
    health,
    methods: async ({ currency, purpose, mode, country }) => {
      const kind: OperationKind = purpose === 'withdrawal' ? 'payout' : 'collect'
      const serving = registry.all(mode).filter((provided) => serves(provided, { currency, kind, country }))
      const states = serving.length === 0 ? new Map<ProviderId, Health>() : await health(mode)
      return serving
        .map((provided): Method => {
          const { id, phonePrefixes: prefixes } = provided.adapter
          const { name, kind: way } = rowOf(provided, { currency, kind, country })?.way ?? provided.adapter
          const fields = fieldsOf(provided, { currency, kind })
          return { id, name, kind: way, fields, health: states.get(id) ?? 'up', prefixes }
        })
        .sort((one, other) => order[one.health] - order[other.health])
    },
    guess: (phone, { currency, mode }) => {
      const fitting = registry
        .all(mode)
        .filter((provided) => serves(provided, { currency, kind: 'collect' }))
        .flatMap(({ adapter: { id, phonePrefixes } }) => phonePrefixes.map((prefix) => ({ id, prefix })))
        .filter(({ prefix }) => phone.startsWith(prefix))
        .sort((one, other) => other.prefix.length - one.prefix.length)
      return fitting[0]?.id
    },
    problems: ({ provider, mode, kind, amount, phone, account }) => {
      const provided = registry.of(provider, mode)
      if (provided === undefined || !serves(provided, { currency: amount.currency, kind }))
        return { method: `This method can't be used for ${amount.currency} here` }
      const given = { phone: phone ?? undefined, account: account ?? undefined }
      return provided.adapter.problems({ kind, amount, ...given })
    },
  }
}

interface Served {
  currency: string
  kind: OperationKind
  country?: string | undefined
}

const serves = (provided: Provided, wanted: Served): boolean => rowOf(provided, wanted) !== undefined

/** What the adapter says of it; nothing when it does not do that, or has no account for the currency. */
const rowOf = ({ adapter, settings }: Provided, { currency, kind, country }: Served) =>
  isCurrency(currency) && (settings.currencies?.includes(currency) ?? true)
    ? adapter.serves.find(
        (row) =>
          row.currency === currency &&
          row.kinds.includes(kind) &&
          (country === undefined || row.country === undefined || row.country === country),
      )
    : undefined

/** What it takes besides the amount: whatever the adapter misses when nothing is given. */
function fieldsOf({ adapter }: Provided, { currency, kind }: Served): Method['fields'] {
  if (!isCurrency(currency)) return []
  const nothing = { kind, amount: { minor: 100_000n, currency }, phone: undefined, account: undefined }
  const missing = adapter.problems(nothing)
  return (['phone', 'account'] as const).filter((field) => field in missing)
}

// Merchants with what they authenticate and sign with, remembered: a payment costs no look at the database for them.
// What is remembered is forgotten when the feed of changes says so; a process that has not heard for five seconds lets
// no merchant in.
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type Currency, isCurrency } from '../base/money.ts'
import { remembered } from '../base/remembered.ts'
import { type Db, openFeed, type Queries } from '../db/db.ts'
import { allowedNetworks, type Status } from './rules.ts'
import * as sql from './sql.ts'

export interface Merchant {
  /** By chance: it gives away no count. */
  id: number
  /** The person it belongs to. */
  owner: string
  businessName: string
  category: string
  websiteUrl: string
  ipnUrl: string | undefined
  callbackUrl: string | undefined
  settlementCurrency: Currency
  /** Where customers may be sent, besides the website. */
  hosts: readonly string[]
  /** Networks its API keys may be used from. Empty: all. */
  addresses: readonly string[]
  status: Status
  createdAt: Date
  /** When the present application was made. */
  appliedAt: Date
  reviewedAt: Date | undefined
  rejectionReason: string | undefined
  suspensionReason: string | undefined
}

export interface Known {
  merchant: Merchant
  networks: ReturnType<typeof allowedNetworks>
  /** Those that still work, in the order in which they end. */
  keys: sql.KeyRow[]
  secrets: sql.SecretRow[]
}

export interface Memory {
  /** Throws `unavailable` when it has not heard for too long. */
  requireFresh(): void
  staleReasons(): string[]
  /** Without waiting, if it is remembered. */
  byPrefixNow(prefix: string): Known | undefined
  byPrefix(prefix: string): Promise<Known | undefined>
  /** Whose key it is, from the database, whatever is remembered. As many looks for one that nobody has. */
  readKey(key: { prefix: string; macs: readonly Buffer[] }): Promise<Known | undefined>
  byId(id: number): Promise<Known | undefined>
  byOwner(owner: string): Promise<Known | undefined>
  /** From the database, whatever is remembered. */
  read(db: Queries, id: number): Promise<Known | undefined>
  forget(id: number): void
  close(): Promise<void>
}

const rememberedMost = 5_000
/** No merchant has this number. */
const nobody = 0

export async function openMemory(options: { db: Db; url: string; clock: Clock; log: Log }): Promise<Memory> {
  const { db, url, clock, log } = options
  const read = (queries: Queries, id: number) => readKnown(queries, { id, now: clock.now() })
  const known = remembered<Known>(rememberedMost, (id) => read(db, Number(id)))
  // These never change: a prefix and an owner belong to one merchant for good.
  const idsByPrefix = remembered<number>(
    2 * rememberedMost,
    async (prefix) => (await sql.merchantOfPrefix(db, prefix))[0]?.merchant_id,
  )
  const idsByOwner = remembered<number>(
    rememberedMost,
    async (owner) => (await sql.idOfOwner(db, owner))[0]?.id,
  )
  const forget = (id: number) => known.forget(String(id))
  const feed = await openFeed<sql.ChangeRow>({
    url,
    name: 'mfuko merchants',
    channel: 'merchants_changes',
    log,
    changesSince: sql.changesSince,
    onChange: ({ merchant_id }) => forget(merchant_id),
    onGap: known.forgetAll,
  })
  const find = async (id: Promise<number | undefined>) => {
    const found = await id
    return found === undefined ? undefined : known.get(String(found))
  }
  const readKey: Memory['readKey'] = async (key) => {
    const [found] = await sql.merchantOfKey(db, key)
    return read(db, found?.merchant_id ?? nobody)
  }
  return {
    requireFresh: () => {
      if (feed.isStale()) throw new AppError('unavailable', { retryAfter: 1 })
    },
    staleReasons: () =>
      feed.isStale()
        ? ['It has not heard for 5 seconds what has changed of merchants, so none is let in.']
        : [],
    byPrefixNow: (prefix) => {
      const id = idsByPrefix.now(prefix)
      return id === undefined ? undefined : known.now(String(id))
    },
    byPrefix: async (prefix) => {
      const id = await idsByPrefix.get(prefix)
      return id === undefined ? read(db, nobody) : known.get(String(id))
    },
    readKey,
    byId: (id) => known.get(String(id)),
    byOwner: (owner) => find(idsByOwner.get(owner)),
    read,
    forget,
    close: feed.close,
  }
}

async function readKnown(db: Queries, { id, now }: { id: number; now: Date }): Promise<Known | undefined> {
  const [[row], keys, secrets] = await Promise.all([
    sql.merchantById(db, id),
    sql.keysOf(db, { merchant: id, now }),
    sql.secretsOf(db, { merchant: id, now }),
  ])
  if (row === undefined) return undefined
  return { merchant: merchantOf(row), networks: allowedNetworks(row.allowed_addresses), keys, secrets }
}

export function merchantOf(row: sql.MerchantRow): Merchant {
  check(isCurrency(row.settlement_currency), 'a merchant is settled in a currency of the table')
  return {
    id: row.id,
    owner: row.owner_id,
    businessName: row.business_name,
    category: row.category,
    websiteUrl: row.website_url,
    ipnUrl: row.ipn_url ?? undefined,
    callbackUrl: row.callback_url ?? undefined,
    settlementCurrency: row.settlement_currency,
    hosts: row.redirect_hosts,
    addresses: row.allowed_addresses,
    status: row.status,
    createdAt: row.created_at,
    appliedAt: row.applied_at,
    reviewedAt: row.reviewed_at ?? undefined,
    rejectionReason: row.rejection_reason ?? undefined,
    suspensionReason: row.suspension_reason ?? undefined,
  }
}

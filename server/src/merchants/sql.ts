import { changesStatement, type FeedRow, type Queries, type Tx } from '../db/db.ts'

export interface MerchantRow {
  id: number
  owner_id: string
  business_name: string
  category: string
  website_url: string
  ipn_url: string | null
  callback_url: string | null
  settlement_currency: string
  redirect_hosts: string[]
  allowed_addresses: string[]
  status: 'pending' | 'approved' | 'rejected' | 'suspended'
  created_at: Date
  applied_at: Date
  reviewed_at: Date | null
  rejection_reason: string | null
  suspension_reason: string | null
}

const columns = `id, owner_id, business_name, category, website_url, ipn_url, callback_url, settlement_currency,
  redirect_hosts, allowed_addresses, status, created_at, applied_at, reviewed_at, rejection_reason, suspension_reason`

export const merchantById = (db: Queries, id: number) =>
  db.prepared<MerchantRow>(`select ${columns} from merchants.merchants where id = $1`, [id])

export const idOfOwner = (db: Queries, owner: string) =>
  db.prepared<{ id: number }>('select id from merchants.merchants where owner_id = $1', [owner])

/** Changes of one merchant come one after another. */
export const lockMerchant = (tx: Tx, id: number) =>
  tx.row<MerchantRow>(`select ${columns} from merchants.merchants where id = $1 for update`, [id])

export const lockMerchantOf = (tx: Tx, owner: string) =>
  tx.row<MerchantRow>(`select ${columns} from merchants.merchants where owner_id = $1 for update`, [owner])

export interface Application {
  businessName: string
  category: string
  websiteUrl: string
  ipnUrl: string | undefined
  callbackUrl: string | undefined
  settlementCurrency: string
}

/** No row: the number or the owner is taken. */
export const addMerchant = (
  tx: Tx,
  { id, owner, now, ...given }: Application & { id: number; owner: string; now: Date },
) =>
  tx.row<MerchantRow>(
    `insert into merchants.merchants (id, owner_id, business_name, category, website_url, ipn_url, callback_url,
       settlement_currency, status, created_at, applied_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, $9)
     on conflict do nothing returning ${columns}`,
    [
      id,
      owner,
      given.businessName,
      given.category,
      given.websiteUrl,
      given.ipnUrl ?? null,
      given.callbackUrl ?? null,
      given.settlementCurrency,
      now,
    ],
  )

export const applyAgain = (tx: Tx, { id, now, ...given }: Application & { id: number; now: Date }) =>
  tx.row<MerchantRow>(
    `update merchants.merchants set business_name = $2, category = $3, website_url = $4, ipn_url = $5,
       callback_url = $6, settlement_currency = $7, status = 'pending', applied_at = $8, reviewed_at = null,
       reviewed_by = null, rejection_reason = null
     where id = $1 returning ${columns}`,
    [
      id,
      given.businessName,
      given.category,
      given.websiteUrl,
      given.ipnUrl ?? null,
      given.callbackUrl ?? null,
      given.settlementCurrency,
      now,
    ],
  )

export interface ProfileRow {
  id: number
  websiteUrl: string
  ipnUrl: string | null
  callbackUrl: string | null
  settlementCurrency: string
  redirectHosts: readonly string[]
  allowedAddresses: readonly string[]
}

export const changeProfile = (tx: Tx, profile: ProfileRow) =>
  tx.row<MerchantRow>(
    `update merchants.merchants set website_url = $2, ipn_url = $3, callback_url = $4, settlement_currency = $5,
       redirect_hosts = $6, allowed_addresses = $7
     where id = $1 returning ${columns}`,
    [
      profile.id,
      profile.websiteUrl,
      profile.ipnUrl,
      profile.callbackUrl,
      profile.settlementCurrency,
      profile.redirectHosts,
      profile.allowedAddresses,
    ],
  )

/** Read by all processes, each forgets what it remembers of the merchant. */
export const addChange = (tx: Tx, merchant: number) =>
  tx.rows('insert into merchants.changes (merchant_id) values ($1)', [merchant])

export type ChangeRow = FeedRow & { merchant_id: number }

export const changesSince = (db: Queries, xmin: string) =>
  db.prepared<ChangeRow>(changesStatement('merchants.changes', 'c.merchant_id'), [xmin])

export interface KeyRow {
  id: string
  merchant_id: number
  mode: 'live' | 'test'
  prefix: string
  mac_key_id: string
  mac: Buffer
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

const keyColumns = 'id, merchant_id, mode, prefix, mac_key_id, mac, created_at, last_used_at, expires_at'

/** Those that still open something. The one that ends first comes first: it is the older of two. */
export const keysOf = (db: Queries, { merchant, now }: { merchant: number; now: Date }) =>
  db.prepared<KeyRow>(
    `select ${keyColumns} from merchants.api_keys
     where merchant_id = $1 and (expires_at is null or expires_at > $2) order by expires_at nulls last`,
    [merchant, now],
  )

/** A prefix never passes to another merchant. */
export const merchantOfPrefix = (db: Queries, prefix: string) =>
  db.prepared<{ merchant_id: number }>('select merchant_id from merchants.api_keys where prefix = $1', [
    prefix,
  ])

/** By all that is kept of the key: for a wrong one nothing is found, whether or not its prefix is somebody's. */
export const merchantOfKey = (db: Queries, { prefix, macs }: { prefix: string; macs: readonly Buffer[] }) =>
  db.prepared<{ merchant_id: number }>(
    'select merchant_id from merchants.api_keys where prefix = $1 and mac = any($2::bytea[])',
    [prefix, macs],
  )

export interface NewKey {
  id: string
  merchant: number
  mode: 'live' | 'test'
  prefix: string
  macKeyId: string
  mac: Buffer
  now: Date
}

export const addKey = (tx: Tx, key: NewKey) =>
  tx.rows(
    `insert into merchants.api_keys (id, merchant_id, mode, prefix, mac_key_id, mac, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.merchant, key.mode, key.prefix, key.macKeyId, key.mac, key.now],
  )

export type ShownKeyRow = Pick<KeyRow, 'id' | 'created_at' | 'last_used_at'> & { sealed: Buffer | null }

/** With what it can be shown again from, as long as that is there. */
export const currentKey = (tx: Tx, { merchant, mode }: { merchant: number; mode: 'live' | 'test' }) =>
  tx.row<ShownKeyRow>(
    `select id, created_at, last_used_at, sealed from merchants.api_keys
     where merchant_id = $1 and mode = $2 and expires_at is null`,
    [merchant, mode],
  )

export const keepShown = (tx: Tx, { id, sealed }: { id: string; sealed: Buffer }) =>
  tx.rows('update merchants.api_keys set sealed = $2 where id = $1', [id, sealed])

export interface SecretRow {
  id: string
  mode: 'live' | 'test'
  sealed: Buffer
  created_at: Date
  expires_at: Date | null
}

export const secretsOf = (db: Queries, { merchant, now }: { merchant: number; now: Date }) =>
  db.prepared<SecretRow>(
    `select id, mode, sealed, created_at, expires_at from merchants.client_secrets
     where merchant_id = $1 and (expires_at is null or expires_at > $2) order by expires_at nulls last`,
    [merchant, now],
  )

export interface NewSecret {
  id: string
  merchant: number
  mode: 'live' | 'test'
  sealed: Buffer
  now: Date
}

export const addSecret = (tx: Tx, secret: NewSecret) =>
  tx.rows(
    `insert into merchants.client_secrets (id, merchant_id, mode, sealed, created_at) values ($1, $2, $3, $4, $5)`,
    [secret.id, secret.merchant, secret.mode, secret.sealed, secret.now],
  )

export interface Retiring {
  merchant: number
  mode: 'live' | 'test'
  now: Date
  /** How long the present one still works. */
  until: Date
}

/** The present one gets its last hour; what was in its grace already is dropped: at most two work at a time. */
const retire = (table: 'merchants.api_keys' | 'merchants.client_secrets') =>
  `update ${table} set expires_at = case when expires_at is null then $4::timestamptz else $3 end
   where merchant_id = $1 and mode = $2 and (expires_at is null or expires_at > $3) returning id`

export const retireKeys = (tx: Tx, { merchant, mode, now, until }: Retiring) =>
  tx.rows<{ id: string }>(retire('merchants.api_keys'), [merchant, mode, now, until])

export const retireSecrets = (tx: Tx, { merchant, mode, now, until }: Retiring) =>
  tx.rows<{ id: string }>(retire('merchants.client_secrets'), [merchant, mode, now, until])

export interface Use {
  id: string
  /** To the minute. */
  at: Date
  /** Made anew with the service's present key, where it was made with one that is being replaced. */
  anew: { macKeyId: string; mac: Buffer } | undefined
}

/** Who uses a key has it: it need not be shown again. */
export const noteUses = (db: Queries, uses: readonly Use[]) =>
  db.rows(
    `update merchants.api_keys k set last_used_at = greatest(k.last_used_at, n.at), sealed = null,
       mac_key_id = coalesce(n.mac_key_id, k.mac_key_id), mac = coalesce(decode(n.mac, 'hex'), k.mac)
     from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) as n (id, at, mac_key_id, mac)
     where k.id = n.id`,
    [
      uses.map(({ id }) => id),
      uses.map(({ at }) => at),
      uses.map(({ anew }) => anew?.macKeyId ?? null),
      uses.map(({ anew }) => anew?.mac.toString('hex') ?? null),
    ],
  )

export interface AnswerRow {
  fingerprint: string
  status: number
  sealed: Buffer | null
  created_at: Date
}

/** No row: somebody had this key before. One that is being worked on is waited for. */
export const claimAnswer = (
  tx: Tx,
  { id, fingerprint, now }: { id: string; fingerprint: string; now: Date },
) =>
  tx.row<{ id: string }>(
    `insert into merchants.answers (id, fingerprint, status, created_at) values ($1, $2, 0, $3)
     on conflict do nothing returning id`,
    [id, fingerprint, now],
  )

export const readAnswer = (tx: Tx, id: string) =>
  tx.row<AnswerRow>('select fingerprint, status, sealed, created_at from merchants.answers where id = $1', [
    id,
  ])

/** It is older than a week: the key is as good as new. */
export const dropAnswer = (tx: Tx, id: string) => tx.rows('delete from merchants.answers where id = $1', [id])

export const keepAnswer = (tx: Tx, { id, status, sealed }: { id: string; status: number; sealed: Buffer }) =>
  tx.rows('update merchants.answers set status = $2, sealed = $3 where id = $1', [id, status, sealed])

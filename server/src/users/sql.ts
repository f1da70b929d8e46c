import type { Queries, Tx } from '../db/db.ts'

export interface PersonRow {
  id: string
  handle: string
  name: string
  email: string | null
  email_confirmed: boolean
  phone: string | null
  country: string
  locale: 'en' | 'sw' | 'fr'
  roles: string[]
  frozen: boolean
  wants_receipts: boolean
  created_at: Date
  pin_key_id: string | null
  pin_salt: Buffer | null
  pin_mac: Buffer | null
  pin_failures: number | null
  pin_locked_until: Date | null
  pin_changed_at: Date | null
}

const person = `p.id, p.handle, p.name, p.email, p.email_confirmed_at is not null as email_confirmed, p.phone,
  p.country, p.locale, p.roles, p.frozen_at is not null as frozen, p.wants_receipts, p.created_at,
  n.key_id as pin_key_id, n.salt as pin_salt, n.mac as pin_mac, n.failures as pin_failures,
  n.locked_until as pin_locked_until, n.changed_at as pin_changed_at
  from users.people p left join users.pins n on n.user_id = p.id`

export const personById = (db: Queries, id: string) =>
  db.prepared<PersonRow>(`select ${person} where p.id = $1`, [id])

export const peopleById = (db: Queries, ids: readonly string[]) =>
  db.prepared<PersonRow>(`select ${person} where p.id = any($1::text[])`, [ids])

export const namesById = (db: Queries, ids: readonly string[]) =>
  db.prepared<{ id: string; handle: string; name: string }>(
    'select id, handle, name from users.people where id = any($1::text[])',
    [ids],
  )

export const idsOfHandles = (db: Queries, handles: readonly string[]) =>
  db.prepared<{ id: string; handle: string }>(
    'select id, handle from users.people where handle = any($1::text[])',
    [handles],
  )

/** By one of the names that somebody can log in with. */
export const personByName = (db: Queries, { email, phone, handle }: LoginName) =>
  db.row<PersonRow>(`select ${person} where p.email = $1 or p.phone = $2 or p.handle = $3`, [
    email ?? null,
    phone ?? null,
    handle ?? null,
  ])

/** Has this database our tables? */
export const hasPeople = (db: Queries) =>
  db.row<{ there: boolean }>(`select to_regclass('users.people') is not null as there`)

export interface LoginName {
  email?: string | undefined
  phone?: string | undefined
  handle?: string | undefined
}

export interface LoginRow {
  id: string
  password: string
  /** The password opens nothing any more until it is reset by mail. */
  disabled: boolean
  known_address: boolean
}

/** Somebody without a confirmed e-mail address could never reset it, so theirs stays. */
export const findLogin = (
  db: Queries,
  {
    name,
    address,
    since,
    failuresMax,
  }: { name: LoginName; address: string; since: Date; failuresMax: number },
) =>
  db.row<LoginRow>(
    `select p.id, p.password, p.login_failures >= $6 and p.email_confirmed_at is not null as disabled,
            exists (select from users.places where user_id = p.id and address = $4 and seen_at > $5) as known_address
     from users.people p where p.email = $1 or p.phone = $2 or p.handle = $3`,
    [name.email ?? null, name.phone ?? null, name.handle ?? null, address, since, failuresMax],
  )

export const takenNames = (db: Queries, { email, phone, handle }: LoginName) =>
  db.row<{ email: boolean; phone: boolean; handle: boolean }>(
    `select exists (select from users.people where email = $1) as email,
            exists (select from users.people where phone = $2) as phone,
            exists (select from users.people where handle = $3) as handle`,
    [email ?? null, phone ?? null, handle ?? null],
  )

export const takenHandles = (db: Queries, handles: readonly string[]) =>
  db.rows<{ handle: string }>('select handle from users.people where handle = any($1::text[])', [handles])

export interface NewPerson {
  id: string
  handle: string
  name: string
  email: string | undefined
  phone: string | undefined
  country: string
  locale: string
  password: string
  createdAt: Date
}

export const addPerson = (tx: Tx, one: NewPerson) =>
  tx.rows(
    `insert into users.people (id, handle, name, email, phone, country, locale, wants_receipts, password, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, false, $8, $9)`,
    [
      one.id,
      one.handle,
      one.name,
      one.email ?? null,
      one.phone ?? null,
      one.country,
      one.locale,
      one.password,
      one.createdAt,
    ],
  )

/** Locks the row, so that logins of one person come one after another. Nothing if the password has changed meanwhile. */
export const noteGoodLogin = (
  tx: Tx,
  { id, password, better }: { id: string; password: string; better?: string },
) =>
  tx.row<{ id: string }>(
    `update users.people set login_failures = 0, password = coalesce($3, password)
     where id = $1 and password = $2 returning id`,
    [id, password, better ?? null],
  )

/** The same statement when there is no such person, so that it takes the same time. */
export const noteBadLogin = (tx: Tx, id: string | undefined) =>
  tx.row<{ login_failures: number }>(
    'update users.people set login_failures = login_failures + 1 where id = $1 returning login_failures',
    [id ?? null],
  )

export const lockPerson = (tx: Tx, id: string) =>
  tx.row<{ password: string; frozen: boolean }>(
    'select password, frozen_at is not null as frozen from users.people where id = $1 for update',
    [id],
  )

export const passwordOf = (db: Queries, id: string) =>
  db.row<{ password: string }>('select password from users.people where id = $1', [id])

export const changePassword = (tx: Tx, { id, password }: { id: string; password: string }) =>
  tx.rows('update users.people set password = $2, login_failures = 0 where id = $1', [id, password])

export interface ProfileChange {
  id: string
  name: string | undefined
  locale: string | undefined
  wantsReceipts: boolean | undefined
}

/** What was there before comes back, as nobody else can change it meanwhile. */
export const changeProfile = (tx: Tx, { id, name, locale, wantsReceipts }: ProfileChange) =>
  tx.row<{ name: string; locale: PersonRow['locale']; wants_receipts: boolean }>(
    `update users.people p set name = coalesce($2, p.name), locale = coalesce($3, p.locale),
       wants_receipts = coalesce($4, p.wants_receipts)
     from (select id, name, locale, wants_receipts from users.people where id = $1 for update) before
     where p.id = before.id returning before.name, before.locale, before.wants_receipts`,
    [id, name ?? null, locale ?? null, wantsReceipts ?? null],
  )

/** The same. */
export const changeEmail = (tx: Tx, { id, email }: { id: string; email: string }) =>
  tx.row<{ before: string | null }>(
    `update users.people p set email = $2, email_confirmed_at = null
     from (select id, email from users.people where id = $1 for update) before
     where p.id = before.id returning before.email as before`,
    [id, email],
  )

/** The same. */
export const changePhone = (tx: Tx, { id, phone }: { id: string; phone: string }) =>
  tx.row<{ before: string | null }>(
    `update users.people p set phone = $2
     from (select id, phone from users.people where id = $1 for update) before
     where p.id = before.id returning before.phone as before`,
    [id, phone],
  )

export const confirmEmail = (tx: Tx, { id, email, now }: { id: string; email: string; now: Date }) =>
  tx.row<{ id: string }>(
    'update users.people set email_confirmed_at = $3 where id = $1 and email = $2 returning id',
    [id, email, now],
  )

/** Nothing when it was so already. */
export const changeFrozen = (tx: Tx, { id, frozenAt }: { id: string; frozenAt: Date | undefined }) =>
  tx.row<{ id: string }>(
    `update users.people set frozen_at = $2 where id = $1 and (frozen_at is null) = ($2::timestamptz is not null)
     returning id`,
    [id, frozenAt ?? null],
  )

/** Nothing when it was so already. */
export const changeRole = (tx: Tx, { id, role, given }: { id: string; role: string; given: boolean }) =>
  tx.row<{ id: string }>(
    `update users.people set roles = case when $3 then array_append(roles, $2) else array_remove(roles, $2) end
     where id = $1 and ($2 = any(roles)) <> $3 returning id`,
    [id, role, given],
  )

export const peopleWithRole = (db: Queries, { role, most }: { role: string; most: number }) =>
  db.rows<PersonRow>(`select ${person} where $1 = any(p.roles) order by p.handle limit $2`, [role, most])

export interface PinRow {
  user: string
  keyId: string
  salt: Buffer
  mac: Buffer
  now: Date
}

/** True when there was one before. */
export const setPin = (tx: Tx, { user, keyId, salt, mac, now }: PinRow) =>
  tx.row<{ changed: boolean }>(
    `insert into users.pins (user_id, key_id, salt, mac, set_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set key_id = excluded.key_id, salt = excluded.salt, mac = excluded.mac,
       set_at = excluded.set_at, changed_at = excluded.set_at, failures = 0, locked_until = null
     returning xmax <> 0 as changed`,
    [user, keyId, salt, mac, now],
  )

/**
 * Counts a try before anybody knows what comes of it. No row: no more tries. Two at the same time wait for each other,
 * and the second sees what the first has counted.
 */
export const countPinTry = (
  tx: Tx,
  {
    user,
    now,
    lockAt,
    lockedUntil,
    failuresMax,
  }: {
    user: string
    now: Date
    lockAt: number
    lockedUntil: Date
    failuresMax: number
  },
) =>
  tx.row<{ key_id: string; salt: Buffer; mac: Buffer; failures: number }>(
    `update users.pins set failures = failures + 1,
       locked_until = case when failures + 1 = $3 then $4::timestamptz end
     where user_id = $1 and failures < $5 and (locked_until is null or locked_until <= $2)
     returning key_id, salt, mac, failures`,
    [user, now, lockAt, lockedUntil, failuresMax],
  )

/** A right one: nothing is counted any more. With the newest key, if it had another. */
export const clearPinTries = (tx: Tx, { user, keyId, mac }: Pick<PinRow, 'user' | 'keyId' | 'mac'>) =>
  tx.rows(
    `update users.pins set failures = 0, locked_until = null, key_id = $2, mac = $3 where user_id = $1`,
    [user, keyId, mac],
  )

/** One a person and purpose: an older one is worth nothing any more. */
export const setCode = (
  tx: Tx,
  code: { user: string; purpose: string; email: string; mac: Buffer; expiresAt: Date },
) =>
  tx.rows(
    `insert into users.codes (user_id, purpose, email, mac, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id, purpose) do update set email = excluded.email, mac = excluded.mac,
       expires_at = excluded.expires_at, attempts = 0`,
    [code.user, code.purpose, code.email, code.mac, code.expiresAt],
  )

/** Counted before it is compared, like a PIN. */
export const countCodeTry = (
  tx: Tx,
  { user, purpose, now, attemptsMax }: { user: string; purpose: string; now: Date; attemptsMax: number },
) =>
  tx.row<{ mac: Buffer; email: string }>(
    `update users.codes set attempts = attempts + 1
     where user_id = $1 and purpose = $2 and expires_at > $3 and attempts < $4 returning mac, email`,
    [user, purpose, now, attemptsMax],
  )

export const dropCodes = (tx: Tx, user: string) =>
  tx.rows('delete from users.codes where user_id = $1', [user])

/** Nothing if it was used meanwhile, or there is another. */
export const useCode = (tx: Tx, { user, purpose, mac }: { user: string; purpose: string; mac: Buffer }) =>
  tx.row<{ user_id: string }>(
    'delete from users.codes where user_id = $1 and purpose = $2 and mac = $3 returning user_id',
    [user, purpose, mac],
  )

/** Known: somebody has logged in from there, with that device, since `since`. */
export const notePlace = (
  tx: Tx,
  place: { user: string; address: string; device: Buffer; now: Date; since: Date },
) =>
  tx.row<{ known: boolean }>(
    `with before as (select seen_at from users.places where user_id = $1 and address = $2 and device = $3),
     noted as (insert into users.places (user_id, address, device, seen_at) values ($1, $2, $3, $4)
       on conflict (user_id, address, device) do update set seen_at = excluded.seen_at)
     select exists (select from before where seen_at > $5) as known`,
    [place.user, place.address, place.device, place.now, place.since],
  )

export const addChange = (tx: Tx, person: string) =>
  tx.rows(`insert into users.changes (kind, subject) values ('person', $1)`, [person])

export const anybody = (db: Queries) =>
  db.row<{ there: boolean }>('select exists (select from users.people) as there')

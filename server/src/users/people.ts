// People, remembered. What is remembered is forgotten when the feed says so; the guard makes sure that no money moves on
// what is older than that.
import { check } from '../base/check.ts'
import { recent } from '../base/recent.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { tidyHandle } from './rules.ts'
import * as sql from './sql.ts'

export interface Person {
  id: string
  handle: string
  name: string
  email: string | undefined
  emailConfirmed: boolean
  phone: string | undefined
  /** ISO 3166; `ZZ` when it was not told. */
  country: string
  locale: 'en' | 'sw' | 'fr'
  roles: readonly string[]
  frozen: boolean
  hasPin: boolean
  /** When the PIN was set or changed. */
  pinSetAt: Date | undefined
  wantsReceipts: boolean
  createdAt: Date
  /** Changes with every change of PIN state or freeze; a posting that was allowed by an older one is refused. */
  guard: bigint
}

export interface PinState {
  keyId: string
  salt: Buffer
  mac: Buffer
  failures: number
  lockedUntil: Date | undefined
}

export interface KnownPerson {
  person: Person
  pin: PinState | undefined
}

export interface People {
  known(id: string): Promise<KnownPerson | undefined>
  /** From the database, whatever is remembered. */
  read(id: string): Promise<KnownPerson | undefined>
  idOf(handle: string): Promise<string | undefined>
  forget(id: string): void
  forgetAll(): void
}

const rememberedMost = 20_000

export function openPeople({ db, ledger }: { db: Db; ledger: Ledger }): People {
  let remembered = recent<KnownPerson>(rememberedMost)
  let ids = recent<string>(rememberedMost)
  // What is being read while it changes must not be remembered, and one read serves all who ask meanwhile.
  const reading = new Map<string, Promise<KnownPerson | undefined>>()
  const read = async (id: string) => {
    // The guard first: when the row is younger, the posting is refused and everything is read again.
    const guard = (await ledger.guards(db, [id])).get(id) ?? 0n
    const [row] = await sql.personById(db, id)
    return row === undefined ? undefined : knownPerson(row, guard)
  }
  return {
    read,
    known: (id) => {
      const known = remembered.get(id)
      if (known !== undefined) return Promise.resolve(known)
      const already = reading.get(id)
      if (already !== undefined) return already
      const mine = read(id)
        .then((found) => {
          if (reading.get(id) === mine && found !== undefined) remembered.set(id, found)
          return found
        })
        .finally(() => {
          if (reading.get(id) === mine) reading.delete(id)
        })
      reading.set(id, mine)
      return mine
    },
    idOf: async (text) => {
      const handle = tidyHandle(text)
      const known = ids.get(handle)
      if (known !== undefined) return known
      const [row] = await sql.idOfHandle(db, handle)
      // A handle never changes and never passes to another.
      if (row !== undefined) ids.set(handle, row.id)
      return row?.id
    },
    forget: (id) => {
      remembered.delete(id)
      reading.delete(id)
    },
    forgetAll: () => {
      remembered = recent(rememberedMost)
      ids = recent(rememberedMost)
      reading.clear()
    },
  }
}

/** As the transaction sees them. The guard is not among it: nothing is allowed by what is read here. */
export async function personIn(tx: Tx, id: string): Promise<Person> {
  const [row] = await sql.personById(tx, id)
  check(row !== undefined, 'people are never deleted')
  return knownPerson(row, 0n).person
}

export const knownPerson = (row: sql.PersonRow, guard: bigint): KnownPerson => ({
  person: {
    id: row.id,
    handle: row.handle,
    name: row.name,
    email: row.email ?? undefined,
    emailConfirmed: row.email_confirmed,
    phone: row.phone ?? undefined,
    country: row.country,
    locale: row.locale,
    roles: row.roles,
    frozen: row.frozen,
    hasPin: row.pin_mac !== null,
    pinSetAt: row.pin_set_at ?? undefined,
    wantsReceipts: row.wants_receipts,
    createdAt: row.created_at,
    guard,
  },
  pin:
    row.pin_mac === null
      ? undefined
      : {
          keyId: row.pin_key_id ?? '',
          salt: row.pin_salt ?? Buffer.alloc(0),
          mac: row.pin_mac,
          failures: row.pin_failures ?? 0,
          lockedUntil: row.pin_locked_until ?? undefined,
        },
})

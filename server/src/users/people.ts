// People, remembered. What is remembered is forgotten when the feed says so; the guard makes sure that no money moves on
// what is older than that. Whoever is not remembered is read together with all others who are asked for meanwhile.
import { check } from '../base/check.ts'
import { coalesce } from '../base/coalesce.ts'
import { AppError } from '../base/errors.ts'
import { remembered } from '../base/remembered.ts'
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
  /** When the PIN took the place of another one. */
  pinChangedAt: Date | undefined
  wantsReceipts: boolean
  createdAt: Date
  /** Changes with every change of PIN state or freeze; a posting that was allowed by an older one is refused. */
  guard: bigint
}

export const reachable = ({ email, emailConfirmed }: Person): boolean => emailConfirmed && email !== undefined

/** Receipts are for who asked for them. */
export const wantsMail = (person: Person): boolean => person.wantsReceipts && reachable(person)

export const mailboxOf = ({ email, name, locale }: Person) => ({ address: email ?? '', name, locale })

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
  /** Without waiting, if they are remembered. */
  now(id: string): KnownPerson | undefined
  known(id: string): Promise<KnownPerson | undefined>
  /** From the database, whatever is remembered. */
  read(id: string): Promise<KnownPerson | undefined>
  /** From the database too. */
  guardOf(id: string): Promise<bigint>
  /** Without waiting, if it is remembered. */
  idNow(handle: string): string | undefined
  idOf(handle: string): Promise<string | undefined>
  forget(id: string): void
  forgetAll(): void
}

const rememberedMost = 20_000
const together = {
  most: 500,
  runsMax: 4,
  waitingMax: 20_000,
  // Not when the database is away: then it is so for all of them.
  mayRepeat: (error: unknown) => !(error instanceof AppError),
}

export function openPeople({ db, ledger }: { db: Db; ledger: Ledger }): People {
  const read = coalesce<string, KnownPerson | undefined>({
    ...together,
    run: async (ids) => {
      // The guards first: when a row is younger, the posting is refused and everything is read again.
      const guards = await ledger.guards(db, ids)
      const rows = new Map((await sql.peopleById(db, ids)).map((row) => [row.id, row]))
      return ids.map((id) => {
        const row = rows.get(id)
        return row && knownPerson(row, guards.get(id) ?? 0n)
      })
    },
  })
  const guardOf = coalesce<string, bigint>({
    ...together,
    run: async (ids) => {
      const guards = await ledger.guards(db, ids)
      return ids.map((id) => guards.get(id) ?? 0n)
    },
  })
  const readId = coalesce<string, string | undefined>({
    ...together,
    run: async (handles) => {
      const ids = new Map((await sql.idsOfHandles(db, handles)).map(({ handle, id }) => [handle, id]))
      return handles.map((handle) => ids.get(handle))
    },
  })
  const people = remembered(rememberedMost, read)
  // A handle never changes and never passes to another.
  const ids = remembered(rememberedMost, readId)
  return {
    read,
    guardOf,
    now: people.now,
    known: people.get,
    idNow: (text) => ids.now(tidyHandle(text)),
    idOf: (text) => ids.get(tidyHandle(text)),
    forget: people.forget,
    forgetAll: () => {
      people.forgetAll()
      ids.forgetAll()
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
    pinChangedAt: row.pin_changed_at ?? undefined,
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

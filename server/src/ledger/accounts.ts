// What this process remembers of accounts: which row each is, and the state it will have once everything that was sent
// has committed. A remembered state is a guess that the database checks (an entry's number can be used only once), never
// a truth: others may write too.
import { check } from '../base/check.ts'
import { type Recent, recent } from '../base/recent.ts'
import type { Queries } from '../db/db.ts'
import { chart, type StripedName } from './chart.ts'
import type { AccountState } from './decide.ts'
import * as sql from './sql.ts'

/** `fresh` is false when only the id is trusted. */
export interface KnownAccount extends AccountState {
  fresh: boolean
}

export interface AccountBook {
  known(name: StripedName): KnownAccount | undefined
  /** Finds or opens accounts, and remembers them with their present state. */
  learn(db: Queries, names: readonly StripedName[]): Promise<ReadonlyMap<string, KnownAccount>>
}

/** Of one kind, currency and mode; about 50 MB of memory when it is full. */
const keptMax = 100_000

const shelfOf = ({ kind, currency, mode, stripe }: StripedName): string =>
  `${kind}/${currency}/${mode}/${stripe}`

export const keyOf = (name: StripedName): string => `${shelfOf(name)}/${name.owner}`

/** In two steps, because joining an owner to a key costs more than finding it. */
export function openAccountBook(): AccountBook {
  const shelves = new Map<string, Recent<KnownAccount>>()
  const keep = (shelf: string, { owner, account }: { owner: string; account: KnownAccount }) => {
    const kept = shelves.get(shelf) ?? recent<KnownAccount>(keptMax)
    shelves.set(shelf, kept)
    kept.set(owner, account)
  }
  return {
    known: (name) => shelves.get(shelfOf(name))?.get(name.owner),
    learn: async (db, names) => {
      const found = await findOrOpen(db, names)
      for (const name of names) {
        const account = found.get(keyOf(name))
        check(account !== undefined, 'every account that was asked for is found or opened')
        keep(shelfOf(name), { owner: name.owner, account })
      }
      return found
    },
  }
}

export async function findOrOpen(
  db: Queries,
  names: readonly StripedName[],
): Promise<Map<string, KnownAccount>> {
  const wanted = new Map(names.map((name) => [keyOf(name), name]))
  const found = await find(db, [...wanted.values()])
  const missing = [...wanted].filter(([key]) => !found.has(key)).map(([, name]) => name)
  if (missing.length > 0) {
    await sql.openAccounts(
      db,
      missing,
      missing.map(({ kind }) => chart[kind].mayOwe),
    )
    for (const [key, account] of await find(db, missing)) found.set(key, account)
  }
  check(found.size === wanted.size, 'an account that was opened is there')
  return found
}

async function find(db: Queries, names: readonly StripedName[]): Promise<Map<string, KnownAccount>> {
  const found = new Map<string, KnownAccount>()
  for (const { at, ...state } of await sql.findAccounts(db, names)) {
    const name = names[Number(at) - 1]
    check(name !== undefined, 'a row that was found was asked for')
    found.set(keyOf(name), { ...state, fresh: true })
  }
  return found
}

/** Brings what is remembered up to date with the rows. */
export function refresh(accounts: ReadonlyMap<bigint, KnownAccount>, rows: readonly sql.StateRow[]): void {
  for (const row of rows) {
    const account = accounts.get(row.id)
    check(account !== undefined, 'a row that was read was asked for')
    Object.assign(account, row, { fresh: true, spent: undefined })
  }
  check(rows.length === accounts.size, 'every account that was found is there')
}

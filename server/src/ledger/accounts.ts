// What this process remembers of accounts: which row each is, and the state it will have once everything that was sent
// has committed. A remembered state is a guess that the database checks (by the version of the row), never a truth:
// others may write too.
import { check } from '../base/check.ts'
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
  learn(db: Queries, names: readonly StripedName[]): Promise<void>
}

/** About 100 MB of memory, at most. */
const keptMax = 200_000

export const keyOf = (name: StripedName): string =>
  `${name.kind}/${name.currency}/${name.mode}/${name.stripe}/${name.owner}`

export function openAccountBook(): AccountBook {
  const kept = new Map<string, KnownAccount>()
  return {
    known: (name) => kept.get(keyOf(name)),
    learn: async (db, names) => {
      for (const [key, account] of await findOrOpen(db, names)) {
        // The one kept longest goes. It is read again when it is needed.
        const [oldest] = kept.size >= keptMax ? kept.keys() : []
        if (oldest !== undefined) kept.delete(oldest)
        kept.set(key, account)
      }
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
      missing.map(({ kind }) => chart[kind].floor),
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
    found.set(keyOf(name), { ...state, floor: chart[name.kind].floor, fresh: true })
  }
  return found
}

/** Brings what is remembered up to date with the rows. */
export function refresh(accounts: ReadonlyMap<bigint, KnownAccount>, rows: readonly sql.StateRow[]): void {
  for (const row of rows) {
    const account = accounts.get(row.id)
    check(account !== undefined, 'a row that was read was asked for')
    Object.assign(account, row, { fresh: true })
  }
  check(rows.length === accounts.size, 'every account that was found is there')
}

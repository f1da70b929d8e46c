// What this process remembers of accounts: which row each is, and the state it will have once everything that was sent
// has committed. A remembered state is a guess that the database checks (an entry's number can be used only once), never
// a truth: others may write too.
import { check } from '../base/check.ts'
import type { Queries } from '../db/db.ts'
import { chart, type StripedName } from './chart.ts'
import type { AccountState } from './decide.ts'
import type { SpentLately } from './lately.ts'
import * as sql from './sql.ts'

/** `fresh` is false when only the id is trusted, and what was read of its entries. */
export interface KnownAccount extends AccountState {
  fresh: boolean
  read?: ReadLately | undefined
}

/** What left it by entries that were read. Those never change, so next time only newer ones are read. */
export interface ReadLately {
  /** The latest of them. */
  through: { seq: bigint; posting: bigint }
  spent: SpentLately
}

export interface AccountBook {
  known(name: StripedName): KnownAccount | undefined
  /** Finds or opens accounts, and remembers them with their present state. */
  learn(db: Queries, names: readonly StripedName[]): Promise<ReadonlyMap<string, KnownAccount>>
}

/** In each of two generations, of which the older is dropped whole; about 80 MB of memory when both are full. */
const keptMax = 100_000

export const keyOf = ({ kind, currency, mode, stripe, owner }: StripedName): string =>
  `${kind}/${currency}/${mode}/${stripe}/${owner}`

export function openAccountBook(): AccountBook {
  let young = openShelves()
  let old = openShelves()
  const keep = (name: StripedName, account: KnownAccount) => {
    if (young.size() >= keptMax) {
      old = young
      young = openShelves()
    }
    young.set(name, account)
  }
  return {
    known: (name) => {
      const account = young.get(name)
      if (account !== undefined) return account
      const older = old.get(name)
      // What is still used stays.
      if (older !== undefined) keep(name, older)
      return older
    },
    learn: async (db, names) => {
      const found = await findOrOpen(db, names)
      for (const name of names) {
        const account = found.get(keyOf(name))
        check(account !== undefined, 'every account that was asked for is found or opened')
        keep(name, account)
      }
      return found
    },
  }
}

/** Accounts by name. Step by step, because making a text of a name costs more than finding it. */
function openShelves() {
  type Shelf = Map<string, KnownAccount>
  const shelves = new Map<string, Map<string, Map<string, Map<number, Shelf>>>>()
  let size = 0
  // Who is looked for next is mostly on the shelf of the one before.
  let last: { kind: string; currency: string; mode: string; stripe: number; shelf: Shelf } | undefined
  const shelfOf = ({ kind, currency, mode, stripe }: StripedName): Shelf | undefined => {
    if (last?.kind === kind && last.currency === currency && last.mode === mode && last.stripe === stripe)
      return last.shelf
    const shelf = shelves.get(kind)?.get(currency)?.get(mode)?.get(stripe)
    if (shelf !== undefined) last = { kind, currency, mode, stripe, shelf }
    return shelf
  }
  return {
    get: (name: StripedName): KnownAccount | undefined => shelfOf(name)?.get(name.owner),
    set: ({ kind, currency, mode, stripe, owner }: StripedName, account: KnownAccount): void => {
      const ofKind = made(shelves, kind, () => new Map<string, Map<string, Map<number, Shelf>>>())
      const ofCurrency = made(ofKind, currency, () => new Map<string, Map<number, Shelf>>())
      const ofMode = made(ofCurrency, mode, () => new Map<number, Shelf>())
      const shelf = made(ofMode, stripe, () => new Map<string, KnownAccount>())
      if (!shelf.has(owner)) size += 1
      shelf.set(owner, account)
    },
    size: () => size,
  }
}

function made<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** Another process may open the same account in the same moment; then it is found by the second look. */
const looksMax = 3

export async function findOrOpen(
  db: Queries,
  names: readonly StripedName[],
): Promise<Map<string, KnownAccount>> {
  const missing = new Map(names.map((name) => [keyOf(name), name]))
  const found = new Map<string, KnownAccount>()
  for (let looks = 0; missing.size > 0 && looks < looksMax; looks++) {
    const asked = [...missing.values()]
    const mayOwe = asked.map(({ kind }) => chart[kind].mayOwe)
    for (const row of await sql.findOrOpenAccounts(db, asked, mayOwe)) {
      const { id, balance, held, seq, head } = row
      found.set(keyOf(row), { id, balance, held, seq, head, spent: undefined, fresh: true })
      missing.delete(keyOf(row))
    }
  }
  check(missing.size === 0, 'an account that was opened is there')
  return found
}

/** Brings what is remembered up to date with the rows. */
export function refresh(accounts: readonly KnownAccount[], rows: readonly sql.StateRow[]): void {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  for (const row of rows) {
    const account = byId.get(row.id)
    check(account !== undefined, 'a row that was read was asked for')
    Object.assign(account, row, { fresh: true, spent: undefined })
  }
  check(rows.length === byId.size, 'every account that was found is there')
}

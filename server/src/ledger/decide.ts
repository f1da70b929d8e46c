// The core: what becomes of each posting of a batch, decided in memory, in order, from the state of the accounts. Pure:
// no clock, no database, no chance. A refused posting changes nothing for the ones after it.
import { check } from '../base/check.ts'
import { entryHash, postingDigest } from './chain.ts'
import type { SpentLately } from './lately.ts'

/** An account as it will be once everything that was decided before has been written. */
export interface AccountState {
  /** Negative: it may owe. */
  readonly id: bigint
  balance: bigint
  held: bigint
  seq: bigint
  /** The hash of the latest entry, in hex. */
  head: string
  /** What left it in the last 24 hours, and what waits to leave, as far as somebody asked. */
  spent?: SpentLately | undefined
}

export interface HoldState {
  readonly id: bigint
  readonly account: AccountState
  /** Of the posting that opened it. */
  readonly kind: string
  remaining: bigint
}

export interface Move {
  account: AccountState
  amount: bigint
}

export interface Order {
  id: bigint
  kind: string
  details: string
  createdAt: Date
  createdAtMs: number
  /** Sum to zero; empty when something is only held or released. */
  moves: readonly Move[]
  opens: Move | undefined
  /** `hold` is absent when there is no such hold. */
  closes: { hold: HoldState | undefined; take: bigint; rest: 'keep' | 'release' } | undefined
  /** What postings of these kinds may take out of the account in 24 hours, with this one. */
  limit: { account: AccountState; most: bigint; kinds: readonly string[] } | undefined
  /** Was what allowed it still so, as far as is known? */
  guarded: boolean
}

export type Refusal =
  | 'insufficient_funds'
  | 'limit_exceeded'
  | 'guard_changed'
  | 'hold_not_open'
  | 'hold_exceeded'

export interface EntryMade {
  accountId: bigint
  seq: bigint
  amount: bigint
  balanceAfter: bigint
  heldAfter: bigint
  hash: string
}

export type Decision = { ok: true; entries: EntryMade[] } | { ok: false; refusal: Refusal }

/** Decides one order and, when it is accepted, moves the states of its accounts and its hold on. */
export function decide(order: Order): Decision {
  const { moves, opens, closes } = order
  check(moves.length > 0 || opens !== undefined || closes !== undefined, 'a posting does something')
  checkBalanced(moves)
  if (opens !== undefined) check(opens.amount > 0n, 'a hold holds something')
  if (!order.guarded) return { ok: false, refusal: 'guard_changed' }

  const hold = closes?.hold
  let freed = 0n
  if (closes !== undefined) {
    if (hold === undefined || hold.remaining === 0n) return { ok: false, refusal: 'hold_not_open' }
    if (closes.take > hold.remaining) return { ok: false, refusal: 'hold_exceeded' }
    checkSettles(moves, { account: hold.account, take: closes.take })
    freed = closes.rest === 'release' ? hold.remaining : closes.take
    check(freed > 0n, 'settling a hold frees something of it')
  }
  const holding: Holding | undefined =
    opens === undefined && hold === undefined ? undefined : { opens, hold, freed }
  const changes = holding === undefined ? moves : withHolds(moves, holding)
  for (const { account, amount } of changes) {
    const change = holding === undefined ? amount : amount - heldBy(holding, account)
    if (change >= 0n || account.id < 0n) continue
    if (account.balance - account.held + change < 0n) return { ok: false, refusal: 'insufficient_funds' }
  }
  if (exceeds(order, { changes, holding })) return { ok: false, refusal: 'limit_exceeded' }
  if (hold !== undefined) hold.remaining -= freed
  return { ok: true, entries: enter(order, { changes, holding }) }
}

/** What an order does to holds. */
interface Holding {
  opens: Move | undefined
  hold: HoldState | undefined
  freed: bigint
}

/** Holding or releasing is an entry too, of zero when nothing else moves there. */
function withHolds(moves: readonly Move[], { opens, hold }: Holding): readonly Move[] {
  const changes = [...moves]
  for (const touched of [opens?.account, hold?.account]) {
    if (touched === undefined || changes.some(({ account }) => account === touched)) continue
    changes.push({ account: touched, amount: 0n })
  }
  return changes
}

/** By how much more an account holds afterwards. */
const heldBy = ({ opens, hold, freed }: Holding, account: AccountState): bigint =>
  (opens?.account === account ? opens.amount : 0n) - (hold?.account === account ? freed : 0n)

export const spentMs = 86_400_000

interface Changing {
  changes: readonly Move[]
  holding: Holding | undefined
}

/** The limit of what may leave an account in any 24 hours. What the order holds counts like what it takes. */
function exceeds({ limit, createdAtMs }: Order, { changes, holding }: Changing): boolean {
  if (limit === undefined) return false
  const { account, most, kinds } = limit
  check(account.spent !== undefined, 'what left an account lately is known before a limit is judged')
  const moved = changes.find((change) => change.account === account)?.amount ?? 0n
  let total = moved < 0n ? -moved : 0n
  if (holding?.opens?.account === account) total += holding.opens.amount
  // What a hold sets free has counted so far; what of it leaves is in the changes.
  if (holding?.hold?.account === account && kinds.includes(holding.hold.kind)) total -= holding.freed
  account.spent.forget(createdAtMs - spentMs)
  return total + account.spent.total(kinds) > most
}

function checkBalanced(moves: readonly Move[]): void {
  let sum = 0n
  let index = 0
  for (const { account, amount } of moves) {
    check(amount !== 0n, 'an entry moves something')
    for (let other = 0; other < index; other++)
      check(moves[other]?.account !== account, 'a posting touches an account once')
    sum += amount
    index += 1
  }
  check(sum === 0n, 'a posting balances')
}

/** What a settlement takes from the hold is what leaves the account. */
function checkSettles(
  moves: readonly Move[],
  { account, take }: { account: AccountState; take: bigint },
): void {
  check(take >= 0n, 'a hold is settled by zero or more')
  const move = moves.find((candidate) => candidate.account === account)
  check(-(move?.amount ?? 0n) === take, 'what is taken from a hold leaves its account')
}

function enter(order: Order, { changes, holding }: Changing): EntryMade[] {
  const digest = postingDigest(order)
  return changes.map(({ account, amount }) => {
    account.seq += 1n
    account.balance += amount
    if (holding !== undefined) {
      account.held += heldBy(holding, account)
      if (account.spent !== undefined) countHolding(account.spent, { account, kind: order.kind, holding })
    }
    const entry = {
      accountId: account.id,
      seq: account.seq,
      amount,
      balanceAfter: account.balance,
      heldAfter: account.held,
      hash: '',
    }
    account.head = entryHash(account.head, digest, entry)
    entry.hash = account.head
    if (amount < 0n && account.spent !== undefined) {
      account.spent.add({ kind: order.kind, amount: -amount, atMs: order.createdAtMs })
    }
    return entry
  })
}

function countHolding(
  spent: SpentLately,
  {
    account,
    kind,
    holding: { opens, hold, freed },
  }: { account: AccountState; kind: string; holding: Holding },
): void {
  if (opens?.account === account) spent.hold(kind, opens.amount)
  if (hold?.account === account) spent.hold(hold.kind, -freed)
}

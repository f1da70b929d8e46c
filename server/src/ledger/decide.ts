// The core: what becomes of each posting of a batch, decided in memory, in order, from the state of the accounts. Pure:
// no clock, no database, no chance. A refused posting changes nothing for the ones after it.
import { check } from '../base/check.ts'
import { entryHash, postingDigest } from './chain.ts'

/** An account as it will be once everything that was decided before has been written. */
export interface AccountState {
  readonly id: bigint
  readonly floor: bigint | null
  /** Of the row; another one, never used before, with every batch that changes the account. */
  version: bigint
  balance: bigint
  held: bigint
  seq: bigint
  /** The hash of the latest entry, in hex. */
  head: string
}

export interface HoldState {
  readonly id: bigint
  readonly account: AccountState
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
  createdAtMs: number
  /** Sum to zero; empty when something is only held or released. */
  moves: readonly Move[]
  opens: Move | undefined
  /** `hold` is absent when there is no such hold. */
  closes: { hold: HoldState | undefined; take: bigint; rest: 'keep' | 'release' } | undefined
}

export type Refusal = 'insufficient_funds' | 'hold_not_open' | 'hold_exceeded'

export interface EntryMade {
  accountId: bigint
  seq: bigint
  amount: bigint
  balanceAfter: bigint
  hash: string
}

export type Decision = { ok: true; entries: EntryMade[] } | { ok: false; refusal: Refusal }

/** Decides one order and, when it is accepted, moves the states of its accounts and its hold on. */
export function decide(order: Order): Decision {
  const { moves, opens, closes } = order
  check(moves.length > 0 || opens !== undefined || closes !== undefined, 'a posting does something')
  checkBalanced(moves)
  if (opens !== undefined) check(opens.amount > 0n, 'a hold holds something')

  const hold = closes?.hold
  let freed = 0n
  if (closes !== undefined) {
    if (hold === undefined || hold.remaining === 0n) return { ok: false, refusal: 'hold_not_open' }
    if (closes.take > hold.remaining) return { ok: false, refusal: 'hold_exceeded' }
    checkSettles(moves, { account: hold.account, take: closes.take })
    freed = closes.rest === 'release' ? hold.remaining : closes.take
  }
  const onlyHolds = opens !== undefined && !moves.some(({ account }) => account === opens.account)
  for (const { account, amount } of onlyHolds ? [...moves, { account: opens.account, amount: 0n }] : moves) {
    const toHold = opens?.account === account ? opens.amount : 0n
    const toFree = hold?.account === account ? freed : 0n
    const change = amount - toHold + toFree
    const room = account.balance - account.held + change
    if (change < 0n && account.floor !== null && room < account.floor) {
      return { ok: false, refusal: 'insufficient_funds' }
    }
  }
  if (opens !== undefined) opens.account.held += opens.amount
  if (hold !== undefined) {
    hold.account.held -= freed
    hold.remaining -= freed
  }
  return { ok: true, entries: moves.length === 0 ? [] : enter(order) }
}

function checkBalanced(moves: readonly Move[]): void {
  let sum = 0n
  for (const [index, { account, amount }] of moves.entries()) {
    check(amount !== 0n, 'an entry moves something')
    for (let other = 0; other < index; other++)
      check(moves[other]?.account !== account, 'a posting touches an account once')
    sum += amount
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

function enter(order: Order): EntryMade[] {
  const digest = postingDigest(order)
  return order.moves.map(({ account, amount }) => {
    account.seq += 1n
    account.balance += amount
    const entry = { accountId: account.id, seq: account.seq, amount, balanceAfter: account.balance, hash: '' }
    account.head = entryHash(account.head, digest, entry)
    entry.hash = account.head
    return entry
  })
}

// Whom one may send to: a look at a handle, and the people one sent to lately.
import { AppError } from '../base/errors.ts'
import type { Currency } from '../base/money.ts'
import * as ledgers from '../ledger/ledger.ts'
import type { TransferDependencies } from './transfers.ts'

export async function lookUp({ users }: Pick<TransferDependencies, 'users'>, handle: string) {
  const person = await users.byHandle(handle)
  if (person === undefined)
    throw new AppError('not_found', { detail: 'Nobody has this handle. Check its spelling.' })
  return { handle: person.handle, name: person.name }
}

const shown = 10
/** In each wallet: a bound, since only what left it for somebody counts, and anything may have come in since. */
const linesMost = 10_000n
const firstLines = 50n

interface Stream {
  currency: Currency
  /** Down to here it has been looked at. */
  before: bigint
  floor: bigint
  /** Whom it was sent to, and when the last time was. */
  last: Map<string, Date>
}

/** The latest first, everybody once, with the name they have now. */
export async function recent(deps: TransferDependencies, userId: string) {
  const { db, ledger, users } = deps
  const accounts = await ledger.accountsOf(db, ownerOf(userId))
  const streams = accounts.map(
    ({ currency, seq }): Stream => ({
      currency,
      before: seq + 1n,
      floor: seq > linesMost ? seq - linesMost + 1n : 1n,
      last: new Map(),
    }),
  )
  // Most have sent something lately: the windows grow while nobody is found.
  for (let size = firstLines; await lookBack(deps, { userId, streams, size }); )
    size = size < ledgers.windowMost / 4n ? size * 4n : ledgers.windowMost
  const last = new Map<string, Date>()
  for (const [id, at] of streams.flatMap((stream) => [...stream.last]))
    if ((last.get(id) ?? at) <= at) last.set(id, at)
  const latest = [...last].sort(([, one], [, other]) => other.getTime() - one.getTime()).slice(0, shown)
  const people = await Promise.all(latest.map(async ([id, at]) => ({ person: await users.person(id), at })))
  return people.flatMap(({ person, at }) =>
    person === undefined
      ? []
      : [{ handle: person.handle, name: person.name, last_sent_at: at.toISOString() }],
  )
}

const ownerOf = (userId: string) => ({ kind: 'user', owner: userId, mode: 'live' }) as const

interface Looking {
  userId: string
  streams: readonly Stream[]
  size: bigint
}

/** One window further in each wallet that has not shown enough people yet. False when there is none. */
async function lookBack(
  { db, ledger }: TransferDependencies,
  { userId, streams, size }: Looking,
): Promise<boolean> {
  const open = streams.filter(({ before, floor, last }) => before > floor && last.size < shown)
  if (open.length === 0) return false
  const windows = open.map(({ currency, before, floor }) => ({
    currency,
    before,
    from: before - size > floor ? before - size : floor,
  }))
  const lists = await ledger.windows(db, { owner: ownerOf(userId), windows, direction: 'out' })
  open.forEach((stream, at) => {
    stream.before = windows[at]?.from ?? stream.floor
    for (const { kind, details, createdAt } of lists[at] ?? []) {
      if (kind !== 'transfer') continue
      const { to } = details as { to: { id: string } }
      if (!stream.last.has(to.id)) stream.last.set(to.id, createdAt)
    }
  })
  return true
}

// Provable pots. The ledger chains the entries of each account by hashes; a group shows its members where its chain ends
// (the head), and for any entry a receipt: the entry whole, and of each later one only what its hash is made of. Who has
// a head from before, or from another member, can tell that nothing in between was altered, and trusts nobody for it.
// The chain is a line, so a receipt is as long as what came after the entry; a far one is proved in several steps.
import { check } from '../base/check.ts'
import { AppError } from '../base/errors.ts'
import type { ChainLink } from '../ledger/ledger.ts'
import { accountOf, type Group, type GroupDependencies, requireMember, seen } from './room.ts'

export interface Asking {
  groupId: string
  userId: string
}

/** Of an account without entries. */
const emptyHash = '0'.repeat(64)

/** How many later entries one receipt leads over. */
export const linksMost = 1_000

export async function head(deps: GroupDependencies, { groupId, userId }: Asking) {
  const { group } = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  const [last] = await deps.ledger.chain(deps.db, { account: accountOf(group), from: null, limit: 1 })
  return headOf(group, last)
}

const headOf = (group: Group, last: ChainLink | undefined) => ({
  format: 'mfuko-head-1' as const,
  group: group.id,
  currency: group.currency,
  account: (last?.accountId ?? 0n).toString(),
  seq: (last?.seq ?? 0n).toString(),
  hash: last?.hash ?? emptyHash,
  balance: (last?.balanceAfter ?? 0n).toString(),
  at: last?.posting.createdAt.toISOString() ?? null,
})

export interface ReceiptAsked extends Asking {
  seq: bigint
  /** Up to this entry; absent: up to the latest, or as far as one receipt leads. */
  to: bigint | undefined
}

export async function receipt(deps: GroupDependencies, { groupId, userId, seq, to }: ReceiptAsked) {
  const { group } = requireMember(await seen(deps.db, { id: groupId, user: userId }))
  if (to !== undefined && (to < seq || to > seq + BigInt(linksMost)))
    throw new AppError('validation_failed', {
      errors: { to: `To must be at least ${seq} and at most ${seq + BigInt(linksMost)}` },
    })
  const account = accountOf(group)
  // With the one before it, whose hash is the first thing that goes into its own.
  const links = await deps.ledger.chain(deps.db, {
    account,
    from: seq > 1n ? seq - 1n : 1n,
    limit: to === undefined ? linksMost + 2 : Number(to - seq) + 2,
  })
  const at = links.findIndex((link) => link.seq === seq)
  const entry = links[at]
  if (entry === undefined)
    throw new AppError('not_found', { detail: 'There is no such entry in the account of this group.' })
  const last = to ?? seq + BigInt(linksMost)
  const later = links.slice(at + 1).filter((link) => link.seq <= last)
  if (to !== undefined && (later.at(-1) ?? entry).seq !== to)
    throw new AppError('validation_failed', { errors: { to: 'To is beyond the latest entry' } })
  check(at > 0 || seq === 1n, 'entries are numbered without gaps')
  return {
    format: 'mfuko-receipt-1' as const,
    entry: {
      ...sumsOf(entry),
      before: links[at - 1]?.hash ?? emptyHash,
      balance_before: (links[at - 1]?.balanceAfter ?? 0n).toString(),
      posting: {
        id: entry.posting.id.toString(),
        time_ms: entry.posting.createdAt.getTime().toString(),
        kind: entry.posting.kind,
        details: entry.posting.details,
      },
    },
    later: later.map((link) => ({ ...sumsOf(link), digest: link.digest })),
    head: headOf(group, later.at(-1) ?? entry),
  }
}

/** As text, in minor units: exactly what is hashed. */
const sumsOf = (link: ChainLink) => ({
  seq: link.seq.toString(),
  amount: link.amount.toString(),
  balance_after: link.balanceAfter.toString(),
  held_after: link.heldAfter.toString(),
})

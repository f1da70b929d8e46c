// The postings that are measured: transfers of realistic size between made-up people, with a fee, the details that
// a history shows, and a key with the answer that is kept for it. Names are computed from numbers, so that the
// generator itself keeps nothing in memory.
import { randomUUID } from 'node:crypto'
import type { Posted, Posting } from '../server/src/ledger/ledger.ts'

const funds = 1_000_000_000n
const feePercent = 1n

/** As long as real ones are. */
export const person = (number: number): string => `usr_${number.toString(36).padStart(22, '0')}`
export const hotOwner = 'mer_hot'
export const longOwner = 'mer_long'
export const shortOwner = 'usr_short'

type Recipient = { kind: 'user' | 'merchant'; owner: string }

/** Puts money into the accounts from `from` on, in one posting. */
export const fundingPosting = ({ from, count }: { from: number; count: number }): Posting => ({
  kind: 'deposit',
  mode: 'live',
  currency: 'UGX',
  details: { provider: 'bench', first: person(from), count },
  entries: [
    { kind: 'clearing', owner: 'bench', amount: -funds * BigInt(count) },
    ...Array.from({ length: count }, (_, index) => ({
      kind: 'user' as const,
      owner: person(from + index),
      amount: funds,
    })),
  ],
})

const below = (count: number): number => Math.floor(Math.random() * count)

/** Between two people of `accounts`. */
export function spreadTransfer(accounts: number): Posting {
  const sender = below(accounts)
  const recipient = (sender + 1 + below(accounts - 1)) % accounts
  return transfer(sender, { kind: 'user', owner: person(recipient) })
}

/** From one of `accounts` to always the same merchant. */
export const hotTransfer = (accounts: number): Posting =>
  transfer(below(accounts), { kind: 'merchant', owner: hotOwner })

const longEvery = 5

/**
 * What fills the books before they are measured: the same transfers, but every fifth goes to one account, which gets
 * a long history, and a few, evenly spread over the whole time, to one that keeps a short history.
 */
export function loadTransfer(index: number, { accounts, shortEvery }: LoadShape): Posting {
  const sender = below(accounts)
  if (index % shortEvery === 0) return transfer(sender, { kind: 'user', owner: shortOwner })
  if (index % longEvery === 1) return transfer(sender, { kind: 'merchant', owner: longOwner })
  return spreadTransfer(accounts)
}

export interface LoadShape {
  accounts: number
  shortEvery: number
}

function transfer(sender: number, recipient: Recipient): Posting {
  const amount = BigInt(500 + below(50_000))
  const fee = amount / (100n / feePercent)
  // Random like the ids and keyed hashes that a request would bring; hashing a request is not the ledger's work.
  const reference = `tr_${randomUUID()}`
  const from = person(sender)
  return {
    kind: 'transfer',
    mode: 'live',
    currency: 'UGX',
    details: {
      reference,
      from,
      to: recipient.owner,
      amount: amount.toString(),
      fee: fee.toString(),
      note: 'Rent',
    },
    entries: [
      { kind: 'user', owner: from, amount: -(amount + fee) },
      { kind: recipient.kind, owner: recipient.owner, amount },
      { kind: 'fees', owner: '-', amount: fee },
    ],
    once: {
      key: { id: randomUUID(), fingerprint: randomUUID() },
      answer: (posted) => ({ status: 200, body: answerBody({ reference, amount, fee, posted }) }),
    },
  }
}

interface Answered {
  reference: string
  amount: bigint
  fee: bigint
  posted: Posted
}

/** About 170 bytes. */
const answerBody = ({ reference, amount, fee, posted }: Answered): string =>
  `{"reference":"${reference}","status":"completed","amount":${amount},"fee":${fee},"currency":"UGX",` +
  `"balance":${posted.entries[0]?.balanceAfter},"created_at":"${posted.createdAt.toISOString()}"}`

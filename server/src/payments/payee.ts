// Who a payment is for: a business, which pays a fee and is told of everything; or a campaign, for which it is a
// contribution: free, and written down with the money.
import { check } from '../base/check.ts'
import type { Amount } from '../base/money.ts'
import { limitedKinds, type Prices } from '../base/prices.ts'
import { encodeReference } from '../base/reference.ts'
import type { Secret } from '../base/secret.ts'
import * as campaigns from '../campaigns/campaigns.ts'
import type { AlsoRow, Posted, Posting } from '../ledger/ledger.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { type Payment, paymentFee } from './rules.ts'

type Account = { kind: 'merchant' | 'campaign'; owner: string }

export const payeeAccount = ({ merchant, campaign }: Payment): Account =>
  campaign === null ? { kind: 'merchant', owner: String(merchant) } : { kind: 'campaign', owner: campaign }

export const payeeFee = ({ amount, campaign }: Payment, prices: Prices): Amount =>
  campaign === null ? paymentFee(amount, prices) : { minor: 0n, currency: amount.currency }

/** Where the money goes, whoever it comes from. */
export const payeeEntries = (payment: Payment, fee: Amount): Posting['entries'] => [
  { ...payeeAccount(payment), amount: payment.amount.minor - fee.minor },
  ...(fee.minor === 0n ? [] : [{ kind: 'fees', owner: '-', amount: fee.minor } as const]),
]

/** What a posting is, and what a history says of it. A contribution has the reference of its posting, as all have. */
export function payeePosting(payment: Payment, fee: Amount): Pick<Posting, 'kind'> & { details: object } {
  const { amount, reference, merchantName: name, description, campaign } = payment
  const said = {
    counterparty: { name },
    ...(description === null ? {} : { note: description }),
    amount: amount.minor.toString(),
  }
  return campaign === null
    ? { kind: 'payment', details: { reference, ...said, fee: fee.minor.toString() } }
    : { kind: 'campaign_contribution', details: { campaign, payment: reference, ...said } }
}

/** What the receipt of who has paid says, by the reference that the history shows. */
export function toldOf(
  { secrets }: { secrets: { readonly idem: Secret } },
  { campaign, reference, merchantName: other }: Payment,
  posted: Posted,
): Omit<Receipt, 'person'> {
  if (campaign === null) return { other, reference, about: { kind: 'payment', id: reference } }
  const ofPosting = encodeReference(secrets.idem, { kind: 'CC', id: posted.id })
  return { other, reference: ofPosting, about: { kind: 'campaign', id: campaign } }
}

/** Contributions count against what may leave a wallet in a day. */
export const payerLimit = (
  { campaign, amount: { currency } }: Payment,
  { owner, prices }: { owner: string | null; prices: Prices },
): Pick<Posting, 'limit'> =>
  campaign === null || owner === null
    ? {}
    : { limit: { kind: 'user', owner, most: prices.dailyMost[currency], kinds: limitedKinds } }

/** Written when the money has come. */
export const takenRows = (
  { campaign, number, amount }: Payment,
  { posted, payer }: { posted: Posted; payer?: string | undefined },
): AlsoRow[] =>
  campaign === null
    ? []
    : [campaigns.contributionRow({ campaign, payment: number, amount: amount.minor, payer, posted })]

/** Written when so much of it has gone back. */
export const givenBackRows = (
  { campaign, number }: Payment,
  moved: { moved: bigint; posted: Posted },
): AlsoRow[] => (campaign === null ? [] : [campaigns.returnedRow(number, moved)])

export const notGivenBackRows = ({ campaign, number }: Payment, problem: string): AlsoRow[] =>
  campaign === null ? [] : [campaigns.notReturnedRow(number, problem)]

/** For what only a business has. */
export function merchantOf({ merchant }: Payment): number {
  check(merchant !== null, 'a payment that a business hears of is to a business')
  return merchant
}

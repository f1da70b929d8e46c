// Who a payment is for, as far as the checkout must know: may it still be paid, and where may the browser go on to.
import type { Campaigns } from '../campaigns/campaigns.ts'
import type { Merchants } from '../merchants/merchants.ts'
import * as merchants from '../merchants/merchants.ts'
import type { Payment } from '../payments/payments.ts'

export interface PayeeDeps {
  merchants: Pick<Merchants, 'merchant'>
  campaigns: Pick<Campaigns, 'find' | 'isOpen'>
  production: boolean
}

export interface Payee {
  /** Money must not reach a business that was found to be a fraud, or a campaign that was paused, while links are about. */
  isSuspended: boolean
  mayReturnTo(address: string): boolean
}

/** Judged again at every use: a host may have left the list, and a merchant may have been suspended. */
export async function payeeOf(deps: PayeeDeps, payment: Payment): Promise<Payee> {
  const { merchant: id, campaign, mode } = payment
  if (campaign !== null) return { isSuspended: !(await takesMoney(deps, campaign)), mayReturnTo: () => true }
  const found = id === null ? undefined : await deps.merchants.merchant(id)
  if (found === undefined || found.status === 'suspended')
    return { isSuspended: true, mayReturnTo: () => false }
  const { websiteUrl, hosts } = found
  const { production } = deps
  return {
    isSuspended: false,
    mayReturnTo: (address) =>
      merchants.redirectProblem(address, { websiteUrl, hosts, mode, production }) === undefined,
  }
}

async function takesMoney({ campaigns }: PayeeDeps, id: string): Promise<boolean> {
  const campaign = await campaigns.find(id)
  return campaign !== undefined && campaigns.isOpen(campaign)
}

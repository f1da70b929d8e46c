// Mails about campaigns, written down in the transaction of what they tell. Only to an address that is known to be theirs: a
// title or a message is what somebody wrote, and would else reach whomever they name.
import { type Amount, toText } from '../base/money.ts'
import type { Tx } from '../db/db.ts'
import * as mail from '../mail/mail.ts'
import type { Person } from '../users/users.ts'
import * as users from '../users/users.ts'
import type { Campaign } from './rules.ts'

export const about = ({ id }: Pick<Campaign, 'id'>) => ({ kind: 'campaign', id })

interface ToOwner {
  owner: Person
  campaign: Campaign
}

export async function queueEnded(tx: Tx, { owner, campaign }: ToOwner): Promise<void> {
  if (!users.reachable(owner)) return
  const { title, raised, goal } = campaign
  const data = { title, raisedText: toText(raised, owner.locale), goalText: toText(goal, owner.locale) }
  await mail.queue(tx, {
    to: users.mailboxOf(owner),
    template: 'campaign_ended',
    data,
    about: about(campaign),
  })
}

export async function queuePaused(tx: Tx, { owner, campaign, reason }: ToOwner & { reason: string }) {
  if (!users.reachable(owner)) return
  const data = { title: campaign.title, reason }
  await mail.queue(tx, {
    to: users.mailboxOf(owner),
    template: 'campaign_paused',
    data,
    about: about(campaign),
  })
}

export async function queueResumed(tx: Tx, { owner, campaign }: ToOwner): Promise<void> {
  if (!users.reachable(owner)) return
  const data = { title: campaign.title }
  await mail.queue(tx, {
    to: users.mailboxOf(owner),
    template: 'campaign_resumed',
    data,
    about: about(campaign),
  })
}

export async function queueReturning(tx: Tx, { owner, campaign, reason }: ToOwner & { reason: string }) {
  if (!users.reachable(owner)) return
  const data = { title: campaign.title, reason }
  await mail.queue(tx, {
    to: users.mailboxOf(owner),
    template: 'campaign_returning',
    data,
    about: about(campaign),
  })
}

/** To who gave: this they must hear, whether they want receipts or not. */
export async function queueReturned(
  tx: Tx,
  {
    giver,
    campaign,
    amount,
    reference,
  }: { giver: Person; campaign: Campaign; amount: Amount; reference: string },
): Promise<void> {
  if (!users.reachable(giver)) return
  const { title, returned } = campaign
  const data = { title, amountText: toText(amount, giver.locale), reason: returned?.reason ?? '', reference }
  await mail.queue(tx, {
    to: users.mailboxOf(giver),
    template: 'campaign_returned',
    data,
    about: about(campaign),
  })
}

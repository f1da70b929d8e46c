// Contributing without an account: what is to be said with it is kept, and the checkout asks for the money.

import { amountOf, contributionProblem } from './giving.ts'
import { type CampaignOptions, pageUrl, seeCampaign } from './room.ts'
import { tidyLine, tidyText } from './rules.ts'
import * as sql from './sql.ts'

export interface Pledge {
  id: string
  /** As it was typed. */
  amount: string
  name: string
  message: string
  anonymous: boolean
}

export async function pledge(options: CampaignOptions, wanted: Pledge): Promise<string> {
  const { db, checkout, clock } = options
  const campaign = await seeCampaign(db, wanted.id)
  const amount = amountOf(options, { text: wanted.amount, campaign })
  const problem = await contributionProblem(options, campaign)
  if (problem !== undefined) throw problem
  const { id, title } = campaign
  const { payment, url } = await checkout.ask({ campaign: id, title, amount, backTo: pageUrl(options, id) })
  await sql.insertPledge(db, {
    payment,
    campaign: id,
    name: tidyLine(wanted.name) || null,
    message: tidyText(wanted.message) || null,
    anonymous: wanted.anonymous,
    at: clock.now(),
  })
  return url
}

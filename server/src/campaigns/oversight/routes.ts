import type { FastifyRequest } from 'fastify'
import { check } from '../../base/check.ts'
import type { Clock } from '../../base/clock.ts'
import { toJson } from '../../base/money.ts'
import type { Db } from '../../db/db.ts'
import { pageOf, timeCursor } from '../../http/cursor.ts'
import type { App } from '../../http/instance.ts'
import { originOf } from '../../http/origin.ts'
import { listOf, ok } from '../../http/schema.ts'
import type { Campaign, Campaigns } from '../campaigns.ts'
import { ownRecordOf, type Shown, withOwners } from '../records.ts'
import { type Decider, noSuchCampaign } from '../room.ts'
import { hasEnded, searchText } from '../rules.ts'
import { CampaignParams } from '../schema.ts'
import * as schema from './schema.ts'

export interface OversightRoutes {
  campaigns: Campaigns
  db: Db
  clock: Clock
  baseUrl: string
}

const tags = ['Operator']

/** Scope: operators. */
export function campaignOversightRoutes(app: App, deps: OversightRoutes): void {
  lookRoutes(app, deps)
  decideRoutes(app, deps)
}

const readPlace = timeCursor(/^cmp_[0-9A-Za-z]{22}$/)

function lookRoutes(app: App, deps: OversightRoutes): void {
  const list = {
    tags,
    summary: 'Campaigns',
    description: 'All there are, the newest first.',
    operationId: 'listCampaignsAsOperator',
    querystring: schema.SeenQuery,
    response: { 200: schema.SeenList },
  }
  const listing = { schema: list, config: { readCursor: readPlace } } as const
  app.get('/api/operator/campaigns', listing, async ({ query }) => {
    const { limit = 25, cursor, q, state = null } = query
    const place = cursor === undefined ? undefined : readPlace(cursor)
    const before = place && { createdAt: place.at, id: place.id }
    const search = q === undefined ? null : (searchText(q) ?? null)
    const found = await deps.campaigns.all({ search, state, before, limit: limit + 1 })
    const page = pageOf(found, limit, ({ createdAt, id }) => [createdAt.toISOString(), id])
    const shown = await withOwners({ ...deps, now: deps.clock.now() }, page.items)
    return listOf('Campaigns', { ...page, items: shown.map(seenRecord) })
  })

  const show = {
    tags,
    summary: 'Show a campaign',
    operationId: 'getCampaignAsOperator',
    params: CampaignParams,
    response: { 200: schema.SeenReply },
  }
  app.get('/api/operator/campaigns/:id', { schema: show }, async ({ params: { id } }) => {
    const found = await deps.campaigns.find(id)
    if (found === undefined) throw noSuchCampaign()
    return ok('Campaign', await whole(deps, found))
  })
}

function decideRoutes(app: App, deps: OversightRoutes): void {
  const pause = {
    tags,
    summary: 'Pause a campaign',
    description:
      'Nobody can contribute any more, and its owner can take nothing out. Who looks at it sees the reason. Told by mail.',
    operationId: 'pauseCampaign',
    params: CampaignParams,
    body: schema.ReasonBody,
    response: { 200: schema.SeenReply },
  }
  app.post('/api/operator/campaigns/:id/pause', { schema: pause }, async (request) => {
    const { id } = request.params
    const { reason } = request.body
    return ok(
      'Paused',
      await whole(deps, await deps.campaigns.pause({ id, reason, decider: deciderOf(request) })),
    )
  })

  const resume = {
    tags,
    summary: 'End the pause of a campaign',
    description: 'Told by mail.',
    operationId: 'resumeCampaign',
    params: CampaignParams,
    response: { 200: schema.SeenReply },
  }
  app.post('/api/operator/campaigns/:id/resume', { schema: resume }, async (request) => {
    const { id } = request.params
    return ok(
      'No longer paused',
      await whole(deps, await deps.campaigns.resume({ id, decider: deciderOf(request) })),
    )
  })

  const giveBack = {
    tags,
    summary: 'Give the money of a campaign back',
    description:
      'All that is in its account goes back to who gave it: into wallets, or by the provider that it came by. When a part was taken out before, everybody gets the same part of what they gave. It ends the campaign for good and happens in the background; asked for again, what a provider refused is tried once more.',
    operationId: 'returnCampaignMoney',
    params: CampaignParams,
    body: schema.ReasonBody,
    response: { 200: schema.SeenReply },
  }
  app.post('/api/operator/campaigns/:id/return', { schema: giveBack }, async (request) => {
    const { id } = request.params
    const { reason } = request.body
    const campaign = await deps.campaigns.giveBack({ id, reason, decider: deciderOf(request) })
    return ok('The money goes back', await whole(deps, campaign))
  })
}

function deciderOf(request: FastifyRequest): Decider {
  const { principal } = request
  check(principal?.kind === 'operator' && principal.session !== undefined, 'the scope lets in operators only')
  const by = { kind: 'operator', id: principal.id }
  return { by, origin: { ...originOf(request), session: principal.session } }
}

const seenRecord = (shown: Shown) => ({
  ...ownRecordOf(shown),
  state: stateOf(shown),
  owner_id: shown.campaign.ownerId,
})

function stateOf({ campaign, now }: Shown): (typeof schema.campaignStates)[number] {
  const { returned, paused } = campaign
  if (returned !== null) return returned.doneAt === null ? 'returning' : 'returned'
  if (paused !== null) return 'paused'
  return hasEnded(campaign, now) ? 'ended' : 'active'
}

async function whole(deps: OversightRoutes, campaign: Campaign) {
  const [shown] = await withOwners({ ...deps, now: deps.clock.now() }, [campaign])
  check(shown !== undefined, 'one campaign is shown as one')
  const { currency } = campaign
  const returns = (await deps.campaigns.returnsOf(campaign.id)).map(({ state, count, amount }) => ({
    state,
    count,
    amount: toJson({ minor: amount, currency }),
  }))
  return { ...seenRecord(shown), returns }
}

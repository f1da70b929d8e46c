import type { FastifyRequest } from 'fastify'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { type Currency, isCurrency, readMinor } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import type { Secret } from '../base/secret.ts'
import type { Db } from '../db/db.ts'
import { numberCursor, pageOf } from '../http/cursor.ts'
import { refuseFields } from '../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, keyProblem, sendAnswer } from '../http/idempotency.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import { listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import * as ledger from '../ledger/ledger.ts'
import type { Campaign, Campaigns } from './campaigns.ts'
import { contributionRecord, ownRecordOf, recordOf, updateRecord, withOwners } from './records.ts'
import { noSuchCampaign } from './room.ts'
import { type CoverConfig, coverProblem, endProblem, goalProblem, searchText, textProblems } from './rules.ts'
import * as schema from './schema.ts'

export { campaignOversightRoutes } from './oversight/routes.ts'

export interface CampaignRoutes {
  campaigns: Campaigns
  db: Db
  clock: Clock
  prices: Prices
  secrets: { readonly idem: Secret }
  baseUrl: string
  config: CoverConfig
}

const tags = ['Campaigns']

/** Scope: people with a token. */
export function campaignRoutes(app: App, deps: CampaignRoutes): void {
  createRoute(app, deps)
  browseRoute(app, deps)
  mineRoute(app, deps)
  showRoute(app, deps)
  changeRoutes(app, deps)
  contributeRoute(app, deps)
  withdrawRoute(app, deps)
  previewRoute(app, deps)
  contributionsRoute(app, deps)
  updateRoutes(app, deps)
}

/** As the caller may see it. */
async function shownTo(deps: CampaignRoutes, campaign: Campaign, caller: string) {
  const [shown] = await withOwners({ ...deps, now: deps.clock.now() }, [campaign])
  check(shown !== undefined, 'one campaign is shown as one')
  return campaign.ownerId === caller ? ownRecordOf(shown) : recordOf(shown)
}

async function look({ campaigns }: CampaignRoutes, id: string): Promise<Campaign> {
  const found = await campaigns.find(id)
  if (found === undefined) throw noSuchCampaign()
  return found
}

/**
 * Every wrong field at once: those of the schema, and those whose rules depend on others or on the time. `known` is the
 * campaign that is to be changed, if there is one: its currency stays.
 */
function checkFields(
  { prices, clock, config }: CampaignRoutes,
  request: FastifyRequest,
  known?: Campaign,
): void {
  refuseFields(request, (refused) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    const { goal_amount: goal, ends_at: end, cover_url: cover } = body
    const currency = known?.currency ?? body.currency
    const errors: Record<string, string> = {}
    const judge = (field: string, label: string, problem: string | undefined) => {
      if (problem !== undefined && !(field in refused)) errors[field] = `${label} ${problem}`
    }
    if (typeof goal === 'string' && typeof currency === 'string' && isCurrency(currency))
      judge('goal_amount', 'Goal amount', goalProblem(goal, { currency, prices }))
    if (typeof end === 'string') judge('ends_at', 'Ends at', endProblem(end, clock.now()))
    if (typeof cover === 'string') judge('cover_url', 'Cover url', coverProblem(cover, config))
    for (const { field, label, problem } of textProblems(body)) judge(field, label, problem)
    // Alone they are left to the door: it looks first whether the request is a repeated one, which was in time, or knows
    // what else can't be changed any more.
    const wrong = Object.keys({ ...errors, ...refused, ...keyProblem(request) })
    const left = known === undefined ? ['ends_at'] : ['ends_at', 'goal_amount']
    return wrong.every((field) => left.includes(field) && !(field in refused)) ? {} : errors
  })
}

function createRoute(app: App, deps: CampaignRoutes): void {
  app.post(
    '/api/campaigns',
    {
      schema: {
        tags,
        summary: 'Begin a campaign',
        description:
          'It is public at once, and has a page of its own that needs no account: `url`. Send an `Idempotency-Key` and repeat the request when the answer was lost: there is one campaign.',
        operationId: 'createCampaign',
        headers: idempotencyHeaders,
        body: schema.CampaignBody,
        response: { 201: schema.CampaignReply },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      checkFields(deps, request)
      const owner = callerOf(request)
      const { goal_amount: goal, ends_at: endsAt, cover_url: coverUrl, ...rest } = request.body
      const stored = await deps.campaigns.createOnce({
        owner,
        campaign: { ...rest, goal, endsAt, coverUrl },
        key: keyFor(deps, request, { ...request.body, goal_amount: minorText(goal, rest.currency) }),
        answerOf: (shown) => ({
          status: 201,
          body: JSON.stringify(ok('Campaign begun', ownRecordOf(shown))),
        }),
      })
      return sendAnswer(reply, stored)
    },
  )
}

function browseRoute(app: App, deps: CampaignRoutes): void {
  app.get(
    '/api/campaigns/browse',
    {
      schema: {
        tags,
        summary: 'Browse campaigns',
        description: 'Those that take contributions.',
        operationId: 'browseCampaigns',
        querystring: schema.BrowseQuery,
        response: { 200: schema.CampaignList },
      },
      config: { readCursor: schema.placeIn },
    },
    async ({ query: { limit = 25, cursor, q, category, currency, sort = 'newest' } }) => {
      const after = cursor === undefined ? undefined : schema.placeIn(cursor, { sort })
      const search = q === undefined ? undefined : searchText(q)
      // Signs alone are no words, and nothing fits them.
      if (q !== undefined && q.trim() !== '' && search === undefined)
        return listOf('Campaigns', { items: [], nextCursor: null })
      const found = await deps.campaigns.browse({ search, category, currency, sort, after, limit: limit + 1 })
      const page = pageOf(found, limit, (one) => schema.placeOf(one, sort))
      const shown = await withOwners({ ...deps, now: deps.clock.now() }, page.items)
      return listOf('Campaigns', { ...page, items: shown.map(recordOf) })
    },
  )
}

function mineRoute(app: App, deps: CampaignRoutes): void {
  app.get(
    '/api/campaigns',
    {
      schema: {
        tags,
        summary: 'Your own campaigns',
        description: 'The newest first, also those that have ended.',
        operationId: 'listOwnCampaigns',
        querystring: schema.PageQuery,
        response: { 200: schema.OwnList },
      },
      config: { readCursor: schema.ownPlace },
    },
    async (request) => {
      const { limit = 25, cursor } = request.query
      const place = cursor === undefined ? undefined : schema.ownPlace(cursor)
      const before = place && { createdAt: place.at, id: place.id }
      const found = await deps.campaigns.ofOwner({ owner: callerOf(request), before, limit: limit + 1 })
      const page = pageOf(found, limit, ({ createdAt, id }) => [createdAt.toISOString(), id])
      const shown = await withOwners({ ...deps, now: deps.clock.now() }, page.items)
      return listOf('Your campaigns', { ...page, items: shown.map(ownRecordOf) })
    },
  )
}

function showRoute(app: App, deps: CampaignRoutes): void {
  app.get(
    '/api/campaigns/:id',
    {
      schema: {
        tags,
        summary: 'Show a campaign',
        operationId: 'getCampaign',
        params: schema.CampaignParams,
        response: { 200: schema.CampaignReply },
      },
    },
    async (request) =>
      ok('Campaign', await shownTo(deps, await look(deps, request.params.id), callerOf(request))),
  )
}

function changeRoutes(app: App, deps: CampaignRoutes): void {
  app.patch(
    '/api/campaigns/:id',
    {
      schema: {
        tags,
        summary: 'Change a campaign',
        description: 'By its owner. The currency stays, and so does the title once somebody has contributed.',
        operationId: 'changeCampaign',
        params: schema.CampaignParams,
        body: schema.ChangeBody,
        response: { 200: schema.CampaignReply },
      },
      attachValidation: true,
    },
    async (request) => {
      checkFields(deps, request, await deps.campaigns.find(request.params.id))
      const user = callerOf(request)
      const { goal_amount: goal, ends_at: endsAt, cover_url: coverUrl, ...rest } = request.body
      const change = { ...rest, goal, endsAt, coverUrl }
      const campaign = await deps.campaigns.edit({ id: request.params.id, user, change })
      return ok('Campaign changed', await shownTo(deps, campaign, user))
    },
  )

  app.post(
    '/api/campaigns/:id/end',
    {
      schema: {
        tags,
        summary: 'End a campaign',
        description: 'By its owner, before its time is over. It can not begin again.',
        operationId: 'endCampaign',
        params: schema.CampaignParams,
        response: { 200: schema.CampaignReply },
      },
    },
    async (request) => {
      const user = callerOf(request)
      const campaign = await deps.campaigns.end({ id: request.params.id, user })
      return ok('Campaign ended', await shownTo(deps, campaign, user))
    },
  )
}

function keyFor({ secrets }: CampaignRoutes, request: FastifyRequest, body: object) {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  return ledger.requestKey(secrets.idem, {
    principal: { kind: 'user', id: callerOf(request) },
    mode: 'live',
    route: `${request.method} ${request.routeOptions.url}`,
    key,
    body,
  })
}

function contributeRoute(app: App, deps: CampaignRoutes): void {
  app.post(
    '/api/campaigns/:id/contribute',
    {
      schema: {
        tags,
        summary: 'Contribute to a campaign',
        description:
          'From your wallet in its currency, at once and free of fees. Send an `Idempotency-Key` and repeat the request when the answer was lost: the money moves once.',
        operationId: 'contributeToCampaign',
        headers: idempotencyHeaders,
        params: schema.CampaignParams,
        body: schema.ContributeBody,
        response: { 200: schema.ContributeReply },
      },
      attachValidation: true,
      config: { limit: 'pin' },
    },
    async (request, reply) => {
      checkFields(deps, request)
      const { id } = request.params
      const { pin, amount, message = '', anonymous = false } = request.body
      const value = await amountValue(deps, id, amount)
      const key = keyFor(deps, request, { id, amount: value, message, anonymous })
      const from = { user: callerOf(request), pin, origin: originOf(request) }
      const giving = { ...from, id, amount, message, anonymous, key }
      return sendAnswer(reply, await deps.campaigns.contribute(giving))
    },
  )
}

async function amountValue(deps: CampaignRoutes, id: string, amount: string | undefined): Promise<string> {
  if (amount === undefined) return ''
  const { currency } = await look(deps, id)
  return minorText(amount, currency)
}

/** By value: 1 and 1.0 are the same amount, and so the same request. */
function minorText(amount: string, currency: Currency): string {
  const reading = readMinor(amount, currency)
  return 'minor' in reading ? String(reading.minor) : amount
}

function withdrawRoute(app: App, deps: CampaignRoutes): void {
  app.post(
    '/api/campaigns/:id/withdraw',
    {
      schema: {
        tags,
        summary: 'Take money out of a campaign',
        description:
          'By its owner, into the wallet in its currency, at any time. The fee is taken from the amount.',
        operationId: 'withdrawFromCampaign',
        headers: idempotencyHeaders,
        params: schema.CampaignParams,
        body: schema.WithdrawBody,
        response: { 200: schema.WithdrawReply },
      },
      attachValidation: true,
      config: { limit: 'pin' },
    },
    async (request, reply) => {
      refuseFields(request, () => ({}))
      const { id } = request.params
      const { pin, amount } = request.body
      const key = keyFor(deps, request, { id, amount: await amountValue(deps, id, amount) })
      const from = { user: callerOf(request), pin, origin: originOf(request) }
      const withdrawing = { ...from, id, amount, key }
      return sendAnswer(reply, await deps.campaigns.withdraw(withdrawing))
    },
  )
}

function previewRoute(app: App, { campaigns }: CampaignRoutes): void {
  app.post(
    '/api/campaigns/:id/withdraw/preview',
    {
      schema: {
        tags,
        summary: 'Preview taking money out of a campaign',
        description: 'What it would cost, and what would arrive in the wallet. Moves nothing.',
        operationId: 'previewCampaignWithdrawal',
        params: schema.CampaignParams,
        body: schema.PreviewBody,
        response: { 200: schema.PreviewReply },
      },
    },
    async (request) => {
      const asked = { id: request.params.id, user: callerOf(request), amount: request.body.amount }
      return ok('Preview', await campaigns.previewWithdrawal(asked))
    },
  )
}

function contributionsRoute(app: App, deps: CampaignRoutes): void {
  app.get(
    '/api/campaigns/:id/contributions',
    {
      schema: {
        tags,
        summary: 'Contributions to a campaign',
        description: 'The newest first.',
        operationId: 'listContributions',
        params: schema.CampaignParams,
        querystring: schema.PageQuery,
        response: { 200: schema.ContributionList },
      },
      config: { readCursor: numberCursor },
    },
    async ({ params: { id }, query: { limit = 25, cursor } }) => {
      const campaign = await look(deps, id)
      const rows = await deps.campaigns.contributions({
        campaign: id,
        before: cursor === undefined ? undefined : numberCursor(cursor),
        limit: limit + 1,
      })
      const page = pageOf(rows, limit, ({ seq }) => [String(seq)])
      const items = page.items.map((row) => contributionRecord(row, campaign))
      return listOf('Contributions', { ...page, items })
    },
  )
}

function updateRoutes(app: App, deps: CampaignRoutes): void {
  app.get(
    '/api/campaigns/:id/updates',
    {
      schema: {
        tags,
        summary: 'News of a campaign',
        description: 'The newest first.',
        operationId: 'listCampaignUpdates',
        params: schema.CampaignParams,
        querystring: schema.PageQuery,
        response: { 200: schema.UpdateList },
      },
      config: { readCursor: numberCursor },
    },
    async ({ params: { id }, query: { limit = 25, cursor } }) => {
      await look(deps, id)
      const before = cursor === undefined ? undefined : numberCursor(cursor)
      const rows = await deps.campaigns.updates({ campaign: id, before, limit: limit + 1 })
      const page = pageOf(rows, limit, ({ seq }) => [String(seq)])
      return listOf('Updates', { ...page, items: page.items.map(updateRecord) })
    },
  )

  app.post(
    '/api/campaigns/:id/updates',
    {
      schema: {
        tags,
        summary: 'Tell news of a campaign',
        description: 'By its owner, also after it has ended.',
        operationId: 'addCampaignUpdate',
        params: schema.CampaignParams,
        body: schema.UpdateBody,
        response: { 200: schema.UpdateReply },
      },
      attachValidation: true,
    },
    async (request) => {
      checkFields(deps, request)
      const update = { id: request.params.id, user: callerOf(request), text: request.body.text }
      return ok('Update added', updateRecord(await deps.campaigns.addUpdate(update)))
    },
  )
}

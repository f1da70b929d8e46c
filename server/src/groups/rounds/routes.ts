import type { FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { idempotencyHeaders, sendAnswer } from '../../http/idempotency.ts'
import type { App } from '../../http/instance.ts'
import { ok } from '../../http/schema.ts'
import { callerOf } from '../../http/scope.ts'
import * as groups from '../groups.ts'
import type { KeyedRoutes } from '../payouts/routes.ts'
import * as schema from '../schema.ts'

const tagged = { tags: ['Savings groups'] }

type Deps = groups.GroupDependencies
type Place = { groupId: string; userId: string }

interface Said {
  path: string
  operationId: string
  summary: string
  description: string
  message: string
}

interface Act extends Said {
  act: (deps: Deps, place: Place) => Promise<void>
}

interface MoneyAct extends Said {
  act: typeof groups.rounds.close
}

/** What takes nothing but the group. */
const acts: readonly Act[] = [
  {
    path: 'draw',
    operationId: 'announceGroupDraw',
    summary: 'Announce a draw',
    description:
      'By the chair, before a round. Publishes the hash of a secret seed; members may add a word each; at the start the seed is shown, and everybody can make the order again.',
    message: 'Draw announced',
    act: groups.rounds.announceDraw,
  },
  {
    path: 'seat/accept',
    operationId: 'acceptGroupSeat',
    summary: 'Take over a seat',
    description:
      'That was offered to you: its turn, what it owes and what is owed to it are yours from then on.',
    message: 'The seat is yours',
    act: groups.rounds.acceptSeat,
  },
]

/** The same, where money moves. */
const moneyActs: readonly MoneyAct[] = [
  {
    path: 'cycle/close',
    operationId: 'closeGroupCycle',
    summary: 'Close a late cycle',
    description:
      'By the chair or the treasurer, when the cycle is late. The pot goes out as it is; who has not paid owes it to whose turn it was. Send an `Idempotency-Key` and repeat the request when the answer was lost: one cycle is closed.',
    message: 'Cycle closed',
    act: groups.rounds.close,
  },
  {
    path: 'dissolve',
    operationId: 'dissolveGroupRound',
    summary: 'Dissolve the round',
    description:
      'By the chair. What was paid in the open cycle goes back to who paid it, and who has received a pot owes the others what they gave. Send an `Idempotency-Key` and repeat the request when the answer was lost: one round is dissolved.',
    message: 'Round dissolved',
    act: groups.rounds.dissolveRound,
  },
]

const placeOf = (request: FastifyRequest): Place => ({
  groupId: (request.params as { id: string }).id,
  userId: callerOf(request),
})
const common = { ...tagged, params: schema.GroupParams, response: { 200: schema.WholeReply } }

export function roundRoutes(app: App, deps: KeyedRoutes): void {
  const shown = async (message: string, place: Place) => ok(message, await groups.show(deps, place))

  for (const { path, operationId, summary, description, message, act } of acts)
    app.post(
      `/api/groups/:id/${path}`,
      { schema: { ...common, operationId, summary, description } },
      async (request) => {
        await act(deps, placeOf(request))
        return shown(message, placeOf(request))
      },
    )
  for (const { path, operationId, summary, description, message, act } of moneyActs)
    app.post(
      `/api/groups/:id/${path}`,
      { schema: { ...common, headers: idempotencyHeaders, operationId, summary, description } },
      async (request, reply) => {
        const place = placeOf(request)
        const answered = await act(deps, {
          ...place,
          key: deps.keyFor(request, { id: place.groupId }),
          answerOf: async (seen) => ({
            status: 200,
            body: JSON.stringify(ok(message, await groups.show(seen, place))),
          }),
        })
        return sendAnswer(reply, answered)
      },
    )

  wordedRoutes(app, deps, shown)
  showRoute(app, deps)
}

type Shown = (message: string, place: Place) => Promise<{ success: true; message: string; data: Whole }>
type Whole = Awaited<ReturnType<typeof groups.show>>

/** Those that take more. */
function wordedRoutes(app: App, deps: Deps, shown: Shown): void {
  app.post(
    '/api/groups/:id/draw/word',
    {
      schema: {
        ...common,
        operationId: 'addGroupDrawWord',
        summary: 'Add a word to a draw',
        description: 'Whoever adds one can be sure that nobody knew the order before.',
        body: schema.WordBody,
      },
    },
    async (request) => {
      await groups.rounds.addWord(deps, { ...placeOf(request), word: request.body.word })
      return shown('Word added', placeOf(request))
    },
  )

  app.post(
    '/api/groups/:id/start',
    {
      schema: {
        ...common,
        operationId: 'startGroupRound',
        summary: 'Start a round',
        description:
          'By the chair of a rotating group, with at least 3 members. The order is fixed for this round; each cycle the pot goes to the next.',
        body: schema.StartBody,
      },
    },
    async (request) => {
      await groups.rounds.start(deps, { ...placeOf(request), ...request.body })
      return shown('Round started', placeOf(request))
    },
  )

  app.post(
    '/api/groups/:id/seat/offer',
    {
      schema: {
        ...common,
        operationId: 'offerGroupSeat',
        summary: 'Offer your seat',
        description:
          'To a member who has none in this round. What the two of you pay each other for it is up to you.',
        body: schema.OfferBody,
      },
    },
    async (request) => {
      await groups.rounds.offerSeat(deps, { ...placeOf(request), to: request.body.to })
      return shown('Seat offered', placeOf(request))
    },
  )
}

function showRoute(app: App, deps: Deps): void {
  app.get(
    '/api/groups/:id/rounds/:number',
    {
      schema: {
        ...tagged,
        operationId: 'getGroupRound',
        summary: 'Show a round',
        description:
          'The order, and what it was drawn with: `npm run verify-draw` and /verify make it again.',
        params: schema.RoundParams,
        response: { 200: schema.RoundReply },
      },
    },
    async (request) => {
      const round = await groups.round(deps, { ...placeOf(request), number: request.params.number })
      if (round === undefined)
        throw new AppError('not_found', { detail: 'There is no such round in this group.' })
      return ok('Round', round)
    },
  )
}

import type { FastifyRequest } from 'fastify'
import { pageOf, timeCursor } from '../../http/cursor.ts'
import { idempotencyHeaders, sendAnswer } from '../../http/idempotency.ts'
import type { App } from '../../http/instance.ts'
import { listOf, ok } from '../../http/schema.ts'
import { callerOf } from '../../http/scope.ts'
import type { RequestKey } from '../../ledger/ledger.ts'
import * as groups from '../groups.ts'
import * as schema from '../schema.ts'

const tagged = { tags: ['Savings groups'] }
const readPlace = timeCursor(/^pro_\w{1,30}$/)

export interface KeyedRoutes extends groups.GroupDependencies {
  /** Of a request that may be repeated. */
  keyFor: (request: FastifyRequest, body: object) => RequestKey | undefined
}

export function payoutRoutes(app: App, deps: KeyedRoutes): void {
  app.post(
    '/api/groups/:id/payouts',
    {
      schema: {
        ...tagged,
        summary: 'Propose a payout',
        description:
          'From a goal group to one of its members. It is paid when more than half of the other members have approved it, within 14 days. Where some of them had been members for 7 days or more when it was proposed, more than half of those must have approved it, too, so that nobody decides by letting others join. The others get a mail about the first 10 a day that you propose. Send an `Idempotency-Key` and repeat the request when the answer was lost: there is one proposal.',
        operationId: 'proposeGroupPayout',
        headers: idempotencyHeaders,
        params: schema.GroupParams,
        body: schema.ProposalBody,
        response: { 200: schema.ProposalReply },
      },
      config: { limit: 'lookups' },
    },
    async (request, reply) => {
      const { id } = request.params
      const { to, amount, reason } = request.body
      // By value: 1 and 1.0 are the same amount, and so the same request.
      const keyOf = (minor: bigint) => deps.keyFor(request, { id, to, amount: String(minor), reason })
      const asked = { groupId: id, userId: callerOf(request), to, amount, reason, keyOf }
      return sendAnswer(reply, await groups.payouts.propose(deps, asked))
    },
  )

  app.get(
    '/api/groups/:id/payouts',
    {
      schema: {
        ...tagged,
        summary: 'List proposed payouts',
        operationId: 'listGroupPayouts',
        params: schema.GroupParams,
        querystring: schema.ProposalsQuery,
        response: { 200: schema.ProposalsReply },
      },
      config: { readCursor: readPlace },
    },
    async (request) => {
      const { limit = 25, cursor, status } = request.query
      const before = cursor === undefined ? undefined : readPlace(cursor)
      const place = { groupId: request.params.id, userId: callerOf(request) }
      const rows = await groups.payouts.list(deps, { ...place, status, before, limit })
      return listOf(
        'Payouts',
        pageOf(rows, limit, (row) => [row.created_at, row.id]),
      )
    },
  )

  decideRoutes(app, deps)
}

function decideRoutes(app: App, deps: KeyedRoutes): void {
  app.post(
    '/api/groups/:id/payouts/:payout_id/approve',
    {
      schema: {
        ...tagged,
        summary: 'Approve a payout',
        description:
          'Once each. The approval that makes more than half of the other members, and of those who had been members for 7 days, pays it, at once; with too little in the pot it is paid as soon as there is enough. Send an `Idempotency-Key` and repeat the request when the answer was lost: you get the first answer again.',
        operationId: 'approveGroupPayout',
        headers: idempotencyHeaders,
        params: schema.ProposalParams,
        response: { 200: schema.ProposalReply },
      },
    },
    async (request, reply) => {
      const { id: groupId, payout_id: proposalId } = request.params
      const key = deps.keyFor(request, request.params)
      const approving = { groupId, userId: callerOf(request), proposalId, key }
      return sendAnswer(reply, await groups.payouts.approve(deps, approving))
    },
  )

  app.post(
    '/api/groups/:id/payouts/:payout_id/cancel',
    {
      schema: {
        ...tagged,
        summary: 'Take a proposed payout back',
        description: 'By who proposed it.',
        operationId: 'cancelGroupPayout',
        params: schema.ProposalParams,
        response: { 200: schema.ProposalReply },
      },
    },
    async (request) => {
      const { id: groupId, payout_id: proposalId } = request.params
      const place = { groupId, userId: callerOf(request), proposalId }
      return ok('Cancelled', await groups.payouts.cancel(deps, place))
    },
  )
}

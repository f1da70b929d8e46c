import type { FastifyRequest } from 'fastify'
import { encodeCursor, pageOf, timeCursor } from '../http/cursor.ts'
import { refuseFields } from '../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, sendAnswer } from '../http/idempotency.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import { listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import * as ledger from '../ledger/ledger.ts'
import * as groups from './groups.ts'
import { type KeyedRoutes, payoutRoutes } from './payouts/routes.ts'
import { roundRoutes } from './rounds/routes.ts'
import { comparable, groupProblems } from './rules.ts'
import * as schema from './schema.ts'

export { groupOversightRoutes } from './oversight/routes.ts'

const tagged = { tags: ['Savings groups'] }
const readPlace = timeCursor(/^grp_\w{1,30}$/)

export function groupRoutes(app: App, deps: groups.GroupDependencies): void {
  createRoutes(app, deps)
  readRoutes(app, deps)
  memberRoutes(app, deps)
  roleRoutes(app, deps)
  contributeRoute(app, deps)
  storyRoutes(app, deps)
  proofRoutes(app, deps)
  const keyed: KeyedRoutes = { ...deps, keyFor: (request, body) => keyFor(deps, request, body) }
  roundRoutes(app, keyed)
  payoutRoutes(app, keyed)
}

function createRoutes(app: App, deps: groups.GroupDependencies): void {
  const { prices } = deps
  const bodyOf = (request: FastifyRequest) => (request.body ?? {}) as Record<string, unknown>
  app.post(
    '/api/groups',
    {
      schema: {
        ...tagged,
        summary: 'Create a savings group',
        description:
          'Who creates it is its chair. Share the invitation code or link with the others. Send an `Idempotency-Key` and repeat the request when the answer was lost: there is one group.',
        operationId: 'createGroup',
        headers: idempotencyHeaders,
        body: schema.CreateBody,
        response: { 201: schema.GroupReply },
      },
      attachValidation: true,
      config: { limit: 'lookups' },
    },
    async (request, reply) => {
      refuseFields(request, (refused) => groupProblems(bodyOf(request), { prices, refused }))
      const { body: asked } = request
      const stored = await groups.createOnce(deps, {
        userId: callerOf(request),
        asked,
        key: keyFor(deps, request, comparable(asked)),
        answerOf: (record) => ({ status: 201, body: JSON.stringify(ok('Group created', record)) }),
      })
      return sendAnswer(reply, stored)
    },
  )

  app.patch(
    '/api/groups/:id',
    {
      schema: {
        ...tagged,
        summary: 'Change a savings group',
        description: 'By its chair. What it is about, and who can find it; the amounts stay as they are.',
        operationId: 'changeGroup',
        params: schema.GroupParams,
        body: schema.EditBody,
        response: { 200: schema.GroupReply },
      },
      attachValidation: true,
    },
    async (request) => {
      const place = { groupId: request.params.id, userId: callerOf(request) }
      const { currency, kind, contribution } = await groups.termsOf(deps, place)
      refuseFields(request, (refused) =>
        groupProblems({ ...bodyOf(request), currency }, { prices, refused, had: { kind, contribution } }),
      )
      const known = kind === 'goal' ? { ...request.body, late_fine: undefined } : request.body
      return ok('Group changed', await groups.edit(deps, { ...place, change: known }))
    },
  )
}

function keyFor({ secrets }: groups.GroupDependencies, request: FastifyRequest, body: object) {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  const principal = { kind: 'user', id: callerOf(request) }
  const route = `${request.method} ${request.routeOptions.url}`
  return ledger.requestKey(secrets.idem, { principal, mode: 'live', route, key, body })
}

function readRoutes(app: App, deps: groups.GroupDependencies): void {
  app.get(
    '/api/groups',
    {
      schema: {
        ...tagged,
        summary: 'List savings groups',
        description:
          'Those you belong to, the latest joined first; or public ones that you could join, the newest first.',
        operationId: 'listGroups',
        querystring: schema.GroupsQuery,
        response: { 200: schema.GroupsReply },
      },
      config: { readCursor: readPlace },
    },
    async (request) => {
      const { scope = 'mine', limit = 25, cursor, currency, kind } = request.query
      const before = cursor === undefined ? undefined : readPlace(cursor)
      const rows = await groups.list(deps, {
        userId: callerOf(request),
        scope,
        currency,
        kind,
        before,
        limit,
      })
      const { items, nextCursor } = pageOf(rows, limit, ({ record, at }) => [at.toISOString(), record.id])
      return listOf('Savings groups', { items: items.map(({ record }) => record), nextCursor })
    },
  )

  app.get(
    '/api/groups/:id',
    {
      schema: {
        ...tagged,
        summary: 'Show a savings group',
        description: 'Members also see who belongs to it, the round, what is owed, and what happened lately.',
        operationId: 'getGroup',
        params: schema.GroupParams,
        response: { 200: schema.WholeReply },
      },
    },
    async (request) =>
      ok('Savings group', await groups.show(deps, { groupId: request.params.id, userId: callerOf(request) })),
  )
}

function memberRoutes(app: App, deps: groups.GroupDependencies): void {
  const joined = async (userId: string, place: { groupId: string | undefined; code: string | undefined }) => {
    const groupId = await groups.membership.join(deps, { userId, ...place })
    return ok('You are a member', await groups.show(deps, { groupId, userId }))
  }
  app.post(
    '/api/groups/:id/join',
    {
      schema: {
        ...tagged,
        summary: 'Join a savings group',
        description:
          'A private one with its invitation code. Who joins while a round is open takes part in the next one.',
        operationId: 'joinGroup',
        params: schema.GroupParams,
        body: schema.JoinBody,
        response: { 200: schema.WholeReply },
      },
      config: { limit: 'lookups' },
    },
    async (request) =>
      joined(callerOf(request), { groupId: request.params.id, code: request.body.invite_code }),
  )

  app.post(
    '/api/groups/join',
    {
      schema: {
        ...tagged,
        summary: 'Join by invitation code',
        description: 'For who was told nothing but the code.',
        operationId: 'joinGroupByCode',
        body: schema.CodeBody,
        response: { 200: schema.WholeReply },
      },
      config: { limit: 'lookups' },
    },
    async (request) => joined(callerOf(request), { groupId: undefined, code: request.body.invite_code }),
  )

  app.post(
    '/api/groups/:id/leave',
    {
      schema: {
        ...tagged,
        summary: 'Leave a savings group',
        description:
          'Before your turn in a round: what you paid in this cycle comes back at once, and those who got your contributions owe them to you. After your turn: when the round is over, or when somebody has taken over your seat. Send an `Idempotency-Key` and repeat the request when the answer was lost: you leave once.',
        operationId: 'leaveGroup',
        headers: idempotencyHeaders,
        params: schema.GroupParams,
        response: { 200: schema.DoneReply },
      },
    },
    async (request, reply) => {
      const { id: groupId } = request.params
      const key = keyFor(deps, request, { id: groupId })
      const leaving = { groupId, userId: callerOf(request), key }
      return sendAnswer(reply, await groups.membership.leave(deps, leaving))
    },
  )
}

function roleRoutes(app: App, deps: groups.GroupDependencies): void {
  const place = (request: FastifyRequest) => {
    const { id, handle } = request.params as { id: string; handle: string }
    return { groupId: id, handle, userId: callerOf(request) }
  }
  const shown = async (request: FastifyRequest, message: string) => {
    const { groupId, userId } = place(request)
    return ok(message, await groups.show(deps, { groupId, userId }))
  }
  app.put(
    '/api/groups/:id/members/:handle/role',
    {
      schema: {
        ...tagged,
        summary: 'Give a member a role',
        description: 'By the chair. Who makes another member the chair hands it over.',
        operationId: 'changeGroupRole',
        params: schema.MemberParams,
        body: schema.RoleBody,
        response: { 200: schema.WholeReply },
      },
    },
    async (request) => {
      await groups.membership.changeRole(deps, { ...place(request), role: request.body.role })
      return shown(request, 'Role changed')
    },
  )

  app.delete(
    '/api/groups/:id/members/:handle',
    {
      schema: {
        ...tagged,
        summary: 'Remove a member',
        description: 'By the chair of a rotating group, between rounds.',
        operationId: 'removeGroupMember',
        params: schema.MemberParams,
        response: { 200: schema.WholeReply },
      },
    },
    async (request) => {
      await groups.membership.remove(deps, place(request))
      return shown(request, 'Member removed')
    },
  )

  app.post(
    '/api/groups/:id/invite-code',
    {
      schema: {
        ...tagged,
        summary: 'Make a new invitation code',
        description: 'By the chair or the treasurer. The old one opens nothing any more.',
        operationId: 'renewGroupCode',
        params: schema.GroupParams,
        response: { 200: schema.WholeReply },
      },
    },
    async (request) => {
      await groups.membership.renewCode(deps, place(request))
      return shown(request, 'New invitation code')
    },
  )
}

function contributeRoute(app: App, deps: groups.GroupDependencies): void {
  app.post(
    '/api/groups/:id/contribute',
    {
      schema: {
        ...tagged,
        summary: 'Contribute to a savings group',
        description:
          'In a rotating group exactly what is due, once a cycle; the last one sends the pot to whose turn it is, at once. Free of charge. Send an `Idempotency-Key` and repeat the request when the answer was lost: the money moves once.',
        operationId: 'contributeToGroup',
        headers: idempotencyHeaders,
        params: schema.GroupParams,
        body: schema.ContributeBody,
        response: { 200: schema.ContributeReply },
      },
      config: { limit: 'pin' },
    },
    async (request, reply) => {
      const { id } = request.params
      const payerId = callerOf(request)
      const { pin, amount, note, on_behalf_of: onBehalfOf, toward } = request.body
      // By value: 1 and 1.0 are the same amount, and so the same request.
      const keyOf = (minor: bigint) =>
        keyFor(deps, request, { id, amount: String(minor), note, on_behalf_of: onBehalfOf, toward })
      const from = { payerId, pin, origin: originOf(request) }
      const asked = { ...from, groupId: id, amount, note, onBehalfOf, toward, keyOf }
      return sendAnswer(reply, await groups.contribute(deps, asked))
    },
  )
}

function storyRoutes(app: App, deps: groups.GroupDependencies): void {
  const cursorOf = (next: bigint | null) => (next === null ? null : encodeCursor([String(next)]))
  app.get(
    '/api/groups/:id/feed',
    {
      schema: {
        ...tagged,
        summary: 'What happened in a savings group',
        description: 'Every movement of money and every decision, for every member, the newest first.',
        operationId: 'getGroupFeed',
        params: schema.GroupParams,
        querystring: schema.PageQuery,
        response: { 200: schema.FeedReply },
      },
      config: { readCursor: schema.readPlace },
    },
    async (request) => {
      const { limit = 25, cursor } = request.query
      const place = { groupId: request.params.id, userId: callerOf(request) }
      const { items, next } = await groups.feed(deps, { ...place, before: schema.readPlace(cursor), limit })
      return listOf('What happened', { items, nextCursor: cursorOf(next) })
    },
  )

  app.get(
    '/api/groups/:id/statement',
    {
      schema: {
        ...tagged,
        summary: 'What a member has paid and received',
        operationId: 'getGroupStatement',
        params: schema.GroupParams,
        querystring: schema.StatementQuery,
        response: { 200: schema.StatementReply },
      },
      config: { readCursor: schema.readPlace },
    },
    async (request) => {
      const { limit = 25, cursor, member } = request.query
      const place = { groupId: request.params.id, userId: callerOf(request) }
      const asked = { ...place, member, before: schema.readPlace(cursor), limit }
      const { data, next } = await groups.statement(deps, asked)
      return { ...ok('Statement', data), meta: { next_cursor: cursorOf(next) } }
    },
  )
}

function proofRoutes(app: App, deps: groups.GroupDependencies): void {
  app.get(
    '/api/groups/:id/head',
    {
      schema: {
        ...tagged,
        summary: "Head of the account's hash chain",
        description:
          'Keep it, or compare it with other members: it covers everything that ever moved in the group.',
        operationId: 'getGroupHead',
        params: schema.GroupParams,
        response: { 200: schema.HeadReply },
      },
    },
    async (request) =>
      ok(
        'Head of the account',
        await groups.head(deps, { groupId: request.params.id, userId: callerOf(request) }),
      ),
  )

  app.get(
    '/api/groups/:id/entries/:seq/receipt',
    {
      schema: {
        ...tagged,
        summary: 'Receipt of an entry',
        description:
          'Enough to make the hash chain again from this entry to a head; of later entries only what their hashes are made of. Check it at /verify, or with `npm run verify-receipt`.',
        operationId: 'getGroupReceipt',
        params: schema.EntryParams,
        querystring: schema.ReceiptQuery,
        response: { 200: schema.ReceiptReply },
      },
    },
    async (request) => {
      const { id, seq } = request.params
      const to = request.query.to === undefined ? undefined : BigInt(request.query.to)
      const asked = { groupId: id, userId: callerOf(request), seq: BigInt(seq), to }
      return ok('Receipt', await groups.receipt(deps, asked))
    },
  )
}

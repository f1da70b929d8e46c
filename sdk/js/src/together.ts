// What people do with money together: savings groups and campaigns.
import { type BodyOf, dataOf, pageOf, type QueryOf, type Request } from './request.ts'
import type { CallOptions } from './transport.ts'

export const groupCalls = (request: Request) => ({
  list: (query: QueryOf<'GET /api/groups'> = {}, call?: CallOptions) =>
    pageOf(request('GET /api/groups', { ...call, query })),
  create: (body: BodyOf<'POST /api/groups'>, call?: CallOptions) =>
    dataOf(request('POST /api/groups', { ...call, body })),
  get: (id: string, call?: CallOptions) =>
    dataOf(request('GET /api/groups/:id', { ...call, params: { id } })),
  join: (id: string, body: BodyOf<'POST /api/groups/:id/join'> = {}, call?: CallOptions) =>
    dataOf(request('POST /api/groups/:id/join', { ...call, params: { id }, body })),
  leave: (id: string, call?: CallOptions) =>
    dataOf(request('POST /api/groups/:id/leave', { ...call, params: { id } })),
  contribute: (id: string, body: BodyOf<'POST /api/groups/:id/contribute'>, call?: CallOptions) =>
    dataOf(request('POST /api/groups/:id/contribute', { ...call, params: { id }, body })),
  proposePayout: (id: string, body: BodyOf<'POST /api/groups/:id/payouts'>, call?: CallOptions) =>
    dataOf(request('POST /api/groups/:id/payouts', { ...call, params: { id }, body })),
  approvePayout: (id: string, payoutId: string, call?: CallOptions) =>
    dataOf(
      request('POST /api/groups/:id/payouts/:payout_id/approve', {
        ...call,
        params: { id, payout_id: payoutId },
      }),
    ),
})

export const campaignCalls = (request: Request) => ({
  browse: (query: QueryOf<'GET /api/campaigns/browse'> = {}, call?: CallOptions) =>
    pageOf(request('GET /api/campaigns/browse', { ...call, query })),
  create: (body: BodyOf<'POST /api/campaigns'>, call?: CallOptions) =>
    dataOf(request('POST /api/campaigns', { ...call, body })),
  get: (id: string, call?: CallOptions) =>
    dataOf(request('GET /api/campaigns/:id', { ...call, params: { id } })),
  contribute: (id: string, body: BodyOf<'POST /api/campaigns/:id/contribute'>, call?: CallOptions) =>
    dataOf(request('POST /api/campaigns/:id/contribute', { ...call, params: { id }, body })),
  /** What was raised, to the owner's wallet. */
  withdraw: (id: string, body: BodyOf<'POST /api/campaigns/:id/withdraw'>, call?: CallOptions) =>
    dataOf(request('POST /api/campaigns/:id/withdraw', { ...call, params: { id }, body })),
  /** Fee, and what arrives; moves nothing. */
  previewWithdrawal: (
    id: string,
    body: BodyOf<'POST /api/campaigns/:id/withdraw/preview'> = {},
    call?: CallOptions,
  ) => dataOf(request('POST /api/campaigns/:id/withdraw/preview', { ...call, params: { id }, body })),
})

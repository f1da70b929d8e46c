// For the servers of a shop: payments, refunds and what was told of them, with the API key. Never for a browser: whoever
// has the key can take payments and give refunds in the name of the shop.
import type {
  CreatePaymentBody,
  GetMerchantVolumeQuery,
  InitiatePaymentBody,
  ListEventsQuery,
  ListMerchantPaymentsQuery,
  ListNotificationsQuery,
  RefundPaymentBody,
} from './operations.ts'
import { dataOf, openRequest, pageOf } from './request.ts'
import { type CallOptions, openTransport, type TransportOptions } from './transport.ts'

export interface MerchantOptions extends TransportOptions {
  /** `svc_test_…` or `svc_live_…`: it decides between sandbox and live. */
  apiKey: string
  /** For `initiatePayment` and `verifyPayment`. */
  merchantId?: string | number | undefined
  /** What header names that carry the brand begin with. Default: SVC. */
  headerPrefix?: string | undefined
}

export type MerchantClient = ReturnType<typeof createMerchantClient>

export function createMerchantClient(options: MerchantOptions) {
  requireSafe(options)
  const request = openRequest(openTransport({ ...options, credentials: openCredentials(options) }))
  return {
    /** Any route that a key opens. */
    request,
    /** A payment by the gateway. Send the customer to `payment_url`; the outcome is posted to `ipn_url`. */
    initiatePayment: (body: InitiatePaymentBody, call?: CallOptions) =>
      request('POST /api/v1/initiate-payment', { ...call, body }),
    /** What became of a payment, by our reference or by your `ref_trx`. */
    verifyPayment: (ref: string, call?: CallOptions) =>
      request('GET /api/v1/verify-payment/:ref', { ...call, params: { ref } }),
    /** The other way to ask: every change of the status is posted to `callback_url`. */
    pay: (body: CreatePaymentBody, call?: CallOptions) => dataOf(request('POST /api/pay', { ...call, body })),
    payment: (reference: string, call?: CallOptions) =>
      dataOf(request('GET /api/pay/:reference', { ...call, params: { reference } })),
    profile: (call?: CallOptions) => dataOf(request('GET /api/merchant', { ...call })),
    /** Accepted, failed and refunded, by day or week, in the mode of the key. */
    volume: (query: GetMerchantVolumeQuery, call?: CallOptions) =>
      dataOf(request('GET /api/merchant/volume', { ...call, query })),
    /** What the business has earned, by currency, in the mode of the key. */
    balances: (call?: CallOptions) => dataOf(request('GET /api/merchant/balances', { ...call })),
    payments: {
      /** The newest first. */
      list: (query: ListMerchantPaymentsQuery = {}, call?: CallOptions) =>
        pageOf(request('GET /api/merchant/payments', { ...call, query })),
      /** With its attempts and refunds. */
      get: (reference: string, call?: CallOptions) =>
        dataOf(request('GET /api/merchant/payments/:reference', { ...call, params: { reference } })),
      /** Whole, or in part when `amount` says so. */
      refund: (reference: string, body: RefundPaymentBody = {}, call?: CallOptions) =>
        dataOf(
          request('POST /api/merchant/payments/:reference/refund', { ...call, params: { reference }, body }),
        ),
    },
    notifications: {
      list: (query: ListNotificationsQuery = {}, call?: CallOptions) =>
        pageOf(request('GET /api/merchant/notifications', { ...call, query })),
      /** With every attempt. */
      get: (id: string, call?: CallOptions) =>
        dataOf(request('GET /api/merchant/notifications/:id', { ...call, params: { id } })),
    },
    /** Test mode: what would be sent to you, if you had an address. */
    events: (query: ListEventsQuery = {}, call?: CallOptions) =>
      request('GET /api/merchant/events', { ...call, query }),
  }
}

/** A key that takes real money must not cross a network in the open. */
function requireSafe({ apiKey, baseUrl }: MerchantOptions): void {
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey is missing')
  if ('window' in globalThis && 'document' in globalThis)
    throw new TypeError('An API key must not be in a browser: use it on your server')
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
  if (apiKey.includes('_live_') && url?.protocol === 'http:' && !isHere)
    throw new TypeError('A live API key is sent over https only')
}

function openCredentials({ apiKey, merchantId, headerPrefix = 'SVC' }: MerchantOptions) {
  return (path: string): Record<string, string> => {
    const agent = { 'user-agent': 'mfuko-js/1.0.0' }
    if (!path.startsWith('/api/v1/')) return { ...agent, [`X-${headerPrefix}-Key`]: apiKey }
    if (merchantId === undefined) throw new TypeError('merchantId is needed for the gateway')
    return {
      ...agent,
      [`${headerPrefix}-Merchant-Key`]: String(merchantId),
      [`${headerPrefix}-API-Key`]: apiKey,
    }
  }
}

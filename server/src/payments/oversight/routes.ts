import { AppError } from '../../base/errors.ts'
import { decodeReference } from '../../base/reference.ts'
import type { Secret } from '../../base/secret.ts'
import { pageOf, timeCursor } from '../../http/cursor.ts'
import type { App } from '../../http/instance.ts'
import { listOf, ok } from '../../http/schema.ts'
import type { Merchants } from '../../merchants/merchants.ts'
import * as merchants from '../../merchants/merchants.ts'
import type { Mode, Payments } from '../payments.ts'
import { detailed, recordOf } from '../records.ts'
import { PaymentList, PaymentsQuery, ReferenceParams } from '../schema.ts'
import * as schema from './schema.ts'

export interface PaymentOversight {
  payments: Payments
  merchants: Pick<Merchants, 'merchant'>
  secrets: { readonly idem: Secret }
}

const tags = ['Operator']

/** Scope: operators. They look at payments; what happens to one is the customer's and the merchant's. */
export function paymentOversightRoutes(app: App, deps: PaymentOversight): void {
  const list = {
    tags,
    summary: 'Payments of a business',
    description: 'Live and test, the newest first.',
    operationId: 'listPaymentsOfMerchant',
    params: schema.MerchantParams,
    querystring: PaymentsQuery,
    response: { 200: PaymentList },
  }
  const listing = { schema: list, config: { readCursor: paymentPlace } } as const
  app.get('/api/operator/merchants/:merchant_id/payments', listing, async ({ params, query }) => {
    const merchant = Number(params.merchant_id)
    if ((await deps.merchants.merchant(merchant)) === undefined) throw merchants.noSuchMerchant()
    return listed(deps, { merchant, mode: undefined }, query)
  })

  const show = {
    tags,
    summary: 'Show a payment',
    description: 'Of any business or campaign, by our reference, with its attempts and refunds.',
    operationId: 'getPaymentAsOperator',
    params: ReferenceParams,
    response: { 200: schema.SeenReply },
  }
  app.get('/api/operator/payments/:reference', { schema: show }, async ({ params }) => {
    const decoded = decodeReference(deps.secrets.idem, params.reference)
    const payment = decoded?.kind === 'PY' ? await deps.payments.byNumber(decoded.id) : undefined
    if (payment === undefined) throw new AppError('not_found', { detail: 'There is no such payment.' })
    const record = await detailed(deps.payments, payment)
    const { merchant, merchantName, campaign } = payment
    return ok('Payment', {
      ...record,
      merchant_id: merchant,
      merchant_name: merchantName,
      campaign_id: campaign,
    })
  })
}

export const paymentPlace = timeCursor(/^\d{1,18}$/)

/** A page of a merchant's payments; of both modes when none is given. */
export async function listed(
  { payments, secrets }: Pick<PaymentOversight, 'payments' | 'secrets'>,
  caller: { merchant: number; mode: Mode | undefined },
  query: PaymentsQuery,
) {
  const { limit = 25, cursor, status, from, to, q } = query
  const place = cursor === undefined ? undefined : paymentPlace(cursor)
  const reference = q === undefined ? undefined : decodeReference(secrets.idem, q)
  const rows = await payments.list({
    merchant: caller.merchant,
    mode: caller.mode ?? query.mode ?? null,
    status: status ?? null,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
    q: q ?? null,
    // The same number with other letters in front is no payment.
    number: reference?.kind === 'PY' ? reference.id : null,
    before: place && { createdAt: place.at, number: place.id },
    limit: limit + 1,
  })
  const page = pageOf(rows, limit, (row) => [row.createdAt.toISOString(), String(row.number)])
  return listOf('Payments', { items: page.items.map(recordOf), nextCursor: page.nextCursor })
}

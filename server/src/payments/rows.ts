// Payments as they are stored, and as the rest of the service sees them.
import { check } from '../base/check.ts'
import { isCurrency } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import { type Payment, referenceOf } from './rules.ts'
import type * as sql from './sql.ts'

export function paymentOf(row: sql.PaymentRow, secret: Secret): Payment {
  const { currency } = row
  check(isCurrency(currency), 'a payment has a currency of the table')
  return {
    number: row.number,
    reference: referenceOf(secret, row.number),
    merchant: row.merchant_id,
    merchantName: row.merchant_name,
    campaign: row.campaign_id,
    mode: row.mode,
    source: row.source,
    refTrx: row.ref_trx,
    amount: { minor: row.amount, currency },
    fee: { minor: row.fee, currency },
    refunded: { minor: row.refunded, currency },
    refunding: { minor: row.refunding, currency },
    description: row.description,
    notifyUrl: row.notify_url,
    successRedirect: row.success_redirect,
    failureUrl: row.failure_url,
    cancelRedirect: row.cancel_redirect,
    status: row.status,
    failure:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
    late: row.late,
    method: row.method,
    customer: row.customer,
    payerId: row.payer_id,
    events: row.events,
    attempts: row.attempts,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
    failedAt: row.failed_at,
  }
}

/** As the database will have it. */
export const asRow = (row: sql.NewPayment): sql.PaymentRow => ({
  number: row.number,
  merchant_id: row.merchant,
  merchant_name: row.merchantName,
  campaign_id: row.campaign,
  mode: row.mode,
  source: row.source,
  ref_trx: row.refTrx,
  amount: row.amount,
  currency: row.currency,
  description: row.description,
  notify_url: row.notifyUrl,
  success_redirect: row.successRedirect,
  failure_url: row.failureUrl,
  cancel_redirect: row.cancelRedirect,
  status: 'pending',
  failure_code: null,
  failure_message: null,
  late: false,
  method: null,
  customer: null,
  fee: 0n,
  refunded: 0n,
  refunding: 0n,
  events: row.events,
  attempts: 0,
  payer_id: null,
  idem_key: null,
  idem_body: null,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  completed_at: null,
  failed_at: null,
})

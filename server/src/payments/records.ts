// Payments as their merchant sees them.
import { toJson } from '../base/money.ts'
import { merchantOf } from './payee.ts'
import type { Payment, Payments, Refunded } from './payments.ts'

export function initiated(payment: Payment, paymentUrl: string) {
  return {
    payment_url: paymentUrl,
    info: {
      ref_trx: payment.refTrx ?? '',
      description: payment.description,
      ipn_url: payment.notifyUrl,
      cancel_redirect: payment.cancelRedirect,
      success_redirect: payment.successRedirect,
      merchant_id: merchantOf(payment),
      merchant_name: payment.merchantName,
      amount: toJson(payment.amount),
      currency_code: payment.amount.currency,
    },
  }
}

export const payRecord = (payment: Payment, paymentUrl: string) => ({
  reference: payment.reference,
  status: payment.status,
  amount: toJson(payment.amount),
  currency: payment.amount.currency,
  description: payment.description,
  payment_url: paymentUrl,
  mode: payment.mode,
  created_at: payment.createdAt.toISOString(),
})

export const recordOf = (payment: Payment) => {
  const { amount, fee, status } = payment
  const net = status === 'completed' || status === 'refunded' ? amount.minor - fee.minor : 0n
  return {
    reference: payment.reference,
    ref_trx: payment.refTrx,
    amount: toJson(amount),
    fee: toJson(fee),
    net: toJson({ minor: net, currency: amount.currency }),
    currency: amount.currency,
    status,
    failure: payment.failure,
    late: payment.late,
    method: payment.method,
    description: payment.description,
    mode: payment.mode,
    customer: payment.customer,
    created_at: payment.createdAt.toISOString(),
    completed_at: payment.completedAt?.toISOString() ?? null,
    refunded_amount: toJson(payment.refunded),
  }
}

/** With its attempts and refunds. */
export const detailed = async (payments: Payments, payment: Payment) =>
  detailOf(payments, { payment, ...(await payments.details(payment)) })

export function detailOf(payments: Payments, { payment, attempts, refunds }: Refunded) {
  const { currency } = payment.amount
  return {
    ...recordOf(payment),
    attempts: attempts.map((attempt) => ({
      method: attempt.method,
      status: attempt.status,
      failure: failureIn(attempt),
      customer: attempt.customer,
      created_at: attempt.created_at.toISOString(),
      ended_at: attempt.ended_at?.toISOString() ?? null,
    })),
    refunds: refunds.map((refund) => ({
      id: refund.id,
      amount: toJson({ minor: refund.amount, currency }),
      reason: refund.reason,
      status: refund.status,
      failure: failureIn(refund),
      created_at: refund.created_at.toISOString(),
      ended_at: refund.ended_at?.toISOString() ?? null,
    })),
    payment_url: payment.status === 'pending' ? payments.urlOf(payment) : null,
  }
}

const failureIn = (row: { failure_code: string | null; failure_message: string | null }) =>
  row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' }

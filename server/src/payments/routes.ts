import type { FastifyRequest } from 'fastify'
import { check } from '../base/check.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { labelOf } from '../base/labels.ts'
import {
  type Amount,
  type Currency,
  isCurrency,
  portableMinorMax,
  readMinor,
  toDecimal,
  toJson,
} from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import { refuseFields } from '../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, sendAnswer } from '../http/idempotency.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import { ok } from '../http/schema.ts'
import * as ledger from '../ledger/ledger.ts'
import type { Leave } from '../merchants/merchants.ts'
import { listed, paymentPlace } from './oversight/routes.ts'
import type { Asked, Mode, Payment, Payments, Refunded } from './payments.ts'
import { detailed, detailOf, initiated, payRecord } from './records.ts'
import * as schema from './schema.ts'
import { volumeRoute } from './volume/routes.ts'

export { paymentOversightRoutes } from './oversight/routes.ts'

/** The merchant who is calling, with what a payment needs to know of it. */
export interface Caller {
  merchant: number
  name: string
  /** Absent: the owner is calling, and may see both. */
  mode: Mode | undefined
  ipnUrl: string | null
  callbackUrl: string | null
}

export interface PaymentRoutes {
  payments: Payments
  clock: Clock
  secrets: { readonly idem: Secret }
  /** Of a request in a scope of merchants. */
  callerOf: (request: FastifyRequest) => Promise<Caller>
  /** Throws `account_frozen` when an owner is calling whose account is: looking is allowed, moving money is not. */
  requireActive: (request: FastifyRequest) => Promise<void>
  /** Whether money may leave the business, and the guard that this rests on. */
  leaveOf: (merchant: number) => Promise<Leave>
  /** What is wrong with an address, as the end of a sentence. */
  urlProblem: (
    url: string,
    asked: { use: 'notify' | 'redirect'; merchant: number; mode: Mode },
  ) => Promise<string | undefined>
}

const gateway = { tags: ['Payment gateway'] }

/** Scope: merchant id and API key in headers. */
export function gatewayRoutes(app: App, deps: PaymentRoutes): void {
  initiateRoute(app, deps)
  verifyRoute(app, deps)
}

function initiateRoute(app: App, deps: PaymentRoutes): void {
  app.post(
    '/api/v1/initiate-payment',
    {
      schema: {
        ...gateway,
        summary: 'Start a payment',
        description:
          'Answers with the address of the hosted checkout. Send the customer there; the outcome is posted to `ipn_url`.',
        operationId: 'initiatePayment',
        headers: idempotencyHeaders,
        body: schema.InitiateBody,
        response: { 200: schema.InitiateReply },
      },
      attachValidation: true,
      config: { limit: 'payments' },
    },
    async (request, reply) => {
      const asked = await ask(deps, request, gatewayFields)
      if (asked.replayed) reply.header('idempotency-replayed', 'true')
      return initiated(asked.payment, deps.payments.urlOf(asked.payment))
    },
  )
}

function verifyRoute(app: App, deps: PaymentRoutes): void {
  app.get(
    '/api/v1/verify-payment/:ref',
    {
      schema: {
        ...gateway,
        summary: 'What became of a payment',
        description: 'By our reference or by your `ref_trx`. For shops whose notification got lost.',
        operationId: 'verifyPayment',
        params: schema.RefParams,
        response: { 200: schema.VerifyReply },
      },
      config: { limit: 'merchantReads' },
    },
    async (request) => {
      const payment = await theirs(deps, request, request.params.ref)
      return {
        status: payment.status,
        reference: payment.reference,
        ref_trx: payment.refTrx,
        amount: toJson(payment.amount),
        currency_code: payment.amount.currency,
        failure: payment.failure,
        completed_at: payment.completedAt?.toISOString() ?? null,
        mode: payment.mode,
      }
    },
  )
}

/** Scope: the merchant's API key. */
export function payRoutes(app: App, deps: PaymentRoutes): void {
  app.post(
    '/api/pay',
    {
      schema: {
        ...gateway,
        summary: 'Ask for a payment',
        description: 'The same hosted checkout; every change of the status is posted to `callback_url`.',
        operationId: 'createPayment',
        headers: idempotencyHeaders,
        body: schema.PayBody,
        response: { 200: schema.PayReply },
      },
      attachValidation: true,
      config: { limit: 'payments' },
    },
    async (request, reply) => {
      const asked = await ask(deps, request, payFields)
      if (asked.replayed) reply.header('idempotency-replayed', 'true')
      return ok('Payment created', payRecord(asked.payment, deps.payments.urlOf(asked.payment)))
    },
  )

  app.get(
    '/api/pay/:reference',
    {
      schema: {
        ...gateway,
        summary: 'Show a payment',
        operationId: 'getPayment',
        params: schema.ReferenceParams,
        response: { 200: schema.PayShown },
      },
      config: { limit: 'merchantReads' },
    },
    async (request) => {
      const payment = await theirs(deps, request, request.params.reference)
      return ok('Payment', {
        ...payRecord(payment, deps.payments.urlOf(payment)),
        failure: payment.failure,
        completed_at: payment.completedAt?.toISOString() ?? null,
        refunded_amount: toJson(payment.refunded),
      })
    },
  )
}

const merchant = { tags: ['Merchant'] }

/** Scope: the merchant's API key, or the owner's token. */
export function merchantPaymentRoutes(app: App, deps: PaymentRoutes): void {
  volumeRoute(app, deps)
  app.get(
    '/api/merchant/payments',
    {
      schema: {
        ...merchant,
        summary: 'List payments',
        description: 'The newest first.',
        operationId: 'listMerchantPayments',
        querystring: schema.PaymentsQuery,
        response: { 200: schema.PaymentList },
      },
      config: { limit: 'merchantReads', readCursor: paymentPlace },
    },
    async (request) => listed(deps, await deps.callerOf(request), request.query),
  )

  app.get(
    '/api/merchant/payments/:reference',
    {
      schema: {
        ...merchant,
        summary: 'Show a payment with its attempts, refunds and notifications',
        operationId: 'getMerchantPayment',
        params: schema.ReferenceParams,
        response: { 200: schema.PaymentShown },
      },
      config: { limit: 'merchantReads' },
    },
    async (request) => {
      const payment = await theirs(deps, request, request.params.reference)
      const [record, notifications] = await Promise.all([
        detailed(deps.payments, payment),
        deps.payments.notificationsOf(payment),
      ])
      return ok('Payment', { ...record, notifications })
    },
  )
  refundRoute(app, deps)
}

function refundRoute(app: App, deps: PaymentRoutes): void {
  app.post(
    '/api/merchant/payments/:reference/refund',
    {
      schema: {
        ...merchant,
        summary: 'Refund a payment',
        description:
          'Whole or in part, back to where it came from. Into a wallet at once; by a provider it takes a while, `refunds` says how far it is, and `refunded_amount` grows when it has arrived. The fee of the payment is not given back. With an `Idempotency-Key` it happens once.',
        operationId: 'refundPayment',
        headers: idempotencyHeaders,
        params: schema.ReferenceParams,
        body: schema.RefundBody,
        response: { 200: schema.PaymentShown },
      },
      config: { limit: 'merchantReads' },
    },
    async (request, reply) => {
      await deps.requireActive(request)
      const caller = await deps.callerOf(request)
      const payment = await theirs(deps, request, request.params.reference)
      const { amount: text, reason } = request.body
      const amount = text === undefined ? undefined : refundAmount(text, payment.amount.currency)
      const about = { merchant: caller.merchant, mode: payment.mode, reference: payment.reference, amount }
      const key = keyOf(deps, request, about)
      const answer = (after: Refunded) => {
        const isWaiting = after.refunds.some(({ status }) => status === 'pending')
        const told = ok(isWaiting ? 'Refund on its way' : 'Refunded', detailOf(deps.payments, after))
        return { status: 200, body: JSON.stringify(told) }
      }
      const by = refundedBy(request, caller.merchant)
      const leave = () => deps.leaveOf(caller.merchant)
      const refund = { amount, reason: reason ?? null, key, by, leave, answer }
      return sendAnswer(reply, await deps.payments.refund(payment, refund))
    },
  )
}

/** The owner, or the server of the business with its key. */
const refundedBy = (request: FastifyRequest, merchant: number) => ({
  ...originOf(request),
  actor:
    request.principal?.kind === 'user'
      ? { kind: 'user', id: request.principal.id }
      : { kind: 'merchant', id: String(merchant) },
})

/** What the same things are called in the two interfaces. */
interface FieldNames {
  source: 'gateway' | 'pay'
  amount: string
  currency: string
  name: string
  notify: string
  /** Of the merchant's profile, when the request names none. */
  profile: 'ipnUrl' | 'callbackUrl'
  failure: string | undefined
}

const gatewayFields: FieldNames = {
  source: 'gateway',
  amount: 'payment_amount',
  currency: 'currency_code',
  name: 'ref_trx',
  notify: 'ipn_url',
  profile: 'ipnUrl',
  failure: 'failure_url',
}

const payFields: FieldNames = {
  source: 'pay',
  amount: 'amount',
  currency: 'currency',
  name: 'reference',
  notify: 'callback_url',
  profile: 'callbackUrl',
  failure: undefined,
}

async function ask(deps: PaymentRoutes, request: FastifyRequest, names: FieldNames): Promise<Asked> {
  const caller = await deps.callerOf(request)
  const { merchant, name: merchantName } = caller
  const mode = modeOf(caller)
  const redirects = [
    'success_redirect',
    'cancel_redirect',
    ...(names.failure === undefined ? [] : [names.failure]),
  ]
  const uses: Uses = { [names.notify]: 'notify' }
  for (const field of redirects) uses[field] = 'redirect'
  const found = await urlProblems(deps, request.body as object, { merchant, mode, uses })
  const amount = checkedAmount(request, { ...names, mode, found })
  // The schema has seen to it that what is there is text.
  const given = (field: string | undefined) =>
    (field === undefined ? undefined : (request.body as Record<string, string | undefined>)[field]) ?? null
  return deps.payments.ask({
    merchant,
    merchantName,
    mode,
    source: names.source,
    refTrx: given(names.name),
    amount,
    description: given('description'),
    notifyUrl: given(names.notify) ?? caller[names.profile],
    successRedirect: given('success_redirect'),
    failureUrl: given(names.failure),
    cancelRedirect: given('cancel_redirect'),
    key: keyOf(deps, request, { merchant, mode, amount }),
  })
}

/** A key is of one mode; only an owner who looks at lists has none. */
function modeOf({ mode }: Caller): Mode {
  check(mode !== undefined, 'a payment is asked for with a key')
  return mode
}

async function theirs(deps: PaymentRoutes, request: FastifyRequest, text: string): Promise<Payment> {
  const { merchant: number, mode } = await deps.callerOf(request)
  const payment = await deps.payments.find({ merchant: number, mode, text })
  if (payment === undefined) throw new AppError('not_found', { detail: 'You have no such payment.' })
  return payment
}

type Uses = Record<string, 'notify' | 'redirect'>

/** Only of texts: what is no text, the schema has refused. */
async function urlProblems(
  deps: PaymentRoutes,
  body: object,
  asked: { merchant: number; mode: Mode; uses: Uses },
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {}
  for (const [field, use] of Object.entries(asked.uses)) {
    const url = (body as Record<string, unknown> | null)?.[field]
    if (typeof url !== 'string') continue
    const problem = await deps.urlProblem(url, { use, merchant: asked.merchant, mode: asked.mode })
    if (problem !== undefined) errors[field] = `${labelOf(field)} ${problem}`
  }
  return errors
}

interface AmountFields {
  amount: string
  currency: string
  mode: Mode
  /** Problems with other fields, told at the same time. */
  found: Record<string, string>
}

function checkedAmount(request: FastifyRequest, { amount, currency, mode, found }: AmountFields): Amount {
  let minor = 0n
  const body = request.body as Record<string, unknown>
  refuseFields(request, (refused) => {
    if (amount in refused || currency in refused) return found
    const reading = readAmount(String(body[amount]), { currency: body[currency] as Currency, mode })
    if ('minor' in reading) {
      minor = reading.minor
      return found
    }
    return { ...found, [amount]: `${labelOf(amount)} must ${reading.must}` }
  })
  const code = String(body[currency])
  check(isCurrency(code), 'a currency that was not refused is one')
  return { minor, currency: code }
}

/**
 * Live, 15 digits at most: what a receiver of the notification reads as a float is exact. Test money comes out of nothing
 * and all of it from one account, which a few thousand of such amounts would fill for everybody: there it is less.
 */
const amountMost: Record<Mode, bigint> = { live: portableMinorMax, test: 1_000_000_000_000n }

function readAmount(
  text: string,
  { currency, mode }: { currency: Currency; mode: Mode },
): { minor: bigint } | { must: string } {
  const reading = readMinor(text, currency)
  const { [mode]: most } = amountMost
  if ('must' in reading || reading.minor <= most) return reading
  return { must: `be at most ${toDecimal({ minor: most, currency })}` }
}

function refundAmount(text: string, currency: Currency): Amount {
  const reading = readMinor(text, currency)
  if ('minor' in reading) return { minor: reading.minor, currency }
  throw new AppError('validation_failed', { errors: { amount: `Amount must ${reading.must}` } })
}

function keyOf(
  { secrets }: PaymentRoutes,
  request: FastifyRequest,
  about: { merchant: number; mode: Mode; reference?: string; amount: Amount | undefined },
) {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  const { merchant: id, mode, reference, amount } = about
  const route = `${request.method} ${request.routeOptions.url}`
  // By value: 1 and 1.0 are the same amount, and so the same request.
  const { amount: _sent, payment_amount: _alsoSent, ...rest } = request.body as Record<string, unknown>
  const body = { ...rest, of: reference, value: amount?.minor.toString() }
  return ledger.requestKey(secrets.idem, {
    principal: { kind: 'merchant', id: String(id) },
    mode,
    route,
    key,
    body,
  })
}

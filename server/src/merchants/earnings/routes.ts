import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Amount, currencyCodes, isCurrency, readMinor, toJson } from '../../base/money.ts'
import { refuseFields } from '../../http/fields.ts'
import { idempotencyHeaders, idempotencyKeyOf, sendAnswer } from '../../http/idempotency.ts'
import type { App } from '../../http/instance.ts'
import { originOf } from '../../http/origin.ts'
import { Envelope, ListEnvelope, listOf, MoneyField, MoneyShown, OneOf, Time } from '../../http/schema.ts'
import { callerOf } from '../../http/scope.ts'
import * as ledgers from '../../ledger/ledger.ts'
import { noBusiness } from '../credentials.ts'
import type { Merchant, Merchants } from '../merchants.ts'
import { type Mode, modes } from '../rules.ts'
import { balancesOf, type EarningsOptions, payOut } from './earnings.ts'

export interface EarningsRoutes extends EarningsOptions {
  merchants: Merchants
  /** Whose business a request is about; the mode of the key, if it came with one. */
  calling: (request: FastifyRequest) => Promise<{ merchant: Merchant; mode: Mode | undefined }>
}

const tags = ['Merchant']

const Earned = Type.Object({
  currency: OneOf(currencyCodes, { examples: ['UGX'] }),
  balance: MoneyShown({ description: 'All that was earned and not yet moved.', examples: [940_000] }),
  held: MoneyShown({ description: 'What of it is set aside for refunds on their way.', examples: [0] }),
  available: MoneyShown({ description: '`balance` less `held`.', examples: [940_000] }),
  created_at: Time({ description: 'Of the first payment in this currency; ISO 8601, UTC.' }),
})

const PayoutBody = Type.Object({
  amount: MoneyField({ description: 'What moves to your wallet. It costs nothing.' }),
  currency: OneOf(currencyCodes, { description: 'Of the amount.', examples: ['UGX'] }),
  pin: Type.String({
    pattern: '^[0-9]{4,6}$',
    problem: 'must be 4 to 6 digits',
    description: 'Your transaction PIN, as text.',
    examples: ['4827'],
  }),
})

const PayoutReply = Envelope(
  Type.Object({
    reference: Type.String({
      description: 'Of the transfer in your history.',
      examples: ['TR-7K3MQ-9WD2X-PB4'],
    }),
    amount: MoneyShown({ examples: [900_000] }),
    currency: OneOf(currencyCodes, { examples: ['UGX'] }),
    balance: MoneyShown({ description: 'What the business has left.', examples: [40_000] }),
  }),
)

/** Scope: the owner's token, or the merchant's API key. */
export function balanceRoutes(app: App, deps: EarningsRoutes): void {
  const list = {
    tags,
    summary: 'Show what the business has earned',
    description:
      'By currency. An API key shows its own mode; with the owner’s token `mode` chooses, and live is the default.',
    operationId: 'listMerchantBalances',
    querystring: Type.Object({ mode: Type.Optional(OneOf(modes, { examples: ['live'] })) }),
    response: { 200: ListEnvelope(Earned) },
  }
  app.get('/api/merchant/balances', { schema: list }, async (request) => {
    const { merchant, mode } = await deps.calling(request)
    const shown = mode ?? request.query.mode ?? 'live'
    const accounts = await balancesOf(deps, { merchant: merchant.id, mode: shown })
    const rows = accounts.map(({ currency, balance, held, createdAt }) => ({
      currency,
      balance: toJson({ minor: balance, currency }),
      held: toJson({ minor: held, currency }),
      available: toJson({ minor: balance - held, currency }),
      created_at: createdAt.toISOString(),
    }))
    return listOf('What the business has earned', { items: rows, nextCursor: null })
  })
}

/** Scope: the owner's token. */
export function payoutRoute(app: App, deps: EarningsRoutes): void {
  const payout = {
    tags,
    summary: 'Move earnings to your wallet',
    description:
      'From the live account of the business to the wallet of its owner, at once and free of charge. From there it can be sent or withdrawn.',
    operationId: 'payOutMerchant',
    headers: idempotencyHeaders,
    body: PayoutBody,
    response: { 200: PayoutReply },
  }
  const options = { schema: payout, attachValidation: true, config: { limit: 'pin' } } as const
  app.post('/api/merchant/payout', options, async (request, reply) => {
    refuseFields(request, (refused) => amountProblem(request.body, refused))
    const merchant = await deps.merchants.byOwner(callerOf(request))
    if (merchant === undefined) throw noBusiness()
    const { pin } = request.body
    const amount = amountOf(request.body)
    const key = keyOf(deps, request, amount)
    return sendAnswer(reply, await payOut(deps, { merchant, pin, origin: originOf(request), amount, key }))
  })
}

function amountProblem(body: unknown, refused: Record<string, string>): Record<string, string> {
  if ('amount' in refused || 'currency' in refused) return {}
  const { amount, currency } = body as { amount?: unknown; currency?: unknown }
  if (typeof amount !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return {}
  const reading = readMinor(amount, currency)
  return 'must' in reading ? { amount: `Amount must ${reading.must}` } : {}
}

function amountOf({ amount, currency }: { amount: string; currency: Amount['currency'] }): Amount {
  const reading = readMinor(amount, currency)
  if ('must' in reading) throw new Error('broken promise: the amount was judged before')
  return { minor: reading.minor, currency }
}

function keyOf({ secrets }: EarningsRoutes, request: FastifyRequest, { minor, currency }: Amount) {
  const key = idempotencyKeyOf(request)
  if (key === undefined) return undefined
  return ledgers.requestKey(secrets.idem, {
    principal: { kind: 'user', id: callerOf(request) },
    mode: 'live',
    route: `${request.method} ${request.routeOptions.url}`,
    key,
    body: { amount: String(minor), currency },
  })
}

// What shops and their customers do: ask for a payment, pay it on the checkout or leave it, give it back, take the earnings
// home. And what everybody does whose answer got lost: ask once more.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type CheckoutPayment, payByWallet, readyToCancel, readyToPay } from '../../rig/checkout.ts'
import { asPerson, asShop } from '../../rig/client.ts'
import type { Shop } from '../../rig/world.ts'
import type { Currency, Model } from './model.ts'
import * as models from './model.ts'
import { amountOf, anySize, type Command, commandOf, decimal, personOf, play, type Real } from './steps.ts'
import { patiently, peopleCount, shopCount } from './team.ts'

const anyShop = fc.nat({ max: shopCount - 1 })
const anyCurrency = fc.constantFrom<Currency[]>('UGX', 'KES', 'RWF')
const which = fc.nat({ max: 999 })
const oneIn = (times: number): fc.Arbitrary<boolean> =>
  fc.nat({ max: times - 1 }).map((drawn) => drawn === times - 1)
const isAsked = ({ payments }: Model): boolean => payments.length > 0

/** One of which it can be done, if there is one; a stray wish means any. */
interface Which {
  at: number
  stray: boolean
}

const anyWhich: fc.Arbitrary<Which> = fc.record({ at: which, stray: oneIn(5) })

function paymentAt(model: Model, real: Real, { at, stray, status }: Which & Pick<models.Payment, 'status'>) {
  const { payments } = model
  const fit = payments.filter((one) => one.status === status)
  const among = stray || fit.length === 0 ? payments : fit
  const payment = among[at % among.length] as models.Payment
  return { payment, checkout: real.checkouts[payments.indexOf(payment)] as CheckoutPayment }
}

const ask = commandOf({
  name: 'ask for a payment',
  wish: fc.record({ shop: anyShop, currency: anyCurrency, size: anySize }),
  run: async (model, real, { shop, currency, size }) => {
    const amount = amountOf(size, { currency, has: models.tillOf(model, shop, currency) })
    const word = models.ask(model, { shop, currency, amount })
    const body = { amount: decimal(amount, currency), currency, description: 'A basket' }
    const act = { act: 'ask', route: 'POST /api/pay', key: randomUUID(), body }
    const heard = await play(real, asShop(real.team.shops[shop] as Shop, 'live', act), word)
    if (word === 'done') {
      const { reference, payment_url: url } = heard.json.data
      real.checkouts.push({ reference, url, mode: 'live' })
    }
    return { shops: [shop] }
  },
})

const pay = commandOf({
  name: 'pay on the checkout',
  wish: fc.record({ payment: anyWhich, who: fc.nat({ max: peopleCount - 1 }) }),
  ready: isAsked,
  run: async (model, real, { payment: one, who }) => {
    const { payment, checkout } = paymentAt(model, real, { ...one, status: 'pending' })
    const { client } = real.ground
    const visit = { person: personOf(real, who), payment: checkout }
    const word = models.pay(model, { payment, who })
    const ready = await readyToPay(client, visit)
    const canPay = 'act' in ready
    if (canPay !== (word === 'done'))
      throw new Error(
        `the checkout ${canPay ? 'lets' : 'does not let'} ${who} pay ${checkout.reference}; the model: ${word}`,
      )
    if (canPay) {
      const first = await client.act(ready)
      // Nobody heard: whoever comes back sees what became of it.
      const { outcome, status } = first.outcome === 'unknown' ? await payByWallet(client, visit) : first
      if (outcome !== 'done') throw new Error(`${checkout.reference} was not paid: ${status} ${outcome}`)
    }
    return { people: [who], shops: [payment.shop] }
  },
})

const cancel = commandOf({
  name: 'leave the checkout',
  wish: anyWhich,
  ready: isAsked,
  run: async (model, real, one) => {
    const { payment, checkout } = paymentAt(model, real, { ...one, status: 'pending' })
    const word = models.cancel(payment)
    const form = await readyToCancel(real.ground.client, checkout).catch(() => undefined)
    if ((form !== undefined) !== (word === 'done'))
      throw new Error(
        `${checkout.reference} ${form === undefined ? 'can not' : 'can'} be cancelled; the model: ${word}`,
      )
    if (form !== undefined) await play(real, form, 'done')
    return { shops: [payment.shop] }
  },
})

/** All that is left, a share of what was paid, or any amount at all. */
const anyRefund = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.record({ percent: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 2, arbitrary: fc.constant('whole' as const) },
  { weight: 1, arbitrary: fc.record({ size: anySize }) },
)

const refund = commandOf({
  name: 'refund',
  wish: fc.record({ payment: anyWhich, how: anyRefund }),
  ready: isAsked,
  run: async (model, real, { payment: one, how }) => {
    const { payment, checkout } = paymentAt(model, real, { ...one, status: 'completed' })
    const { shop, currency, amount: paid, refunded } = payment
    const left = paid - refunded
    const whole = how === 'whole'
    const share = whole ? left : 'percent' in how ? (paid * BigInt(how.percent)) / 100n : 0n
    const amount = !whole && 'size' in how ? amountOf(how.size, { currency, has: left }) : share || 1n
    const word = models.refund(model, { payment, amount })
    const body = whole ? {} : { amount: decimal(amount, currency) }
    const route = 'POST /api/merchant/payments/:reference/refund'
    const path = `/api/merchant/payments/${checkout.reference}/refund`
    const act = { act: 'refund', route, path, key: randomUUID(), body }
    await play(real, asShop(real.team.shops[shop] as Shop, 'live', act), word)
    return { people: payment.payer < 0 ? [] : [payment.payer], shops: [shop] }
  },
})

const settle = commandOf({
  name: 'take earnings home',
  wish: fc.record({ shop: anyShop, currency: anyCurrency, size: anySize }),
  run: async (model, real, { shop, currency, size }) => {
    const amount = amountOf(size, { currency, has: models.tillOf(model, shop, currency) })
    const word = models.settle(model, { shop, owner: shop, currency, amount })
    const owner = personOf(real, shop)
    const body = { amount: decimal(amount, currency), currency, pin: owner.pin }
    const act = { act: 'settle', route: 'POST /api/merchant/payout', key: randomUUID(), body }
    await play(real, asPerson(owner, act), word)
    return { people: [shop], shops: [shop] }
  },
})

const canRepeat = ({ repeatable }: Model): boolean => repeatable > 0

const repeat = commandOf({
  name: 'repeat a request with its key',
  wish: fc.record({ at: which }),
  ready: canRepeat,
  run: async (_model, real, { at }) => {
    const { request, heard: first } = real.kept[at % real.kept.length] as Real['kept'][0]
    const again = await patiently(() => real.ground.client.act(request))
    if (again.text !== first.text || again.headers['idempotency-replayed'] === undefined)
      throw new Error(
        `${request.act}, repeated, gets another answer: ${first.text} and now ${again.status} ${again.text}`,
      )
    return { people: [0, 1], shops: [0] }
  },
})

const otherBody = commandOf({
  name: 'use a key for something else',
  wish: fc.record({ at: which }),
  ready: canRepeat,
  run: async (_model, real, { at }) => {
    const sends = real.kept.filter(({ request }) => request.act === 'send')
    const kept = sends[at % Math.max(1, sends.length)]
    if (kept === undefined) return {}
    const body = { ...kept.request.body, note: 'Something else' }
    await play(real, { ...kept.request, body }, 'idempotency_conflict')
    return { people: [0, 1] }
  },
})

/** How often each is drawn. */
export const shopCommands: fc.Arbitrary<Command>[] = [
  ...[ask, ask, ask, pay, pay, pay, cancel, refund, refund, refund, refund, settle],
  ...[repeat, repeat, otherBody],
]

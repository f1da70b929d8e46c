// What people do with their money: send it, ask for it, bring it in and take it out, and save it together.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { asPerson } from '../../rig/client.ts'
import type { Currency, Model } from './model.ts'
import * as models from './model.ts'
import {
  amountOf,
  anySize,
  type Command,
  commandOf,
  decimal,
  personOf,
  play,
  type Real,
  type Size,
  told,
} from './steps.ts'
import { peopleCount, type TeamPot } from './team.ts'

const anyone = fc.nat({ max: peopleCount - 1 })
const anyCurrency = fc.constantFrom<Currency[]>('UGX', 'KES', 'RWF')
/** Somebody else: so many places further. */
const further = fc.integer({ min: 1, max: peopleCount - 1 })
const other = (who: number, by: number): number => (who + by) % peopleCount
const which = fc.nat({ max: 999 })

const freeOf = (model: Model, who: number, currency: Currency): bigint =>
  models.freeOf(models.purseOf(model, who, currency))

interface Sending {
  from: number
  by: number
  currency: Currency
  size: Size
}

const anySending: fc.Arbitrary<Sending> = fc.record({
  from: anyone,
  by: further,
  currency: anyCurrency,
  size: anySize,
})

function sending(model: Model, { from, by, currency, size }: Sending): models.Sending {
  const amount = amountOf(size, { currency, has: freeOf(model, from, currency) })
  return { from, to: other(from, by), currency, amount }
}

function sendOf(real: Real, { from, to, currency, amount }: models.Sending, more: object = {}) {
  const person = personOf(real, from)
  const body = {
    recipient: personOf(real, to).handle,
    amount: decimal(amount, currency),
    currency,
    pin: person.pin,
    ...more,
  }
  return asPerson(person, { act: 'send', route: 'POST /api/send', key: randomUUID(), body })
}

const send = commandOf({
  name: 'send',
  wish: anySending,
  run: async (model, real, wish) => {
    const meant = sending(model, wish)
    const word = models.send(model, meant)
    const heard = await play(real, sendOf(real, meant), word)
    if (word === 'done')
      told(heard, 'fee', models.transferFee(meant.amount, models.marketOf(meant.currency)), meant.currency)
    return { people: [meant.from, meant.to] }
  },
})

/** Once; then the right one, with the same key: a refusal leaves it free. */
const wrongPin = commandOf({
  name: 'send with a wrong PIN, and again',
  wish: anySending,
  run: async (model, real, wish) => {
    const meant = sending(model, wish)
    const { least, most } = models.marketOf(meant.currency)
    const request = sendOf(real, meant)
    const wrong = { ...request, body: { ...request.body, pin: '7391' } }
    const first =
      meant.amount < least ? 'validation_failed' : meant.amount > most ? 'limit_exceeded' : 'pin_incorrect'
    const heard = await play(real, wrong, first)
    if (first === 'pin_incorrect') told(heard, 'attempts_left', 4n, 'UGX')
    await play(real, request, models.send(model, meant))
    return { people: [meant.from, meant.to] }
  },
})

/** What no balance allows. The first: nobody has a wallet in that currency. */
const hostile: Record<string, { more: object; word: string }> = {
  'in a currency without a wallet': { more: { currency: 'USD', amount: '10' }, word: 'insufficient_funds' },
  'in no currency': { more: { currency: 'XYZ' }, word: 'validation_failed' },
  'to nobody': { more: { recipient: 'nobody_at_all' }, word: 'validation_failed' },
  'finer than a cent': { more: { amount: '1000.005' }, word: 'validation_failed' },
  nothing: { more: { amount: '0' }, word: 'validation_failed' },
  'less than nothing': { more: { amount: '-5000' }, word: 'validation_failed' },
  'more than there is': { more: { amount: '9007199254740993' }, word: 'validation_failed' },
}

const impossible = commandOf({
  name: 'send what can not be sent',
  wish: fc.record({ who: anyone, by: further, how: fc.constantFrom('to oneself', ...Object.keys(hostile)) }),
  run: async (_model, real, { who, by, how }) => {
    const { more, word } = hostile[how] ?? {
      more: { recipient: personOf(real, who).handle },
      word: 'validation_failed',
    }
    const meant = { from: who, to: other(who, by), currency: 'KES', amount: 100_000n } as const
    await play(real, sendOf(real, meant, more), word)
    return { people: [meant.from, meant.to] }
  },
})

const want = commandOf({
  name: 'ask for money',
  wish: anySending,
  run: async (model, real, wish) => {
    const { from: payer, to: payee, currency, amount } = sending(model, wish)
    const word = models.want(model, { payer, payee, currency, amount })
    const body = { from: personOf(real, payer).handle, amount: decimal(amount, currency), currency }
    const route = 'POST /api/requests'
    const heard = await play(
      real,
      asPerson(personOf(real, payee), { act: 'ask for money', route, body }),
      word,
    )
    if (word === 'done') real.wantedIds.push(heard.json.data.id)
    return {}
  },
})

const isWanted = ({ wanted }: Model): boolean => wanted.length > 0

const payWanted = commandOf({
  name: 'pay what was asked for',
  wish: fc.record({ at: which }),
  ready: isWanted,
  run: async (model, real, wish) => {
    const at = wish.at % model.wanted.length
    const wanted = model.wanted[at] as models.Wanted
    const word = models.payWanted(model, wanted)
    const payer = personOf(real, wanted.payer)
    const path = `/api/requests/${real.wantedIds[at]}/pay`
    const act = {
      act: 'pay what was asked for',
      route: 'POST /api/requests/:id/pay',
      path,
      key: randomUUID(),
    }
    await play(real, asPerson(payer, { ...act, body: { pin: payer.pin } }), word)
    return { people: [wanted.payer, wanted.payee] }
  },
})

const decideWanted = commandOf({
  name: 'decline or take back what was asked for',
  wish: fc.record({ at: which, how: fc.constantFrom('declined' as const, 'cancelled' as const) }),
  ready: isWanted,
  run: async (model, real, wish) => {
    const at = wish.at % model.wanted.length
    const wanted = model.wanted[at] as models.Wanted
    const word = models.decideWanted(wanted, wish.how)
    await play(real, decideOf(real, { at, wanted, how: wish.how }), word)
    return { people: [wanted.payer, wanted.payee] }
  },
})

function decideOf(
  real: Real,
  { at, wanted, how }: { at: number; wanted: models.Wanted; how: 'declined' | 'cancelled' },
) {
  const [who, verb] = how === 'declined' ? [wanted.payer, 'decline'] : [wanted.payee, 'cancel']
  const path = `/api/requests/${real.wantedIds[at]}/${verb}`
  return asPerson(personOf(real, who), { act: verb, route: `POST /api/requests/:id/${verb}`, path })
}

/** Nobody is asked for anything when the next sequence begins. */
export async function takeBack(model: Model, real: Real): Promise<void> {
  for (const [at, wanted] of model.wanted.entries())
    if (wanted.status === 'pending' && real.wantedIds[at] !== undefined)
      await real.ground.client.act(decideOf(real, { at, wanted, how: 'cancelled' }))
}

const networks: Record<Currency, { method: string; phone: string }> = {
  UGX: { method: 'mtn', phone: '+2567720' },
  KES: { method: 'mpesa', phone: '+2547120' },
  RWF: { method: 'mtn', phone: '+2507820' },
}

interface Moving {
  who: number
  currency: Currency
  size: Size
  phone: number
  arrives: boolean
}

const anyMoving: fc.Arbitrary<Moving> = fc.record({
  who: anyone,
  currency: anyCurrency,
  size: anySize,
  phone: fc.nat({ max: 9 }),
  arrives: fc.integer({ min: 0, max: 3 }).map((chance) => chance > 0),
})

/** The last digits decide what becomes of it. M-Pesa knows no cents. */
function movingOf(
  real: Real,
  model: Model,
  { who, currency, size, phone: at, arrives }: Moving,
  refused: string,
) {
  const exact = amountOf(size, { currency, has: freeOf(model, who, currency) })
  const amount = currency !== 'KES' ? exact : exact < 100n ? 100n : exact - (exact % 100n)
  const { method, phone } = networks[currency]
  const line = `${phone}${String(10 * real.team.number + at).padStart(2, '0')}${arrives ? '001' : refused}`
  return { who, currency, amount, body: { amount: decimal(amount, currency), currency, method, phone: line } }
}

const deposit = commandOf({
  name: 'deposit',
  wish: anyMoving,
  run: async (model, real, wish) => {
    const { who, currency, amount, body } = movingOf(real, model, wish, '049')
    const word = models.deposit(model, { who, currency, amount }, wish.arrives)
    const act = { act: 'deposit', route: 'POST /api/deposit/initiate', key: randomUUID(), body }
    const heard = await play(real, asPerson(personOf(real, who), act), word)
    if (word === 'done')
      await ended(real, { who, reference: heard.json.data.reference, arrives: wish.arrives })
    return { people: [who] }
  },
})

const withdraw = commandOf({
  name: 'withdraw',
  wish: anyMoving,
  run: async (model, real, wish) => {
    const { who, currency, amount, body } = movingOf(real, model, wish, '089')
    const word = models.withdraw(model, { who, currency, amount }, wish.arrives)
    const person = personOf(real, who)
    const act = { act: 'withdraw', route: 'POST /api/withdraw', key: randomUUID() }
    const heard = await play(real, asPerson(person, { ...act, body: { ...body, pin: person.pin } }), word)
    if (word === 'done') {
      told(heard, 'fee', models.percentOf(amount, 1n), currency)
      await ended(real, { who, reference: heard.json.data.reference, arrives: wish.arrives })
    }
    return { people: [who] }
  },
})

const endMs = 30_000

/** Until the network has answered, and as it should. */
async function ended(
  real: Real,
  { who, reference, arrives }: { who: number; reference: string; arrives: boolean },
): Promise<void> {
  const route = 'GET /api/transactions/:reference'
  const path = `/api/transactions/${reference}`
  const look = asPerson(personOf(real, who), { act: 'read', route, path })
  const meant = arrives ? 'completed' : 'failed'
  for (const until = performance.now() + endMs; performance.now() < until; await sleep(40)) {
    const status = (await real.ground.client.look(look)).json?.data?.status
    if (status === meant) return
    if (status !== undefined && status !== 'pending')
      throw new Error(`${reference} is ${status}, and should be ${meant}`)
  }
  throw new Error(`${reference} did not end within ${endMs} ms`)
}

const give = commandOf({
  name: 'contribute',
  wish: fc.record({ who: anyone, pot: fc.nat({ max: 3 }), size: anySize }),
  run: async (model, real, { who, pot: at, size }) => {
    const pot = model.pots[at] as models.Pot
    const { place, id } = real.team.pots[at] as TeamPot
    const amount = amountOf(size, { currency: pot.currency, has: freeOf(model, who, pot.currency) })
    const word = models.give(model, { who, pot, amount })
    const person = personOf(real, who)
    const route = `POST /api/${place}/:id/contribute`
    const body = { amount: decimal(amount, pot.currency), pin: person.pin }
    const act = { act: 'contribute', route, path: `/api/${place}/${id}/contribute`, key: randomUUID(), body }
    await play(real, asPerson(person, act), word)
    return { people: [who], pots: [at] }
  },
})

/** Proposed by one, approved by three of the five others. What there is too little for is taken back. */
const payOut = commandOf({
  name: 'pay out of a group',
  wish: fc.record({ who: anyone, to: anyone, pot: fc.nat({ max: 1 }), size: anySize }),
  run: async (model, real, { who, to, pot: at, size }) => {
    const pot = model.pots[at] as models.Pot
    const { id } = real.team.pots[at] as TeamPot
    const amount = amountOf(size, { currency: pot.currency, has: pot.balance })
    const word = models.payOut(model, { pot, to, amount })
    const body = { to: personOf(real, to).handle, amount: decimal(amount, pot.currency), reason: 'Agreed' }
    const place = { route: 'POST /api/groups/:id/payouts', path: `/api/groups/${id}/payouts` }
    const made = await play(real, asPerson(personOf(real, who), { act: 'propose', ...place, body }), 'done')
    const proposal = `/api/groups/${id}/payouts/${made.json.data.id}`
    let status = made.json.data.status
    for (const by of [1, 2, 3]) {
      if (status !== 'open') throw new Error(`a payout is ${status} before most have agreed`)
      const route = 'POST /api/groups/:id/payouts/:payout_id/approve'
      const voter = personOf(real, other(who, by))
      const vote = asPerson(voter, { act: 'approve', route, path: `${proposal}/approve` })
      status = (await play(real, vote, 'done')).json.data.status
    }
    if (status !== word) throw new Error(`a payout of ${amount} is ${word} in the model, and ${status}`)
    if (status === 'open') {
      const route = 'POST /api/groups/:id/payouts/:payout_id/cancel'
      await play(
        real,
        asPerson(personOf(real, who), { act: 'take back', route, path: `${proposal}/cancel` }),
        'done',
      )
    }
    return { people: [to], pots: [at] }
  },
})

const takeOut = commandOf({
  name: 'take out of a campaign',
  wish: fc.record({ pot: fc.integer({ min: 2, max: 3 }), size: anySize }),
  run: async (model, real, { pot: at, size }) => {
    const pot = model.pots[at] as models.Pot
    const { id, owner } = real.team.pots[at] as TeamPot
    const amount = amountOf(size, { currency: pot.currency, has: pot.balance })
    const word = models.takeOut(model, { pot, owner, amount })
    const person = personOf(real, owner)
    const body = { amount: decimal(amount, pot.currency), pin: person.pin }
    const place = { route: 'POST /api/campaigns/:id/withdraw', path: `/api/campaigns/${id}/withdraw` }
    await play(real, asPerson(person, { act: 'take out', ...place, key: randomUUID(), body }), word)
    return { people: [owner], pots: [at] }
  },
})

/** How often each is drawn. */
export const peopleCommands: fc.Arbitrary<Command>[] = [
  ...[send, send, send, send, send, send, wrongPin, impossible],
  ...[want, want, payWanted, payWanted, decideWanted],
  ...[deposit, deposit, withdraw, withdraw],
  ...[give, give, give, payOut, takeOut],
]

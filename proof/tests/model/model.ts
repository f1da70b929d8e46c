// What six people, two shops, two groups and two campaigns have, and what becomes of it when they do something: the contract
// as arithmetic. It knows no service: it shares no code with the server, and moves whole minor units in bigints. Every
// function says what the answer must be, and changes the model when that is `done`.

export interface Market {
  currency: Currency
  /** Decimal places. */
  digits: number
  feeMost: bigint
  least: bigint
  most: bigint
  daily: bigint
}

export type Currency = 'UGX' | 'KES' | 'RWF'

/** Fees and limits as people are promised them, in minor units. */
export const markets: readonly Market[] = [
  { currency: 'UGX', digits: 0, feeMost: 5_000n, least: 500n, most: 5_000_000n, daily: 20_000_000n },
  { currency: 'KES', digits: 2, feeMost: 15_000n, least: 1_000n, most: 25_000_000n, daily: 50_000_000n },
  { currency: 'RWF', digits: 0, feeMost: 1_500n, least: 100n, most: 2_000_000n, daily: 5_000_000n },
]

export const marketOf = (currency: Currency): Market =>
  markets.find((one) => one.currency === currency) as Market

/** So many percent, rounded half up, and one minor unit at least. */
export function percentOf(minor: bigint, percent: bigint): bigint {
  const doubled = 2n * minor * percent
  const rounded = (doubled + 100n) / 200n
  return rounded < 1n ? 1n : rounded
}

export function transferFee(minor: bigint, { feeMost }: Pick<Market, 'feeMost'>): bigint {
  const fee = percentOf(minor, 1n)
  return fee > feeMost ? feeMost : fee
}

export interface Purse {
  balance: bigint
  held: bigint
  /** Within 24 hours, as far as it counts for the limit. */
  spent: bigint
}

/** A group or a campaign. */
export interface Pot {
  currency: Currency
  balance: bigint
}

export interface Payment {
  shop: number
  currency: Currency
  amount: bigint
  refunded: bigint
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  /** Who has paid it. */
  payer: number
}

export interface Wanted {
  payer: number
  payee: number
  currency: Currency
  amount: bigint
  status: 'pending' | 'paid' | 'declined' | 'cancelled'
}

export interface Model {
  purses: Map<string, Purse>
  /** What shops have earned. */
  tills: Map<string, bigint>
  /** Two groups, then two campaigns. */
  pots: Pot[]
  payments: Payment[]
  wanted: Wanted[]
  /** What the service has taken, by currency. */
  fees: Map<Currency, bigint>
  /** How many requests there are that can be repeated. */
  repeatable: number
}

export const placeOf = (who: number, currency: Currency): string => `${who} ${currency}`

export const purseOf = ({ purses }: Model, who: number, currency: Currency): Purse =>
  purses.get(placeOf(who, currency)) as Purse

export const tillOf = ({ tills }: Model, shop: number, currency: Currency): bigint =>
  tills.get(placeOf(shop, currency)) ?? 0n

export const freeOf = ({ balance, held }: Purse): bigint => balance - held

/** `done`, or the code of the refusal. */
export type Word = string

const refusedAmount = (amount: bigint, { least, most }: Pick<Market, 'least' | 'most'>): Word | undefined =>
  amount < least ? 'validation_failed' : amount > most ? 'limit_exceeded' : undefined

interface Leaving {
  who: number
  currency: Currency
  amount: bigint
}

/** It counts for what may leave a wallet in a day. */
function leave(model: Model, { who, currency, amount }: Leaving): Word {
  const purse = purseOf(model, who, currency)
  if (amount > freeOf(purse)) return 'insufficient_funds'
  if (purse.spent + amount > marketOf(currency).daily) return 'limit_exceeded'
  purse.balance -= amount
  purse.spent += amount
  return 'done'
}

function take(model: Model, { currency, fee }: { currency: Currency; fee: bigint }): void {
  model.fees.set(currency, (model.fees.get(currency) ?? 0n) + fee)
}

export interface Sending {
  from: number
  to: number
  currency: Currency
  amount: bigint
}

export function send(model: Model, { from, to, currency, amount }: Sending): Word {
  const market = marketOf(currency)
  const word = refusedAmount(amount, market) ?? leave(model, { who: from, currency, amount })
  if (word !== 'done') return word
  const fee = transferFee(amount, market)
  purseOf(model, to, currency).balance += amount - fee
  take(model, { currency, fee })
  return word
}

export function want(model: Model, wanted: Omit<Wanted, 'status'>): Word {
  const word = refusedAmount(wanted.amount, marketOf(wanted.currency))
  if (word !== undefined) return word
  // More than so many open ones to one person are a nuisance.
  const open = model.wanted.filter(
    ({ payer, payee, status }) => payer === wanted.payer && payee === wanted.payee && status === 'pending',
  )
  if (open.length >= 10) return 'invalid_state'
  model.wanted.push({ ...wanted, status: 'pending' })
  return 'done'
}

export function payWanted(model: Model, wanted: Wanted): Word {
  if (wanted.status !== 'pending') return 'invalid_state'
  const { payer: from, payee: to, currency, amount } = wanted
  const word = send(model, { from, to, currency, amount })
  if (word === 'done') wanted.status = 'paid'
  return word
}

/** Said twice is said once. */
export function decideWanted(wanted: Wanted, status: 'declined' | 'cancelled'): Word {
  if (wanted.status === status) return 'done'
  if (wanted.status !== 'pending') return 'invalid_state'
  wanted.status = status
  return 'done'
}

/** M-Pesa takes less at once than the service would. */
const mpesaMost = 25_000_000n

export function deposit(model: Model, { who, currency, amount }: Leaving, arrives: boolean): Word {
  if (amount > marketOf(currency).daily) return 'limit_exceeded'
  if (currency === 'KES' && amount > mpesaMost) return 'validation_failed'
  if (arrives) purseOf(model, who, currency).balance += amount
  return 'done'
}

/** The fee comes on top. What the network refuses comes back whole. */
export function withdraw(model: Model, { who, currency, amount }: Leaving, arrives: boolean): Word {
  const fee = percentOf(amount, 1n)
  const leaving = { who, currency, amount: amount + fee }
  const word = refusedAmount(amount, marketOf(currency)) ?? leave(model, leaving)
  if (word !== 'done') return word
  if (arrives) take(model, { currency, fee })
  else {
    const purse = purseOf(model, who, currency)
    purse.balance += leaving.amount
    purse.spent -= leaving.amount
  }
  return word
}

export function give(model: Model, { who, pot, amount }: { who: number; pot: Pot; amount: bigint }): Word {
  const { currency } = pot
  const word = refusedAmount(amount, marketOf(currency)) ?? leave(model, { who, currency, amount })
  if (word === 'done') pot.balance += amount
  return word
}

/** Of a group, which most others have agreed to. `open`: there is too little, and it waits. */
export function payOut(
  model: Model,
  { pot, to, amount }: { pot: Pot; to: number; amount: bigint },
): 'paid' | 'open' {
  if (amount > pot.balance) return 'open'
  pot.balance -= amount
  purseOf(model, to, pot.currency).balance += amount
  return 'paid'
}

/** Of a campaign, by who has begun it. */
export function takeOut(
  model: Model,
  { pot, owner, amount }: { pot: Pot; owner: number; amount: bigint },
): Word {
  if (pot.balance === 0n) return 'invalid_state'
  if (amount > pot.balance) return 'insufficient_funds'
  const fee = percentOf(amount, 1n)
  if (fee >= amount) return 'validation_failed'
  pot.balance -= amount
  purseOf(model, owner, pot.currency).balance += amount - fee
  take(model, { currency: pot.currency, fee })
  return 'done'
}

export function ask(model: Model, payment: Pick<Payment, 'shop' | 'currency' | 'amount'>): Word {
  if (percentOf(payment.amount, 2n) >= payment.amount) return 'validation_failed'
  model.payments.push({ ...payment, refunded: 0n, status: 'pending', payer: -1 })
  return 'done'
}

/** `no way`: the page shows no form to pay with, as it is over or there is too little in the wallet. */
export function pay(model: Model, { payment, who }: { payment: Payment; who: number }): 'done' | 'no way' {
  const { shop, currency, amount } = payment
  const purse = purseOf(model, who, currency)
  if (payment.status !== 'pending' || amount > freeOf(purse)) return 'no way'
  const fee = percentOf(amount, 2n)
  purse.balance -= amount
  model.tills.set(placeOf(shop, currency), tillOf(model, shop, currency) + amount - fee)
  take(model, { currency, fee })
  Object.assign(payment, { status: 'completed', payer: who })
  return 'done'
}

export function cancel(payment: Payment): 'done' | 'no way' {
  if (payment.status !== 'pending') return 'no way'
  payment.status = 'failed'
  return 'done'
}

/** The fee of the payment does not come back: the shop pays all of it. */
export function refund(model: Model, { payment, amount }: { payment: Payment; amount: bigint }): Word {
  if (payment.status !== 'completed') return 'invalid_state'
  if (amount > payment.amount - payment.refunded) return 'validation_failed'
  const { shop, currency, payer } = payment
  const till = tillOf(model, shop, currency)
  if (amount > till) return 'insufficient_funds'
  model.tills.set(placeOf(shop, currency), till - amount)
  purseOf(model, payer, currency).balance += amount
  payment.refunded += amount
  if (payment.refunded === payment.amount) payment.status = 'refunded'
  return 'done'
}

/** What a shop has earned, to the wallet of its owner. */
export function settle(
  model: Model,
  { shop, owner, currency, amount }: { shop: number; owner: number; currency: Currency; amount: bigint },
): Word {
  const till = tillOf(model, shop, currency)
  if (amount > till) return 'insufficient_funds'
  model.tills.set(placeOf(shop, currency), till - amount)
  purseOf(model, owner, currency).balance += amount
  return 'done'
}

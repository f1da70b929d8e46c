// What people want in the storm, drawn before it begins, so that the same seed makes the same wishes: all four providers,
// all currencies, all outcomes that numbers and cards have.
import type { CardDecision } from '../../../simulator/src/cards.ts'
import { type Chance, openChance } from '../../../simulator/src/chance.ts'

export type Provider = 'mpesa' | 'mtn' | 'airtel' | 'paystack'

/** A way to pay or to be paid. */
export interface Way {
  method: Provider
  currency: string
  phone?: string
  account?: string
  /** What the person does on the card page. */
  card?: CardDecision
}

export interface Moved extends Way {
  kind: 'deposit' | 'withdrawal'
  /** Milliseconds from the beginning. */
  at: number
  /** The number of the person. */
  who: number
  /** As people write it. */
  amount: string
}

export interface Bought {
  kind: 'payment'
  at: number
  mode: 'live' | 'test'
  currency: string
  amount: string
  tries: Way[]
  /** One try after the other; all at once, as somebody who can't wait; or cancelled while it is being paid. */
  manner: 'patient' | 'impatient' | 'cancelled'
  /** Shares of the amount, in percent; `twice`: the whole, asked for twice in the same moment. */
  refunds: number[] | 'twice'
}

export type Wish = Moved | Bought

interface Market {
  method: Provider
  currency: string
  /** Of its phone numbers; the rest is seven digits. Absent: a card, or a bank account. */
  prefix?: string
  digits: 0 | 2
  /** Whole units only. */
  whole: boolean
  least: number
  most: number
  pays?: 'in' | 'out'
}

const markets: readonly Market[] = [
  { method: 'mpesa', currency: 'KES', prefix: '+25471', digits: 2, whole: true, least: 10, most: 3_000 },
  { method: 'mpesa', currency: 'KES', prefix: '+25479', digits: 2, whole: true, least: 10, most: 3_000 },
  { method: 'mtn', currency: 'UGX', prefix: '+25677', digits: 0, whole: true, least: 500, most: 60_000 },
  { method: 'mtn', currency: 'RWF', prefix: '+25078', digits: 0, whole: true, least: 100, most: 30_000 },
  { method: 'airtel', currency: 'UGX', prefix: '+25670', digits: 0, whole: true, least: 500, most: 60_000 },
  { method: 'airtel', currency: 'KES', prefix: '+25473', digits: 2, whole: true, least: 10, most: 3_000 },
  { method: 'airtel', currency: 'TZS', prefix: '+25568', digits: 2, whole: true, least: 500, most: 60_000 },
  { method: 'airtel', currency: 'RWF', prefix: '+25072', digits: 0, whole: true, least: 100, most: 30_000 },
  { method: 'paystack', currency: 'NGN', digits: 2, whole: false, least: 50, most: 9_000 },
  { method: 'paystack', currency: 'KES', digits: 2, whole: false, least: 10, most: 3_000, pays: 'in' },
  {
    method: 'paystack',
    currency: 'KES',
    prefix: '+25472',
    digits: 2,
    whole: false,
    least: 10,
    most: 3_000,
    pays: 'out',
  },
  { method: 'paystack', currency: 'ZAR', digits: 2, whole: false, least: 5, most: 500, pays: 'in' },
  { method: 'paystack', currency: 'USD', digits: 2, whole: false, least: 1, most: 60, pays: 'in' },
]

/** What each person brings in first. */
export const fundings: readonly (Way & { amount: string })[] = [
  { method: 'mpesa', currency: 'KES', phone: '+254712345678', amount: '200000' },
  { method: 'mtn', currency: 'UGX', phone: '+256772345678', amount: '5000000' },
  { method: 'mtn', currency: 'RWF', phone: '+250782345678', amount: '2000000' },
  { method: 'airtel', currency: 'TZS', phone: '+255682345678', amount: '5000000' },
  { method: 'paystack', currency: 'NGN', amount: '1000000' },
]

const special = [
  ...['019', '029', '039', '049', '059', '069', '079', '089', '129', '139', '149', '159', '169', '999'],
] as const
const cards: readonly CardDecision[] = [
  ...([
    'paid',
    'paid',
    'paid',
    'paid',
    'paid',
    'paid',
    'declined',
    'insufficient_funds',
    'wrong_pin',
  ] as const),
  ...(['limit_reached', 'cancelled', 'silent', 'twice', 'late', 'forged', 'abandoned'] as const),
]

export interface Planning {
  seed: number
  /** About so many orders to providers come of it. */
  operations: number
  people: number
  /** Of payments. */
  mode: 'both' | 'test'
  /** Over how long they are spread. */
  ms: number
}

export function planOf({ seed, operations, people, mode, ms }: Planning): Wish[] {
  const chance = openChance(seed)
  const count = (share: number) => Math.ceil(operations * share)
  const wishes: Wish[] = [
    ...Array.from({ length: count(0.36) }, () => moved(chance, 'deposit', { people, ms })),
    ...Array.from({ length: count(0.27) }, () => moved(chance, 'withdrawal', { people, ms })),
    ...Array.from({ length: count(0.28) }, () => bought(chance, { mode, ms })),
  ]
  return wishes.sort((one, other) => one.at - other.at)
}

const pick = <T>(chance: Chance, list: readonly T[]): T => {
  const found = list[chance.below(list.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}

function moved(chance: Chance, kind: Moved['kind'], { people, ms }: { people: number; ms: number }): Moved {
  const way = kind === 'deposit' ? 'in' : 'out'
  const market = pick(
    chance,
    markets.filter(({ pays = way }) => pays === way),
  )
  return {
    kind,
    at: chance.below(ms),
    who: chance.below(people),
    amount: amountIn(chance, market),
    ...wayOf(chance, market, way),
  }
}

function bought(chance: Chance, { mode, ms }: Pick<Planning, 'mode' | 'ms'>): Bought {
  const market = pick(
    chance,
    markets.filter(({ pays = 'in' }) => pays === 'in'),
  )
  const { currency } = market
  const others = markets.filter((other) => other.currency === currency && (other.pays ?? 'in') === 'in')
  const manner = pick(chance, ['patient', 'patient', 'patient', 'impatient', 'cancelled'] as const)
  const more = manner === 'cancelled' ? 0 : chance.below(manner === 'impatient' ? 2 : 3)
  const tries = [
    market,
    ...Array.from({ length: manner === 'impatient' ? more + 1 : more }, () => pick(chance, others)),
  ]
  return {
    kind: 'payment',
    at: chance.below(ms),
    mode: chance.happens(0.5) && mode === 'both' ? 'live' : 'test',
    currency,
    // Any of its ways can take it.
    amount: amountIn(chance, { ...market, whole: tries.some(({ whole }) => whole) }),
    tries: tries.map((way) => wayOf(chance, way, 'in')),
    manner,
    refunds: pick(chance, [
      [],
      [100],
      [100],
      [40],
      [30, 30],
      [50, 50],
      'twice',
    ] as const) as Bought['refunds'],
  }
}

function amountIn(chance: Chance, { least, most, whole, digits }: Market): string {
  const units = least + chance.below(most - least)
  if (whole || digits === 0) return String(units)
  return `${units}.${String(chance.below(100)).padStart(2, '0')}`
}

function wayOf(chance: Chance, { method, currency, prefix }: Market, way: 'in' | 'out'): Way {
  if (prefix !== undefined)
    return { method, currency, phone: `${prefix}${chance.text('0123456789', 4)}${ending(chance)}` }
  if (way === 'in') return { method, currency, card: pick(chance, cards) }
  return { method, currency, account: `058-${chance.text('0123456789', 7)}${ending(chance)}` }
}

/** The three digits that decide. */
function ending(chance: Chance): string {
  if (chance.happens(0.5)) return pick(chance, special)
  const plain = chance.text('0123456789', 3)
  return special.some((digits) => digits === plain) ? '567' : plain
}

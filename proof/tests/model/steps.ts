// What a step of a sequence is: a wish, which the model and the service hear, and whose two answers must be one. After it
// the wallets, shops and pots that it touched are compared, and every few steps all of them, with the ledger behind them.
import fc from 'fast-check'
import type { CheckoutPayment } from '../../rig/checkout.ts'
import type { Heard, Request } from '../../rig/client.ts'
import type { Person } from '../../rig/world.ts'
import { bookProblems } from './books.ts'
import { type Currency, type Model, marketOf, type Word } from './model.ts'
import { all, expected, type Ground, patiently, seen, type Team, type Touched } from './team.ts'

/** The service's side of a sequence. Lists are in the order of those of the model. */
export interface Real {
  ground: Ground
  team: Team
  checkouts: CheckoutPayment[]
  wantedIds: string[]
  /** What was done with a key, and its answer. */
  kept: { request: Request; heard: Heard }[]
  steps: number
  tally: Tally
}

export interface Tally {
  sequences: number
  commands: number
  refused: number
  longest: number
  compared: number
  books: number
}

export interface Step<Wish> {
  name: string
  wish: fc.Arbitrary<Wish>
  /** Is there anything to do it with? */
  ready?: (model: Model) => boolean
  run: (model: Model, real: Real, wish: Wish) => Promise<Touched>
}

export type Command = fc.AsyncCommand<Model, Real>

const booksEvery = 5
const allEvery = 10

export function commandOf<Wish>({ name, wish: wishes, ready, run }: Step<Wish>): fc.Arbitrary<Command> {
  return wishes.map((wish) => ({
    check: (model) => ready?.(model) ?? true,
    toString: () => `${name} ${JSON.stringify(wish)}`,
    run: async (model, real) => {
      const touched = await run(model, real, wish)
      model.repeatable = real.kept.length
      real.steps += 1
      real.tally.commands += 1
      await compare(model, real, real.steps % allEvery === 0 ? all : touched)
      if (real.steps % booksEvery === 0) await checkBooks(real)
    },
  }))
}

const nothing = '0 held 0'

export async function compare(model: Model, real: Real, touched: Touched): Promise<void> {
  const [said, meant] = [await seen(real.ground, real.team, touched), expected(model, touched)]
  real.tally.compared += meant.size
  const places = new Set([...said.keys(), ...meant.keys()])
  const wrong = [...places].filter((place) => (said.get(place) ?? nothing) !== (meant.get(place) ?? nothing))
  if (wrong.length === 0) return
  const told = wrong.map(
    (place) =>
      `${place}: the model has ${meant.get(place) ?? nothing}, the service ${said.get(place) ?? nothing}`,
  )
  throw new Error(`other balances: ${told.join('; ')}`)
}

export async function checkBooks({ ground, team, tally }: Real): Promise<void> {
  tally.books += 1
  const problems = await bookProblems(ground, team)
  if (problems.length > 0) throw new Error(`the ledger is broken: ${problems.slice(0, 3).join('; ')}`)
}

/** Asks, and holds the answer against the word of the model. */
export async function play(real: Real, request: Request, word: Word): Promise<Heard> {
  const heard = await patiently(() => real.ground.client.act(request))
  if (wordOf(heard) !== word)
    throw new Error(
      `${request.act} ${JSON.stringify(request.body ?? {})}: the model says ${word}, the service ${heard.status} ${heard.text}`,
    )
  if (word !== 'done') real.tally.refused += 1
  else if (request.key !== undefined) real.kept.push({ request, heard })
  return heard
}

const wordOf = ({ outcome, json, status, error }: Heard): Word =>
  outcome === 'done' ? 'done' : (json?.code ?? `${status} ${error ?? ''}`)

/** What an answer says must be what the model has counted. */
export function told(heard: Heard, field: string, minor: bigint, currency: Currency): void {
  const said = new RegExp(`"${field}":([-0-9.]+)`).exec(heard.text)?.[1]
  if (said !== decimal(minor, currency))
    throw new Error(`${field} is ${decimal(minor, currency)} in the model: ${heard.text}`)
}

/** As the interface writes amounts. */
export function decimal(minor: bigint, currency: Currency): string {
  const { digits } = marketOf(currency)
  const text = String(minor).padStart(digits + 1, '0')
  if (digits === 0) return text
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return text.slice(0, -digits) + (fraction === '' ? '' : `.${fraction}`)
}

export const personOf = ({ team }: Real, who: number): Person => team.people[who] as Person

/** How much, in words that mean the same whatever somebody has: so a shorter sequence is the same one. */
export type Size =
  | { of: 'little'; by: number }
  | { of: 'share'; by: number }
  | { of: 'all' | 'more' | 'least' | 'less' | 'most' | 'above' }

export const anySize: fc.Arbitrary<Size> = fc.oneof(
  { withCrossShrink: true },
  { weight: 24, arbitrary: fc.record({ of: fc.constant('little' as const), by: fc.nat({ max: 999 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ of: fc.constant('share' as const), by: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ of: fc.constantFrom('all', 'more', 'least', 'less', 'most', 'above') }),
  },
)

/** Odd steps, so that fees have halves and remainders. */
const stepOf: Record<Currency, bigint> = { UGX: 17n, KES: 7n, RWF: 3n }

export function amountOf(size: Size, { currency, has }: { currency: Currency; has: bigint }): bigint {
  const { least, most } = marketOf(currency)
  const amounts: Record<Size['of'], () => bigint> = {
    little: () => least + BigInt('by' in size ? size.by : 0) * stepOf[currency],
    share: () => (has * BigInt('by' in size ? size.by : 0)) / 100n,
    all: () => has,
    more: () => has + 1n,
    least: () => least,
    less: () => least - 1n,
    most: () => most,
    above: () => most + 1n,
  }
  const amount = amounts[size.of]()
  return amount < 1n ? 1n : amount
}

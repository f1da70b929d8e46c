// What the ledger should do, as a pure model in bigint: no database, no batches, no chance. It knows few accounts, in
// two currencies and two modes, holds and keys. model.test.ts holds the ledger against it.
import fc from 'fast-check'
import type { AccountName, Posting } from '../src/ledger/ledger.ts'

export const people = 3
export const books = [
  { currency: 'UGX', mode: 'live' },
  { currency: 'KES', mode: 'live' },
  { currency: 'UGX', mode: 'test' },
] as const

/** Numbers stand for people, books, holds (in the order they were opened, round and round) and keys. */
export type Step = (
  | { do: 'fund'; who: number; amount: number; book: number }
  | { do: 'send'; who: number; to: number; amount: number; fee: number; book: number }
  | { do: 'hold'; who: number; amount: number; book: number }
  | { do: 'settle'; hold: number; to: number; amount: number; rest: 'keep' | 'release' }
  | { do: 'release'; hold: number }
) & { key: { number: number; print: number } | undefined }

export interface Model {
  accounts: Map<string, { balance: bigint; held: bigint }>
  /** The amounts of each account's entries, in order. */
  history: Map<string, bigint[]>
  holds: { who: number; book: number; remaining: bigint }[]
  keys: Map<number, number>
}

export const emptyModel = (): Model => ({
  accounts: new Map(),
  history: new Map(),
  holds: [],
  keys: new Map(),
})

export const copyOf = (model: Model): Model => ({
  accounts: new Map([...model.accounts].map(([name, account]) => [name, { ...account }])),
  history: new Map([...model.history].map(([name, amounts]) => [name, [...amounts]])),
  holds: model.holds.map((hold) => ({ ...hold })),
  keys: new Map(model.keys),
})

export interface Expected {
  word: string
  /** Of the people's accounts, in the order of the entries; accounts of the system are striped. */
  after: bigint[]
}

/** A step as entries: `user 0` is a person, `fees` and `clearing` are the system's. */
interface Meaning {
  book: number
  moves: { account: string; amount: bigint }[]
  opens: { who: number; amount: bigint } | undefined
}

const other = (who: number, to: number): number => (who + 1 + (to % (people - 1))) % people

/** Steps that speak of a hold mean one that is there. Undefined: there is none. */
const holdAt = (model: Model, number: number): number | undefined =>
  model.holds.length === 0 || number < 0 ? undefined : number % model.holds.length

/** The step with the very hold it means now, whichever holds are opened before its turn comes. */
export const settled = (model: Model, step: Step): Step =>
  'hold' in step ? { ...step, hold: holdAt(model, step.hold) ?? -1 } : step

function meaningOf(model: Model, step: Step): Meaning {
  switch (step.do) {
    case 'fund': {
      const amount = BigInt(step.amount)
      const moves = [
        { account: 'clearing', amount: -amount },
        { account: `user ${step.who}`, amount },
      ]
      return { book: step.book, moves, opens: undefined }
    }
    case 'send': {
      const [amount, fee] = [BigInt(step.amount), BigInt(step.fee % step.amount)]
      const moves = [
        { account: `user ${step.who}`, amount: -amount },
        { account: `user ${other(step.who, step.to)}`, amount: amount - fee },
        ...(fee > 0n ? [{ account: 'fees', amount: fee }] : []),
      ]
      return { book: step.book, moves, opens: undefined }
    }
    case 'hold':
      return { book: step.book, moves: [], opens: { who: step.who, amount: BigInt(step.amount) } }
    case 'settle': {
      const { who, book } = model.holds[holdAt(model, step.hold) ?? -1] ?? { who: 0, book: 0 }
      const amount = BigInt(step.amount)
      const moves = [
        { account: `user ${who}`, amount: -amount },
        { account: `user ${other(who, step.to)}`, amount },
      ]
      return { book, moves, opens: undefined }
    }
    case 'release':
      return { book: 0, moves: [], opens: undefined }
  }
}

/** What must become of a step. The model moves on when it succeeds. */
export function expect(model: Model, step: Step): Expected {
  const refused = (word: string): Expected => ({ word, after: [] })
  const known = step.key === undefined ? undefined : model.keys.get(step.key.number)
  if (known !== undefined) return refused(known === step.key?.print ? 'replayed' : 'idempotency_conflict')
  const { book, moves, opens } = meaningOf(model, step)
  const accountOf = (name: string) => {
    const key = `${book} ${name}`
    const account = model.accounts.get(key) ?? { balance: 0n, held: 0n }
    model.accounts.set(key, account)
    return account
  }
  if (step.do === 'settle' || step.do === 'release') {
    const hold = model.holds[holdAt(model, step.hold) ?? -1]
    const take = step.do === 'settle' ? BigInt(step.amount) : 0n
    if (hold === undefined || hold.remaining === 0n) return refused('hold_not_open')
    if (take > hold.remaining) return refused('hold_exceeded')
    const freed = step.do === 'settle' && step.rest === 'keep' ? take : hold.remaining
    hold.remaining -= freed
    const holder = model.accounts.get(`${hold.book} user ${hold.who}`)
    if (holder !== undefined) holder.held -= freed
  } else if (step.do !== 'fund') {
    const { balance, held } = accountOf(`user ${step.who}`)
    if (balance - held < BigInt(step.amount)) return refused('insufficient_funds')
  }
  if (opens !== undefined) {
    accountOf(`user ${opens.who}`).held += opens.amount
    model.holds.push({ who: opens.who, book, remaining: opens.amount })
  }
  const after: bigint[] = []
  for (const { account, amount } of moves) {
    const state = accountOf(account)
    state.balance += amount
    if (account.startsWith('user')) after.push(state.balance)
    const key = `${book} ${account}`
    model.history.set(key, [...(model.history.get(key) ?? []), amount])
  }
  if (step.key !== undefined) model.keys.set(step.key.number, step.key.print)
  return { word: 'ok', after }
}

export interface Stage {
  /** Each run has people, and a system, of its own. */
  suffix: string
  /** The real ids of the model's holds. */
  holds: bigint[]
}

export function postingFor(
  model: Model,
  { step, stage }: { step: Step; stage: Stage },
): Omit<Posting, 'once'> {
  const { book, moves, opens } = meaningOf(model, step)
  const { currency, mode } = books[book] ?? books[0]
  const base = {
    kind: step.do,
    currency,
    mode,
    details: { step },
    entries: moves.map(({ account, amount }) => {
      const { kind, owner } = nameOf({ account, book, stage })
      return { kind, owner, amount }
    }),
  }
  if (opens !== undefined) {
    const { kind, owner } = nameOf({ account: `user ${opens.who}`, book, stage })
    return { ...base, hold: { kind, owner, amount: opens.amount } }
  }
  if (step.do !== 'settle' && step.do !== 'release') return base
  const hold = stage.holds[holdAt(model, step.hold) ?? -1] ?? 0n
  const take = step.do === 'settle' ? BigInt(step.amount) : 0n
  return { ...base, settle: { hold, amount: take, rest: step.do === 'settle' ? step.rest : 'release' } }
}

export function nameOf(of: { account: string; book: number; stage: Stage }): AccountName {
  const scope = books[of.book] ?? books[0]
  const kind = of.account.startsWith('user') ? 'user' : of.account === 'fees' ? 'fees' : 'clearing'
  return { ...scope, kind, owner: `${of.account}${of.stage.suffix}` }
}

export const accountNames: readonly string[] = [
  ...Array.from({ length: people }, (_, who) => `user ${who}`),
  'fees',
  'clearing',
]

const who = fc.nat(people - 1)
const book = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat(books.length - 1) },
)
/** Small, so that balances and holds are often just enough, and often just not. */
const amount = fc.integer({ min: 1, max: 40 })
const number = fc.nat(20)
const key = fc.option(fc.record({ number: fc.nat(3), print: fc.nat(1) }), { nil: undefined, freq: 4 })

export const steps = {
  fund: fc.record({ do: fc.constant('fund' as const), who, amount, book, key }),
  send: fc.record({ do: fc.constant('send' as const), who, to: number, amount, fee: fc.nat(3), book, key }),
  hold: fc.record({ do: fc.constant('hold' as const), who, amount, book, key }),
  settle: fc.record({
    do: fc.constant('settle' as const),
    hold: number,
    to: number,
    amount,
    rest: fc.constantFrom('keep' as const, 'release' as const),
    key,
  }),
  release: fc.record({ do: fc.constant('release' as const), hold: number, key }),
} satisfies Record<Step['do'], fc.Arbitrary<Step>>

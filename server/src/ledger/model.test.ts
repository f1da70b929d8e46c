// The ledger against a pure model (test/ledger-model.ts): whatever is asked of it, in whatever way, it answers as the
// model does, and holds what the model holds. Steps that are asked together end as if they had come one by one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import {
  accountNames,
  books,
  copyOf,
  type Expected,
  emptyModel,
  expect,
  type Model,
  nameOf,
  postingFor,
  type Stage,
  type Step,
  settled,
  steps,
} from '../../test/ledger-model.ts'
import { seed } from '../../test/ledger-orders.ts'
import { shortOrLong } from '../../test/thorough.ts'
import { openDb } from '../db/db.ts'
import { type Outcome, openLedger, type Posting } from './ledger.ts'

const { url } = await testDatabase()
const clock = testClock()
const open = () => openLedger({ url, clock })
const db = openDb({ url, connectionsMax: 4, name: 'ledger tests' })
/** Two ledgers know nothing of each other, like two processes. */
let first = open()
const second = open()
after(() => Promise.all([first.close(), second.close(), db.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

const runs = Number(process.env.LEDGER_MODEL_RUNS ?? shortOrLong(25, 300))
/** On a busy machine there are fewer runs; each counts by itself. */
const limitMs = Math.max(45_000, 400 * runs)
const runsMin = 20

type Way = 'first' | 'second' | 'joined' | 'undone'
const anyWay = fc.constantFrom<Way[]>('first', 'first', 'second', 'joined', 'undone')

interface Real extends Stage {
  bodies: Map<number, string>
}

let stages = 0
const newStage = (): Real => {
  stages += 1
  return { suffix: ` ${stages}`, holds: [], bodies: new Map() }
}

function realPosting(model: Model, { step, stage }: { step: Step; stage: Real }): Posting {
  const posting = postingFor(model, { step, stage })
  if (step.key === undefined) return posting
  const uuid = (number: number) =>
    `${stages.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString().padStart(12, '0')}`
  const key = { id: uuid(step.key.number), fingerprint: uuid(step.key.print) }
  return { ...posting, once: { key, answer: () => ({ status: 201, body: randomUUID() }) } }
}

const undo = new Error('undone')

async function ask(way: Way, posting: Posting): Promise<Outcome> {
  if (way === 'first' || way === 'second') return (way === 'first' ? first : second).submit(posting)
  let outcome: Outcome | undefined
  const work = db.inTransaction(async (tx) => {
    outcome = (await first.post(tx, [posting]))[0]
    if (way === 'undone') throw undo
  })
  await work.catch((error: unknown) => {
    if (error !== undo) throw error
  })
  assert.ok(outcome)
  return outcome
}

function toldOf(outcome: Outcome, posting: Posting): Expected {
  if (!outcome.ok) return { word: outcome.refusal, after: [] }
  if (outcome.replayed) return { word: 'replayed', after: [] }
  const people = outcome.posted.entries.filter((_, at) => posting.entries[at]?.kind === 'user')
  return { word: 'ok', after: people.map(({ balanceAfter }) => balanceAfter) }
}

/** A replayed answer is the one that was made the first time. */
function keepBody(stage: Real, { step, outcome }: { step: Step; outcome: Outcome }): void {
  if (step.key === undefined || !outcome.ok) return
  const { number } = step.key
  const body = outcome.answer?.body
  assert.equal(typeof body, 'string')
  if (outcome.replayed) assert.equal(body, stage.bodies.get(number))
  else stage.bodies.set(number, body ?? '')
}

async function holdings(stage: Stage): Promise<string[]> {
  const named = books.flatMap((_, book) => accountNames.map((account) => ({ book, account })))
  const found = await first.balances(
    db,
    named.map(({ book, account }) => nameOf({ account, book, stage })),
  )
  return found.map(
    ({ balance, held }, at) => `${named[at]?.book} ${named[at]?.account}: ${balance} held ${held}`,
  )
}

const holdingsOf = (model: Model): string[] =>
  books.flatMap((_, book) =>
    accountNames.map((account) => {
      const { balance, held } = model.accounts.get(`${book} ${account}`) ?? { balance: 0n, held: 0n }
      return `${book} ${account}: ${balance} held ${held}`
    }),
  )

async function checkHistory(model: Model, stage: Stage): Promise<void> {
  for (const [name, amounts] of model.history) {
    const [book = '0', ...words] = name.split(' ')
    if (words[0] !== 'user') continue
    const account = nameOf({ account: words.join(' '), book: Number(book), stage })
    const lines = await first.statement(db, { account, limit: 1_000 })
    assert.deepEqual(
      lines.map((line) => line.amount),
      amounts.toReversed(),
      name,
    )
  }
}

type Asked = fc.AsyncCommand<Model, Real>

const commandOf = ({ step, way }: { step: Step; way: Way }): Asked => ({
  check: () => true,
  toString: () => `${way}: ${JSON.stringify(step)}`,
  run: async (model, real) => {
    const posting = realPosting(model, { step, stage: real })
    const expected = expect(way === 'undone' ? copyOf(model) : model, step)
    const outcome = await ask(way, posting)
    assert.deepEqual(toldOf(outcome, posting), expected)
    if (way !== 'undone') {
      keepBody(real, { step, outcome })
      if (outcome.ok && !outcome.replayed && outcome.posted.hold !== undefined)
        real.holds.push(outcome.posted.hold)
    }
    assert.deepEqual(await holdings(real), holdingsOf(model))
  },
})

const reopen: Asked = {
  check: () => true,
  toString: () => 'reopen',
  run: async () => {
    await first.close()
    first = open()
  },
}

/** Enough to begin with, so that more than refusals happen. */
const given = async (model: Model, stage: Real): Promise<void> => {
  for (const who of [0, 1]) {
    const step: Step = { do: 'fund', who, amount: 60, book: 0, key: undefined }
    await first.submit(realPosting(model, { step, stage }))
    expect(model, step)
  }
}

describe('the ledger does as the model', () => {
  test(`one step after another, ${runs} times`, async (t) => {
    const commands = fc.commands(
      [
        ...Object.values(steps).map((step) =>
          fc.record({ step: step as fc.Arbitrary<Step>, way: anyWay }).map(commandOf),
        ),
        fc.record({ step: steps.send, way: anyWay }).map(commandOf),
        fc.constant(reopen),
      ],
      { maxCommands: 40, size: 'max' },
    )
    await holds(t, commands, async (asked) => {
      const [model, real] = [emptyModel(), newStage()]
      await given(model, real)
      await fc.asyncModelRun(() => ({ model, real }), asked)
      await checkHistory(model, real)
    })
  })

  test(`several steps at once, ${runs} times: as if one by one, in some order`, async (t) => {
    const anyStep = fc.oneof(
      ...Object.values(steps),
      steps.send,
      steps.hold,
      steps.settle,
    ) as fc.Arbitrary<Step>
    const together = fc.array(fc.record({ step: anyStep, way: anyWay }), {
      minLength: 2,
      maxLength: 7,
      size: 'max',
    })
    await holds(t, fc.array(together, { maxLength: 8, size: 'max' }), async (rounds) => {
      let model = emptyModel()
      const stage = newStage()
      await given(model, stage)
      for (const round of rounds) model = await playTogether(model, { round, stage })
    })
  })
})

async function holds<T>(t: TestContext, values: fc.Arbitrary<T>, run: (value: T) => Promise<void>) {
  const end = performance.now() + limitMs
  let done = 0
  const property = fc.asyncProperty(values, async (value) => {
    if (performance.now() > end) return
    await run(value)
    done += 1
  })
  await fc.assert(property, { seed, numRuns: runs })
  t.diagnostic(`seed ${seed}, ${done} runs`)
  assert.ok(done >= Math.min(runs, runsMin), `there was time for ${done} runs only`)
}

interface Played {
  step: Step
  way: Way
  told: Expected
}

async function playTogether(
  model: Model,
  { round, stage }: { round: { step: Step; way: Way }[]; stage: Real },
): Promise<Model> {
  const before = copyOf(model)
  const asked = round.map(({ step, way }) => {
    const meant = settled(before, step)
    return { step: meant, way, posting: realPosting(before, { step: meant, stage }) }
  })
  const outcomes = await Promise.all(asked.map(({ way, posting }) => ask(way, posting)))
  const played = asked.map(({ step, way, posting }, at) => ({
    step,
    way,
    told: toldOf(outcomes[at] as Outcome, posting),
  }))
  const found = serialOrder(before, { played, holdings: (await holdings(stage)).join('\n') })
  assert.ok(found, `no order of these explains what became of them: ${JSON.stringify(played, jsonText, 1)}`)
  // Answers that were made now come before those that were replayed.
  const kept = asked
    .map((each, at) => ({ ...each, outcome: outcomes[at] as Outcome }))
    .filter(({ way }) => way !== 'undone')
  for (const replayed of [false, true]) {
    for (const { step, outcome } of kept) {
      if (outcome.ok && outcome.replayed === replayed) keepBody(stage, { step, outcome })
    }
  }
  // The model numbers holds in the order it opened them.
  for (const at of found.order) {
    const [outcome, one] = [outcomes[at], played[at]]
    if (one?.way === 'undone' || !outcome?.ok || outcome.replayed) continue
    if (outcome.posted.hold !== undefined) stage.holds.push(outcome.posted.hold)
  }
  return found.model
}

/** A key that is being worked on for something else is a conflict, whatever becomes of that. */
const hasRival = (played: readonly Played[], { key }: Step): boolean =>
  key !== undefined &&
  played.some(({ step }) => step.key?.number === key.number && step.key.print !== key.print)

const jsonText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

interface Search {
  played: readonly Played[]
  holdings: string
}

/** Tries every order, and leaves one as soon as a step would have been told otherwise. */
function serialOrder(
  model: Model,
  { played, holdings }: Search,
  order: number[] = [],
): { model: Model; order: number[] } | undefined {
  if (order.length === played.length)
    return holdingsOf(model).join('\n') === holdings ? { model, order } : undefined
  for (const [at, { step, way, told }] of played.entries()) {
    if (order.includes(at)) continue
    const next = copyOf(model)
    const { word, after } = expect(next, step)
    const like = word === told.word && after.join() === told.after.join()
    if (!like && !(told.word === 'idempotency_conflict' && hasRival(played, step))) continue
    const found = serialOrder(way === 'undone' || !like ? model : next, { played, holdings }, [...order, at])
    if (found !== undefined) return found
  }
  return undefined
}

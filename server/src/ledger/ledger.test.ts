// What the ledger promises to whoever calls its door. The tables are run twice: batched (`submit`), and joined to a
// transaction of the caller (`post`). A line is: what is asked | the outcome | balances afterwards, and what of them is
// held. `amina/KES/test` is amina's test account in KES; without more, UGX and live.
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { reconcile, testClock, testDatabase } from '../../test/helpers.ts'
import { checkLedger } from '../../test/ledger-checker.ts'
import { fund, holdOf, send, userName } from '../../test/ledger-orders.ts'
import type { Currency } from '../base/money.ts'
import { openDb, type Tx } from '../db/db.ts'
import { type AccountName, type Mode, type Outcome, openLedger, type Posting } from './ledger.ts'

const { url } = await testDatabase()
const clock = testClock()
const [ledger, second] = [openLedger({ url, clock }), openLedger({ url, clock })]
const db = openDb({ url, connectionsMax: 4, name: 'ledger tests' })
after(() => Promise.all([ledger.close(), second.close(), db.close()]))
afterEach(async () => {
  await checkLedger(url)
  await reconcile({ url })
})

type Way = (posting: Posting) => Promise<Outcome>
const ways: Record<string, Way> = {
  submit: ledger.submit,
  post: async (posting) => {
    const [outcome] = await db.inTransaction((tx) => ledger.post(tx, [posting]))
    assert.ok(outcome)
    return outcome
  },
  'submit and post by turns, from two ledgers': (() => {
    let turn = 0
    return (posting) => {
      turn += 1
      if (turn % 3 === 0) return second.submit(posting)
      return turn % 3 === 1 ? ledger.submit(posting) : (ways.post as Way)(posting)
    }
  })(),
}

let scenes = 0
function scene(name: string, table: string): void {
  for (const [wayName, way] of Object.entries(ways)) {
    test(`${name} (${wayName})`, async () => {
      scenes += 1
      const play = { way, suffix: `-${scenes}`, holds: new Map<string, bigint>() }
      for (const line of table.trim().split('\n')) await playLine(play, line.trim())
    })
  }
}

interface Play {
  way: Way
  /** Every scene has people of its own. */
  suffix: string
  holds: Map<string, bigint>
}

async function playLine(play: Play, line: string): Promise<void> {
  const [asked = '', expected = '', balances = ''] = line.split('|').map((part) => part.trim())
  const [command = '', ...words] = asked.split(/\s+/)
  const outcome = await play.way(postingOf(play, { command, words }))
  assert.equal(outcome.ok ? 'ok' : outcome.refusal, expected, line)
  if (outcome.ok && !outcome.replayed && outcome.posted.hold !== undefined)
    play.holds.set(words.at(-1) ?? '', outcome.posted.hold)
  const wanted = balances.split(/\s*,\s*/).map((text) => text.split(/\s+/))
  const names = wanted.map(([name = '']) => accountOf(play, name))
  const found = await ledger.balances(db, names)
  const texts = found.map(
    ({ balance, held }, at) => `${wanted[at]?.[0]} ${balance}${held > 0n ? ` held ${held}` : ''}`,
  )
  assert.equal(texts.join(', '), balances, line)
}

function accountOf({ suffix }: Play, text: string): AccountName {
  const [owner, currency = 'UGX', mode = 'live'] = text.split('/')
  return { kind: 'user', owner: `${owner}${suffix}`, currency: currency as Currency, mode: mode as Mode }
}

/** fund amina 100 · send amina juma 40 · share amina juma 40 fee 2 · hold amina 60 h · settle h 25 keep amina juma */
function postingOf(play: Play, { command, words }: { command: string; words: string[] }): Posting {
  const [one = '', two = '', three = '', four = '', five = ''] = words
  const base = (name: string) => {
    const { currency, mode } = accountOf(play, name)
    return { kind: command, currency, mode, details: { asked: words.join(' ') } }
  }
  const entry = (name: string, amount: bigint) => ({
    kind: 'user' as const,
    owner: accountOf(play, name).owner,
    amount,
  })
  const clearing = (amount: bigint) => ({ kind: 'clearing' as const, owner: `mpesa${play.suffix}`, amount })
  const hold = play.holds.get(one) ?? 0n
  switch (command) {
    case 'fund':
      return { ...base(one), entries: [clearing(-BigInt(two)), entry(one, BigInt(two))] }
    case 'send':
      return { ...base(one), entries: [entry(one, -BigInt(three)), entry(two, BigInt(three))] }
    case 'share': {
      const [amount, fee] = [BigInt(three), BigInt(five)]
      const fees = { kind: 'fees' as const, owner: '-', amount: fee }
      return { ...base(one), entries: [entry(one, -amount), entry(two, amount - fee), fees] }
    }
    case 'hold':
      return { ...base(one), entries: [], hold: entry(one, BigInt(two)) }
    case 'fund_and_hold':
      return {
        ...base(one),
        entries: [clearing(-BigInt(two)), entry(one, BigInt(two))],
        hold: entry(one, BigInt(two)),
      }
    case 'send_and_hold':
      return {
        ...base(one),
        entries: [entry(one, -BigInt(three)), entry(two, BigInt(three))],
        hold: entry(one, BigInt(four)),
      }
    case 'settle': {
      const rest = three === 'keep' ? 'keep' : 'release'
      const entries = [entry(four, -BigInt(two)), entry(five, BigInt(two))]
      return { ...base(four), entries, settle: { hold, amount: BigInt(two), rest } }
    }
    case 'release':
      return { ...base('-'), entries: [], settle: { hold, amount: 0n, rest: 'release' } }
    default:
      return assert.fail(`unknown: ${command}`)
  }
}

describe('moving money', () => {
  scene(
    'money moves, and what is not there can not',
    `fund  amina 100                  | ok                 | amina 100, juma 0
     send  amina juma 30              | ok                 | amina 70, juma 30
     send  amina juma 71              | insufficient_funds | amina 70, juma 30
     send  juma amina 31              | insufficient_funds | amina 70, juma 30
     send  amina juma 70              | ok                 | amina 0, juma 100
     send  amina juma 1               | insufficient_funds | amina 0, juma 100
     send  nobody juma 1              | insufficient_funds | nobody 0, juma 100
     share juma amina 100 fee 2       | ok                 | juma 0, amina 98
     share juma amina 100 fee 2       | insufficient_funds | juma 0, amina 98`,
  )
  scene(
    'currencies, and live and test, are apart',
    `fund amina 100                   | ok                 | amina 100, amina/KES 0, amina/UGX/test 0
     fund amina/KES 50                | ok                 | amina 100, amina/KES 50, amina/KES/test 0
     fund amina/UGX/test 7            | ok                 | amina 100, amina/KES 50, amina/UGX/test 7
     send amina/KES juma/KES 51       | insufficient_funds | amina 100, amina/KES 50, juma/KES 0
     send amina/KES juma/KES 50       | ok                 | amina 100, amina/KES 0, juma/KES 50, juma 0
     send amina/UGX/test juma/UGX/test 8 | insufficient_funds | amina/UGX/test 7, juma/UGX/test 0
     send amina/UGX/test juma/UGX/test 7 | ok              | amina/UGX/test 0, juma/UGX/test 7, juma 0`,
  )
  scene(
    'amounts are exact up to the largest that are stored',
    `fund amina 9007199254740993      | ok                 | amina 9007199254740993
     send amina juma 9007199254740992 | ok                 | amina 1, juma 9007199254740992
     fund juma 9214364837600034815    | ok                 | juma 9223372036854775807
     send juma amina 9223372036854775806 | ok              | juma 1, amina 9223372036854775807
     send amina juma 9223372036854775806 | ok              | juma 9223372036854775807, amina 1`,
  )
})

describe('holds', () => {
  scene(
    'what is held stays in the account and can not be spent',
    `fund    amina 100                | ok                 | amina 100
     hold    amina 60 h               | ok                 | amina 100 held 60
     send    amina juma 41            | insufficient_funds | amina 100 held 60, juma 0
     hold    amina 41 x               | insufficient_funds | amina 100 held 60
     send    amina juma 40            | ok                 | amina 60 held 60, juma 40
     send    amina juma 1             | insufficient_funds | amina 60 held 60, juma 40
     hold    amina 1 x                | insufficient_funds | amina 60 held 60
     fund    amina 5                  | ok                 | amina 65 held 60
     send    amina juma 5             | ok                 | amina 60 held 60, juma 45
     release h                        | ok                 | amina 60
     send    amina juma 60            | ok                 | amina 0, juma 105`,
  )
  scene(
    'a hold is settled in part, and the rest is kept',
    `fund    amina 100                | ok                 | amina 100
     hold    amina 60 h               | ok                 | amina 100 held 60
     settle  h 25 keep amina juma     | ok                 | amina 75 held 35, juma 25
     settle  h 36 keep amina juma     | hold_exceeded      | amina 75 held 35, juma 25
     send    amina juma 41            | insufficient_funds | amina 75 held 35, juma 25
     settle  h 35 keep amina juma     | ok                 | amina 40, juma 60
     settle  h 1 keep amina juma      | hold_not_open      | amina 40, juma 60
     release h                        | hold_not_open      | amina 40, juma 60`,
  )
  scene(
    'a hold is settled in part, and the rest is free again',
    `fund    amina 60                 | ok                 | amina 60
     hold    amina 60 h               | ok                 | amina 60 held 60
     settle  h 61 release amina juma  | hold_exceeded      | amina 60 held 60, juma 0
     settle  h 25 release amina juma  | ok                 | amina 35, juma 25
     settle  h 25 release amina juma  | hold_not_open      | amina 35, juma 25
     send    amina juma 35            | ok                 | amina 0, juma 60`,
  )
  scene(
    'several holds on one account add up, and each is its own',
    `fund    amina 100                | ok                 | amina 100
     hold    amina 30 a               | ok                 | amina 100 held 30
     hold    amina 70 b               | ok                 | amina 100 held 100
     hold    amina 1 c                | insufficient_funds | amina 100 held 100
     settle  a 31 keep amina juma     | hold_exceeded      | amina 100 held 100
     release a                        | ok                 | amina 100 held 70
     hold    amina 20 c               | ok                 | amina 100 held 90
     settle  b 70 release amina juma  | ok                 | amina 30 held 20, juma 70
     release a                        | hold_not_open      | amina 30 held 20
     release nothing                  | hold_not_open      | amina 30 held 20
     settle  c 20 release amina juma  | ok                 | amina 10, juma 90`,
  )
  scene(
    'one posting may move and hold',
    `fund_and_hold amina 50 a         | ok                 | amina 50 held 50
     send    amina juma 1             | insufficient_funds | amina 50 held 50
     fund    amina 50                 | ok                 | amina 100 held 50
     send_and_hold amina juma 20 31 b | insufficient_funds | amina 100 held 50, juma 0
     send_and_hold amina juma 20 30 b | ok                 | amina 80 held 80, juma 20
     release a                        | ok                 | amina 80 held 30
     release b                        | ok                 | amina 80`,
  )
})

const only = async (tx: Tx, posting: Posting): Promise<string> => {
  const [outcome] = await ledger.post(tx, [posting])
  return outcome?.ok ? 'ok' : (outcome?.refusal ?? 'no outcome')
}
const balanceOf = async (owner: string) => (await ledger.balances(db, [userName(owner)]))[0]?.balance

describe('the answer', () => {
  test('has the balances after, in the order of the entries, the time, and the hold', async () => {
    await ledger.submit(fund('anna', 100n))
    const entries = [
      { kind: 'user', owner: 'ben', amount: 38n },
      { kind: 'user', owner: 'anna', amount: -40n },
      { kind: 'fees', owner: '-', amount: 2n },
    ] as const
    const outcome = await ledger.submit({
      ...send('anna', 'ben', 40n),
      entries,
      hold: { kind: 'user', owner: 'ben', amount: 8n },
    })
    assert.ok(outcome.ok && !outcome.replayed)
    const { posted } = outcome
    assert.deepEqual(posted.entries.map(({ amount, seq }) => [amount, seq]).slice(0, 2), [
      [38n, 1n],
      [-40n, 2n],
    ])
    assert.deepEqual(posted.entries.map(({ balanceAfter }) => balanceAfter).slice(0, 2), [38n, 60n])
    assert.equal(posted.createdAt.toISOString(), clock.now().toISOString())
    assert.equal(typeof posted.hold, 'bigint')
    assert.equal(outcome.answer, undefined)
    assert.deepEqual(await ledger.balances(db, [userName('ben')]), [
      { ...userName('ben'), balance: 38n, held: 8n },
    ])
  })

  test('balances come in the order they were asked for, and stripes are added up', async () => {
    const clearing: AccountName = { kind: 'clearing', owner: 'airtel', currency: 'UGX', mode: 'live' }
    const from = (owner: string) => ({
      ...fund(owner, 5n),
      entries: [
        { kind: 'clearing', owner: 'airtel', amount: -5n },
        { kind: 'user', owner, amount: 5n },
      ] as const,
    })
    for (let at = 0; at < 4; at++) {
      await Promise.all([ledger.submit(from('carol')), second.submit(from('dan'))])
      await db.inTransaction((tx) => only(tx, from('eve')))
    }
    const names = [userName('dan'), clearing, userName('unknown'), userName('carol'), userName('dan')]
    const found = await ledger.balances(db, names)
    assert.deepEqual(
      found,
      names.map((name, at) => ({ ...name, balance: [20n, -60n, 0n, 20n, 20n][at], held: 0n })),
    )
    assert.deepEqual(await ledger.balances(db, []), [])
  })

  test('accounts that two ledgers open at the same moment are opened once', async () => {
    const owners = Array.from({ length: 20 }, (_, at) => `new-${at}`)
    const outcomes = await Promise.all(
      [...owners, ...owners.toReversed()].flatMap((owner) => [
        ledger.submit(fund(owner, 1n)),
        second.submit(fund(owner, 1n)),
        db.inTransaction((tx) => ledger.post(tx, [fund(owner, 1n)])).then(([outcome]) => outcome),
      ]),
    )
    assert.ok(outcomes.every((outcome) => outcome?.ok))
    const found = await ledger.balances(db, owners.map(userName))
    assert.deepEqual(
      found.map(({ balance }) => balance),
      owners.map(() => 6n),
    )
  })
})

describe('a statement', () => {
  test('has the newest first, in pages that fit together while more is posted', async () => {
    await ledger.submit(fund('reader', 1_000n))
    for (let at = 1; at <= 24; at++)
      await ledger.submit({ ...send('reader', 'other', BigInt(at)), details: { at } })
    const account = userName('reader')
    const lines = await ledger.statement(db, { account, limit: 10 })
    for (let pages = 0; pages < 5 && lines.at(-1)?.seq !== 1n; pages++) {
      await ledger.submit(fund('reader', 1n))
      const before = lines.at(-1)?.seq ?? 0n
      lines.push(...(await ledger.statement(db, { account, before, limit: 10 })))
    }
    assert.deepEqual(
      lines.map(({ seq }) => seq),
      Array.from({ length: 25 }, (_, at) => BigInt(25 - at)),
    )
    const [newest] = lines
    assert.deepEqual(
      [newest?.amount, newest?.balanceAfter, newest?.kind, newest?.details, newest?.currency],
      [-24n, 700n, 'transfer', { at: 24 }, 'UGX'],
    )
    assert.equal(newest?.createdAt.toISOString(), clock.now().toISOString())
    assert.deepEqual(await ledger.statement(db, { account, before: 1n, limit: 10 }), [])
    assert.deepEqual(await ledger.statement(db, { account: userName('no-one'), limit: 10 }), [])
  })

  test('leaves out what was only held or released', async () => {
    await ledger.submit(fund('saver', 100n))
    const held = await ledger.submit(holdOf('saver', 30n))
    assert.ok(held.ok && !held.replayed)
    // It has an entry all the same, of nothing: what is held is in the chain too.
    assert.deepEqual(
      held.posted.entries.map(({ seq, amount, balanceAfter }) => [seq, amount, balanceAfter]),
      [[2n, 0n, 100n]],
    )
    await ledger.submit(send('saver', 'other', 10n))
    const { hold: _, ...released } = holdOf('saver', 1n)
    const settle = { hold: held.posted.hold ?? 0n, amount: 0n, rest: 'release' } as const
    assert.ok((await ledger.submit({ ...released, settle })).ok)
    await ledger.submit(send('saver', 'other', 5n))
    const account = userName('saver')
    const lines = [
      ...(await ledger.statement(db, { account, limit: 2 })),
      ...(await ledger.statement(db, { account, before: 3n, limit: 2 })),
    ]
    assert.deepEqual(
      lines.map(({ seq, amount, balanceAfter }) => [seq, amount, balanceAfter]),
      [
        [5n, -5n, 85n],
        [3n, -10n, 90n],
        [1n, 100n, 100n],
      ],
    )
  })

  test('keeps details as they were given', async () => {
    const details = {
      text: 'a "b" \\ {c} \u0000 \u2028 \ud83d\ude00 , \n',
      list: [1, null, { deep: true }],
      empty: {},
    }
    await ledger.submit({ ...fund('writer', 1n), details })
    await ledger.submit({ ...fund('writer', 1n), details: { lone: '\ud800' } })
    const lines = await ledger.statement(db, { account: userName('writer'), limit: 2 })
    assert.deepEqual(
      lines.map((line) => line.details),
      [{ lone: '\ud800' }, details],
    )
  })
})

describe('post joins the transaction of the caller', () => {
  const given = (owner: string, amount = 100n) => ledger.submit(fund(owner, amount))

  test('what is rolled back never was, nor the accounts it opened', async () => {
    await given('fay')
    const failing = db.inTransaction(async (tx) => {
      assert.equal(await only(tx, send('fay', 'opened-in-vain', 60n)), 'ok')
      assert.equal(await only(tx, holdOf('opened-in-vain', 10n)), 'ok')
      throw new Error('changed my mind')
    })
    await assert.rejects(failing, /changed my mind/)
    assert.equal(await balanceOf('fay'), 100n)
    const after = await Promise.all([
      ledger.submit(send('fay', 'opened-in-vain', 70n)),
      second.submit(fund('fay', 1n)),
    ])
    assert.ok(after.every(({ ok }) => ok))
    assert.deepEqual([await balanceOf('fay'), await balanceOf('opened-in-vain')], [31n, 70n])
  })

  test('a refusal is an outcome: the transaction goes on, and its other work commits', async () => {
    await given('gus')
    await db.rows('create table notes (note text)')
    const words = await db.inTransaction(async (tx) => {
      await tx.rows(`insert into notes values ('kept')`)
      const outcomes = await ledger.post(tx, [
        send('gus', 'hal', 60n),
        send('gus', 'hal', 60n),
        send('gus', 'hal', 40n),
      ])
      return [...outcomes.map((outcome) => outcome.ok), await only(tx, send('gus', 'hal', 1n))]
    })
    assert.deepEqual(words, [true, false, true, 'insufficient_funds'])
    assert.deepEqual([await balanceOf('hal'), (await db.rows('select note from notes')).length], [100n, 1])
  })

  test('several posts of one transaction see each other, nobody else does until the commit', async () => {
    await given('ivy')
    await db.inTransaction(async (tx) => {
      assert.equal(await only(tx, send('ivy', 'jon', 100n)), 'ok')
      assert.equal(await only(tx, send('ivy', 'jon', 1n)), 'insufficient_funds')
      assert.equal(await only(tx, send('jon', 'kim', 100n)), 'ok')
      assert.equal((await ledger.balances(tx, [userName('kim')]))[0]?.balance, 100n)
      assert.equal(await balanceOf('kim'), 0n)
    })
    assert.deepEqual([await balanceOf('ivy'), await balanceOf('jon'), await balanceOf('kim')], [0n, 0n, 100n])
  })

  for (const end of ['commits', 'rolls back'] as const) {
    test(`a submit on the same accounts waits until the transaction ${end}`, async () => {
      const [from, to] = [`lea-${end}`, `max-${end}`]
      await given(from)
      const waiting: Promise<Outcome>[] = []
      const work = db.inTransaction(async (tx) => {
        assert.equal(await only(tx, send(from, to, 100n)), 'ok')
        waiting.push(ledger.submit(send(from, to, 100n)), second.submit(send(from, to, 100n)))
        await tx.rows('select pg_sleep(0.2)')
        if (end === 'rolls back') throw new Error('no')
      })
      await work.catch((error: Error) => assert.equal(error.message, 'no'))
      const succeeded = (await Promise.all(waiting)).filter(({ ok }) => ok).length
      assert.deepEqual([succeeded, await balanceOf(to)], [end === 'commits' ? 0 : 1, 100n])
    })
  }
})

// M-Pesa and MTN over HTTP, with the networks in a box: what each row of the outcome table is for them, in the answer to
// our question and in their callbacks, and that their books have exactly what we were told. The adapter and the simulator
// were written from the same description, not from each other.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Line, openLine, type Party, partyOf } from '../../test/wire-line.ts'
import type { Amount } from '../base/money.ts'
import type { Adapter, Heard, ProviderSettings, WireOperation } from './contract.ts'
import * as mpesa from './mpesa/mpesa.ts'
import * as mtn from './mtn/mtn.ts'
import { secretOf } from './settings.ts'

interface Column {
  provider: 'mpesa' | 'mtn'
  kind: 'collect' | 'payout'
  /** Without the last three digits. */
  number: string
  amount: Amount
}

const columns: Column[] = [
  { provider: 'mpesa', kind: 'collect', number: '+254712000', amount: { minor: 10_000n, currency: 'KES' } },
  { provider: 'mpesa', kind: 'payout', number: '+254712000', amount: { minor: 2_500n, currency: 'KES' } },
  { provider: 'mtn', kind: 'collect', number: '+256771000', amount: { minor: 5_000n, currency: 'UGX' } },
  { provider: 'mtn', kind: 'payout', number: '+250781000', amount: { minor: 700n, currency: 'RWF' } },
]

type Outcome = 'paid' | 'nothing is there' | 'unknown' | (string & {})

/** The last digits → what the question is answered with, in the order of the columns; how many callbacks come. */
const table: [digits: string, outcomes: [Outcome, Outcome, Outcome, Outcome], callbacks: number][] = [
  ['000', ['paid', 'paid', 'paid', 'paid'], 1],
  ['019', fourTimes('payer_limit_reached'), 1],
  ['029', fourTimes('payer_not_found'), 1],
  ['039', fourTimes('cancelled_by_customer'), 1],
  ['049', fourTimes('insufficient_balance'), 1],
  // In an order of ours a wrong password is ours. MTN has no word for it.
  ['059', ['wrong_pin', 'provider_config', 'provider_error', 'provider_error'], 1],
  ['069', fourTimes('provider_error'), 1],
  // MTN tells that the time is over, not why.
  ['079', ['phone_unreachable', 'phone_unreachable', 'expired', 'expired'], 1],
  ['089', ['paid', 'recipient_not_found', 'paid', 'recipient_not_found'], 1],
  ['129', fourTimes('paid'), 0],
  ['139', fourTimes('paid'), 2],
  // The push was never named, so it can't be asked for; the others have our id.
  ['159', ['unknown', 'absent', 'absent', 'absent'], 0],
  ['169', fourTimes('paid'), 2],
]

function fourTimes(outcome: Outcome): [Outcome, Outcome, Outcome, Outcome] {
  return [outcome, outcome, outcome, outcome]
}

let line: Line
let parties: Record<Column['provider'], Party>
before(async () => {
  line = await openLine()
  const { url } = line.simulator
  parties = {
    mpesa: partyOf(line, { adapter: mpesa.mpesa, settings: mpesa.simulatorSettings(url) }),
    mtn: partyOf(line, { adapter: mtn.mtn, settings: mtn.simulatorSettings(url) }),
  }
})
after(() => line.close())

const shortOf = (heard: Heard, amount: Amount): Outcome => {
  if (heard.state === 'failed') return heard.code
  if (heard.state !== 'completed') return heard.state
  return heard.amount === undefined || heard.amount.minor === amount.minor ? 'paid' : 'another amount'
}

const nextNumber = (
  (count) => () =>
    `${count++}`
)(100)

/** A number of its own, so that no two orders are about the same phone. */
const orderIn = ({ kind, number, amount }: Column, digits: string): WireOperation =>
  line.operation({ kind, amount, phone: `${number.slice(0, -3)}${nextNumber()}${digits}` })

/** The operation, as it is known after the provider has taken it. */
async function begin({ provider }: Column, operation: WireOperation): Promise<WireOperation> {
  const heard = await parties[provider].start(operation)
  assert.equal(heard.state, 'pending', JSON.stringify(heard))
  return {
    ...operation,
    providerReference: 'providerReference' in heard ? heard.providerReference : undefined,
  }
}

/** What was told of money that moved is what their books have, to the minor unit. */
function checkBooks(column: Column, operation: WireOperation, moved: boolean) {
  const { provider, kind } = column
  const found = line.simulator.statements
    .movements({ provider })
    .filter(({ id, msisdn }) => id === operation.id || `+${msisdn}` === operation.phone)
  const expected = kind === 'collect' ? operation.amount.minor : -operation.amount.minor
  assert.deepEqual(
    found.map(({ minor }) => minor),
    moved ? [expected] : [],
  )
}

describe('the outcome table', { concurrency: true }, () => {
  for (const [digits, outcomes, callbacks] of table)
    for (const [at, column] of columns.entries())
      test(`${column.provider} ${column.kind} …${digits}: ${outcomes[at]}`, async () => {
        const party = parties[column.provider]
        const made = orderIn(column, digits)
        const expected = outcomes[at] ?? ''
        const isBroken = expected === 'absent' || expected === 'unknown'
        if (isBroken) assert.equal((await party.start(made)).state, 'unknown')
        const operation = isBroken ? made : await begin(column, made)
        await line.simulator.settled()
        assert.equal(shortOf(await party.ask(operation), operation.amount), expected)
        const came = line
          .callbacks(operation)
          .map((delivery) => shortOf(party.read(delivery), operation.amount))
        const truth = Array.from({ length: callbacks }, () => expected)
        assert.deepEqual(came, digits === '169' ? ['another amount', 'paid'] : truth)
        checkBooks(column, operation, expected === 'paid')
      })
})

describe('what takes longer', { concurrency: true }, () => {
  for (const column of columns) {
    const { provider, kind } = column
    test(`${provider} ${kind} …149: nothing for long, and then it is paid`, async () => {
      const party = parties[provider]
      const operation = await begin(column, orderIn(column, '149'))
      assert.equal((await party.ask(operation)).state, 'pending')
      await line.simulator.settled()
      assert.equal(shortOf(await party.ask(operation), operation.amount), 'paid')
      const came = line.callbacks(operation).map((delivery) => party.read(delivery).state)
      // M-Pesa tells of orders that its queue has given up; that is no end.
      const isTimedOut = provider === 'mpesa' && kind === 'payout'
      assert.deepEqual(came, isTimedOut ? ['unknown', 'completed'] : ['completed'])
      checkBooks(column, operation, true)
    })
  }

  for (const column of columns.filter(({ kind }) => kind === 'collect'))
    test(`${column.provider} …999 waits for the person at the phone`, async () => {
      const party = parties[column.provider]
      const { simulator } = line
      for (const [pin, expected] of [
        ['2468', 'paid'],
        ['0000', column.provider === 'mpesa' ? 'wrong_pin' : 'provider_error'],
      ] as const) {
        const operation = await begin(column, orderIn(column, '999'))
        assert.equal((await party.ask(operation)).state, 'pending')
        const [prompt] = simulator.phones.prompts(operation.phone?.slice(1))
        assert.ok(prompt)
        assert.ok(simulator.phones.answer(prompt.id, { answer: 'approved', pin }))
        await simulator.settled()
        assert.equal(shortOf(await party.ask(operation), operation.amount), expected)
        checkBooks(column, operation, expected === 'paid')
      }
    })
})

describe('refunds', { concurrency: true }, () => {
  for (const column of columns.filter(({ kind }) => kind === 'collect'))
    test(`${column.provider}: in part, and never more than there was`, async () => {
      const party = parties[column.provider]
      const { amount } = column
      const paid = await begin(column, orderIn(column, '000'))
      await line.simulator.settled()
      const told = party.read(line.callbacks(paid)[0])
      assert.ok(told.state === 'completed' && told.receipt !== undefined)
      const original = { id: paid.id, providerReference: paid.providerReference, receipt: told.receipt }
      const part = { ...amount, minor: (amount.minor * 3n) / 5n }
      const refund = line.operation({ kind: 'refund', amount: part, phone: paid.phone, original })
      const begun = await begin(column, refund)
      await line.simulator.settled()
      const heard = await party.ask(begun)
      assert.equal(shortOf(heard, part), 'paid')
      assert.equal(shortOf(party.read(line.callbacks(begun)[0]), part), 'paid')

      const again = line.operation({ kind: 'refund', amount: part, phone: paid.phone, original })
      const refused = await party.start(again)
      if (column.provider === 'mtn') assert.equal(shortOf(refused, part), 'provider_config')
      else {
        await line.simulator.settled()
        assert.equal(shortOf(party.read(line.callbacks(again)[0]), part), 'duplicate_transaction')
        assert.ok(refused.state === 'pending')
        const { providerReference } = refused
        assert.equal(shortOf(await party.ask({ ...again, providerReference }), part), 'duplicate_transaction')
      }
      const moved = line.simulator.statements
        .movements({ provider: column.provider })
        .filter(({ msisdn }) => `+${msisdn}` === paid.phone)
      assert.deepEqual(
        moved.map(({ minor }) => minor),
        [amount.minor, -part.minor],
      )
    })

  test('mpesa: what has no receipt is paid back', async () => {
    const [column] = columns
    assert.ok(column)
    const paid = await begin(column, orderIn(column, '129'))
    await line.simulator.settled()
    const original = { id: paid.id, providerReference: paid.providerReference, receipt: undefined }
    const refund = line.operation({ kind: 'refund', amount: paid.amount, phone: '+254712555000', original })
    const begun = await begin(column, refund)
    await line.simulator.settled()
    assert.equal(shortOf(await parties.mpesa.ask(begun), paid.amount), 'paid')
    assert.equal(begun.providerReference, refund.id)
  })
})

describe('once', { concurrency: true }, () => {
  for (const column of columns.filter(({ provider, kind }) => provider === 'mtn' || kind === 'payout'))
    test(`${column.provider} ${column.kind}: the same order again is the same order`, async () => {
      const party = parties[column.provider]
      const operation = await begin(column, orderIn(column, '000'))
      assert.equal((await party.start(operation)).state, 'pending')
      await line.simulator.settled()
      assert.equal((await party.start(operation)).state, 'pending')
      assert.equal(shortOf(await party.ask(operation), operation.amount), 'paid')
      checkBooks(column, operation, true)
    })
})

describe('credentials', { concurrency: true }, () => {
  const order = (provider: Column['provider'], kind: Column['kind']) => {
    const column = columns.find((one) => one.provider === provider && one.kind === kind)
    assert.ok(column)
    return orderIn(column, '000')
  }
  const run = <Settings extends ProviderSettings>(adapter: Adapter<Settings>, settings: Settings) => ({
    start: (operation: WireOperation) =>
      line.caller.run({
        ...{ adapter, settings, mode: 'live', what: 'start' },
        exchange: () => adapter.start(operation, settings),
      }),
  })

  test('that are wrong are found out before anything is done', async () => {
    const { url } = line.simulator
    const daraja = mpesa.simulatorSettings(url)
    const noSecret = await run(mpesa.mpesa, { ...daraja, consumerSecret: secretOf('x') }).start(
      order('mpesa', 'collect'),
    )
    assert.ok(!noSecret.ok && noSecret.notSent)
    assert.match(noSecret.detail, /400\.008\.01/)
    const noPasskey = await run(mpesa.mpesa, { ...daraja, passkey: secretOf('x') }).start(
      order('mpesa', 'collect'),
    )
    assert.ok(noPasskey.ok && noPasskey.result.state === 'failed')
    assert.equal(noPasskey.result.code, 'provider_config')
    const momo = mtn.simulatorSettings(url)
    const { UGX } = momo.markets
    assert.ok(UGX)
    const collection = { ...UGX.collection, apiKey: secretOf('x') }
    const noKey = await run(mtn.mtn, { ...momo, markets: { UGX: { ...UGX, collection } } }).start(
      order('mtn', 'collect'),
    )
    assert.ok(!noKey.ok && noKey.notSent)
  })

  test('of an initiator are found out later, and its questions say nothing', async () => {
    const settings = { ...mpesa.simulatorSettings(line.simulator.url), initiatorPassword: secretOf('x') }
    const party = partyOf(line, { adapter: mpesa.mpesa, settings })
    const operation = order('mpesa', 'payout')
    assert.equal((await party.start(operation)).state, 'pending')
    await line.simulator.settled()
    assert.equal(shortOf(party.read(line.callbacks(operation)[0]), operation.amount), 'provider_config')
    assert.equal((await party.ask(operation)).state, 'unknown')
    assert.equal(shortOf(await parties.mpesa.ask(operation), operation.amount), 'provider_config')
  })

  test('a token that is not good any more is renewed', async () => {
    for (const [adapter, settings, operation] of [
      [mpesa.mpesa, mpesa.simulatorSettings(line.simulator.url), order('mpesa', 'collect')],
      [mtn.mtn, mtn.simulatorSettings(line.simulator.url), order('mtn', 'payout')],
    ] as [Adapter, ProviderSettings, WireOperation][]) {
      let given = 0
      const forgetful: Adapter = {
        ...adapter,
        *token(known, product) {
          return given++ === 0
            ? { value: 'of-yesterday', seconds: 3_600 }
            : yield* adapter.token(known, product)
        },
      }
      const ran = await run(forgetful, { ...settings, baseUrl: `${settings.baseUrl}/` }).start(operation)
      assert.ok(ran.ok && ran.result.state === 'pending', JSON.stringify(ran))
      assert.equal(given, 2)
    }
  })
})

// What the last three digits of a number do, for collections and payouts of every network: the state that the status
// query tells, the provider's own code for it, and which callbacks come, in order. The books have what was paid, once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  airtelCaller,
  type Bench,
  darajaCaller,
  msisdn,
  mtnCaller,
  openBench,
  paystackCaller,
  plainId,
} from './callers.ts'

let bench: Bench
const callers = {} as {
  daraja: Awaited<ReturnType<typeof darajaCaller>>
  mtn: Awaited<ReturnType<typeof mtnCaller>>
  airtel: Awaited<ReturnType<typeof airtelCaller>>
}
before(async () => {
  bench = await openBench()
  callers.daraja = await darajaCaller(bench)
  callers.mtn = await mtnCaller(bench)
  callers.airtel = await airtelCaller(bench)
})
after(() => bench.close())

type Kind = 'collect' | 'payout'

/** Whether it was accepted, what the status query says in the end, and the callbacks: `paid` or `failed` each. */
interface Seen {
  start: number
  end: string
  callbacks: string
}

const settle = () => bench.simulator.settled(300)

/** `… paid 0`: digits, what each network says, and what it tells by itself. `-`: that network has no words for it. */
const rows = `
  001  collect  mpesa 0     mtn SUCCESSFUL                 airtel TS DP00800001001   told paid
  019  collect  mpesa 8     mtn PAYER_LIMIT_REACHED        airtel TF DP00800001003   told failed
  029  collect  mpesa 10    mtn PAYER_NOT_FOUND            airtel TF DP00800001010   told failed
  039  collect  mpesa 1032  mtn APPROVAL_REJECTED          airtel TF DP00800001008   told failed
  049  collect  mpesa 1     mtn NOT_ENOUGH_FUNDS           airtel TF DP00800001007   told failed
  059  collect  mpesa 2001  mtn INTERNAL_PROCESSING_ERROR  airtel TF DP00800001002   told failed
  069  collect  mpesa 1036  mtn INTERNAL_PROCESSING_ERROR  airtel TF DP00800001009   told failed
  079  collect  mpesa 1037  mtn EXPIRED                    airtel TF DP00800001005   told failed
  089  collect  mpesa 0     mtn SUCCESSFUL                 airtel TS DP00800001001   told paid
  129  collect  mpesa 0     mtn SUCCESSFUL                 airtel TS DP00800001001   told nothing
  139  collect  mpesa 0     mtn SUCCESSFUL                 airtel TS DP00800001001   told paid paid
  149  collect  mpesa 0     mtn SUCCESSFUL                 airtel TS DP00800001001   told paid
  159  collect  mpesa 500   mtn 500                        airtel 500                told nothing
  169  collect  mpesa 0     mtn SUCCESSFUL                 airtel TS DP00800001001   told forged paid
  001  payout   mpesa 0     mtn SUCCESSFUL                 airtel TS DP00900001001   told paid
  019  payout   mpesa 8     mtn PAYER_LIMIT_REACHED        airtel TF DP00900001003   told failed
  029  payout   mpesa 10    mtn PAYER_NOT_FOUND            airtel TF DP00900001010   told failed
  039  payout   mpesa 1032  mtn APPROVAL_REJECTED          airtel TF DP00900001013   told failed
  049  payout   mpesa 1     mtn NOT_ENOUGH_FUNDS           airtel TF DP00900001007   told failed
  059  payout   mpesa 2001  mtn INTERNAL_PROCESSING_ERROR  airtel TF DP00900001005   told failed
  069  payout   mpesa 1036  mtn INTERNAL_PROCESSING_ERROR  airtel TF DP00900001005   told failed
  079  payout   mpesa 1037  mtn EXPIRED                    airtel TF DP00900001005   told failed
  089  payout   mpesa 7     mtn PAYEE_NOT_FOUND            airtel TF DP00900001012   told failed
  129  payout   mpesa 0     mtn SUCCESSFUL                 airtel TS DP00900001001   told nothing
  139  payout   mpesa 0     mtn SUCCESSFUL                 airtel TS DP00900001001   told paid paid
  149  payout   mpesa 0     mtn SUCCESSFUL                 airtel TS DP00900001001   told paid
  159  payout   mpesa 500   mtn 500                        airtel 500                told nothing
  169  payout   mpesa 0     mtn SUCCESSFUL                 airtel TS DP00900001001   told forged paid`
  .trim()
  .split('\n')
  .map((line) => /^\s*(\d+)\s+(\w+)\s+mpesa (.+?)\s+mtn (.+?)\s+airtel (.+?)\s+told (.+)$/.exec(line) ?? [])
  .map(([, digits = '', kind = '', mpesa = '', mtn = '', airtel = '', told = '']) => ({
    digits,
    kind: kind as Kind,
    ends: { mpesa, mtn, airtel },
    told: told === 'nothing' ? '' : told,
  }))

describe('the digits decide', () => {
  const networks = { mpesa: throughDaraja, mtn: throughMtn, airtel: throughAirtel }
  for (const [name, ask] of Object.entries(networks)) {
    for (const { digits, kind, ends, told } of rows) {
      test(`${name} ${kind} …${digits}`, async () => {
        const end = ends[name as keyof typeof ends]
        const provider = name as keyof typeof ends
        const before = bench.simulator.statements.net({ provider })
        const seen = await ask(kind, digits)
        assert.deepEqual(seen, { start: end === '500' ? 500 : seen.start, end, callbacks: told })
        const isPaid = ['0', 'SUCCESSFUL', 'TS DP00800001001', 'TS DP00900001001'].includes(end)
        const moved = bench.simulator.statements.net({ provider }) - before
        const amount = { mpesa: 10_000n, mtn: 1_000n, airtel: 1_000n }[provider]
        assert.equal(moved, isPaid ? (kind === 'collect' ? amount : -amount) : 0n)
      })
    }
  }
})

/** The callbacks since the last look, told apart by what they claim; with another amount or a wrong seal: forged. */
function take(meaning: (body: never, headers: Record<string, string>) => string): string {
  return bench.receiver.heard
    .splice(0)
    .map(({ body, headers }) => meaning(JSON.parse(body) as never, headers))
    .join(' ')
}

async function throughDaraja(kind: Kind, digits: string): Promise<Seen> {
  const caller = callers.daraja
  const phone = `254712000${digits}`
  const started = kind === 'collect' ? await caller.push(phone) : await caller.payOut(phone)
  await settle()
  if (started.status !== 200)
    return { start: started.status, end: String(started.status), callbacks: take(String) }
  if (kind === 'collect') {
    const callbacks = take(({ Body: { stkCallback } }: never) => stkMeaning(stkCallback))
    const { body } = await caller.query(started.body.CheckoutRequestID)
    return { start: 200, end: body.ResultCode, callbacks }
  }
  const told: string[] = []
  const callbacks = take(({ Result }: never) => {
    told.push(String((Result as { ResultCode: unknown }).ResultCode))
    return resultMeaning(Result)
  })
  const status = await statusOf(caller, started.body.OriginatorConversationID)
  assert.equal(status === 'Completed', bench.simulator.orders()[0]?.state === 'paid')
  const isQueueTimeout = callbacks.startsWith('timeout ')
  const code = status === 'Completed' ? '0' : told.at(-1)
  return {
    start: 200,
    end: code ?? '',
    callbacks: isQueueTimeout ? callbacks.slice('timeout '.length) : callbacks,
  }
}

interface StkCallback {
  ResultCode: number
  CallbackMetadata?: { Item: { Name: string; Value: unknown }[] }
}
const stkMeaning = ({ ResultCode, CallbackMetadata }: StkCallback): string => {
  const amount = CallbackMetadata?.Item.find(({ Name }) => Name === 'Amount')?.Value
  if (ResultCode !== 0) return amount === undefined ? 'failed' : 'a failure with an amount'
  return amount === 100 ? 'paid' : 'forged'
}

interface Result {
  ResultCode: number
  ResultType: number
  ResultParameters?: { ResultParameter: { Key: string; Value: unknown }[] }
}
const parameter = ({ ResultParameters }: Result, key: string) =>
  ResultParameters?.ResultParameter.find(({ Key }) => Key === key)?.Value
const resultMeaning = (result: Result): string => {
  if (result.ResultType === 1) return 'timeout'
  if (result.ResultCode !== 0) return 'failed'
  return parameter(result, 'TransactionAmount') === 100 ? 'paid' : 'forged'
}

async function statusOf(caller: Awaited<ReturnType<typeof darajaCaller>>, id: string): Promise<unknown> {
  assert.equal((await caller.status({ OriginalConversationID: id })).body.ResponseCode, '0')
  await settle()
  const [answer] = bench.receiver.heard.splice(0)
  return parameter(JSON.parse(answer?.body ?? '').Result, 'TransactionStatus')
}

async function throughMtn(kind: Kind, digits: string): Promise<Seen> {
  const caller = callers.mtn
  const resource = kind === 'collect' ? 'requesttopay' : 'transfer'
  const party = msisdn(`256771000${digits}`)
  const id = randomUUID()
  const started = await caller.order(resource, {
    id,
    body: kind === 'collect' ? { payer: party } : { payee: party },
  })
  await settle()
  const callbacks = take(({ status, amount }: { status: string; amount: string }) => {
    if (status === 'FAILED') return 'failed'
    return amount === '1000' ? 'paid' : 'forged'
  })
  if (started.status !== 202) return { start: started.status, end: String(started.status), callbacks }
  const { body } = await caller.status(resource, id)
  return { start: 202, end: body.reason?.code ?? body.reason ?? body.status, callbacks }
}

async function throughAirtel(kind: Kind, digits: string): Promise<Seen> {
  const caller = callers.airtel
  const id = plainId()
  const started =
    kind === 'collect'
      ? await caller.post('/merchant/v1/payments/', caller.collectBody(id, `751000${digits}`))
      : await caller.post('/standard/v1/disbursements/', caller.payoutBody(id, `751000${digits}`))
  await settle()
  const path = kind === 'collect' ? `/standard/v1/payments/${id}` : `/standard/v1/disbursements/${id}`
  const { body, status } = await caller.get(path)
  const receipt = body?.data?.transaction.airtel_money_id
  const callbacks = take(({ transaction }: { transaction: Record<string, string> }) => {
    if (transaction.status_code === 'TF') return 'failed'
    return transaction.airtel_money_id === receipt ? 'paid' : 'forged'
  })
  if (started.status !== 200) {
    assert.equal(status, 404, 'what broke was not taken')
    return { start: started.status, end: String(started.status), callbacks }
  }
  return { start: 200, end: `${body.data.transaction.status} ${body.status.response_code}`, callbacks }
}

test('transfers of Paystack follow the account', async () => {
  const caller = paystackCaller(bench)
  const pay = async (digits: string) => {
    const recipient = await caller.post('/transferrecipient', {
      type: 'nuban',
      name: 'A test',
      account_number: `0123456${digits}`,
      bank_code: '058',
      currency: 'NGN',
    })
    const reference = randomUUID()
    const started = await caller.post('/transfer', {
      source: 'balance',
      amount: 50_000,
      recipient: recipient.body.data.recipient_code,
      reference,
    })
    await settle()
    const { body } = await caller.get(`/transfer/verify/${reference}`)
    const callbacks = take(({ event, data }: { event: string; data: { amount: number } }) =>
      data.amount === 50_000 ? event : 'forged',
    )
    return [started.status, body.data?.status, body.data?.gateway_response, callbacks]
  }
  assert.deepEqual(await pay('001'), [200, 'success', null, 'transfer.success'])
  assert.deepEqual(await pay('049'), [200, 'failed', 'Insufficient Funds', 'transfer.failed'])
  assert.deepEqual(await pay('089'), [200, 'failed', 'Account not found', 'transfer.failed'])
  assert.deepEqual(await pay('129'), [200, 'success', null, ''])
  assert.deepEqual(await pay('159'), [500, undefined, undefined, ''])
  assert.deepEqual(await pay('169'), [200, 'success', null, 'forged transfer.success'])
  assert.deepEqual(await pay('999'), [200, 'success', null, 'transfer.success'])
})

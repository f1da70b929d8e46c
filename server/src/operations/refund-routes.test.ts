// M-Pesa reverses what has a receipt, and pays back what has none. A receipt that comes when the refund is under way must
// not make another thing of it: it is asked for as what it was sent as.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { AskedPayment } from '../../test/checkouts.ts'
import { testSecrets } from '../../test/helpers.ts'
import { simulatedApp } from '../../test/simulated-app.ts'
import { openShop } from '../../test/simulated-shop.ts'
import { callbackToken } from './rules.ts'

const server = await simulatedApp()
const { simulator, settle, askFor, dependencies } = server
const { operations } = dependencies
const shop = await openShop(server)

afterEach(() => shop.checkBooks())

/** By a phone whose payments are never told: it was asked for, and that tells no receipt. */
async function paidWithoutReceipt(): Promise<AskedPayment> {
  const one = await shop.asked('KES')
  await shop.start(one, { phone: '0712345129' })
  await askFor(120)
  const [paid] = await shop.operations(one)
  assert.deepEqual([paid?.state, paid?.receipt], ['completed', null])
  return one
}

/** The callback was a long time on its way. */
async function bringReceipt(one: AskedPayment): Promise<string> {
  const [paid] = await shop.operations(one)
  const { receipt } = simulator.orders().find(({ id }) => id === paid?.providerReference) ?? {}
  assert.ok(paid && receipt)
  const items = { Amount: 10_000, MpesaReceiptNumber: receipt }
  const stkCallback = {
    CheckoutRequestID: paid.providerReference,
    ResultCode: 0,
    CallbackMetadata: { Item: Object.entries(items).map(([Name, Value]) => ({ Name, Value })) },
  }
  await operations.deliveries.toOperation(callbackToken(testSecrets.idem, paid.id), {
    method: 'POST',
    headers: {},
    body: Buffer.from(JSON.stringify({ Body: { stkCallback } })),
  })
  await operations.deliveries.idle()
  return receipt
}

const refundsOf = async (one: AskedPayment): Promise<string[]> =>
  (await shop.record(one)).refunds.map(({ status }: { status: string }) => status)

describe('a receipt that comes after the refund was sent', () => {
  const losses: [name: string, knobs: Parameters<typeof simulator.knobs>[0]][] = [
    ['M-Pesa has taken it', {}],
    ['its answer was lost', { unanswered: 1 }],
  ]
  for (const [name, knobs] of losses)
    test(`${name}: it is found to be paid, and the receipt is kept`, async () => {
      const one = await paidWithoutReceipt()
      simulator.knobs(knobs)
      assert.equal((await shop.refund(one, { amount: 4_000 })).status, 200)
      await settle()
      simulator.knobs({ unanswered: 0 })
      const receipt = await bringReceipt(one)
      await askFor(20 * 60)
      assert.deepEqual(await refundsOf(one), ['completed'])
      assert.equal((await shop.operations(one))[0]?.receipt, receipt)
    })
})

test('a receipt that comes before it lets the refund be a reversal', async () => {
  const one = await paidWithoutReceipt()
  await bringReceipt(one)
  assert.equal((await shop.refund(one, { amount: 4_000 })).status, 200)
  await askFor(20 * 60)
  assert.deepEqual(await refundsOf(one), ['completed'])
  assert.equal(simulator.orders().filter(({ details }) => details.type === 'reversal').length, 1)
})

test('a process of the release before, which knows nothing of it, sends a refund that is known as what it was sent as', async () => {
  const one = await paidWithoutReceipt()
  assert.equal(await sentByOldProcess(one), '')
  const receipt = await bringReceipt(one)
  assert.equal(await sentByOldProcess(one), receipt)
})

/** What is kept of the way that a refund took; the refund itself is undone. */
async function sentByOldProcess(one: AskedPayment): Promise<string | null | undefined> {
  const [paid] = await shop.operations(one)
  assert.ok(paid)
  const { provider, mode, subject, amount, reference, phone } = paid
  const order = { provider, mode, subject, amount, reference, phone, originalId: paid.id, about: 'Refund' }
  const refund = operations.make({ ...order, kind: 'refund', purpose: 'refund' })
  const undone = new Error('undone')
  let kept: string | null | undefined
  const sent = server.db.inTransaction(async (tx) => {
    await operations.add(tx, refund)
    const row = await tx.row<{ original_receipt: string | null }>(
      `update operations.operations set state = 'sending', sends = 1, first_sent_at = now(), sent_at = now(), due_at = now()
       where id = $1 and state = 'new' and decided is null returning original_receipt`,
      [refund.id],
    )
    kept = row?.original_receipt
    throw undone
  })
  await assert.rejects(sent, undone)
  return kept
}

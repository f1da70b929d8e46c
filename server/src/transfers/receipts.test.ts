// Receipts of transfers: who turned them on gets one mail for each transfer, in their language and with the right figures,
// in the transaction of the money; nobody else does, and nothing that was refused is told.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { reconcile, submittedDuring, testApp } from '../../test/helpers.ts'
import { facts, lettersTo, wantReceipts } from '../../test/letters.ts'
import { available, fund, register, type TestPerson } from '../../test/people.ts'

const server = await testApp()
afterEach(() => reconcile(server))

let made = 0
const person = async (name: string) => {
  made += 1
  const registered = await register(server, { handle: `${name}_${made}`, name: `${name} Otieno` })
  await fund(server, registered, { amount: '100000' })
  return registered
}

const send = (
  sender: TestPerson,
  recipient: TestPerson,
  { key, ...change }: { key?: string; amount?: unknown; pin?: string } = {},
) =>
  sender.call(
    'POST',
    '/api/send',
    { recipient: recipient.handle, amount: 10_000, currency: 'UGX', pin: sender.pin, ...change },
    key === undefined ? {} : { 'idempotency-key': key },
  )

describe('a transfer', () => {
  // Who turned them on → what each gets.
  const rows: [who: string, out: boolean, into: boolean][] = [
    ['nobody', false, false],
    ['the sender', true, false],
    ['the recipient', false, true],
    ['both', true, true],
  ]
  for (const [who, out, into] of rows)
    for (const key of [undefined, 'again'])
      test(`receipts for ${who}${key === undefined ? '' : ', sent twice with a key'}: one mail each`, async () => {
        const [sender, recipient] = [await person('asha'), await person('baraka')]
        await wantReceipts(server, [...(out ? [sender] : []), ...(into ? [recipient] : [])])
        let reference = ''
        const submitted = await submittedDuring(server, async () => {
          const first = await send(sender, recipient, key === undefined ? {} : { key })
          assert.equal(first.status, 200, first.text)
          reference = first.body.data.reference
          if (key === undefined) return
          const again = await send(sender, recipient, { key })
          assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true'])
        })
        // Who wants no mail goes the fast way, and so does nobody else.
        assert.equal(submitted > 0, !out && !into)
        assert.deepEqual(facts(await lettersTo(server, sender)), out ? [`money_out ${reference}`] : [])
        assert.deepEqual(facts(await lettersTo(server, recipient)), into ? [`money_in ${reference}`] : [])
        assert.equal(await available(server, sender), 90_000n)
        assert.equal(await available(server, recipient), 109_900n)
      })

  test('many times at once with a key: one mail each', async () => {
    const [sender, recipient] = [await person('asha'), await person('baraka')]
    await wantReceipts(server, [sender, recipient])
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send(sender, recipient, { key: 'crowd' })),
    )
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1, replies[0]?.text)
    assert.equal((await lettersTo(server, sender)).length, 1)
    assert.equal((await lettersTo(server, recipient)).length, 1)
    assert.equal(await available(server, sender), 90_000n)
  })

  test('each reads it in their own language: what moved, the fee, what is left, who the other is', async () => {
    const [sender, recipient] = [await person('amina'), await person('juma')]
    await wantReceipts(server, [sender], { locale: 'fr' })
    await wantReceipts(server, [recipient], { locale: 'sw' })
    const { reference } = (await send(sender, recipient)).body.data
    const [out] = await lettersTo(server, sender)
    assert.equal(out?.subject, 'Vous avez envoyé UGX 10 000')
    assert.equal(out?.about, `transfer ${reference}`)
    for (const line of [
      'Bonjour amina Otieno,',
      `À : juma Otieno (@${recipient.handle})`,
      'Frais, prélevés dessus : UGX 100',
      `Référence : ${reference}`,
      'Nouveau solde : UGX 90 000',
      'Date : 14 mars 2026 à 09:00 UTC',
    ])
      assert.ok(out?.text.includes(line), `${line} in ${out?.text}`)
    const [into] = await lettersTo(server, recipient)
    assert.equal(into?.subject, 'Umepokea UGX 9,900')
    for (const line of [
      `Kutoka kwa: amina Otieno (@${sender.handle})`,
      `Kumbukumbu: ${reference}`,
      'Salio sasa: UGX 109,900',
    ])
      assert.ok(into?.text.includes(line), `${line} in ${into?.text}`)
    assert.doesNotMatch(
      `${into?.text}`,
      /90,000|\bAda\b/,
      'nothing of the other one’s wallet, nor of the fee',
    )
  })

  test('what was refused is told to nobody', async () => {
    const [sender, recipient] = [await person('asha'), await person('baraka')]
    await fund(server, sender, { amount: '21000000' })
    await wantReceipts(server, [sender, recipient])
    const refusals: [change: { amount?: unknown; pin?: string; key?: string }, code: string][] = [
      [{ amount: 499 }, 'validation_failed'],
      [{ amount: 5_000_001 }, 'limit_exceeded'],
      [{ pin: '9173' }, 'pin_incorrect'],
    ]
    for (const [change, code] of refusals) {
      const reply = await send(sender, recipient, change)
      assert.equal(reply.body.code, code, reply.text)
    }
    assert.deepEqual(await lettersTo(server, sender), [])
    for (let sent = 0; sent < 4; sent++) await send(sender, recipient, { amount: 5_000_000 })
    assert.equal((await lettersTo(server, sender)).length, 4)
    assert.equal((await lettersTo(server, recipient)).length, 4)
    const overDay = await send(sender, recipient, { key: 'too-much' })
    assert.equal(overDay.body.code, 'limit_exceeded', overDay.text)
    const poor = await register(server)
    await wantReceipts(server, [poor])
    assert.equal((await send(poor, recipient)).body.code, 'insufficient_funds')
    for (const one of [sender, recipient, poor]) assert.deepEqual(await lettersTo(server, one), [])
  })

  test('nobody at an address that is not known to be theirs, or who turned them off again', async () => {
    const [sender, recipient] = [await person('asha'), await person('baraka')]
    const turned = await sender.call('PATCH', '/api/me', { email_receipts: true })
    assert.equal(turned.body.data.email_receipts, true)
    await wantReceipts(server, [recipient])
    await recipient.call('PATCH', '/api/me', { email_receipts: false })
    assert.equal((await send(sender, recipient)).status, 200)
    assert.deepEqual(await lettersTo(server, sender), [])
    assert.deepEqual(await lettersTo(server, recipient), [])
  })
})

describe('a money request that is paid', () => {
  // Whether it is repeated with a key.
  for (const key of [undefined, 'pay-once'])
    test(`both get their receipt, once${key === undefined ? '' : ', however often'}`, async () => {
      const [payer, payee] = [await person('pendo'), await person('pili')]
      await wantReceipts(server, [payer, payee])
      const asked = await payee.call('POST', '/api/requests', {
        from: payer.handle,
        amount: 20_000,
        currency: 'UGX',
      })
      assert.equal(asked.status, 201, asked.text)
      const request = await lettersTo(server, payer)
      assert.deepEqual(
        request.map(({ template }) => template),
        ['money_request'],
      )
      const pay = (pin = payer.pin) =>
        payer.call(
          'POST',
          `/api/requests/${asked.body.data.id}/pay`,
          { pin },
          key === undefined ? {} : { 'idempotency-key': key },
        )
      assert.equal((await pay('9173')).body.code, 'pin_incorrect')
      const paid = await pay()
      assert.equal(paid.status, 200, paid.text)
      const { reference } = paid.body.data
      const again = await pay()
      if (key === undefined) assert.equal(again.body.code, 'invalid_state')
      else assert.equal(again.text, paid.text)
      const [out, ...moreOut] = await lettersTo(server, payer)
      const [into, ...moreInto] = await lettersTo(server, payee)
      assert.deepEqual([moreOut, moreInto], [[], []])
      assert.match(
        `${out?.text}`,
        new RegExp(`pili Otieno .*UGX 200\n.*${reference}\nBalance now: UGX 80,000`, 's'),
      )
      assert.match(`${into?.text}`, new RegExp(`UGX 19,800 .*${reference}\nBalance now: UGX 119,800`, 's'))
    })
})

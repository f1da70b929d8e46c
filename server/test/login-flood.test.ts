// A flood of logins must not stall transfers. Over HTTP, with hashes as dear as in a running service: more logins at the same
// moment than fit, from everywhere; transfers go on beside them. No time is measured, only what came before what, so that a
// busy machine is no fault: were a transfer to wait for those in front of it, it would come after them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile, testApp } from './helpers.ts'
import { available, fund, register } from './people.ts'

const server = await testApp({
  environment: { PASSWORD_COST: 'standard', TRUSTED_PROXIES: '127.0.0.0/8' },
})
const address = await server.listen()
const post = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const loginsMax = 120
const transfers = 30

test('transfers are done while logins wait for their hashes', async () => {
  const [sender, recipient] = [await register(server), await register(server)]
  await fund(server, sender, { amount: '100000' })

  const answered: number[] = []
  // Each of another name and from another place, so that no count of failures sends them away.
  const flood = Array.from({ length: loginsMax }, async (_, n) => {
    const body = { handle: `stranger_${n}`, password: 'not the password' }
    const answer = await post('/api/auth/login', body, { 'x-forwarded-for': `41.7.${n}.1` })
    if (answer.status === 429) assert.equal(answer.headers.get('retry-after'), '1')
    answered.push(answer.status)
    return answer.text()
  })
  while (!answered.includes(429) && answered.length < loginsMax) await sleep(5)
  assert.ok(answered.includes(429), 'more came than fit')

  const order = { recipient: recipient.handle, amount: 1_000, currency: 'UGX', pin: sender.pin }
  const hashed = server.users.hashesMade()
  for (let n = 0; n < transfers; n++) {
    const sent = await post('/api/send', order, { authorization: `Bearer ${sender.token}` })
    assert.equal(sent.status, 200, await sent.text())
  }
  const waiting = loginsMax - answered.length
  assert.ok(waiting > 0, `${server.users.hashesMade() - hashed} logins were served before the transfers`)

  await Promise.all(flood)
  assert.deepEqual(new Set(answered), new Set([401, 429]))
  assert.equal(await available(server, recipient), 29_700n)
  await reconcile(server)
})

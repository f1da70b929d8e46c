// The life of a business as its owner hears of it: by mails that a worker sends through a real mail server, in the owner's
// language, once each.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildTasks } from '../src/app.ts'
import * as background from '../src/background/background.ts'
import { openDependencies } from '../src/dependencies.ts'
import { loadPrices } from '../src/prices-file.ts'
import { application, newBusiness, theOperator } from './businesses.ts'
import { testApp, testConfig, testDatabase, testLog, testSecrets } from './helpers.ts'
import { startMailServer } from './mail-server.ts'
import { register } from './people.ts'

const database = await testDatabase()
const server = await testApp({ database })
const mails = await startMailServer()
const config = testConfig({ SMTP_URL: mails.url })
const { log } = testLog()
const { dependencies, close } = await openDependencies({
  config,
  clock: server.clock,
  log,
  prices: loadPrices(config),
  secrets: testSecrets,
  baseUrl: 'https://mfuko.example',
  databaseUrl: database.url,
})
const worker = await background.startWorker({
  url: database.url,
  concurrency: 2,
  ...buildTasks(dependencies),
  log,
})
after(async () => {
  await worker.stop()
  await close()
  await mails.stop()
})

const waitMs = 20_000

/** The subjects of what an address has got, once there are so many. */
async function subjectsTo(address: string, count: number): Promise<string[]> {
  const began = performance.now()
  const got = () => mails.received.filter(({ to }) => to.includes(address))
  while (got().length < count && performance.now() - began < waitMs) await sleep(50)
  return got().map(({ mail }) => mail.subject ?? '')
}

test('rejected, approved, suspended and reinstated, in French', async () => {
  const owner = await register(server, { handle: 'aline', name: 'Aline Uwase' })
  await owner.call('PATCH', '/api/me', { locale: 'fr' })
  const { id } = await newBusiness(server, {
    owner,
    approved: false,
    fields: { business_name: 'Boutique <b>Aline</b>' },
  })
  const operator = await theOperator(server)
  const decide = async (path: string, body?: object) => {
    const reply = await operator.call('POST', `/api/operator/${path}`, body)
    assert.equal(reply.status, 200, reply.text)
  }
  const address = 'aline@example.test'
  assert.equal((await subjectsTo(address, 1)).length, 1, 'the code for the address itself')
  const reason = 'Le site <script>ne répond pas</script>.'
  await decide(`applications/${id}/reject`, { reason })
  await owner.call('POST', '/api/merchant/register', { ...application, business_name: 'Boutique Aline' })
  await decide(`applications/${id}/approve`)
  await decide(`merchants/${id}/suspend`, { reason: 'Trop de plaintes.' })
  await decide(`merchants/${id}/unsuspend`)
  const subjects = await subjectsTo(address, 5)
  assert.deepEqual(
    subjects.slice(1).sort(),
    [
      "Boutique <b>Aline</b> n'a pas été accepté",
      'Boutique Aline est suspendu',
      'Boutique Aline peut de nouveau recevoir des paiements',
      'Boutique Aline peut recevoir des paiements avec Mfuko',
    ].sort(),
  )
  const rejected = mails.received.find(({ mail }) => mail.subject?.includes('accepté'))
  assert.ok(rejected?.mail.text?.includes(reason))
  assert.ok(rejected?.mail.html?.includes('&lt;script&gt;ne répond pas'), 'what an operator writes is text')
  await sleep(300)
  assert.equal((await subjectsTo(address, 5)).length, 5, 'each once')
})

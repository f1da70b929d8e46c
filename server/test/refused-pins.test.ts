// A wrong PIN is written down with the address it came from, the request and the session it came in, wherever one is asked
// for. The routes are found by their schemas, so that a new one can't be forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBusiness } from './businesses.ts'
import { newCampaign } from './campaigns.ts'
import { ask, formIn, testBrowser } from './checkouts.ts'
import { goal, openCircle } from './circles.ts'
import { testApp } from './helpers.ts'
import { fund, register, type TestPerson } from './people.ts'
import { nameOf, routeTable } from './route-table.ts'

const table = routeTable()
const server = await testApp({ watch: table.watch })
const wrong = '9035'

/** Those make a PIN; nobody guesses one there. */
const setting = ['POST /api/auth/register', 'PUT /api/me/pin']
/** A form: its fields are read by the page. */
const forms = ['POST /checkout/pay']

/** Somebody who sends a wrong one, and the id of the request. */
type Guess = () => Promise<{ person: TestPerson; requestId: string }>

const posted = async (person: TestPerson, url: string, body: object = {}) => {
  const { headers, body: answer, text } = await person.call('POST', url, { pin: wrong, ...body })
  assert.equal(answer.code, 'pin_incorrect', `${url}: ${text}`)
  return { person, requestId: String(headers['x-request-id']) }
}

const guesses: Record<string, Guess> = {
  'POST /api/send': async () => {
    const { handle } = await register(server)
    return posted(await register(server), '/api/send', { recipient: handle, amount: 1_000, currency: 'UGX' })
  },
  'POST /api/requests/:id/pay': async () => {
    const [asked, asking] = [await register(server), await register(server)]
    const order = { from: asked.handle, amount: 1_000, currency: 'UGX' }
    const { body } = await asking.call('POST', '/api/requests', order)
    return posted(asked, `/api/requests/${body.data.id}/pay`)
  },
  'POST /api/withdraw': async () => {
    const order = { amount: 10_000, currency: 'UGX', method: 'mtn', phone: '+256771234567' }
    return posted(await register(server), '/api/withdraw', order)
  },
  'POST /api/groups/:id/contribute': async () => {
    const circle = await openCircle(server, { members: 2, body: goal })
    return posted(circle.as(2), `/api/groups/${circle.id}/contribute`, { amount: 1_000 })
  },
  'POST /api/campaigns/:id/contribute': async () => {
    const { id } = await newCampaign(await register(server))
    return posted(await register(server), `/api/campaigns/${id}/contribute`, { amount: 1_000 })
  },
  'POST /api/campaigns/:id/withdraw': async () => {
    const owner = await register(server)
    const { id } = await newCampaign(owner)
    return posted(owner, `/api/campaigns/${id}/withdraw`, { amount: 1_000 })
  },
  'POST /api/merchant/payout': async () => {
    const { owner } = await newBusiness(server)
    return posted(owner, '/api/merchant/payout', { amount: 1_000, currency: 'UGX' })
  },
  'POST /checkout/pay': async () => {
    const person = await register(server)
    await fund(server, person, { amount: '20000' })
    const one = await ask(server, await newBusiness(server))
    const browser = testBrowser(server)
    const name = { name: person.handle, password: person.password }
    const page = await browser.submit(await browser.get(`${one.path}&step=wallet`), 'login', name)
    const form = formIn(page.html, 'pay')
    const { headers } = await browser.post(form.action, { ...form.hidden, pin: wrong })
    return { person, requestId: String(headers['x-request-id']) }
  },
}

test('the table has every route that asks for a PIN', () => {
  const asking = table
    .routes()
    .filter(({ schema }) => schema?.body?.properties?.pin !== undefined)
    .map(nameOf)
    .filter((name) => !setting.includes(name))
  assert.deepEqual(Object.keys(guesses).toSorted(), [...asking, ...forms].toSorted())
})

for (const [route, guess] of Object.entries(guesses)) {
  test(route, async () => {
    const { person, requestId } = await guess()
    const events = await server.db.rows<object>(
      `select address, request_id, result, session from audit.events where action = 'pin.failed' and actor_id = $1`,
      [person.id],
    )
    // Who pays in the checkout is logged in nowhere.
    const session = forms.includes(route) ? null : await sessionOf(person)
    assert.deepEqual(events, [{ address: '127.0.0.1', request_id: requestId, result: 'refused', session }])
  })
}

async function sessionOf(person: TestPerson): Promise<string> {
  const { body } = await person.call('GET', '/api/auth/sessions')
  return body.data.find(({ current }: { current: boolean }) => current).id
}

// Coming in promises: who is new opens an account, who has one signs in and stays signed in after a reload, and what is
// wrong is said beside the field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longTest } from '../../server/test/thorough.ts'
import { desktop, goodPassword, newAccount, openDashboard } from './dashboard.ts'

const { app, open } = await openDashboard()

test('a new person opens an account and sees an empty purse', async () => {
  const { page, look, close } = await open({ path: '/signup' })
  await page.getByRole('heading', { name: 'Open an account' }).waitFor()
  await look('sign-up')
  await page.getByLabel('Your name').fill('Zawadi Mrembo')
  await page.getByLabel('Phone number').fill('+256 770 123 456')
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('PIN for payments').fill('1234')
  await page.getByRole('button', { name: 'Open an account' }).click()
  await page.locator('.field-error').first().waitFor()
  assert.ok((await page.locator('.field-error').count()) >= 2, 'both fields say what is wrong')
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByLabel('PIN for payments').fill('4827')
  await page.getByRole('button', { name: 'Open an account' }).click()
  await page.getByRole('heading', { name: 'Hello Zawadi Mrembo' }).waitFor()
  await page.getByText('Nothing has happened yet').waitFor()
  await look('home-empty')
  await page.reload()
  await page.getByRole('heading', { name: 'Hello Zawadi Mrembo' }).waitFor()
  await close()
})

test('who signs in goes on where they wanted to go, and signs out for good', async () => {
  const { handle } = await newAccount(app)
  const { page, look, lookMore, close } = await open({ path: '/history', size: desktop })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look('sign-in')
  await page.getByLabel('Handle, phone or e-mail').fill(handle)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor()
  await lookMore('sign-in-wrong')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/app/history')
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // Whoever is next is not led to where this person was.
  assert.equal(page.url().replace(/^https?:[/][/][^/]+/, ''), '/app/signin')
  await page.goBack()
  await page.waitForURL('**/app/signin')
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const kept = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')
  assert.doesNotMatch(String(kept), /eyJ/, 'no token is kept')
  await close()
})

test('who was wrong ten times is told for how long the way in is closed', async () => {
  const { handle } = await newAccount(app)
  const guess = () =>
    app.inject({ method: 'POST', url: '/api/auth/login', payload: { handle, password: 'not the password' } })
  await Promise.all(Array.from({ length: 10 }, guess))
  const { page, close } = await open({ path: '/signin', options: { locale: 'fr' } })
  await page.getByLabel('Identifiant').fill(handle)
  await page.getByLabel('Mot de passe', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('alert').getByText('Réessayez dans 15 minutes.').waitFor()
  await close()
})

test('who signs out without a connection is not shown any more, and is signed out when it is back', async () => {
  const { handle } = await newAccount(app)
  const { page, look, close } = await open({ handle, path: '/account', size: desktop })
  const still = page.getByText('This device is still signed in.')
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true }).first()
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await page.reload()
  await signOut.waitFor()
  // A link on which nothing is answered.
  let isAsked: (value?: unknown) => void = () => undefined
  const asked = new Promise((resolve) => {
    isAsked = resolve
  })
  await page.route('**/api/auth/*', (route) => {
    isAsked()
    setTimeout(() => void route.abort('internetdisconnected').catch(() => undefined), 500)
  })
  await signOut.click()
  await asked
  assert.equal(await signOut.getAttribute('aria-busy'), 'true')
  await still.waitFor()
  assert.equal(new URL(page.url()).search, '')
  assert.doesNotMatch(await page.content(), new RegExp(handle))
  await look('still-signed-in')
  // The cookie is there yet; it brings nobody back.
  await page.reload()
  await still.waitFor()
  await page.goto('/app/account')
  await still.waitFor()
  await page.getByRole('button', { name: 'Sign out again' }).click()
  await page.locator('[aria-busy]').waitFor({ state: 'detached' })
  await still.waitFor()
  await page.unroute('**/api/auth/*')
  await page.getByRole('button', { name: 'Sign out again' }).click()
  await still.waitFor({ state: 'detached' })
  assert.deepEqual(await page.context().cookies(), [])
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
})

longTest('by itself when the connection is back; and who signs in instead stays', async () => {
  const [one, two] = [await newAccount(app), await newAccount(app)]
  const { page, close } = await open({ handle: one.handle, size: desktop })
  const still = page.getByText('This device is still signed in.')
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true }).first()
  await signOut.waitFor()
  // The page for who is not signed in comes by itself a little later; it is whole when its other parts are there, too.
  await page.evaluate(`new Promise((done) => {
    const name = () => performance.getEntriesByType('resource').find(({ name }) => /assets.sign-in-/.test(name))?.name
    const look = () => (name() ? done(import(name()).then(() => undefined)) : setTimeout(look, 50))
    look()
  })`)
  await page.context().setOffline(true)
  await signOut.click()
  await still.waitFor()
  await page.context().setOffline(false)
  await still.waitFor({ state: 'detached' })
  assert.deepEqual(await page.context().cookies(), [])

  const signIn = async (handle: string) => {
    await page.getByLabel('Handle, phone or e-mail').fill(handle)
    await page.getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`@${handle}`).first().waitFor()
  }
  await signIn(one.handle)
  await page.route('**/api/auth/logout', (route) => route.abort('internetdisconnected'))
  await signOut.click()
  await still.waitFor()
  await page.unroute('**/api/auth/logout')
  await signIn(two.handle)
  await page.reload()
  await page.getByText(`@${two.handle}`).first().waitFor()
  await close()
})

longTest('also where the page for who is not signed in has never come', async () => {
  const { handle } = await newAccount(app)
  // Without the worker: what it asks for is not seen here.
  const options = { serviceWorkers: 'block' } as const
  const { page, troubles, look, close } = await open({ handle, size: desktop, options })
  const still = page.getByText('This device is still signed in.')
  await page.route(/\/assets\/sign-in-/, (route) => route.abort())
  await page.getByText(`@${handle}`).first().waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await still.waitFor()
  assert.doesNotMatch(await page.content(), new RegExp(handle))
  await look('still-signed-in-broken')
  await page.unroute(/\/assets\/sign-in-/)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await still.waitFor({ state: 'detached' })
  assert.deepEqual(await page.context().cookies(), [])
  // What React and the browser say of the file in the console.
  troubles.length = 0
  await close()
})

test('who meets a proxy, or has to wait, is told so and not taken for a stranger', async () => {
  const { handle } = await newAccount(app)
  const { page, look, close } = await open({ handle, path: '/nowhere' })
  await page.getByText('There is no page here.').waitFor()
  const known = { success: false, message: 'Too many requests', code: 'rate_limited', request_id: 'req_1' }
  const answers = [
    { status: 403, contentType: 'text/html', body: '<p>Buy airtime' },
    { status: 429, headers: { 'retry-after': '120' }, json: known },
  ]
  await page.route('**/api/auth/refresh', (route) => route.fulfill(answers.shift()))
  await page.goto('/app/history')
  await page.getByRole('heading', { name: 'The service can’t be reached.' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'That was too often. Try again in 2 minutes.' }).waitFor()
  await look('must-wait')
  await page.unroute('**/api/auth/refresh')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await close()
})

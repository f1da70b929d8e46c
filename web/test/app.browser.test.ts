// The app as a thing to live with promises: it is small, it opens without a connection, it can be installed, nothing secret
// stays in the browser, and a look that was chosen stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fund, register } from '../../server/test/people.ts'
import { longTest } from '../../server/test/thorough.ts'
import { openDashboard } from './dashboard.ts'

const dashboard = await openDashboard()
const { open, origin } = dashboard
const person = await register(dashboard, { name: 'Neema Were' })
await fund(dashboard, person, { amount: '12500' })
const me = { handle: person.handle, password: person.password }

const homeBytesMax = 120 * 1024

test('the signed-in home loads at most 120 KB of script, compressed', async () => {
  const { page, close } = await open({ ...me, path: '/nowhere' })
  await page.getByText('There is no page here.').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.setBypassServiceWorker', { bypass: true })
  await page.goto('/app')
  await page.getByText('12,500').first().waitFor()
  await page.waitForLoadState('networkidle')
  assert.ok(scripts.size >= 2, 'the scripts were seen')
  assert.ok(bytes > 40_000 && bytes <= homeBytesMax, `${bytes} bytes of script`)
  await close()
})

test('a screen reader is led to the title of each new page, also by the links that stay', async () => {
  const { page, close } = await open(me)
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  const bar = page.getByRole('navigation', { name: 'Main' })
  const focused = (name: string) => page.locator('h1:focus', { hasText: name }).waitFor()
  await bar.getByRole('link', { name: 'Groups' }).click()
  await focused('Groups')
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Campaigns' }).click()
  await focused('Campaigns')
  await close()
})

test('opens without a connection and says so, and goes on when it is back', async () => {
  const { page, close } = await open(me)
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  // With the worker in place, so that it sees the files.
  await page.reload()
  await page.getByText('12,500').first().waitFor()
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'The service can’t be reached.' }).waitFor()
  const kept = (await page.evaluate(
    `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys()))))
      .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`,
  )) as string[]
  assert.deepEqual(
    kept.filter((path) => path.startsWith('/api/')),
    [],
    'nothing that the API answered is kept',
  )
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  // It sees by itself that the connection is back.
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  await close()
})

longTest('opens on a phone that has no room left to keep anything', async () => {
  const { page, close } = await open(me)
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cache_storage' })
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  await page.reload()
  await page.getByText('12,500').first().waitFor()
  const kept = `caches.open('mfuko-app-1').then((one) => one.put('/app', new Response('no room'))).then(() => 'kept', () => 'full')`
  assert.equal(await page.evaluate(kept), 'full', 'there was no room')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await session.send('Storage.overrideQuotaForOrigin', { origin })
  await close()
})

test('a page that can’t be had says so within its frame, and is there at the next try', async () => {
  // Without the worker: what it asks for is not seen here.
  const { page, troubles, look, close } = await open({ ...me, options: { serviceWorkers: 'block' } })
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  await page.route(/\/assets\/history-[\w-]+\.js$/, (route) => route.abort())
  const bar = page.getByRole('navigation', { name: 'Main' })
  const broken = page.getByRole('heading', { name: 'This page could not be shown.' })
  await bar.getByRole('link', { name: 'History' }).click()
  await broken.waitFor()
  await page.getByRole('alert').getByText('Your money is safe.').waitFor()
  await look('broken')
  // Another page is not broken by it.
  await bar.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  await bar.getByRole('link', { name: 'History' }).click()
  await broken.waitFor()
  await page.unroute(/\/assets\/history-[\w-]+\.js$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()

  // Without loading everything anew: by who comes again, and by the connection that is back.
  const groups = page.getByRole('heading', { name: 'Savings groups' })
  await page.route(/\/assets\/(?:groups|send)-[\w-]+\.js$/, (route) => route.abort())
  await bar.getByRole('link', { name: 'Groups' }).click()
  await broken.waitFor()
  await bar.getByRole('link', { name: 'Send' }).click()
  await page.waitForURL('**/app/send')
  await broken.waitFor()
  await page.unroute(/\/assets\/(?:groups|send)-[\w-]+\.js$/)
  await bar.getByRole('link', { name: 'Groups' }).click()
  await groups.waitFor()
  await page.route(/\/assets\/requests-[\w-]+\.js$/, (route) => route.abort())
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Requests' }).click()
  await broken.waitFor()
  await page.unroute(/\/assets\/requests-[\w-]+\.js$/)
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
  // What React and the browser say of it in the console.
  assert.ok(troubles.length > 0)
  troubles.length = 0
  await close()
})

longTest('a page for who is not signed in says so too, in the language of the browser', async () => {
  const options = { serviceWorkers: 'block', locale: 'fr' } as const
  const { page, troubles, lookMore, close } = await open({ options, path: '/forgot' })
  await page.getByRole('heading', { name: 'Un nouveau mot de passe' }).waitFor()
  await page.route(/\/assets\/sign-in-[\w-]+\.js$/, (route) => route.abort())
  await page.goto('/app/signin')
  await page.getByRole('heading', { name: 'Cette page n’a pas pu s’afficher.' }).waitFor()
  await lookMore('broken-outside')
  await page.unroute(/\/assets\/sign-in-[\w-]+\.js$/)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('heading', { name: 'Se connecter' }).waitFor()
  troubles.length = 0
  await close()
})

test('can be installed', async () => {
  const { page, close } = await open(me)
  const manifest = await (await page.request.get('/app.webmanifest')).json()
  assert.deepEqual([manifest.display, manifest.start_url, manifest.scope], ['standalone', '/app', '/app'])
  for (const { src, sizes } of manifest.icons) {
    const reply = await page.request.get(src)
    assert.equal(reply.status(), 200, src)
    if (sizes !== 'any') assert.match(reply.headers()['content-type'] ?? '', /image\/png/)
  }
  const session = await page.context().newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  assert.deepEqual(errors, [])
  await close()
})

test('the policy of the page allows nothing from elsewhere and nothing inline', async () => {
  const { page, close } = await open(me)
  const policy = (await page.request.get('/app/send')).headers()['content-security-policy'] ?? ''
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
    assert.ok(policy.includes(part), part)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  await close()
})

test('a chosen theme and language stay; no secret does', async () => {
  const { page, close } = await open({ ...me, options: { colorScheme: 'light' } })
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  await page.evaluate(`localStorage.setItem('mfuko.theme', 'dark')`)
  await page.reload()
  await page.getByRole('heading', { name: 'Hello Neema Were' }).waitFor()
  assert.equal(
    await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'),
    'rgb(18, 22, 15)',
  )
  const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'))
  assert.doesNotMatch(kept, /eyJ|correct horse|4827/)
  const cookies = await page.context().cookies(origin)
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite]),
    [[true, 'Strict']],
  )
  assert.equal(await page.evaluate('document.cookie'), '')
  await close()
})

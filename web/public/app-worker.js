// Keeps the app itself, so that it opens without a connection and says so. Only its own files are kept: nothing that the
// API answers, so nothing of one person is left on a shared phone. Keeping is a convenience: where it fails, since the
// phone is full for instance, what the network answered is given all the same.
const shelf = 'mfuko-app-1'
const shell = '/app'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(shelf).then((kept) => kept.addAll([shell, '/theme.js', '/favicon.svg'])))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(pageOf(request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(assetOf(event))
  else if (url.pathname === '/theme.js')
    event.respondWith(fetch(request).catch(() => caches.match('/theme.js')))
})

/** The newest page; the kept one when there is no connection. */
async function pageOf(request) {
  let fresh
  try {
    fresh = await fetch(request)
  } catch (error) {
    const kept = await keptFor(shell)
    if (kept !== undefined) return kept
    throw error
  }
  // Before the page is given: it asks for its own files at once, and they are not among the old ones.
  if (fresh.ok) await keepPage(fresh.clone()).catch(() => undefined)
  return fresh
}

async function keepPage(page) {
  const kept = await caches.open(shelf)
  await kept.put(shell, page.clone())
  await forgetOldFiles(kept, await page.text())
}

/** Their names have a hash of what is in them, so a kept one is never old. */
async function assetOf(event) {
  const { request } = event
  const known = await keptFor(request)
  if (known !== undefined) return known
  const fresh = await fetch(request)
  if (fresh.ok) event.waitUntil(keepAsset(request, fresh.clone()).catch(() => undefined))
  return fresh
}

async function keepAsset(request, asset) {
  const kept = await caches.open(shelf)
  await kept.put(request, asset)
}

/** Undefined also where nothing can be read. */
const keptFor = (request) => caches.match(request).catch(() => undefined)

/** After a new version: a page that names other files than before. */
async function forgetOldFiles(kept, html) {
  const entry = /\/assets\/app-[\w-]+\.js/.exec(html)?.[0]
  if (entry === undefined || (await kept.match(entry)) !== undefined) return
  for (const request of await kept.keys()) {
    if (new URL(request.url).pathname.startsWith('/assets/')) await kept.delete(request)
  }
}

// Keeps the app itself, so that it opens without a connection and says so. Only its own files are kept: nothing that the
// API answers, so nothing of one person is left on a shared phone.
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
  else if (url.pathname.startsWith('/assets/')) event.respondWith(assetOf(request))
  else if (url.pathname === '/theme.js')
    event.respondWith(fetch(request).catch(() => caches.match('/theme.js')))
})

/** The newest page; the kept one when there is no connection. */
async function pageOf(request) {
  try {
    const fresh = await fetch(request)
    if (fresh.ok) {
      const kept = await caches.open(shelf)
      await kept.put(shell, fresh.clone())
      await forgetOldFiles(kept, await fresh.clone().text())
    }
    return fresh
  } catch (error) {
    const kept = await caches.match(shell)
    if (kept !== undefined) return kept
    throw error
  }
}

/** Their names have a hash of what is in them, so a kept one is never old. */
async function assetOf(request) {
  const known = await caches.match(request)
  if (known !== undefined) return known
  const fresh = await fetch(request)
  if (fresh.ok) await (await caches.open(shelf)).put(request, fresh.clone())
  return fresh
}

/** After a new version: a page that names other files than before. */
async function forgetOldFiles(kept, html) {
  const entry = /\/assets\/app-[\w-]+\.js/.exec(html)?.[0]
  if (entry === undefined || (await kept.match(entry)) !== undefined) return
  for (const request of await kept.keys()) {
    if (new URL(request.url).pathname.startsWith('/assets/')) await kept.delete(request)
  }
}

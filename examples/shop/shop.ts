// A small shop. It knows the payment service by its public API only: it asks for a payment, sends the customer to the
// address it got, and believes what the signed notification says. What a customer's browser brings back is no proof.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { askForPayment, type Gateway } from './gateway.ts'
import { readNotification } from './notification.ts'
import { failedPage, missingPage, orderPage, productPage, productsPage, type ReturnedBy } from './pages.ts'
import { findProduct } from './products.ts'
import { newOrder, type Order, openStore, type Store, withNotification } from './store.ts'

export interface ShopOptions {
  /** 0 takes any free one. */
  port: number
  host?: string
  /** Where the payment service is. */
  apiUrl: string
  /** What header names begin with there; SVC, unless told. */
  headerPrefix?: string
  merchantId: string
  apiKey: string
  clientSecret: string
  /** A folder for the orders. */
  dataDir: string
  /** Where customers reach the shop; this machine, unless told. */
  url?: string
  /** Where the payment service reaches the shop. */
  notifyUrl?: string
  log?: (line: string) => void
}

export interface RunningShop {
  url: string
  close(): Promise<void>
}

interface Shop extends Gateway {
  clientSecret: string
  url: string
  notifyUrl: string
  store: Store
  log: (line: string) => void
}

const bodyBytesMax = 64 * 1024
const quantityMax = 9

export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { host = '127.0.0.1', headerPrefix = 'SVC', log = console.log } = options
  const store = await openStore(join(options.dataDir, 'orders.json'))
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, resolve)
  })
  const place = server.address()
  const port = typeof place === 'object' && place !== null ? place.port : options.port
  const url = options.url ?? `http://localhost:${port}`
  const notifyUrl = options.notifyUrl ?? `${options.url ?? `http://${host}:${port}`}/notifications`
  const shop: Shop = { ...options, headerPrefix, url, notifyUrl, store, log }
  server.on('request', (request, response) => {
    answer(shop, request, response).catch((error: unknown) => {
      log(`shop: ${request.method} failed: ${error instanceof Error ? error.message : error}`)
      if (!response.headersSent) sendPage(response, { status: 500, html: failedPage(undefined) })
    })
  })
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
    },
  }
}

const returns: Record<string, ReturnedBy> = { success: 'success', failure: 'failure', cancelled: 'cancel' }

async function answer(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [pathname = '/'] = (request.url ?? '/').split('?')
  const [, room = '', id = '', last = ''] = pathname.split('/')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const file = files[pathname]
  if (method === 'GET' && file !== undefined) return sendFile(response, file)
  if (method === 'GET' && pathname === '/') return sendPage(response, { html: productsPage() })
  if (method === 'GET' && room === 'products' && last === '') {
    const product = findProduct(id)
    if (product !== undefined)
      return sendPage(response, { html: productPage(product, { orderId: newOrderId(), quantityMax }) })
  }
  if (method === 'POST' && pathname === '/orders') return takeOrder(shop, request, response)
  if (method === 'POST' && pathname === '/notifications') return receive(shop, request, response)
  const order = room === 'orders' ? shop.store.find(id) : undefined
  if (order !== undefined) {
    if (method === 'POST' && last === 'pay') return pay(shop, order, response)
    if (method === 'GET' && last === 'state') return sendJson(response, 200, { state: order.state })
    if (method === 'GET' && last === '') return sendPage(response, { html: orderPage(order, undefined) })
    if (method === 'GET' && Object.hasOwn(returns, last))
      return sendPage(response, { html: orderPage(order, returns[last]) })
  }
  sendPage(response, { status: 404, html: missingPage() })
}

const idForm = /^DA-[A-Z0-9]{10}$/
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Nobody can guess it, so nobody looks at somebody else's order. */
const newOrderId = (): string =>
  `DA-${[...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('')}`

/** The form brings the number of the order along, so that a double click is one order. */
async function takeOrder(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await readBody(request))?.toString('utf8') ?? '')
  const id = form.get('order') ?? ''
  const product = findProduct(form.get('product') ?? '')
  const quantity = Number(form.get('quantity'))
  const good = idForm.test(id) && Number.isInteger(quantity) && quantity >= 1 && quantity <= quantityMax
  if (product === undefined || !good) return sendPage(response, { status: 422, html: missingPage() })
  const order = shop.store.find(id) ?? (await shop.store.save(newOrder({ id, product, quantity })))
  return pay(shop, order, response)
}

/** The order is the name of the payment, so asking twice gives the same one; after a failed one it gives another. */
async function pay(shop: Shop, order: Order, response: ServerResponse): Promise<void> {
  if (order.state === 'paid') return redirect(response, `/orders/${order.id}`)
  const page = `${shop.url}/orders/${order.id}`
  const asked = await askForPayment(shop, {
    payment_amount: order.total,
    currency_code: order.currency,
    ref_trx: order.id,
    description: `${order.quantity} × ${order.productName}`,
    success_redirect: `${page}/success`,
    failure_url: `${page}/failure`,
    cancel_redirect: `${page}/cancelled`,
    ipn_url: shop.notifyUrl,
  })
  if ('paymentUrl' in asked) {
    // The notification may have been quicker.
    const known = shop.store.find(order.id) ?? order
    if (known.state !== 'paid') await shop.store.save({ ...known, state: 'waiting' })
    return redirect(response, asked.paymentUrl)
  }
  shop.log(`shop: the payment of ${order.id} was refused: ${asked.refusal}`)
  sendPage(response, { status: 502, html: failedPage(order) })
}

/** Only here an order turns paid. */
async function receive(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) return sendJson(response, 413, { message: 'Too large' })
  const header = (name: string) => String(request.headers[`${shop.headerPrefix}-${name}`.toLowerCase()] ?? '')
  const webhookId = header('Webhook-ID')
  const read = readNotification({
    body,
    signature: header('Signature'),
    clientSecret: shop.clientSecret,
  })
  if ('refusal' in read) {
    shop.log(`shop: notification ${webhookId.slice(0, 64)} refused: ${read.refusal}`)
    return sendJson(response, read.refusal === 'signature' ? 403 : 422, { message: 'Refused' })
  }
  const { notification } = read
  const order = shop.store.find(notification.refTrx)
  if (order === undefined) return sendJson(response, 404, { message: 'No such order' })
  // The price of the order counts, whatever was paid for.
  if (notification.amount !== order.total || notification.currency !== order.currency) {
    shop.log(`shop: notification ${webhookId} is about another amount than order ${order.id}`)
    return sendJson(response, 422, { message: 'Another amount' })
  }
  await shop.store.save(withNotification(order, { id: webhookId, status: notification.status }))
  sendJson(response, 200, { message: 'Thank you' })
}

/** Undefined: it is too large. The exact bytes, because they are what is signed. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > bodyBytesMax) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

interface Page {
  status?: number
  html: string
}

function sendPage(response: ServerResponse, { status = 200, html }: Page): void {
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html)
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response
    .writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(value))
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...headers, location }).end()
}

const files: Record<string, { name: string; type: string } | undefined> = {
  '/style.css': { name: 'style.css', type: 'text/css; charset=utf-8' },
  '/script.js': { name: 'script.js', type: 'text/javascript; charset=utf-8' },
  '/icon.svg': { name: 'icon.svg', type: 'image/svg+xml' },
}

function sendFile(response: ServerResponse, { name, type }: { name: string; type: string }): void {
  const body = readFileSync(new URL(name, import.meta.url))
  response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'no-cache' }).end(body)
}

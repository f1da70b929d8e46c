// What tests of the checkout share: payments to pay, and a browser without a screen: it keeps cookies, reads forms and
// sends them as they are.
import assert from 'node:assert/strict'
import { readMinor } from '../src/base/money.ts'
import type { NewOrder, Payment } from '../src/payments/payments.ts'
import type { TestBusiness } from './businesses.ts'
import type { TestApp } from './helpers.ts'

let made = 0

export interface AskedPayment {
  payment: Payment
  token: string
  /** `/checkout?token=…` */
  path: string
}

export async function ask(
  { payments }: Pick<TestApp, 'payments'>,
  business: Pick<TestBusiness, 'id'>,
  order: Partial<NewOrder> & { price?: string } = {},
): Promise<AskedPayment> {
  made += 1
  const { price = '10000', ...rest } = order
  const currency = order.amount?.currency ?? 'UGX'
  const reading = readMinor(price, currency)
  assert.ok('minor' in reading)
  const { payment } = await payments.ask({
    merchant: business.id,
    merchantName: 'Duka la Amina',
    mode: 'live',
    source: 'gateway',
    refTrx: `ORDER-${made}`,
    amount: { minor: reading.minor, currency },
    description: 'Two bags of coffee',
    notifyUrl: null,
    successRedirect: 'https://duka.example/thanks',
    failureUrl: 'https://duka.example/sorry',
    cancelRedirect: 'https://duka.example/basket',
    key: undefined,
    ...rest,
  })
  const url = new URL(payments.urlOf(payment))
  return { payment, token: url.searchParams.get('token') ?? '', path: url.pathname + url.search }
}

export interface Page {
  status: number
  html: string
  headers: Record<string, string | string[] | number | undefined>
  /** Where it leads, if it is a redirect. */
  location: string | undefined
  /** The words that a person reads. */
  text: string
}

export interface TestBrowser {
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Page>
  /** Sends the form of a page whose address ends so, with these fields filled in; follows the redirect. */
  submit(page: Page, place: string, fields?: Record<string, string>): Promise<Page>
  /** The same, and the redirect is not followed. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>
}

export function testBrowser({ app }: Pick<TestApp, 'app'>, language = 'en'): TestBrowser {
  const cookies = new Map<string, string>()
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    { fields, headers = {} }: { fields?: Record<string, string>; headers?: Record<string, string> },
  ): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await app.inject({
      method,
      url: path,
      headers: {
        'accept-language': language,
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
      },
      ...(fields === undefined ? {} : { payload: new URLSearchParams(fields).toString() }),
    })
    for (const { name, value, maxAge } of reply.cookies as {
      name: string
      value: string
      maxAge?: number
    }[]) {
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: reply.statusCode,
      html: reply.body,
      headers: reply.headers,
      location: reply.headers.location,
      text: wordsOf(reply.body),
    }
  }
  const get: TestBrowser['get'] = (path, headers = {}) => send('GET', path, { headers })
  const post: TestBrowser['post'] = (path, fields, headers = {}) => send('POST', path, { fields, headers })
  return {
    cookies,
    get,
    post,
    submit: async (page, place, fields = {}) => {
      const form = formIn(page.html, place)
      const answer = await post(form.action, { ...form.hidden, ...fields })
      return answer.status === 303 ? get(answer.location ?? '') : answer
    },
  }
}

export function formIn(html: string, place: string): { action: string; hidden: Record<string, string> } {
  for (const [, action = '', inside = ''] of html.matchAll(
    /<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs,
  )) {
    const path = unescaped(action)
    if (!path.split('?', 1)[0]?.endsWith(`/${place}`)) continue
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    return {
      action: path,
      hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescaped(value)])),
    }
  }
  assert.fail(
    `the page has no form that leads to ${place}: ${html
      .replace(/<style.*?<\/style>|<[^>]*>/gs, ' ')
      .replace(/\s+/g, ' ')
      .slice(0, 300)}`,
  )
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const wordsOf = (html: string): string =>
  unescaped(html.replaceAll(/<(head|script)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Opens, logs in, and confirms with the PIN: the page after that. */
export async function payInCheckout(
  browser: TestBrowser,
  { path }: { path: string },
  { handle, password, pin }: { handle: string; password: string; pin: string },
): Promise<Page> {
  const first = await browser.get(`${path}&step=wallet`)
  const confirm = await browser.submit(first, 'login', { name: handle, password })
  return browser.submit(confirm, 'pay', { pin })
}

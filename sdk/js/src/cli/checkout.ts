// Pays or cancels in the hosted checkout of test mode, as a customer does: it opens the page, fills in its forms and keeps
// its cookie. The customer of the sandbox is in the documentation and on the page; it exists in test mode only.
import { UsageError } from './terminal.ts'

const customer = { name: 'test_customer', password: 'mfuko-sandbox', pin: '4821' }

interface Page {
  html: string
}

export interface Visit {
  pay(): Promise<void>
  cancel(): Promise<void>
}

/** `paymentUrl` as it was answered; the service is asked where the other commands reach it. */
export function openVisit(baseUrl: string, paymentUrl: string): Visit {
  const { pathname, search } = new URL(paymentUrl)
  const cookies = new Map<string, string>()
  const open = async (address: string, form?: Record<string, string>): Promise<Page> => {
    const reply = await fetch(new URL(address, baseUrl), {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        'accept-language': 'en',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const html = await reply.text()
    const next = reply.headers.get('location')
    if (reply.status === 303 && next !== null && next.startsWith('/')) return open(next)
    return { html }
  }
  const submit = (page: Page, place: string, fields: Record<string, string> = {}) => {
    const form = formOf(page.html, place)
    return open(form.action, { ...form.hidden, ...fields })
  }
  const at = (step: string) => open(`${pathname}${search}&step=${step}`)
  return {
    pay: async () => {
      const { name, password, pin } = customer
      const confirm = await submit(await at('wallet'), 'login', { name, password })
      await submit(confirm, 'pay', { pin })
    },
    cancel: async () => {
      await submit(await at('cancel'), 'cancel')
    },
  }
}

/** The form of a page that leads to a place of the checkout, with what it sends besides its fields. */
function formOf(html: string, place: string): { action: string; hidden: Record<string, string> } {
  for (const [, action = '', inside = ''] of html.matchAll(
    /<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs,
  )) {
    const path = unescaped(action)
    if (!path.startsWith(`/checkout/${place}?`)) continue
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    return {
      action: path,
      hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescaped(value)])),
    }
  }
  const said = unescaped(/<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? 'nothing')
  throw new UsageError(
    `The checkout does not offer to ${place === 'cancel' ? 'cancel' : 'pay'}. It says: ${said}`,
  )
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

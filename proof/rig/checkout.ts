// A customer on the hosted page, without scripts: cookies are kept, forms are read and sent as they are. Use:
//
//   const heard = await payByWallet(client, { person, payment: { reference, url } })
//   await payByPhone(client, { payment, phone: '+256772000111', network: 'mtn' })
import type { Client, Heard, Request } from './client.ts'
import type { Person } from './world.ts'

export interface CheckoutPayment {
  reference: string
  /** `payment_url`. */
  url: string
  mode: 'live' | 'test'
}

const silent: Heard = { status: 0, text: '', json: undefined, headers: {}, outcome: 'unknown', ms: 0 }

/** Logs in and confirms with the PIN. Only that last step is an act: what comes before it moves nothing. */
export async function payByWallet(
  client: Client,
  { person, payment }: { person: Person; payment: CheckoutPayment },
): Promise<Heard> {
  const ready = await readyToPay(client, { person, payment })
  if ('act' in ready) return client.act(ready)
  return { ...silent, ...ready, outcome: await endOf(client, payment) }
}

/** The last step, to be sent when the time has come; or the status of the page that had no form. */
export async function readyToPay(
  client: Client,
  { person, payment }: { person: Person; payment: CheckoutPayment },
): Promise<Request | { status: number }> {
  const visit = openVisit(client, payment)
  const first = await visit.get('wallet')
  const login = formIn(first.text, 'login')
  if (login === undefined) return { status: first.status }
  const { handle, password, pin } = person
  const logged = await visit.post(login, { name: handle, password })
  const confirm = logged.status === 303 ? await visit.get() : logged
  const form = formIn(confirm.text, 'pay')
  if (form === undefined) return { status: confirm.status }
  const { reference, mode } = payment
  return {
    act: 'pay',
    route: 'POST /checkout/pay',
    path: form.action,
    who: person.id,
    mode,
    headers: visit.headers(),
    form: { ...form.hidden, pin },
    noted: { payment: reference },
    outcomeOf: async ({ status }) =>
      status === 303 ? endOf(client, payment) : status === 0 || status >= 500 ? 'unknown' : 'refused',
  }
}

/** The form of the customer who does not want it any more. */
export async function readyToCancel(client: Client, payment: CheckoutPayment): Promise<Request> {
  const visit = openVisit(client, payment)
  const shown = await visit.get('cancel')
  const form = formIn(shown.text, 'cancel')
  if (form === undefined) throw new Error(`no form to cancel with: ${shown.status}`)
  return {
    act: 'cancel',
    route: 'POST /checkout/cancel',
    path: form.action,
    who: '-',
    mode: payment.mode,
    headers: visit.headers(),
    form: form.hidden,
    noted: { payment: payment.reference },
    outcomeOf: (heard) => (heard.status === 0 || heard.status >= 500 ? 'unknown' : 'done'),
  }
}

/** Asks the network; what comes of it is known later. */
export async function payByPhone(
  client: Client,
  { payment, phone, network }: { payment: CheckoutPayment; phone: string; network: string },
): Promise<Heard> {
  const visit = openVisit(client, payment)
  const first = await visit.get('mobile')
  const form = formIn(first.text, 'start')
  if (form === undefined) return { ...silent, status: first.status }
  return client.act({
    act: 'start',
    route: 'POST /checkout/start',
    path: form.action,
    who: '-',
    mode: payment.mode,
    headers: visit.headers(),
    form: { ...form.hidden, phone, network },
    noted: { payment: payment.reference },
    outcomeOf: (heard) => (heard.status === 0 || heard.status >= 500 ? 'unknown' : 'done'),
  })
}

/** What the page's own script asks. */
export async function stateOf(client: Client, payment: CheckoutPayment): Promise<string | undefined> {
  const { search } = new URL(payment.url)
  const heard = await client.look({ route: 'GET /checkout/state', path: `/checkout/state${search}` })
  return heard.json?.state
}

/** The page leads on when it is paid, and also when it is too late for that. */
async function endOf(client: Client, payment: CheckoutPayment): Promise<Heard['outcome']> {
  const state = await stateOf(client, payment)
  if (state === undefined || state.startsWith('pending')) return 'unknown'
  return state.startsWith('completed') || state.startsWith('refunded') ? 'done' : 'refused'
}

interface Form {
  action: string
  hidden: Record<string, string>
}

function openVisit(client: Client, { url }: CheckoutPayment) {
  const { pathname, search } = new URL(url)
  const cookies = new Map<string, string>()
  const headers = (): Record<string, string> =>
    cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const kept = (heard: Heard): Heard => {
    for (const line of [heard.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return heard
  }
  return {
    headers,
    get: async (step?: string) =>
      kept(
        await client.look({
          route: 'GET /checkout',
          path: `${pathname}${search}${step === undefined ? '' : `&step=${step}`}`,
          headers: headers(),
        }),
      ),
    post: async ({ action, hidden }: Form, fields: Record<string, string>) =>
      kept(
        await client.look({
          route: 'POST /checkout/login',
          path: action,
          headers: headers(),
          form: { ...hidden, ...fields },
        }),
      ),
  }
}

function formIn(html: string, place: string): Form | undefined {
  for (const [, attributes = '', inside = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const action = plain(/\baction="([^"]*)"/.exec(attributes)?.[1] ?? '')
    if (!action.split('?', 1)[0]?.endsWith(`/${place}`)) continue
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    return {
      action,
      hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, plain(value)])),
    }
  }
  return undefined
}

const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

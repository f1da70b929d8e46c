// Callers of the simulated providers, written from the providers' documentation alone, and a place that takes callbacks.
import {
  constants,
  createCipheriv,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  randomUUID,
  X509Certificate,
} from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/simulator.ts'

export interface Heard {
  path: string
  method: string
  headers: Record<string, string>
  body: string
}

export interface Receiver {
  url: string
  heard: Heard[]
  /** What it answers from now on. */
  answers(status: number): void
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const heard: Heard[] = []
  let status = 200
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    heard.push({
      path: message.url ?? '',
      method: message.method ?? '',
      headers: message.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answers: (next) => {
      status = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Everything takes milliseconds. */
export const quick = {
  pay: 4,
  prompt: 60,
  late: 120,
  between: 4,
  late_callback: 40,
  reordered: 20,
  answer: 2,
  retry: 10,
}

export interface Bench {
  simulator: Simulator
  receiver: Receiver
  close(): Promise<void>
}

/** The portal is set, so that every provider knows where to tell things. */
export async function openBench(options: SimulatorOptions = {}): Promise<Bench> {
  const receiver = await openReceiver()
  const simulator = await startSimulator({ delays: quick, seed: 99, ...options })
  simulator.portal.add('airtel', `${receiver.url}/airtel`)
  simulator.portal.add('paystack', `${receiver.url}/paystack`)
  return {
    simulator,
    receiver,
    close: async () => {
      await simulator.close()
      await receiver.close()
    },
  }
}

/** Asks until it is so, for five seconds at most. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 5_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it has not come true in five seconds')
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
}

/** Somebody at the phone approves, or refuses, what is on its screen. */
export function decideAt(
  { simulator: { phones } }: Bench,
  number: string,
  answer: 'approved' | 'refused',
): void {
  const [prompt] = phones.prompts(number)
  phones.answer(prompt?.id ?? '', answer === 'approved' ? { answer, pin: '4821' } : { answer })
}

export interface Reply {
  status: number
  text: string
  /** Tests reach into whatever a provider answers. */
  body: ReturnType<typeof JSON.parse>
}

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

export async function call(url: string, { method, headers = {}, body }: Sent = {}): Promise<Reply> {
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: parsed(text) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

// --- M-Pesa ---------------------------------------------------------------------------------------------------------

export async function darajaCaller({ simulator, receiver }: Bench) {
  const base = `${simulator.url}/daraja`
  const token = await call(`${base}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: basic('simulator-key', 'simulator-secret') },
  })
  const certificate = (await call(`${base}/certificate.pem`)).text
  const credential = (password = 'simulator-password') =>
    publicEncrypt(
      { key: new X509Certificate(certificate).publicKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(password),
    ).toString('base64')
  const headers = { authorization: `Bearer ${token.body.access_token}` }
  const post = (path: string, body: object) => call(`${base}${path}`, { headers, body })
  const asInitiator = (name: string, result: string) => ({
    [name]: 'simulator',
    SecurityCredential: credential(),
    ResultURL: `${receiver.url}/${result}`,
    QueueTimeOutURL: `${receiver.url}/timeout`,
    Remarks: 'a test',
    Occasion: 'a test',
  })
  const asked = (result: string) => ({
    ...asInitiator('Initiator', result),
    PartyA: '600000',
    IdentifierType: '4',
  })
  return {
    base,
    credential,
    push: (phone: string, changes: object = {}) =>
      post('/mpesa/stkpush/v1/processrequest', { ...pushBody(phone, receiver), ...changes }),
    query: (id: string) => post('/mpesa/stkpushquery/v1/query', { ...sealed, CheckoutRequestID: id }),
    payOut: (phone: string, changes: object = {}) =>
      post('/mpesa/b2c/v3/paymentrequest', {
        OriginatorConversationID: randomUUID(),
        ...asInitiator('InitiatorName', 'result'),
        ...{ CommandID: 'BusinessPayment', Amount: 100, PartyA: '600000', PartyB: phone },
        ...changes,
      }),
    status: (changes: object) =>
      post('/mpesa/transactionstatus/v1/query', {
        ...{ ...asked('status'), CommandID: 'TransactionStatusQuery' },
        ...changes,
      }),
    reverse: (receipt: string, changes: object = {}) =>
      post('/mpesa/reversal/v1/request', {
        ...asInitiator('Initiator', 'reversal'),
        ...{ CommandID: 'TransactionReversal', TransactionID: receipt, Amount: 100 },
        ...{ ReceiverParty: '174379', RecieverIdentifierType: '11' },
        ...changes,
      }),
    balance: () =>
      post('/mpesa/accountbalance/v1/query', { ...asked('balance'), CommandID: 'AccountBalance' }),
  }
}

const sealed = {
  BusinessShortCode: '174379',
  Password: Buffer.from('174379simulator-passkey20260131120000').toString('base64'),
  Timestamp: '20260131120000',
}

const pushBody = (phone: string, receiver: Receiver) => ({
  ...sealed,
  TransactionType: 'CustomerPayBillOnline',
  Amount: 100,
  PartyA: phone,
  PartyB: '174379',
  PhoneNumber: phone,
  CallBackURL: `${receiver.url}/stk`,
  AccountReference: 'INV7',
  TransactionDesc: 'a test',
})

// --- MTN ------------------------------------------------------------------------------------------------------------

const mtnUser = basic('6f1c2a3e-5b7d-4c8e-9f10-112233445566', 'simulator-api-key-0123456789abcdef')

export async function mtnCaller({ simulator, receiver }: Bench) {
  const base = `${simulator.url}/mtn`
  const headersOf = async (product: 'collection' | 'disbursement') => {
    const key = { 'ocp-apim-subscription-key': `simulator-${product}` }
    const token = await call(`${base}/${product}/token/`, {
      method: 'POST',
      headers: { ...key, authorization: mtnUser },
    })
    return { ...key, authorization: `Bearer ${token.body.access_token}`, 'x-target-environment': 'mtnuganda' }
  }
  const headers = { collection: await headersOf('collection'), disbursement: await headersOf('disbursement') }
  const pathOf = { requesttopay: 'collection', transfer: 'disbursement', refund: 'disbursement' } as const
  type Resource = keyof typeof pathOf
  return {
    base,
    headers,
    order: (resource: Resource, sent: { id: string; headers?: Record<string, string>; body: object }) =>
      call(`${base}/${pathOf[resource]}/v1_0/${resource}`, {
        headers: {
          ...headers[pathOf[resource]],
          'x-reference-id': sent.id,
          'x-callback-url': `${receiver.url}/${resource}`,
          ...sent.headers,
        },
        body: { amount: '1000', currency: 'UGX', externalId: 'INV7', payerMessage: 'a test', ...sent.body },
      }),
    status: (resource: Resource, id: string) =>
      call(`${base}/${pathOf[resource]}/v1_0/${resource}/${id}`, { headers: headers[pathOf[resource]] }),
    get: (product: 'collection' | 'disbursement', path: string) =>
      call(`${base}/${product}/v1_0/${path}`, { headers: headers[product] }),
  }
}

export const msisdn = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })

// --- Airtel ---------------------------------------------------------------------------------------------------------

export async function airtelCaller({ simulator }: Bench) {
  const base = `${simulator.url}/airtel`
  const token = await call(`${base}/auth/oauth2/token`, {
    body: { client_id: 'simulator', client_secret: 'simulator-secret', grant_type: 'client_credentials' },
  })
  const headers = {
    authorization: `Bearer ${token.body.access_token}`,
    'x-country': 'UG',
    'x-currency': 'UGX',
  }
  const keys = await call(`${base}/v1/rsa/encryption-keys`, { headers })
  const key = createPublicKey({ key: Buffer.from(keys.body.data.key, 'base64'), format: 'der', type: 'spki' })
  const seal = (text: string) =>
    publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString('base64')
  const sign = (body: string) => {
    const [secret, start] = [randomBytes(32), randomBytes(16)]
    const cipher = createCipheriv('aes-256-cbc', secret, start)
    const signature = Buffer.concat([cipher.update(body), cipher.final()]).toString('base64')
    return {
      'x-signature': signature,
      'x-key': seal(`${secret.toString('base64')}:${start.toString('base64')}`),
    }
  }
  const where = { country: 'UG', currency: 'UGX' }
  return {
    base,
    headers,
    seal,
    sign,
    collectBody: (id: string, subscriber: string) => ({
      reference: 'INV7test',
      subscriber: { ...where, msisdn: subscriber },
      transaction: { amount: 1000, ...where, id },
    }),
    payoutBody: (id: string, payee: string) => ({
      payee: { msisdn: payee },
      reference: 'INV7test',
      pin: seal('1234'),
      transaction: { amount: 1000, id },
    }),
    post: (path: string, body: unknown, more: Record<string, string> = {}) =>
      call(`${base}${path}`, { headers: { ...headers, ...more }, body }),
    get: (path: string) => call(`${base}${path}`, { headers }),
  }
}

export const plainId = (): string => randomUUID().replaceAll('-', '')

// --- Paystack -------------------------------------------------------------------------------------------------------

export const paystackCaller = ({ simulator }: Bench) => {
  const base = `${simulator.url}/paystack`
  const headers = { authorization: 'Bearer sk_test_simulator' }
  return {
    base,
    post: (path: string, body: unknown) => call(`${base}${path}`, { headers, body }),
    get: (path: string) => call(`${base}${path}`, { headers }),
  }
}

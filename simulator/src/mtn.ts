// MTN MoMo's Open API as its callers see it: tokens a product, requests to pay, transfers, deposits, refunds, each by the
// caller's own id; balances and names. Its errors come with the code as the provider names it.
import { randomInt, randomUUID } from 'node:crypto'
import type { Books } from './books.ts'
import type { Parcel } from './callbacks.ts'
import { type JsonObject, objectAt, readObject, textAt } from './json.ts'
import type { Knobs } from './knobs.ts'
import { readMinor, toDecimal } from './money.ts'
import type { Order, Orders, Protocol } from './orders.ts'
import type { Kind, Reason } from './outcomes.ts'
import { type Answer, json, type Request, type Route } from './server.ts'
import { isBasic, issueToken, judgeToken } from './tokens.ts'

export const mtnAccount = {
  keys: { collection: 'simulator-collection', disbursement: 'simulator-disbursement' },
  name: '6f1c2a3e-5b7d-4c8e-9f10-112233445566',
  password: 'simulator-api-key-0123456789abcdef',
} as const

type Product = keyof typeof mtnAccount.keys

/** Each market has its currency; the provider's own sandbox has the euro. */
const markets: Readonly<Record<string, string>> = {
  mtnuganda: 'UGX',
  mtnrwanda: 'RWF',
  mtnghana: 'GHS',
  mtnnigeria: 'NGN',
  mtnsouthafrica: 'ZAR',
  sandbox: 'EUR',
}

export interface MtnOptions {
  orders: Orders
  books: Books
  knobs: () => Knobs
  now: () => number
}

interface Resource {
  product: Product
  name: 'requesttopay' | 'transfer' | 'deposit' | 'refund'
  kind: Kind
}

const resources: readonly Resource[] = [
  { product: 'collection', name: 'requesttopay', kind: 'collect' },
  { product: 'disbursement', name: 'transfer', kind: 'payout' },
  { product: 'disbursement', name: 'deposit', kind: 'payout' },
  { product: 'disbursement', name: 'refund', kind: 'refund' },
]

const tokenSeconds = 3600

export function mtnRoutes(options: MtnOptions): Route[] {
  const products: Product[] = ['collection', 'disbursement']
  return [
    ...resources.flatMap((resource): Route[] => {
      const path = `/mtn/${resource.product}/v1_0/${resource.name}`
      const inside = (work: typeof order) => (request: Request) =>
        admit(options, request, resource.product) ?? work(options, request, resource)
      return [
        { method: 'POST', path, handle: inside(order) },
        { method: 'GET', path: `${path}/:id`, handle: inside(showStatus) },
      ]
    }),
    ...products.flatMap((product): Route[] => [
      {
        method: 'POST',
        path: `/mtn/${product}/token`,
        handle: (request) => giveToken(options, request, product),
      },
      ...aboutAccounts(options, product),
    ]),
  ]
}

const refuse = (status: number, code: string, message: string): Answer => json(status, { code, message })

/** What the gateway before MTN's own servers says. */
const gateway = (status: number, message: string): Answer =>
  json(status, { statusCode: status, message, activityId: randomUUID() })

const badRequest = (message: string): Answer => refuse(400, 'BAD_REQUEST', message)

const hasKey = ({ headers }: Request, product: Product): boolean =>
  headers['ocp-apim-subscription-key'] === mtnAccount.keys[product]

const noKey = (): Answer =>
  gateway(
    401,
    'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
  )

function giveToken({ knobs, now }: MtnOptions, request: Request, product: Product): Answer {
  if (!hasKey(request, product)) return noKey()
  if (!isBasic(request.headers.authorization, mtnAccount)) return json(401, { error: 'login_failed' })
  const seconds = knobs().token_seconds || tokenSeconds
  const token = issueToken({ purpose: `mtn ${product}`, now: now() }, seconds)
  return json(200, { access_token: token, token_type: 'access_token', expires_in: seconds })
}

/** Why a request gets no further than the door, if so. */
function admit({ now }: MtnOptions, request: Request, product: Product): Answer | undefined {
  if (!hasKey(request, product)) return noKey()
  const token = judgeToken({ purpose: `mtn ${product}`, now: now() }, request.headers.authorization)
  if (token !== 'good') return gateway(401, 'Unauthorized. Access token is missing, invalid or expired.')
  if (!Object.hasOwn(markets, request.headers['x-target-environment'] ?? ''))
    return refuse(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'Access to target environment is forbidden.')
  return undefined
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const plainText = /^[A-Za-z0-9 ]{0,160}$/

function order(options: MtnOptions, request: Request, resource: Resource): Answer {
  const { orders } = options
  const id = request.headers['x-reference-id'] ?? ''
  const body = readObject(request.body)
  if (!uuidForm.test(id)) return badRequest('Reference id must be a UUID.')
  if (body === undefined) return badRequest('The request body is not valid JSON.')
  const callbackUrl = request.headers['x-callback-url']
  if (callbackUrl !== undefined && !/^https?:\/\/\S+$/.test(callbackUrl))
    return refuse(
      500,
      'INVALID_CALLBACK_URL_HOST',
      'Callback URL with different host name then configured for API User',
    )
  const currency = textAt(body, 'currency') ?? ''
  if (currency !== markets[request.headers['x-target-environment'] ?? ''])
    return refuse(500, 'INVALID_CURRENCY', 'Currency not supported.')
  const minor = readMinor(textAt(body, 'amount') ?? '', currency)
  if (minor === undefined) return badRequest('The amount is not valid.')
  for (const field of ['payerMessage', 'payeeNote'])
    if (!plainText.test(textAt(body, field) ?? '')) return badRequest(`The field ${field} is not valid.`)
  if (orders.find('mtn', id) !== undefined)
    return refuse(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
  const party = resource.kind === 'refund' ? refundedOf(options, body, minor) : partyOf(body, resource)
  if ('status' in party) return party
  if (orders.isBroken({ number: party.number, kind: resource.kind }))
    return gateway(500, 'Internal server error')
  const reference = textAt(body, 'externalId') ?? id
  const details = {
    type: resource.name,
    payer_message: textAt(body, 'payerMessage') ?? '',
    payee_note: textAt(body, 'payeeNote') ?? '',
  }
  orders.place({
    provider: 'mtn',
    kind: resource.kind,
    ...{ id, reference, minor, currency, callbackUrl, details, ...party },
  })
  return { status: 202 }
}

interface Party {
  number: string | undefined
  original?: string
}

function partyOf(body: JsonObject, { kind }: Resource): Party | Answer {
  const party = objectAt(body, kind === 'collect' ? 'payer' : 'payee')
  const number = textAt(party, 'partyId') ?? ''
  if (textAt(party, 'partyIdType') !== 'MSISDN') return badRequest('The party id type is not valid.')
  return /^[1-9]\d{7,14}$/.test(number) ? { number } : badRequest('The party id is not valid.')
}

/** A refund has no party: it goes back to who paid. */
function refundedOf({ orders }: MtnOptions, body: JsonObject, minor: bigint): Party | Answer {
  const original = orders.find('mtn', textAt(body, 'referenceIdToRefund') ?? '')
  if (original?.kind !== 'collect' || original.state !== 'paid')
    return refuse(500, 'NOT_ALLOWED', 'There is no successful payment with this reference.')
  if (original.currency !== textAt(body, 'currency'))
    return refuse(500, 'INVALID_CURRENCY', 'Currency not supported.')
  if (orders.refundable(original) < minor)
    return refuse(500, 'NOT_ALLOWED', 'The amount is larger than what is left of the payment.')
  return { number: original.number, original: original.id }
}

function showStatus({ orders }: MtnOptions, { params }: Request, resource: Resource): Answer {
  const found = orders.find('mtn', params.id ?? '')
  if (found?.details.type !== resource.name)
    return refuse(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')
  return json(200, statusOf(found))
}

const statuses = { waiting: 'PENDING', paid: 'SUCCESSFUL', failed: 'FAILED' } as const

/** MTN has no words for a wrong PIN, and none for a phone that is off but the time that has run out. */
const reasonCodes: Record<Reason, string> = {
  payer_limit_reached: 'PAYER_LIMIT_REACHED',
  payer_not_found: 'PAYER_NOT_FOUND',
  cancelled_by_customer: 'APPROVAL_REJECTED',
  insufficient_balance: 'NOT_ENOUGH_FUNDS',
  wrong_pin: 'INTERNAL_PROCESSING_ERROR',
  provider_error: 'INTERNAL_PROCESSING_ERROR',
  phone_unreachable: 'EXPIRED',
  recipient_not_found: 'PAYEE_NOT_FOUND',
}

function statusOf(found: Order): Record<string, unknown> {
  const party = { partyIdType: 'MSISDN', partyId: found.number }
  return {
    ...(found.receipt === undefined ? {} : { financialTransactionId: found.receipt }),
    externalId: found.reference,
    amount: amountText(found),
    currency: found.currency,
    ...(found.kind === 'collect' ? { payer: party } : { payee: party }),
    payerMessage: found.details.payer_message,
    payeeNote: found.details.payee_note,
    status: statuses[found.state],
    ...(found.reason === undefined ? {} : { reason: reasonOf(found, found.reason) }),
  }
}

/** Without decimal places that say nothing. */
const amountText = ({ minor, currency }: Order): string => toDecimal(minor, currency).replace(/\.0+$/, '')

/** Both forms have been seen: a word, or an object. */
const reasonOf = (found: Order, reason: Reason): unknown =>
  isEven(found)
    ? reasonCodes[reason]
    : { code: reasonCodes[reason], message: `The order ended with ${reason}.` }

const isEven = ({ id }: Order): boolean => Number.parseInt(id.slice(-1), 16) % 2 === 0

export const mtn: Protocol = {
  newReceipt: () => String(randomInt(10_000_000, 99_999_999_999)),
  told: (found) => parcelOf(found, statusOf(found)),
  forged: (found) => {
    const lie: Order = {
      ...found,
      state: 'paid',
      reason: undefined,
      receipt: '10000001',
      minor: found.minor * 10n,
    }
    return parcelOf(lie, statusOf(lie))
  },
  reasonText: ({ reason }) => (reason === undefined ? '' : reasonCodes[reason]),
}

/** Both methods have been seen. */
const parcelOf = (found: Order, body: unknown): Parcel[] =>
  found.callbackUrl === undefined
    ? []
    : [
        {
          url: found.callbackUrl,
          method: isEven(found) ? 'POST' : 'PUT',
          headers: { 'x-reference-id': found.id },
          body: JSON.stringify(body),
        },
      ]

function aboutAccounts(options: MtnOptions, product: Product): Route[] {
  const holder = `/mtn/${product}/v1_0/accountholder/msisdn/:msisdn`
  const get = (path: string, work: (request: Request) => Answer): Route => ({
    method: 'GET',
    path,
    handle: (request) => admit(options, request, product) ?? work(request),
  })
  const isThere = ({ params }: Request) => !/(?:029|089)$/.test(params.msisdn ?? '')
  return [
    get(`/mtn/${product}/v1_0/account/balance`, ({ headers }) => {
      const currency = markets[headers['x-target-environment'] ?? ''] ?? ''
      const minor = options.books.balance('mtn', currency)
      return json(200, { availableBalance: toDecimal(minor, currency).replace(/\.0+$/, ''), currency })
    }),
    get(`${holder}/active`, (request) => json(200, { result: isThere(request) })),
    get(`${holder}/basicuserinfo`, (request) =>
      isThere(request)
        ? json(200, { given_name: 'Simulated', family_name: 'Customer', sub: request.params.msisdn })
        : refuse(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.'),
    ),
  ]
}

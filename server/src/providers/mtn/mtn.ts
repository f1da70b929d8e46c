// MTN MoMo in Uganda and Rwanda. An order carries our id, which names it from then on: it can be sent again, and asked for
// when nothing was answered. Callbacks are not signed, and come once or never.

import { check } from '../../base/check.ts'
import { StartError } from '../../base/errors.ts'
import type { Currency } from '../../base/money.ts'
import { toDecimal } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Config } from '../../config.ts'
import {
  type Adapter,
  type Exchange,
  NoAnswer,
  type OperationKind,
  type ProviderSettings,
  type Token,
  type WireOperation,
  type WireRequest,
} from '../contract.ts'
import { readJson, textAt } from '../json.ts'
import { allOrNone, secretOf, textOf } from '../settings.ts'
import { readAsked, readCallback, readStarted } from './answers.ts'

interface Product {
  subscriptionKey: Secret
  apiUser: string
  apiKey: Secret
}

interface Market {
  /** How MTN names the country: `mtnuganda`. */
  environment: string
  collection: Product
  disbursement: Product
}

type Served = 'UGX' | 'RWF'

export interface MtnSettings extends ProviderSettings {
  currencies: readonly Served[]
  markets: Partial<Record<Served, Market>>
}

const countries: Record<
  Served,
  { name: string; code: string; environment: string; phone: RegExp; example: string }
> = {
  UGX: {
    name: 'Ugandan',
    code: 'UG',
    environment: 'mtnuganda',
    phone: /^\+256\d{9}$/,
    example: '+256771234567',
  },
  RWF: {
    name: 'Rwandan',
    code: 'RW',
    environment: 'mtnrwanda',
    phone: /^\+250\d{9}$/,
    example: '+250781234567',
  },
}
const isServed = (currency: Currency): currency is Served => Object.hasOwn(countries, currency)
const servedCurrencies = Object.keys(countries) as Served[]

export const mtn: Adapter<MtnSettings> = {
  id: 'mtn',
  name: 'MTN MoMo',
  kind: 'mobile_money',
  serves: servedCurrencies.map((currency) => ({
    currency,
    country: countries[currency].code,
    kinds: ['collect', 'payout', 'refund'],
  })),
  // MTN's own ranges. Numbers can be taken to another network, so this is a guess and no rule.
  phonePrefixes: ['+25676', '+25677', '+25678', '+25679', '+25631', '+25639', '+25078', '+25079'],
  idempotent: { collect: true, payout: true, refund: true },
  // The person has five minutes to approve.
  askAfter: [5, 10, 20, 40, 60, 120, 180, 240, 300, 360, 3_600],
  settlesWithinSeconds: 120,
  problems,
  token,
  tokenRefused: ({ status }) => status === 401,
  start,
  ask,
  readCallback: (delivery) => ({ ok: true, signed: false, heard: readCallback(delivery) }),
  callbackAnswer: { status: 200, body: '' },
  secretFields: ['authorization', 'ocp-apim-subscription-key', 'access_token'],
}

export function settingsFrom(config: Config): MtnSettings | undefined {
  const markets: MtnSettings['markets'] = {}
  const uganda = allOrNone('MTN MoMo in Uganda', {
    MTN_UGANDA_COLLECTION: config.MTN_UGANDA_COLLECTION,
    MTN_UGANDA_DISBURSEMENT: config.MTN_UGANDA_DISBURSEMENT,
  })
  const rwanda = allOrNone('MTN MoMo in Rwanda', {
    MTN_RWANDA_COLLECTION: config.MTN_RWANDA_COLLECTION,
    MTN_RWANDA_DISBURSEMENT: config.MTN_RWANDA_DISBURSEMENT,
  })
  if (uganda !== undefined) markets.UGX = marketOf('UGX', uganda)
  if (rwanda !== undefined) markets.RWF = marketOf('RWF', rwanda)
  const currencies = servedCurrencies.filter((currency) => markets[currency] !== undefined)
  const baseUrl = config.MTN_BASE_URL
  if (currencies.length === 0 && baseUrl === undefined) return undefined
  if (currencies.length === 0)
    throw new StartError('MTN MoMo has an address and no market: set MTN_UGANDA_… or MTN_RWANDA_… too.')
  if (baseUrl === undefined)
    throw new StartError('MTN MoMo has no address: set MTN_BASE_URL to the host that MTN named at go-live.')
  return { baseUrl, currencies, markets }
}

/** Of the pair `…_COLLECTION`, `…_DISBURSEMENT`. */
function marketOf(currency: Served, pair: Record<string, string>): Market {
  const [collection, disbursement] = Object.entries(pair).map(([name, text]) => productOf(name, text))
  check(collection !== undefined && disbursement !== undefined, 'a market has both products')
  return { environment: countries[currency].environment, collection, disbursement }
}

function productOf(name: string, text: string): Product {
  const [, subscriptionKey, apiUser, apiKey] = /^([^\s:]+):([^\s:]+):([^\s:]+)$/.exec(text) ?? []
  if (subscriptionKey === undefined || apiUser === undefined || apiKey === undefined)
    throw new StartError(
      `${name} must be the subscription key, the API user and the API key, with : in between.`,
    )
  return { subscriptionKey: secretOf(subscriptionKey), apiUser, apiKey: secretOf(apiKey) }
}

/** What the simulator at that address accepts. */
export function simulatorSettings(simulatorUrl: string): MtnSettings {
  const productWith = (subscriptionKey: string): Product => ({
    subscriptionKey: secretOf(subscriptionKey),
    apiUser: '6f1c2a3e-5b7d-4c8e-9f10-112233445566',
    apiKey: secretOf('simulator-api-key-0123456789abcdef'),
  })
  const marketIn = (currency: Served): Market => ({
    environment: countries[currency].environment,
    collection: productWith('simulator-collection'),
    disbursement: productWith('simulator-disbursement'),
  })
  return {
    baseUrl: `${simulatorUrl}/mtn`,
    currencies: servedCurrencies,
    markets: { UGX: marketIn('UGX'), RWF: marketIn('RWF') },
  }
}

function problems({ kind, amount, phone }: Pick<WireOperation, 'kind' | 'amount' | 'phone'>) {
  if (!isServed(amount.currency)) return { currency: `MTN MoMo takes ${servedCurrencies.join(' and ')} only` }
  const { phone: form, name, example } = countries[amount.currency]
  const fits = kind === 'refund' || (phone !== undefined && form.test(phone))
  return fits ? {} : { phone: `Phone must be a ${name} number, like ${example}` }
}

/** One a product and market: `collection/UGX`. */
function* token(settings: MtnSettings, name: string): Exchange<Token> {
  const [productName, currency] = name.split('/')
  check(productName === 'collection' || productName === 'disbursement', 'a token is for a product')
  check(currency === 'UGX' || currency === 'RWF', 'a token is for a market')
  const market = marketIn(settings, currency)
  const { apiUser, apiKey, subscriptionKey } = market[productName]
  const answer = yield {
    method: 'POST',
    path: `/${productName}/token/`,
    headers: {
      Authorization: `Basic ${Buffer.from(`${apiUser}:${textOf(apiKey)}`).toString('base64')}`,
      'Ocp-Apim-Subscription-Key': textOf(subscriptionKey),
      'X-Target-Environment': market.environment,
    },
    body: '',
  }
  const body = readJson(answer.body)
  const value = textAt(body, 'access_token')
  const seconds = textAt(body, 'expires_in')
  if (answer.status === 200 && value !== undefined && /^\d{1,6}$/.test(seconds ?? ''))
    return { value, seconds: Number(seconds) }
  const code = textAt(body, 'code') ?? textAt(body, 'error') ?? 'no error code'
  throw new NoAnswer(`MTN MoMo gave no token: HTTP ${answer.status}, ${code.slice(0, 40)}`, { notSent: true })
}

function* start(operation: WireOperation, settings: MtnSettings): Exchange {
  const { amount, id, callbackUrl } = operation
  const body = JSON.stringify({
    ...(operation.kind === 'refund' ? {} : { [partyFields[operation.kind]]: partyOf(operation) }),
    amount: toDecimal(amount),
    currency: amount.currency,
    externalId: id,
    payerMessage: plain(operation.about) || plain(operation.reference),
    payeeNote: plain(operation.reference),
    ...(operation.kind === 'refund' ? { referenceIdToRefund: originalOf(operation) } : {}),
  })
  const request = requestOf(operation, settings)
  const headers = { ...request.headers, 'Content-Type': 'application/json', 'X-Reference-Id': id }
  const answer = yield {
    ...request,
    method: 'POST',
    headers: { ...headers, 'X-Callback-Url': callbackUrl },
    body,
  }
  return readStarted(answer, id)
}

const partyFields = { collect: 'payer', payout: 'payee' } as const

function partyOf({ phone }: WireOperation) {
  check(phone !== undefined, 'MTN MoMo is given a number')
  return { partyIdType: 'MSISDN', partyId: phone.slice(1) }
}

function originalOf({ original }: WireOperation): string {
  check(original !== undefined, 'a refund gives something back')
  return original.id
}

function* ask(operation: WireOperation, settings: MtnSettings): Exchange {
  const request = requestOf(operation, settings)
  return readAsked(yield { ...request, method: 'GET', path: `${request.path}/${operation.id}` })
}

const resources: Record<OperationKind, { product: 'collection' | 'disbursement'; name: string }> = {
  collect: { product: 'collection', name: 'requesttopay' },
  payout: { product: 'disbursement', name: 'transfer' },
  refund: { product: 'disbursement', name: 'refund' },
}

/** What all requests about an operation have in common. */
function requestOf({ kind, amount }: WireOperation, settings: MtnSettings): Omit<WireRequest, 'method'> {
  const { product, name } = resources[kind]
  check(isServed(amount.currency), 'MTN MoMo serves the currency')
  const market = marketIn(settings, amount.currency)
  return {
    path: `/${product}/v1_0/${name}`,
    headers: {
      'Ocp-Apim-Subscription-Key': textOf(market[product].subscriptionKey),
      'X-Target-Environment': market.environment,
    },
    token: `${product}/${amount.currency}`,
  }
}

function marketIn({ markets }: MtnSettings, currency: Served): Market {
  const market = markets[currency]
  check(market !== undefined, `MTN MoMo is set up for ${currency}`)
  return market
}

/** Letters and digits only: MTN refuses a message with others. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 ]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, 160)
    .trim()

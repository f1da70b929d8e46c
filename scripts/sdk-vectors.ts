// What all SDKs are tested against, in every language: made with the server's own functions by `npm run docs`, so that
// none of them can agree with itself only. How to read the files: sdk/vectors/README.md.

import { AppError, type ErrorCode } from '../server/src/base/errors.ts'
import {
  type Amount,
  type Currency,
  currencies,
  currencyCodes,
  portableMinorMax,
  readMinor,
  toDecimal,
} from '../server/src/base/money.ts'
import { catalogue, errorBody } from '../server/src/http/error-reply.ts'
import { type OpenApi, takesKey } from './sdk-operations.ts'
import { deliveries, signatures } from './sdk-signature-vectors.ts'

export const vectorFiles = (): { name: string; content: object }[] => [
  { name: 'signatures.json', content: signatures() },
  { name: 'deliveries.json', content: deliveries() },
  { name: 'amounts.json', content: amounts() },
  { name: 'errors.json', content: errors() },
  { name: 'retries.json', content: retries() },
]

const amountTexts: [text: string, currency: Currency][] = [
  ...currencyCodes.flatMap((currency): [string, Currency][] => [
    ['1', currency],
    ['5000', currency],
    ['5000.0', currency],
    ['5e3', currency],
    ['1250.5', currency],
    ['0.01', currency],
    ['0.001', currency],
  ]),
  ['0.1', 'USD'],
  ['0.10', 'USD'],
  ['1.10', 'USD'],
  ['2.675', 'USD'],
  ['1E-2', 'KES'],
  ['1e-3', 'KES'],
  ['100.00000000000000001', 'KES'],
  ['9007199254740991', 'UGX'],
  ['9007199254740992', 'UGX'],
  ['9007199254740993', 'UGX'],
  ['90071992547409.91', 'USD'],
  ['90071992547409.92', 'USD'],
  [String(portableMinorMax), 'RWF'],
  ['0', 'UGX'],
  ['0.00', 'USD'],
  ['-1', 'UGX'],
  ['-0', 'UGX'],
  ['+1', 'UGX'],
  ['01', 'UGX'],
  ['1.', 'USD'],
  ['.5', 'USD'],
  ['1,000', 'UGX'],
  ['1 000', 'UGX'],
  [' 1', 'UGX'],
  ['', 'UGX'],
  ['NaN', 'UGX'],
  ['Infinity', 'UGX'],
  ['1e999', 'UGX'],
  ['1e31', 'UGX'],
  ['0x10', 'UGX'],
  ['1e15', 'UGX'],
  ['1E+3', 'UGX'],
  ['0.5e1', 'UGX'],
  ['50e-1', 'UGX'],
  ['55e-1', 'UGX'],
  ['5000.00000', 'RWF'],
  ['9007199254740991.0', 'UGX'],
  ['9007199254740991e-2', 'USD'],
  ['1e-31', 'UGX'],
  ['0e5', 'UGX'],
  ['00', 'UGX'],
  ['1e', 'UGX'],
  ['e3', 'UGX'],
  ['1e1.5', 'UGX'],
  ['--1', 'UGX'],
  ['1_000', 'UGX'],
  ['1\n', 'UGX'],
  ['1 ', 'UGX'],
  ['UGX 1', 'UGX'],
  ['true', 'UGX'],
  ['１２', 'UGX'],
  ['١٢٣', 'UGX'],
  ['1'.repeat(65), 'UGX'],
]

/** Of an answer, like what was refunded so far: nothing can be told, but not paid. */
const zeroTexts = ['0', '0.00', '0e5']

function amounts() {
  const cases = amountTexts.map(([text, currency]) => {
    const reading = readMinor(text, currency)
    const isPayable = 'minor' in reading
    const minor = isPayable ? reading.minor : zeroTexts.includes(text) ? 0n : undefined
    const amount: Amount | undefined = minor === undefined ? undefined : { minor, currency }
    return {
      text,
      currency,
      minor: amount === undefined ? null : amount.minor.toString(),
      decimal: amount === undefined ? null : toDecimal(amount),
      payable: isPayable,
      exact_as_float: amount !== undefined && amount.minor <= portableMinorMax,
    }
  })
  const digits = Object.fromEntries(currencyCodes.map((code) => [code, currencies[code].digits]))
  return {
    about:
      'Decimal text, the minor units it stands for (null: refused), how those are written, whether it can be paid (zero is in answers only), and whether a reader of JSON that makes a float of it keeps the amount.',
    currencies: digits,
    cases,
  }
}

const requestId = 'req_5Hh2mC0Zr3qXw8Vb1KtYpe'

function errors() {
  const codes = Object.entries(catalogue).map(([code, { status }]) => ({ code, status }))
  const plain = codes.map(({ code, status }) => ({
    name: code,
    status,
    body: JSON.stringify(errorBody(new AppError(code as ErrorCode), requestId)),
    expected: { code, request_id: requestId, errors: {}, retry_after: null, attempts_left: null },
  }))
  return {
    about: 'Answers that are no success, and what an SDK says of them.',
    codes,
    cases: [...plain, ...rich(), ...strange()],
  }
}

/** What an error says that has nothing more to say. */
const told = {
  code: '',
  request_id: requestId as string | null,
  errors: {},
  retry_after: null,
  attempts_left: null,
}

function rich() {
  const fields = { amount: 'Amount must be greater than 0', 'items.0.currency': 'Currency is required' }
  return [
    {
      name: 'fields are wrong',
      status: 422,
      body: JSON.stringify(errorBody(new AppError('validation_failed', { errors: fields }), requestId)),
      expected: { ...told, code: 'validation_failed', errors: fields },
    },
    {
      name: 'a wrong PIN',
      status: 403,
      body: JSON.stringify(errorBody(new AppError('pin_incorrect', { attemptsLeft: 3 }), requestId)),
      expected: { ...told, code: 'pin_incorrect', attempts_left: 3 },
    },
    {
      name: 'too many requests',
      status: 429,
      headers: { 'Retry-After': '17' },
      body: JSON.stringify(errorBody(new AppError('rate_limited'), requestId)),
      expected: { ...told, code: 'rate_limited', retry_after: 17 },
    },
    ...['Fri, 06 Nov 2026 08:49:37 GMT', '-1', '1.5', '', '17s'].map((wait) => ({
      name: `too many requests, and a Retry-After that is no number of seconds: ${wait}`,
      status: 429,
      headers: { 'Retry-After': wait },
      body: JSON.stringify(errorBody(new AppError('rate_limited'), requestId)),
      expected: { ...told, code: 'rate_limited' },
    })),
  ]
}

/** No answers of the service. */
function strange() {
  return [
    {
      name: 'a redirect',
      status: 307,
      headers: { Location: 'https://elsewhere.example/' },
      body: '',
      expected: { ...told, code: 'unreadable_answer', request_id: null },
    },
    ...['null', '[]', '"no"', '{"success":true,"message":"m","code":"c","request_id":"r"}'].map((body) => ({
      name: `JSON of somebody else: ${body}`,
      status: 400,
      body,
      expected: { ...told, code: 'unreadable_answer', request_id: null },
    })),
    {
      name: 'a page of a proxy',
      status: 502,
      headers: { 'Content-Type': 'text/html' },
      body: '<html><h1>502 Bad Gateway</h1></html>',
      expected: { ...told, code: 'unreadable_answer', request_id: null },
    },
    {
      name: 'JSON of somebody else',
      status: 500,
      headers: { 'X-Request-Id': requestId },
      body: '{"error":"oops"}',
      expected: { ...told, code: 'unreadable_answer' },
    },
    {
      name: 'an answer that was cut off',
      status: 503,
      body: '{"success":false,"mess',
      expected: { ...told, code: 'unreadable_answer', request_id: null },
    },
  ]
}

/** Which requests happen once however often they are sent: a library must know before it sends them. */
export const routeVectors = ({ paths }: OpenApi) => ({
  about: 'Every route, and whether it takes an Idempotency-Key.',
  cases: Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      takes_key: takesKey(operation),
    })),
  ),
})

/** 0: there was no answer, or none in time. */
const triedStatuses = [0, 400, 401, 403, 404, 413, 415, 422, 429, 500, 502, 503, 504]

function retries() {
  const kinds = [
    { method: 'GET', has_key: false, isSafe: true },
    { method: 'POST', has_key: true, isSafe: true },
    { method: 'POST', has_key: false, isSafe: false },
    { method: 'PUT', has_key: false, isSafe: false },
    { method: 'PATCH', has_key: false, isSafe: false },
    { method: 'DELETE', has_key: false, isSafe: false },
  ]
  const cases = kinds.flatMap(({ isSafe, ...kind }) =>
    triedStatuses.map((status) => ({
      ...kind,
      status,
      repeat: status === 429 || (isSafe && [0, 502, 503, 504].includes(status)),
    })),
  )
  return {
    about:
      'Whether an SDK may try a request again by itself. Status 0: no answer, or none in time. has_key: it was sent with an Idempotency-Key, on a route that takes one; the key is the same in all tries.',
    cases,
  }
}

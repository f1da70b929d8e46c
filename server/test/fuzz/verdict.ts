// What every answer must be, whatever was sent.
import { catalogue } from '../../src/http/error-reply.ts'
import { misfit } from '../reply-schemas.ts'
import type { JsonSchema, Route } from '../route-table.ts'
import { marks } from './nasties.ts'

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The one that has answered: a changed path may lead elsewhere. */
  route: Route | undefined
}

/** What is wrong with it, or nothing. `spoilt` are fields that were surely wrong. */
export function verdict(answer: Answer, spoilt: readonly string[] = []): string | undefined {
  const { status, text, headers, route } = answer
  const type = String(headers['content-type'] ?? '')
  if (status >= 500) return `status ${status}`
  if (marks.some((mark) => type.startsWith('text/html') && text.includes(mark)))
    return 'HTML that was sent is in the page'
  if (text === '') return undefined
  if (!type.startsWith('application/json')) return wrongType(answer, type)
  const schemas = route?.schema?.response as Record<string, object> | undefined
  if (schemas !== undefined && schemas[status] === undefined) return `status ${status} is not documented`
  const problem = misfit({ status, schemas, payload: text })
  if (problem !== undefined) return `it does not fit its schema: ${problem}`
  return status >= 400 ? (wrongError(answer) ?? unnamed(answer, spoilt)) : unseen(spoilt)
}

const unseen = (spoilt: readonly string[]) =>
  spoilt.length === 0 ? undefined : `it was taken with a wrong ${spoilt.join(', ')}`

/** Every field that is wrong is named at once, unless something else is in the way: a credential, a limit. */
function unnamed({ status, text }: Answer, spoilt: readonly string[]): string | undefined {
  const { errors = {} } = JSON.parse(text) as ErrorBody
  const missing = status === 422 ? spoilt.filter((field) => !(field in errors)) : []
  return missing.length === 0 ? undefined : `it does not name ${missing.join(', ')}`
}

/** Pages come from routes that are not part of the API; a text of the API is documented with its type. */
function wrongType({ status, route }: Answer, type: string): string | undefined {
  if (route === undefined || route.schema?.hide === true) return undefined
  const documented = Object.keys(route.schema?.response?.[status]?.content ?? {})
  return documented.some((name) => type.startsWith(name)) ? undefined : `${type} is not documented`
}

interface ErrorBody {
  code: keyof typeof catalogue
  message: string
  request_id: string
  errors?: Record<string, string>
}

/** These say which field; the others are about the state of things. */
const fieldCodes: readonly string[] = ['validation_failed', 'insufficient_funds', 'limit_exceeded']

function wrongError({ status, headers, text, route }: Answer): string | undefined {
  const { code, message, request_id: id, errors } = JSON.parse(text) as ErrorBody
  if (catalogue[code].status !== status) return `${code} with status ${status}`
  if (id !== headers['x-request-id']) return 'the request ids differ'
  if (message.trim().length < 10) return 'the message says nothing'
  if (/\bat \S+ \(|\.ts:\d|node_modules|node:internal/.test(text)) return 'it shows what is inside'
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined)
    return 'Retry-After is missing'
  if (!fieldCodes.includes(code)) return errors === undefined ? undefined : `${code} has errors`
  const fields = Object.keys(errors ?? {})
  if (fields.length === 0) return `${code} names no field`
  const unknown = fields.find((field) => route !== undefined && !isField(route, field))
  if (unknown !== undefined) return `it names ${JSON.stringify(unknown)}, which is no field of the request`
  if (Object.values(errors ?? {}).some((sentence) => !/^\p{Lu}.{5,}/u.test(sentence)))
    return 'an error is no sentence'
  return undefined
}

function isField({ schema = {} }: Route, field: string): boolean {
  const named = (part: JsonSchema | undefined) => part !== undefined && leadsTo(part, field.split('.'))
  const headers = Object.keys(schema.headers?.properties ?? {})
  return named(schema.body) || named(schema.querystring) || headers.includes(field.toLowerCase())
}

/** `items.0.amount` */
function leadsTo(schema: JsonSchema, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  const { items, properties, anyOf = [] } = schema
  const next = items !== undefined && /^\d+$/.test(name) ? items : properties?.[name]
  return (next !== undefined && leadsTo(next, rest)) || anyOf.some((part) => leadsTo(part, [name, ...rest]))
}

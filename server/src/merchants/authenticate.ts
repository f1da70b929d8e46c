// Which headers a merchant's credential comes in. Each function is the `authenticate` of a scope, unless it says otherwise.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { UserPrincipal } from '../users/users.ts'
import type { MerchantPrincipal, Merchants } from './merchants.ts'

export interface CallerOptions {
  merchants: Merchants
  config: Pick<Config, 'HEADER_PREFIX' | 'LEGACY_HEADERS'>
  /** Where the pages for developers are. */
  baseUrl: string
}

/** The API key alone, in `X-SVC-Key`. */
export function keyCaller({ merchants, config }: CallerOptions) {
  const name = `X-${config.HEADER_PREFIX}-Key`
  return (request: FastifyRequest): MerchantPrincipal | Promise<MerchantPrincipal> => {
    const apiKey = headerOf(request, name)
    if (apiKey === undefined) throw missing(`Send your API key: ${name}: <API_KEY>.`)
    return merchants.authenticate({ apiKey, address: request.ip })
  }
}

/** From this day on, RFC 9745. */
const deprecatedAt = '2026-07-01T00:00:00Z'
const deprecation = `@${Date.parse(deprecatedAt) / 1_000}`

/** Merchant ID and API key. The names without the prefix are the old ones. */
export function gatewayCaller({ merchants, config, baseUrl }: CallerOptions) {
  const prefix = config.HEADER_PREFIX
  const names = { merchant: `${prefix}-Merchant-Key`, key: `${prefix}-API-Key` }
  const link = `<${baseUrl}/docs/guides/legacy-headers>; rel="deprecation"; type="text/html"`
  const refusal = () => missing(`Send ${names.merchant}: <MERCHANT_ID> and ${names.key}: <API_KEY>.`)
  return (request: FastifyRequest, reply: FastifyReply): MerchantPrincipal | Promise<MerchantPrincipal> => {
    const { ip: address } = request
    const merchantId = headerOf(request, names.merchant)
    const apiKey = headerOf(request, names.key)
    if (merchantId !== undefined && apiKey !== undefined)
      return merchants.authenticate({ merchantId, apiKey, address })
    // A mixture is a mistake of the caller, and never read as one of the two.
    if (merchantId !== undefined || apiKey !== undefined) throw refusal()
    const oldId = headerOf(request, 'X-Merchant-Key')
    const oldKey = headerOf(request, 'X-API-Key')
    if (oldId === undefined || oldKey === undefined) throw refusal()
    if (config.LEGACY_HEADERS === 'off') {
      throw missing(
        `X-Merchant-Key and X-API-Key are not taken any more: send ${names.merchant} and ${names.key}.`,
      )
    }
    reply.headers({ deprecation, link })
    return merchants.authenticate({ merchantId: oldId, apiKey: oldKey, address })
  }
}

/** The `recognise` of a scope that takes the API key as well: the token of the owner, if there is no key. */
export function ownerCaller({
  config,
  user,
}: Pick<CallerOptions, 'config'> & { user: (request: FastifyRequest) => UserPrincipal }) {
  const name = `X-${config.HEADER_PREFIX}-Key`
  return (request: FastifyRequest): UserPrincipal | undefined => {
    if (headerOf(request, name) !== undefined) return undefined
    if (request.headers.authorization === undefined)
      throw missing(
        `Send your API key (${name}: <API_KEY>) or the token of a login (Authorization: Bearer <token>).`,
      )
    return user(request)
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const missing = (detail: string) => new AppError('unauthenticated', { detail })

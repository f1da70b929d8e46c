// What a business may be called, where its customers may be sent, and which addresses it may be used from. Pure: each
// says the end of the sentence "Website URL …", or nothing.
import { randomBytes, randomInt } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { hostOf, isBelow, webAddressProblem } from '../base/web-address.ts'

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]

export const statuses = ['pending', 'approved', 'rejected', 'suspended'] as const
export type Status = (typeof statuses)[number]

/** An application is to be reviewed within a day. */
export const reviewHours = 24

export const reviewDueAt = (appliedAt: Date): Date => new Date(appliedAt.getTime() + reviewHours * 3_600_000)

const idMin = 10_000_000
const idMax = 999_999_999

/** Eight or nine digits, by chance. */
export const newMerchantId = (): number => randomInt(idMin, idMax + 1)

/** As it is sent in a header; a leading zero or a plus would be another text for the same number. */
export function readMerchantId(text: string): number | undefined {
  const id = /^[1-9][0-9]{7,8}$/.test(text) ? Number(text) : undefined
  return id !== undefined && id <= idMax ? id : undefined
}

/** One text: used whole as the key of one signature, its base64 part decoded as the key of the other. */
export const newClientSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const nameMax = 80
export const categoryMax = 60

export const tidyText = (text: string): string => text.normalize('NFC').trim()

/** Shown on the checkout, in mails and to operators: control characters and marks of direction would let it lie. */
export function textProblem(text: string, { most }: { most: number }): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)) return 'must not have control characters'
  const tidied = tidyText(text)
  if (!/[\p{L}\p{N}]/u.test(tidied)) return 'must have at least one letter'
  return [...tidied].length > most ? `must have at most ${most} characters` : undefined
}

const hostForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Names inside somebody's network. */
const insideForm = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/

const isPublicHost = (host: string): boolean => hostForm.test(host) && !insideForm.test(host)

/** While somebody develops, the shop is on the same machine. */
export const websiteProblem = (text: string, { production }: { production: boolean }): string | undefined => {
  const problem = webAddressProblem(text)
  if (problem !== undefined || !production) return problem
  const host = hostOf(text)
  return isIP(host) === 0 && isPublicHost(host)
    ? undefined
    : 'must be the address of a website that everybody can reach'
}

/** Customers may be sent there, and below it: `www.` says nothing, unless all that is left without it is `com`. */
export const websiteHost = (websiteUrl: string): string => hostOf(websiteUrl).replace(/^www\.(?=[^.]+\.)/, '')

export const hostsMax = 10

export const tidyHost = (text: string): string => text.trim().toLowerCase().replace(/\.$/, '')

/** A registered host: customers may be sent there, and below it. */
export function hostProblem(text: string, { production }: { production: boolean }): string | undefined {
  const host = tidyHost(text)
  const plain = host.length <= 253 && URL.canParse(`https://${host}/`) && hostOf(`https://${host}/`) === host
  const good = plain && (production ? isIP(host) === 0 && isPublicHost(host) : /^[a-z0-9.-]+$/.test(host))
  return good ? undefined : 'must be host names, like shop.example'
}

export interface RedirectRules {
  websiteUrl: string
  hosts: readonly string[]
  mode: Mode
  production: boolean
}

/** May customers be sent to this address? In live mode only to the merchant's own hosts. */
export function redirectProblem(text: string, { websiteUrl, hosts, mode, production }: RedirectRules) {
  const problem = webAddressProblem(text)
  if (problem !== undefined || mode === 'test') return problem
  if (production && !/^https:/i.test(text)) return 'must start with https:// in live mode'
  const own = [websiteHost(websiteUrl), ...hosts]
  return own.some((base) => isBelow(hostOf(text), base))
    ? undefined
    : "must lead to the merchant's website or to one of its registered hosts"
}

export const networksMax = 20

const networkForm = /^([0-9a-fA-F.:]+)(?:\/([0-9]{1,3}))?$/

export function networkProblem(text: string): string | undefined {
  const [, address = '', bits] = networkForm.exec(text) ?? []
  const version = isIP(address)
  const good = version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128))
  return good ? undefined : 'must be addresses or networks, like 203.0.113.7 or 203.0.113.0/24'
}

/** Of texts that have no problem. Undefined: everything is allowed. */
export function allowedNetworks(texts: readonly string[]): BlockList | undefined {
  if (texts.length === 0) return undefined
  const list = new BlockList()
  for (const text of texts) {
    const [, address = '', bits] = networkForm.exec(text) ?? []
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** An IPv4 address may arrive in the clothes of IPv6. */
export function isAllowedFrom(list: BlockList | undefined, address: string | undefined): boolean {
  if (list === undefined) return true
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain)
  return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

export const graceHoursMax = 72
export const graceHoursDefault = 24

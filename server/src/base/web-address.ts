// Addresses that people and programs give us: a website, where to send a customer back to, where to tell of a payment.
// Judged by their text alone, before anything is looked up; pure.
import { isIP } from 'node:net'

const longest = 2_048

/** The end of the sentence "Website URL …", or nothing when it is an absolute address of the web in plain characters. */
export function webAddressProblem(text: string): string | undefined {
  if (text.length > longest) return `must have at most ${longest} characters`
  // A browser would mend these in its own way: `https:host`, `//host`, backslashes, tabs.
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return 'must be an address that starts with https:// or http://'
  const [beforeQuery = ''] = text.split('?', 1)
  if (!/^[\x21-\x7e]+$/.test(beforeQuery) || /[\s\p{Cc}\\]/u.test(text))
    return 'must have no spaces, backslashes or characters that need encoding'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === '') return 'must be an address like https://shop.example'
  if (url.username !== '' || url.password !== '') return 'must have no user name or password in it'
  return undefined
}

/** As the two ends of a connection compare it: small letters, other scripts as `xn--…`, no dot at the end. */
export const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')

/** Is it this host, or one below it? Label by label: `evilshop.example` is not below `shop.example`. */
export const isBelow = (host: string, base: string): boolean =>
  host === base || (isIP(base) === 0 && host.endsWith(`.${base}`))

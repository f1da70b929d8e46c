// Where notifications may go. Merchants choose the addresses and we make the request, so without this a merchant could
// reach what only we can: our own ports, the neighbours', the metadata of the cloud. Judged twice: by the text when an
// address is given to us (`targetProblems`), and by the number that a name leads to at every connection (`isAllowed`).
import { BlockList, isIP, isIPv6 } from 'node:net'
import { check } from '../base/check.ts'
import { webAddressProblem } from '../base/web-address.ts'
import type { Config } from '../config.ts'

export type GuardConfig = Pick<
  Config,
  'production' | 'ALLOW_PRIVATE_CALLBACKS' | 'CALLBACK_ALLOW_CIDRS' | 'BASE_URL'
>

export interface Guard {
  /** Ends of the sentence "The address …". Empty: it may be used. */
  targetProblems(address: string, mode: 'live' | 'test'): string[]
  /** An address by number, as it is given to `connect` or read off a socket. */
  isAllowed(address: string): boolean
}

/** Special addresses of IPv4: this network, private, shared, loopback, link-local, documentation, multicast, … */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Of IPv6 only the public part counts, and of that not what stands for other addresses or for none. */
const public6 = ['2000::/3']
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** What `ALLOW_PRIVATE_CALLBACKS` opens: this machine and the private networks, not the metadata of a cloud. */
const private46 = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128', 'fc00::/7']

const privatePorts = ['80', '443', '8080', '8443']
const livePorts = ['443', '8443']

const guards = new WeakMap<GuardConfig, Guard>()

/** One a configuration: the lists are made once. */
export function guardOf(config: GuardConfig): Guard {
  const known = guards.get(config)
  if (known !== undefined) return known
  const guard = makeGuard(config)
  guards.set(config, guard)
  return guard
}

function makeGuard(config: GuardConfig): Guard {
  const allowsPrivate = config.ALLOW_PRIVATE_CALLBACKS === 'on'
  const excepted = listOf([...config.CALLBACK_ALLOW_CIDRS, ...(allowsPrivate ? private46 : [])])
  const isAllowed = (address: string): boolean => {
    const plain = unmapped(address)
    if (plain === undefined) return false
    const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
    if (excepted.check(plain, family)) return true
    return family === 'ipv4'
      ? !denied4.check(plain, family)
      : allowed6.check(plain, family) && !denied6.check(plain, family)
  }
  const own = config.BASE_URL === undefined ? undefined : new URL(config.BASE_URL)
  return {
    isAllowed,
    targetProblems: (address, mode) => {
      const wrong = webAddressProblem(address)
      if (wrong !== undefined) return [wrong]
      const url = new URL(address)
      const host = hostOf(url)
      const isOwn =
        own !== undefined && hostOf(own) === host && (!allowsPrivate || portOf(own) === portOf(url))
      return [
        ...(config.production && mode === 'live' && url.protocol !== 'https:'
          ? ['must start with https:// in live mode']
          : []),
        ...(isOwn ? ['must not be this service itself'] : []),
        ...(allowsPrivate ? [] : portProblems(url, config.production && mode === 'live')),
        ...hostProblems(host, {
          isAllowed,
          namesAreFree: allowsPrivate || config.CALLBACK_ALLOW_CIDRS.length > 0,
        }),
      ]
    },
  }
}

const portProblems = (url: URL, strict: boolean): string[] => {
  const ports = strict ? livePorts : privatePorts
  return ports.includes(portOf(url)) ? [] : [`must use one of the ports ${ports.join(', ')}`]
}

/** Names that lead nowhere on the internet, whatever a resolver says. */
const insideNames = /^localhost$|\.(localhost|local|internal|home\.arpa)$/

function hostProblems(
  host: string,
  { isAllowed, namesAreFree }: { isAllowed: (address: string) => boolean; namesAreFree: boolean },
): string[] {
  const literal = literalOf(host)
  if (literal !== undefined) return isAllowed(literal) ? [] : ['must not be a private or special address']
  if (namesAreFree) return []
  if (insideNames.test(host) || !host.includes('.')) return ['must be a name that everybody can look up']
  return []
}

/** In small letters, without the dot that may stand at the end. */
export const hostOf = (url: URL): string => url.hostname.replace(/\.$/, '')

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')

/** The address that a host is, if it is no name. `URL` has put all its spellings (octal, hex, short) into the one form. */
export function literalOf(host: string): string | undefined {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  return isIP(bare) === 0 ? undefined : bare
}

/** Scheme, host and port, in the one form that all spellings of them have. */
export function originOf(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  return `${url.protocol}//${hostOf(url)}${url.port === '' ? '' : `:${url.port}`}`
}

/** IPv4 addresses that are written as IPv6 (`::ffff:127.0.0.1`) are judged as what they are. */
function unmapped(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes('%')) return undefined
  if (!isIPv6(address)) return address
  // The parser of URLs knows all spellings and writes one: `::ffff:7f00:1`.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (mapped === null) return canonical
  const [high, low] = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '', 16))
  check(high !== undefined && low !== undefined, 'a mapped address has two groups')
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

const denied4 = listOf(special4)
const allowed6 = listOf(public6)
const denied6 = listOf(special6)

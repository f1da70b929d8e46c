// Addresses that no notification may go to, in all the clothes they can wear: the networks of this machine, of the
// neighbours and of nobody, and texts that a parser may read otherwise than a person. Not the service's own list: what that forgets would be
// forgotten here too.

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

/** And how many bits of each are the network. Of IPv6 only 2000::/3 is public, and of that not all. */
const special6 = [
  ['::', 128],
  ['::1', 128],
  ['::2', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 3],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

/** Where the canaries are, and others that stand for something. */
const chosen4 = ['127.0.0.1', '127.9.8.7', '10.9.9.9', '169.254.169.254', '192.168.1.1', '100.100.100.200']
const chosen6 = ['::1', 'fd00::9', 'fd00:ec2::254', 'fe80::1']

/** Hosts for a URL: of each network its first, middle and last address, in every spelling; or each spelling in one. */
export function forbiddenHosts({ every }: { every: boolean }): string[] {
  const ends = special4.flatMap(edges4)
  const wide = ends.flatMap((number, at) =>
    spellings(number).filter((_, form) => every || form % 3 === at % 3),
  )
  const known = chosen4
    .map(numberOf)
    .flatMap((number) => spellings(number).filter((_, at) => every || at < 6))
  const six = special6.flatMap(([address, bits]) => edges6(number6(address), bits)).map(text6)
  return [...new Set([...wide, ...known, ...[...six, ...chosen6].map((address) => `[${address}]`)])]
}

/** Whole addresses that are wrong by their text. */
export function crookedUrls({
  ports,
  database,
  own,
}: {
  ports: readonly number[]
  database: number
  own: string
}) {
  const inside = '127.0.0.1'
  const names = ['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'printer.local', 'intranet']
  names.push('metadata.google.internal', 'router.home.arpa', 'localhost.localdomain.local')
  const oddPorts = [1, 21, 22, 25, 110, 3306, 5432, 6379, 8000, 9200, 11211, 27017, 65535, database]
  let turn = 0
  /** In turn, so that no target has too many. */
  const port = () => ports[turn++ % ports.length]
  return [
    ...names.map((name) => `http://${name}:${port()}/`),
    ...oddPorts.map((odd) => `http://shop.example:${odd}/`),
    ...[inside, '[::1]', 'localhost'].map((host) => `http://${host}:${database}/`),
    `${own}/api/health`,
    `http://user@shop.example:${port()}/`,
    `http://user:pass@shop.example:${port()}/`,
    `http://shop.example@${inside}:${port()}/`,
    `http://${inside}:${port()}#@shop.example/`,
    `http://shop.example\\@${inside}:${port()}/`,
    `http://${inside}:${port()}\\.shop.example/`,
    `http:${inside}:${port()}/`,
    `//${inside}:${port()}/`,
    `http:///${inside}:${port()}/`,
    `http:\\\\${inside}:${port()}\\`,
    `http://%31%32%37.0.0.1:${port()}/`,
    `http://127%2e0%2e0%2e1:${port()}/`,
    `http://１２７.0.0.1:${port()}/`,
    `http://127。0。0。1:${port()}/`,
    `http://①②⑦.0.0.1:${port()}/`,
    `http://127.0.0.1.:${port()}/`,
    `http://127.1:${port()}/`,
    `http://127.0.1:${port()}/`,
    `http://0:${port()}/`,
    `http://0x7f.0.0.0x1:${port()}/`,
    `http://00000177.0.0.1:${port()}/`,
    `http://[::127.0.0.1]:${port()}/`,
    `http://[0:0:0:0:0:ffff:7f00:1]:${port()}/`,
    `http://[2001:0:7f00:1::]:${port()}/`,
    `http://[::1%25lo]:${port()}/`,
    `http://${inside}\t:${port()}/`,
    ` http://${inside}:${port()}/`,
    `http://shop.example:65536/`,
    `ftp://${inside}:${port()}/`,
    `gopher://${inside}:${port()}/_POST`,
    'file:///etc/passwd',
    'javascript:fetch(1)',
    'http://',
  ]
}

/** The ways in which an address of IPv4 can be written into a URL. */
function spellings(number: number): string[] {
  const parts = partsOf(number)
  const hex = number.toString(16).padStart(8, '0')
  const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`
  return [
    parts.join('.'),
    String(number),
    `0x${hex}`,
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `[::ffff:${groups}]`,
    `[64:ff9b::${groups}]`,
    `[2002:${groups}::1]`,
  ]
}

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const partsOf = (number: number): number[] => [24, 16, 8, 0].map((shift) => (number / 2 ** shift) & 255)

/** First, middle and last. */
function edges4(network: string): number[] {
  const [address = '', bits = '32'] = network.split('/')
  const first = numberOf(address)
  const size = 2 ** (32 - Number(bits))
  return [first, first + size / 2, first + size - 1]
}

function edges6(first: bigint, bits: number): bigint[] {
  const size = 2n ** BigInt(128 - bits)
  return [...new Set([first, first + size / 2n, first + size - 1n])]
}

/** `::` stands for as many zeros as are missing. */
function number6(address: string): bigint {
  const [front = '', back = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const missing = 8 - groups(front).length - groups(back).length
  const all = [...groups(front), ...Array.from({ length: missing }, () => '0'), ...groups(back)]
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

const text6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':')

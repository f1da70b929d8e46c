// A small internet for one proof: canaries on every address of this machine, which count whoever connects; one address
// that counts as public, with a server behind it; and a name server whose answers change. As root the addresses of the
// neighbours and of a cloud's metadata are this machine's too, for that time, and the public one is really public. Others
// have the loopback only: then one address of it stands for the public internet, by the service's own setting.
import { execFileSync } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Found, openNameServer } from '../../../server/test/name-server.ts'
import type { Scene } from '../../scene.ts'

export interface Ground {
  /** Ports that a notification may go to, on which the canaries listen. */
  ports: number[]
  /** What counts as public. */
  outside: string
  outside6: string | undefined
  /** What the service is told, besides the name server. */
  env: Record<string, string>
  /** The addresses that are this machine's. */
  inside: string[]
  /** Each connection to a canary: `127.0.0.1:80`. */
  hits: string[]
  /** Host → how many requests came to the public address. */
  came: Map<string, number>
}

const inside = ['10.9.9.9', '169.254.169.254', 'fd00::9']
/** Of networks that are public by the register, and where nobody is: a relay of RFC 7450, a sink of RFC 7535. */
const publicAddresses = ['192.52.193.9', '2620:4f:8000::9'] as const
const standIn = '127.0.0.9'

export async function openGround(scene: Scene): Promise<Ground> {
  const taken = addAddresses(scene, [...inside, ...publicAddresses])
  const isWhole = taken.length === inside.length + publicAddresses.length
  const [outside, outside6] = isWhole ? publicAddresses : [standIn, undefined]
  const ground: Ground = {
    ports: [],
    outside,
    outside6,
    inside: ['127.0.0.1', '::1', ...taken.filter((address) => inside.includes(address))],
    env: {},
    hits: [],
    came: new Map(),
  }
  await listenEverywhere(scene, ground)
  const names = await openNameServer(zoneOf(ground))
  scene.defer(async () => names.close())
  ground.env = {
    ALLOW_PRIVATE_CALLBACKS: 'off',
    NOTIFY_DNS: names.address,
    ...(isWhole ? {} : { CALLBACK_ALLOW_CIDRS: `${standIn}/32` }),
  }
  return ground
}

/** Those that this machine has now. What was there before stays. */
function addAddresses(scene: Scene, addresses: readonly string[]): string[] {
  const ip = (what: 'add' | 'del', address: string): boolean => {
    const network = `${address}/${address.includes(':') ? 128 : 32}`
    try {
      execFileSync('ip', ['addr', what, network, 'dev', 'lo'], { stdio: 'pipe' })
      return true
    } catch (error) {
      return /File exists|already assigned/.test(String((error as { stderr?: Buffer }).stderr))
    }
  }
  const before = execFileSync('ip', ['addr', 'show', 'dev', 'lo'], { encoding: 'utf8' })
  return addresses.filter((address) => {
    if (!ip('add', address)) return false
    if (!before.includes(` ${address}/`)) scene.defer(async () => void ip('del', address))
    return true
  })
}

const portsWanted = [80, 443, 8443, 8080]
const portsEnough = 3

async function listenEverywhere(scene: Scene, ground: Ground): Promise<void> {
  for (const port of portsWanted) {
    if (ground.ports.length >= portsEnough) break
    const four = await listen(ground, { host: '0.0.0.0', port })
    if (four === undefined) continue
    ground.ports.push(port)
    const six = await listen(ground, { host: '::', port })
    for (const server of [four, six])
      scene.defer(async () => {
        server?.closeAllConnections()
        server?.close()
      })
  }
  if (ground.ports.length === 0) throw new Error(`none of the ports ${portsWanted.join(', ')} is free`)
}

/** Undefined: somebody else has it. */
function listen(ground: Ground, { host, port }: { host: string; port: number }): Promise<Server | undefined> {
  const server = createServer((request, response) => serveOutside(ground, { request, response }))
  server.on('connection', (socket) => {
    const address = String(socket.localAddress).replace(/^::ffff:/, '')
    if (address === ground.outside || address === ground.outside6) return
    ground.hits.push(`${address}:${port}`)
    socket.destroy()
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ host, port, ipv6Only: host === '::' }, () => resolve(server))
  })
}

/** `to-302.test` leads on to a canary; what is called `rebind` has trouble, so that it is sent again; others are well. */
function serveOutside(
  ground: Ground,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  ground.came.set(name, (ground.came.get(name) ?? 0) + 1)
  request.resume()
  const [, status] = /^to-(\d{3})\./.exec(name) ?? []
  const location = `http://127.0.0.1:${ground.ports[0]}/followed`
  response.setHeader('connection', 'close')
  if (status !== undefined) response.writeHead(Number(status), { location }).end()
  else response.writeHead(name.startsWith('rebind') ? 500 : 200).end()
}

/** Names that lead inside, each in its own way. */
export const insideNames: Record<string, Found | undefined> = {
  'loopback.test': { a: ['127.0.0.1'] },
  'loopback6.test': { aaaa: ['::1'] },
  'private.test': { a: ['10.9.9.9'] },
  'metadata.test': { a: ['169.254.169.254'] },
  'unique.test': { aaaa: ['fd00::9'] },
  'mapped.test': { aaaa: ['::ffff:7f00:1'] },
  'compatible.test': { aaaa: ['::7f00:1'] },
  'nat64.test': { aaaa: ['64:ff9b::7f00:1'] },
  'six-to-four.test': { aaaa: ['2002:7f00:1::'] },
  'zero.test': { a: ['0.0.0.0'] },
  'zero6.test': { aaaa: ['::'] },
  'alias.test': { cname: 'localhost', a: ['127.0.0.1'] },
  'alias-only.test': { cname: 'localhost' },
  'nothing.test': {},
  'unknown.test': undefined,
}

/** One good address among the bad is no excuse. */
const mixedNames = ({ outside, outside6 }: Ground): Record<string, Found> => ({
  'mixed.test': { a: [outside, '127.0.0.1'] },
  'mixed-last.test': { a: ['127.0.0.1', outside] },
  'mixed6.test': { a: [outside], aaaa: ['::1'] },
  'mixed4.test': { a: ['127.0.0.1'], aaaa: [outside6 ?? '2620:4f:8000::9'] },
})

export const refusedNames = (ground: Ground): string[] => [
  ...Object.keys(insideNames),
  ...Object.keys(mixedNames(ground)),
]

/** A name with `rebind` is public when it is asked for the first time, and never again. */
function zoneOf(ground: Ground): Parameters<typeof openNameServer>[0] {
  const known = { ...insideNames, ...mixedNames(ground) }
  const asked = new Map<string, number>()
  return (name, type) => {
    if (name in known) return known[name]
    if (name.startsWith('good6')) return ground.outside6 === undefined ? {} : { aaaa: [ground.outside6] }
    if (/^(good|to-\d+)\./.test(name)) return { a: [ground.outside] }
    if (name.endsWith('.example')) return { a: [ground.outside] }
    if (!name.startsWith('rebind')) return { a: ['127.0.0.1'], aaaa: ['::1'] }
    if (type !== 'A') return {}
    const times = asked.get(name) ?? 0
    asked.set(name, times + 1)
    return { a: [times === 0 ? ground.outside : '127.0.0.1'] }
  }
}

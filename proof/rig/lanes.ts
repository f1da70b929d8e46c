// Connections for load: bare sockets, each with one request on its way, because a client library would use up the cores that
// the service is measured on. They are opened when they are needed, up to a limit; who comes then waits for a free one. Use:
//
//   const lanes = openLanes({ ports: [service.port], host, connectionsMax: 2_000 })
//   const { statusCode, body } = await lanes.carry({ method: 'GET', path: '/health', headers: {} })
import { connect, type Socket } from 'node:net'
import type { Carried, Carry, Raw } from './client.ts'

export interface Lanes {
  carry: Carry
  /** How many are open. */
  open(): number
  close(): void
}

export interface LaneOptions {
  /** In turn. */
  ports: readonly number[]
  /** The name that the service knows itself by. */
  host: string
  connectionsMax: number
}

interface Lane {
  ask(request: Raw): Promise<Carried>
  close(): void
}

export function openLanes({ ports, host, connectionsMax }: LaneOptions): Lanes {
  const all = new Set<Lane>()
  const free: Lane[] = []
  const waiting: ((lane: Lane) => void)[] = []
  let opened = 0
  const begin = (): Lane => {
    const port = ports[opened % ports.length] ?? 0
    opened += 1
    const lane = openLane({
      port,
      host,
      onFree: () => giveBack(lane),
      onEnd: () => forget(lane),
    })
    all.add(lane)
    return lane
  }
  const giveBack = (lane: Lane) => {
    const next = waiting.shift()
    if (next === undefined) free.push(lane)
    else next(lane)
  }
  const forget = (lane: Lane) => {
    if (!all.delete(lane)) return
    const place = free.indexOf(lane)
    if (place >= 0) free.splice(place, 1)
    if (waiting.length > 0) waiting.shift()?.(begin())
  }
  const lend = (): Lane | Promise<Lane> => {
    // The one that rested longest, or the service would close it.
    const rested = free.shift()
    if (rested !== undefined) return rested
    return all.size < connectionsMax ? begin() : new Promise((resolve) => waiting.push(resolve))
  }
  return {
    carry: async (raw) => (await lend()).ask(raw),
    open: () => all.size,
    close: () => {
      for (const lane of all) lane.close()
    },
  }
}

interface LaneEvents {
  port: number
  host: string
  onFree: () => void
  onEnd: () => void
}

const silentMs = 30_000

function openLane({ port, host, onFree, onEnd }: LaneEvents): Lane {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let waits: PromiseWithResolvers<Carried> | undefined
  let received: Buffer | undefined
  socket.on('data', (chunk) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (answer === undefined) return
    received = undefined
    const asked = waits
    waits = undefined
    onFree()
    asked?.resolve(answer)
  })
  let trouble = 'the connection was closed'
  socket.setTimeout(silentMs, () => {
    trouble = `no answer within ${silentMs} ms`
    if (waits !== undefined) socket.destroy()
  })
  socket.on('error', (error) => {
    trouble = error.message
  })
  socket.on('close', () => {
    onEnd()
    waits?.reject(new Error(trouble))
  })
  return {
    ask: (raw) => {
      waits = Promise.withResolvers<Carried>()
      if (socket.destroyed) waits.reject(new Error(trouble))
      else socket.write(bytesOf(raw, host))
      return waits.promise
    },
    close: () => socket.destroy(),
  }
}

function bytesOf({ method, path, headers, body = '' }: Raw, host: string): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${head}${length}\r\n${body}`
}

const headEnd = Buffer.from('\r\n\r\n')

/** Undefined: there is more to come. The service tells the length of each answer. */
function readAnswer(received: Buffer): Carried | undefined {
  const end = received.indexOf(headEnd)
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  const from = end + headEnd.length
  if (received.length < from + length) return undefined
  const text = received.toString('utf8', from, from + length)
  return {
    statusCode: Number(head.slice(9, 12)),
    headers: headersOf(head),
    body: { text: async () => text },
  }
}

function headersOf(head: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 2)
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

// Load over HTTP, from this process: as many connections as wanted, each with one request on its way. Bare sockets, since
// a client library would use up the cores that the service is measured on.
import { connect, type Socket } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Load {
  url: string
  connections: number
  warmUpMs: number
  runMs: number
  /** The next request, whole; as text when all of it is ASCII. */
  next: () => Buffer | string
  /** So many a second, at fixed times, however long the answers take. Absent: each as soon as the one before is answered. */
  perSecond?: number
}

export interface LoadResult {
  requests: number
  perSecond: number
  meanMs: number
  p50Ms: number
  p99Ms: number
  /** Answers that were no 200, by status. */
  failed: Record<string, number>
  /** With the warm-up. */
  allRequests: number
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const broken = Promise.withResolvers<never>()
  const lanes = await Promise.all(
    Array.from({ length: load.connections }, () => openLane(load.url, broken.reject)),
  )
  try {
    const ran = load.perSecond === undefined ? closedLoop(load, lanes) : openLoop(load, lanes, load.perSecond)
    return await Promise.race([ran, broken.promise])
  } finally {
    for (const lane of lanes) lane.close()
  }
}

function openTally() {
  const latency = createHistogram()
  const failed: Record<string, number> = {}
  let from = Number.POSITIVE_INFINITY
  let all = 0
  return {
    begin: () => {
      from = performance.now()
    },
    answered: (status: number, sentAt: number) => {
      const now = performance.now()
      all += 1
      if (now >= from) latency.record(Math.max(1, Math.round((now - sentAt) * 1e6)))
      if (status !== 200) failed[status] = (failed[status] ?? 0) + 1
    },
    result: (): LoadResult => ({
      requests: latency.count,
      perSecond: (latency.count * 1_000) / (performance.now() - from),
      meanMs: latency.mean / 1e6,
      p50Ms: latency.percentile(50) / 1e6,
      p99Ms: latency.percentile(99) / 1e6,
      failed,
      allRequests: all,
    }),
  }
}

async function closedLoop({ next, warmUpMs, runMs }: Load, lanes: readonly Lane[]): Promise<LoadResult> {
  const tally = openTally()
  let ended = false
  const running = lanes.map(
    (lane) =>
      new Promise<void>((resolve) => {
        const step = () => {
          if (ended) return resolve()
          const sentAt = performance.now()
          lane.ask(next(), (status) => {
            tally.answered(status, sentAt)
            step()
          })
        }
        step()
      }),
  )
  await sleep(warmUpMs)
  tally.begin()
  await sleep(runMs)
  ended = true
  await Promise.all(running)
  return tally.result()
}

/** Latency counts from when a request was due: who makes others wait in line is slow for them too. */
async function openLoop(
  { next, warmUpMs, runMs }: Load,
  lanes: readonly Lane[],
  perSecond: number,
): Promise<LoadResult> {
  const tally = openTally()
  const free = [...lanes]
  const due: number[] = []
  const idle = Promise.withResolvers<void>()
  let ended = false
  const serve = () => {
    while (free.length > 0 && due.length > 0) {
      // The one that rested longest, or the service would close it.
      const [lane, at] = [free.shift() as Lane, due.shift() as number]
      lane.ask(next(), (status) => {
        tally.answered(status, at)
        free.push(lane)
        serve()
      })
    }
    if (ended && free.length === lanes.length) idle.resolve()
  }
  const startedAt = performance.now()
  const endAt = startedAt + warmUpMs + runMs
  let scheduled = 0
  let begun = false
  for (let now = startedAt; now < endAt; now = performance.now()) {
    if (!begun && now >= startedAt + warmUpMs) {
      begun = true
      tally.begin()
    }
    const wanted = Math.floor(((now - startedAt) * perSecond) / 1_000)
    for (; scheduled < wanted; scheduled++) due.push(startedAt + (scheduled * 1_000) / perSecond)
    serve()
    await sleep(1)
  }
  ended = true
  serve()
  await idle.promise
  return tally.result()
}

interface Lane {
  /** `answered` is told the status once the whole answer is here. One request at a time. */
  ask(request: Buffer | string, answered: (status: number) => void): void
  close(): void
}

const headEnd = Buffer.from('\r\n\r\n')
const lengthName = Buffer.from('content-length: ')
const readBytes = 64 * 1024

async function openLane(url: string, onBroken: (error: Error) => void): Promise<Lane> {
  const { hostname, port } = new URL(url)
  let waiting: ((status: number) => void) | undefined
  let begun: Buffer | undefined
  const read = (size: number, buffer: Uint8Array): boolean => {
    const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, size)
    const received = begun === undefined ? chunk : Buffer.concat([begun, chunk])
    if (!isWhole(received)) {
      // What is read next is put into the same bytes.
      begun = begun === undefined ? Buffer.from(received) : received
      return true
    }
    begun = undefined
    const answered = waiting
    waiting = undefined
    answered?.(Number(received.toString('latin1', 9, 12)))
    return true
  }
  // Into one buffer, past the streams: the load should leave the cores to what is measured.
  const onread = { buffer: Buffer.alloc(readBytes), callback: read }
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let closed = false
  const fail = () => closed || onBroken(new Error('the service closed a connection'))
  socket.on('error', fail).on('close', fail)
  return {
    ask: (request, answered) => {
      waiting = answered
      socket.write(request, 'latin1')
    },
    close: () => {
      closed = true
      socket.destroy()
    },
  }
}

function isWhole(received: Buffer): boolean {
  const end = received.indexOf(headEnd)
  if (end < 0) return false
  const at = received.indexOf(lengthName)
  const length =
    at < 0 || at > end ? 0 : Number.parseInt(received.toString('latin1', at + lengthName.length, end), 10)
  return received.length >= end + headEnd.length + length
}

export interface PlainRequest {
  method: 'GET' | 'POST'
  path: string
  token?: string
  headers?: Record<string, string>
  body?: object
}

export function requestBytes({ method, path, token, headers = {}, body }: PlainRequest): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: bench',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

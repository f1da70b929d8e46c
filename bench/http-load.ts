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
  /** The next request, whole. */
  next: () => Buffer
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
  const lanes = await Promise.all(Array.from({ length: load.connections }, () => openLane(load.url)))
  try {
    return await (load.perSecond === undefined
      ? closedLoop(load, lanes)
      : openLoop(load, lanes, load.perSecond))
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
  const running = Promise.all(
    lanes.map(async (lane) => {
      while (!ended) {
        const sentAt = performance.now()
        tally.answered(await lane.ask(next()), sentAt)
      }
    }),
  )
  running.catch(() => undefined)
  await sleep(warmUpMs)
  tally.begin()
  await sleep(runMs)
  ended = true
  await running
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
  const running = new Set<Promise<void>>()
  const serve = () => {
    while (free.length > 0 && due.length > 0) {
      // The one that rested longest, or the service would close it.
      const [lane, at] = [free.shift() as Lane, due.shift() as number]
      const one = lane.ask(next()).then((status) => {
        tally.answered(status, at)
        free.push(lane)
        running.delete(one)
        serve()
      })
      running.add(one)
    }
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
  while (running.size > 0) await Promise.all(running)
  return tally.result()
}

interface Lane {
  /** Resolves with the status once the whole answer is here. */
  ask(request: Buffer): Promise<number>
  close(): void
}

const headEnd = Buffer.from('\r\n\r\n')

async function openLane(url: string): Promise<Lane> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf(headEnd)
    if (end < 0) return
    const head = received.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < end + 4 + length) return
    received = Buffer.alloc(0)
    waiting?.resolve(Number(head.slice(9, 12)))
  })
  const fail = () => waiting?.reject(new Error('the service closed a connection'))
  socket.on('error', fail).on('close', fail)
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        if (socket.destroyed) fail()
        else socket.write(request)
      }),
    close: () => {
      waiting = undefined
      socket.destroy()
    },
  }
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

// A load balancer in front of the processes, as others run them: it asks each process again and again whether it is ready,
// and hands every request to one that is. It keeps connections to them, and drops those to one that is not ready any more.
// Where no connection can be made it takes the next process; a request that was sent is never repeated: then it is 502. Use:
//
//   const stage = await openStage(scene, { processes: 3, led: false })
//   const balancer = await openBalancer(stage)
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { request as ask, Pool } from 'undici'
import type { Stage } from './stage.ts'

export interface Balancer {
  /** How many processes have said that they are not ready any more, before they went away. */
  warned(): number
  /** Why requests could not be brought to an end. */
  failures: string[]
}

const everyMs = 200
const answerMs = 1_000
/** One answer may get lost. */
const fall = 2

interface Server {
  port: number
  pool: Pool
  misses: number
}

export async function openBalancer(stage: Stage): Promise<Balancer> {
  const { scene, front } = stage
  const servers = new Map<number, Server>()
  const warned = new Set<number>()
  const failures: string[] = []
  let turn = 0
  const ready = () => [...servers.values()].filter(({ misses }) => misses < fall)
  const look = async (port: number) => {
    const status = await healthOf(port)
    if (status === 503) warned.add(port)
    const known = servers.get(port)
    if (known === undefined && status === 200)
      servers.set(port, { port, misses: 0, pool: new Pool(`http://127.0.0.1:${port}`, { connections: 64 }) })
    if (known === undefined) return
    known.misses = status === 200 ? 0 : known.misses + 1
    if (known.misses < fall) return
    servers.delete(port)
    // What is under way ends.
    void known.pool.close().catch(() => undefined)
  }
  const lookAtAll = () =>
    Promise.all([...new Set([...servers.keys(), ...stage.services.map(({ port }) => port)])].map(look))
  const server = createServer((request, response) => {
    turn += 1
    const order = ready()
    const inTurn = [...order.slice(turn % order.length), ...order.slice(0, turn % order.length)]
    forward({ request, response, servers: inTurn }).catch((error: Error) => {
      failures.push(`${request.method} ${request.url}: ${error.message}`)
      response.writeHead(502).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await lookAtAll()
  front.to([(server.address() as AddressInfo).port])
  const watching = new AbortController()
  const watch = async () => {
    for (; !watching.signal.aborted; await sleep(everyMs)) await lookAtAll()
  }
  const watched = watch()
  scene.defer(async () => {
    watching.abort()
    await watched
    front.to([])
    server.closeAllConnections()
    server.close()
    for (const { pool } of servers.values()) await pool.destroy()
  })
  return { warned: () => warned.size, failures }
}

/** 0: there was no answer. */
async function healthOf(port: number): Promise<number> {
  try {
    const options = { headersTimeout: answerMs, bodyTimeout: answerMs, reset: true }
    const { statusCode, body } = await ask(`http://127.0.0.1:${port}/api/health`, options)
    await body.dump()
    return statusCode
  } catch {
    return 0
  }
}

interface Forwarded {
  request: IncomingMessage
  response: ServerResponse
  servers: readonly Server[]
}

/** These are between two neighbours, and not for those behind them. */
const ofOneHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
const handedOn = <Value>(headers: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneHop.has(name)))

async function forward({ request, response, servers }: Forwarded): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { method = 'GET', url: path = '/' } = request
  const options = {
    method: method as 'GET',
    path,
    headers: handedOn(request.headers),
    ...(body.length === 0 ? {} : { body }),
  }
  for (const { pool } of servers) {
    try {
      const answer = await pool.request(options)
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      response.writeHead(answer.statusCode, handedOn(answer.headers)).end(bytes)
      return
    } catch (error) {
      if (!unmade.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  throw new Error('no process is there')
}

/** Nothing was sent. */
const unmade = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

// What tests of notifications share: receivers that are real servers, a delivery on the test's database, and ways to look
// at what became of events.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, openDb } from '../src/db/db.ts'
import * as notifications from '../src/notifications/notifications.ts'
import {
  type TestApp,
  type TestClock,
  type TestDatabase,
  testClock,
  testConfig,
  testDatabase,
  testLog,
} from './helpers.ts'

export interface Received {
  path: string
  method: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export interface Receiver {
  url: string
  port: number
  got: Received[]
  server: Server
}

/** Answers as it is told to; 200 unless it is told otherwise. Closed after the tests. */
export async function startReceiver(
  answer: RequestListener = (_request, response) => void response.end('ok'),
): Promise<Receiver> {
  const got: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request
      got.push({ path, method, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() })
      answer(request, response)
    })
  })
  const port = await listenOn(server)
  return { url: `http://127.0.0.1:${port}`, port, got, server }
}

/** Those of all receivers. */
const sockets = new Set<Socket>()

/** Who still waits for an answer gets none. */
function hangUp(): void {
  for (const socket of sockets) socket.destroy()
}

/** On a free port of this machine; closed with everything that is connected to it after the tests. */
export async function listenOn(server: TcpServer, host = '127.0.0.1'): Promise<number> {
  const own = new Set<Socket>()
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      for (const all of [own, sockets]) all.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const all of [own, sockets]) all.delete(socket)
      })
    })
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  after(async () => {
    for (const socket of own) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export interface Bench {
  db: Db
  database: TestDatabase
  clock: TestClock
  keys: Map<string, notifications.SigningKeys>
  troubles: notifications.Trouble[]
  log: ReturnType<typeof testLog>['seen']
  deliveryOptions: notifications.DeliveryOptions
  /** Adds an event, in a transaction of its own. */
  tell(event: Partial<notifications.NewEvent> & { url: string }): Promise<notifications.NewEvent>
  start(options?: Partial<notifications.DeliveryOptions>): notifications.Delivery
}

export interface BenchOptions {
  environment?: Record<string, string>
  clock?: TestClock
}

/** A database with events, and deliveries that are stopped after the tests. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const { environment = {} } = options
  const deliveries: notifications.Delivery[] = []
  const wakeAll = () => {
    for (const delivery of deliveries) delivery.wake()
  }
  const clock = wakingClock(options.clock ?? testClock(), wakeAll)
  // Before the database goes, whose own hook comes after this one.
  after(async () => {
    const stopping = deliveries.map((delivery) => delivery.stop())
    const hanging = setInterval(hangUp, 100)
    await Promise.all(stopping)
    clearInterval(hanging)
    await db.close()
  })
  const database = await testDatabase()
  const db = openDb({ url: database.url, connectionsMax: 8, name: 'mfuko tests' })
  const config = testConfig(environment)
  const { log, seen } = testLog()
  const keys = new Map<string, notifications.SigningKeys>()
  const troubles: notifications.Trouble[] = []
  const keysOf = async (merchant: number, mode: string) => {
    const known = keys.get(`${merchant} ${mode}`)
    const secret = known?.current ?? newSecret()
    if (known === undefined) keys.set(`${merchant} ${mode}`, { current: secret, all: [secret] })
    return keys.get(`${merchant} ${mode}`)
  }
  const onTrouble = async (_tx: unknown, trouble: notifications.Trouble) => void troubles.push(trouble)
  const deliveryOptions = { url: database.url, clock, log, config, keysOf, onTrouble }
  let count = 0
  return {
    db,
    database,
    clock,
    keys,
    troubles,
    log: seen,
    deliveryOptions,
    tell: async (event) => {
      count++
      const whole = {
        id: notifications.newEventId(),
        merchant: 10_000_001,
        mode: 'live' as const,
        subject: `PY-${count}`,
        sequence: 1,
        event: 'payment.completed',
        kind: 'callback' as const,
        body: JSON.stringify({
          event: 'payment.completed',
          data: { reference: `PY-${count}`, amount: 12.5 },
        }),
        at: clock.now(),
        ...event,
      }
      await db.inTransaction((tx) => notifications.add(tx, [whole]))
      wakeAll()
      return whole
    },
    start: (options = {}) => {
      const delivery = notifications.startDelivery({ ...deliveryOptions, ...options })
      deliveries.push(delivery)
      return delivery
    },
  }
}

/** When time has passed, workers look at once, so that tests are not slower than need be. */
const wakingClock = (clock: TestClock, wake: () => void): TestClock => ({
  now: clock.now,
  set: (time) => {
    clock.set(time)
    wake()
  },
  advance: (seconds) => {
    clock.advance(seconds)
    wake()
  },
})

/**
 * What sends the notifications of an app. Whoever waits for one wakes it again and again; an attempt that failed because
 * the machine is busy comes again when time has passed, so meanwhile it does.
 */
export function deliveryOf({ dependencies, url, clock }: TestApp): notifications.Delivery {
  const { merchants, config, log } = dependencies
  const { keysOf, tellTrouble: onTrouble } = merchants
  const delivery = notifications.startDelivery({ url, clock, log, config, keysOf, onTrouble })
  let calls = 0
  return {
    ...delivery,
    wake: () => {
      calls += 1
      if (calls % 25 === 0) clock.advance(6)
      delivery.wake()
    },
  }
}

const everyMs = 40

/** Tries again until it does not throw. */
export async function eventually<T>(look: () => T | Promise<T>, limitMs = 60_000): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(everyMs)
    }
  }
}

export interface StoredEvent {
  number: bigint
  status: string
  attempts: number
  done_at: Date | null
}

export async function eventOf(db: Db, id: string): Promise<StoredEvent> {
  const statement = 'select number, status, attempts, done_at from notifications.events where id = $1'
  const row = await db.row<StoredEvent>(statement, [id])
  assert.ok(row, 'the event exists')
  return row
}

export interface StoredAttempt {
  attempt: number
  at: Date
  duration_ms: number | null
  status: number | null
  problem: string | null
  detail: string | null
  cause: string | null
  response: Buffer | null
}

export const attemptsOf = (db: Db, id: string) =>
  db.rows<StoredAttempt>(
    `select a.attempt, a.at, a.duration_ms, a.status, a.problem, a.detail, a.cause, a.response
     from notifications.attempts a join notifications.events e on e.number = a.number
     where e.id = $1 order by a.attempt`,
    [id],
  )

export interface QueuedEvent {
  due_at: Date
  failures: number
  attempts: number
  parked: boolean
  leased_until: Date | null
}

export const queuedOf = (db: Db, id: string) =>
  db.row<QueuedEvent>(
    `select q.due_at, q.failures, q.attempts, q.parked, q.leased_until
     from notifications.queue q join notifications.events e using (merchant, mode, number) where e.id = $1`,
    [id],
  )

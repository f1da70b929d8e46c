// The private port: Prometheus metrics, and why the process is ready or not. With several processes on one port
// the first of them adds up the numbers of all.
import { createServer, type Server, type ServerResponse } from 'node:http'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Db } from '../db/db.ts'
import { openDurations } from './durations.ts'

/** The numbers of one process, as they travel between processes. */
export type Samples = MetricObjectWithValues<MetricValue<string>>[]

export interface Metrics {
  samples(): Promise<Samples>
  served(request: { method: string; route: string; status: number; seconds: number }): void
  jobDone(job: { task: string; ok: boolean; seconds: number }): void
  /** An attempt to deliver a notification. */
  notified(attempt: { ok: boolean; seconds: number }): void
}

export interface MetricsSources {
  connections?: () => ReturnType<Db['connections']>
  /** Postings that wait for a batch. */
  ledgerWaiting?: () => number
  queue?: () => Promise<
    { waiting: number; failed: number; oldestSeconds: number; workers: number } | undefined
  >
}

export function openMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = openDurations({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route template and status.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const jobs = new Histogram({
    name: 'job_duration_seconds',
    help: 'How long background jobs took.',
    labelNames: ['task', 'result'],
    buckets: [0.005, 0.05, 0.5, 5, 50],
    registers,
  })
  const notifications = new Histogram({
    name: 'notification_attempt_duration_seconds',
    help: 'How long attempts to deliver notifications took.',
    labelNames: ['result'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15],
    registers,
  })
  if (sources.connections !== undefined) addPoolGauge({ registers, connections: sources.connections })
  if (sources.ledgerWaiting !== undefined) addLedgerGauge({ registers, waiting: sources.ledgerWaiting })
  if (sources.queue !== undefined) addQueueGauges({ registers, queue: sources.queue })
  return {
    samples: async () => [...(await registry.getMetricsAsJSON()), requests.sample()],
    served: (request) => requests.observe(request, request.seconds),
    jobDone: ({ task, ok, seconds }) => jobs.observe({ task, result: ok ? 'done' : 'failed' }, seconds),
    notified: ({ ok, seconds }) => notifications.observe({ result: ok ? 'delivered' : 'failed' }, seconds),
  }
}

function addPoolGauge(options: {
  registers: Registry[]
  connections: () => ReturnType<Db['connections']>
}): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, and callers waiting for one.',
    labelNames: ['state'],
    registers: options.registers,
    collect() {
      const { total, idle, waiting } = options.connections()
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function addLedgerGauge({ registers, waiting }: { registers: Registry[]; waiting: () => number }): void {
  new Gauge({
    name: 'ledger_waiting',
    help: 'Postings that wait to be written.',
    registers,
    collect() {
      this.set(waiting())
    },
  })
}

type QueueState = Awaited<ReturnType<NonNullable<MetricsSources['queue']>>>

function addQueueGauges(options: {
  registers: Registry[]
  queue: NonNullable<MetricsSources['queue']>
}): void {
  // All gauges of one scrape share one look. A database that is away shows as such, and as missing numbers.
  let look: Promise<QueueState> | undefined
  const state = () => {
    look ??= options
      .queue()
      .catch(() => undefined)
      .finally(() => {
        look = undefined
      })
    return look
  }
  const gauge = (name: string, help: string, read: (queue: NonNullable<QueueState>) => number) =>
    new Gauge({
      name,
      help,
      registers: options.registers,
      async collect() {
        const queue = await state()
        if (queue === undefined) this.remove()
        else this.set(read(queue))
      },
    })
  new Gauge({
    name: 'database_up',
    help: '1 when the database answers, 0 when it does not.',
    registers: options.registers,
    async collect() {
      this.set((await state()) === undefined ? 0 : 1)
    },
  })
  gauge('jobs_waiting', 'Background jobs that wait or run.', (queue) => queue.waiting)
  gauge('jobs_failed', 'Background jobs that used up their attempts.', (queue) => queue.failed)
  gauge(
    'jobs_oldest_seconds',
    'How long the longest-waiting due job has waited.',
    (queue) => queue.oldestSeconds,
  )
  gauge(
    'workers_seen',
    'Background workers seen in the last minute, in all processes.',
    (queue) => queue.workers,
  )
}

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

export interface MetricsServerOptions {
  host: string
  port: number
  metrics: Metrics
  /** The numbers of the other processes that answer on the same port. */
  others: () => Promise<Samples[]>
  /** Is the process ready, and if not, why? */
  readiness: () => Promise<{ ready: boolean; reasons: string[] }>
}

export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response, options).catch((error: unknown) => {
      response.writeHead(500).end(`${error}\n`)
    })
  })
  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(path: string, response: ServerResponse, options: MetricsServerOptions) {
  if (path === '/metrics') {
    const all = AggregatorRegistry.aggregate([await options.metrics.samples(), ...(await options.others())])
    response.setHeader('content-type', all.contentType).end(await all.metrics())
  } else if (path === '/status') {
    const readiness = await options.readiness()
    response.writeHead(readiness.ready ? 200 : 503, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(readiness, null, 2)}\n`)
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Here are /metrics and /status.\n')
  }
}

const listen = (server: Server, { host, port }: { host: string; port: number }) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => resolve())
  })

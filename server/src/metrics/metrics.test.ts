// The private port: numbers of all processes added up, and the reasons why one is not ready.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openMetrics, serveMetrics } from './metrics.ts'

test('metrics and reasons are on the private port', async () => {
  const metrics = openMetrics({
    connections: () => ({ total: 3, idle: 1, waiting: 0 }),
    ledgerWaiting: () => 6,
    queue: async () => ({ waiting: 5, failed: 1, oldestSeconds: 2, workers: 4 }),
  })
  metrics.served({ method: 'GET', route: '/x', status: 200, seconds: 0.004 })
  metrics.served({ method: 'GET', route: '/x', status: 404, seconds: 0.005 })
  metrics.served({ method: 'POST', route: '/x', status: 200, seconds: 9.5 })
  metrics.notified({ ok: true, seconds: 0.1 })
  const other = openMetrics({
    connections: () => ({ total: 2, idle: 0, waiting: 0 }),
    ledgerWaiting: () => 7,
  })
  other.served({ method: 'GET', route: '/x', status: 200, seconds: 0.2 })
  const server = await serveMetrics({
    host: '127.0.0.1',
    port: 0,
    metrics,
    others: async () => [await other.samples()],
    readiness: async () => ({ ready: false, reasons: ['because'] }),
  })
  after(server.close)
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`)
    return { statusCode: answer.status, text: await answer.text() }
  }
  const { text } = await get('/metrics')
  for (const line of [
    '# TYPE http_request_duration_seconds histogram',
    'http_request_duration_seconds_count{method="GET",route="/x",status="200"} 2',
    'http_request_duration_seconds_bucket{le="0.0025",method="GET",route="/x",status="200"} 0',
    'http_request_duration_seconds_bucket{le="0.005",method="GET",route="/x",status="200"} 1',
    'http_request_duration_seconds_bucket{le="0.25",method="GET",route="/x",status="200"} 2',
    'http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/x",status="200"} 2',
    'http_request_duration_seconds_sum{method="GET",route="/x",status="200"} 0.204',
    'http_request_duration_seconds_bucket{le="0.005",method="GET",route="/x",status="404"} 1',
    'http_request_duration_seconds_bucket{le="5",method="POST",route="/x",status="200"} 0',
    'http_request_duration_seconds_bucket{le="+Inf",method="POST",route="/x",status="200"} 1',
    'database_connections{state="used"} 4',
    'ledger_waiting 13',
    'notification_attempt_duration_seconds_count{result="delivered"} 1',
    'database_up 1',
    'jobs_waiting 5',
    'jobs_failed 1',
    'jobs_oldest_seconds 2',
    'workers_seen 4',
  ]) {
    assert.ok(text.includes(line), line)
  }
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/)
  assert.deepEqual(await get('/status'), {
    statusCode: 503,
    text: '{\n  "ready": false,\n  "reasons": [\n    "because"\n  ]\n}\n',
  })
  assert.equal((await get('/')).statusCode, 404)
})

test('a database that is away is told as such, and its numbers are missing, not 0', async () => {
  let away = false
  const metrics = openMetrics({
    queue: async () => {
      if (away) throw new Error('away')
      return { waiting: 5, failed: 1, oldestSeconds: 2, workers: 4 }
    },
  })
  const server = await serveMetrics({
    host: '127.0.0.1',
    port: 0,
    metrics,
    others: async () => [],
    readiness: async () => ({ ready: true, reasons: [] }),
  })
  after(server.close)
  const scrape = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  for (const [isAway, up, waiting] of [
    [false, 'database_up 1', true],
    [true, 'database_up 0', false],
    [false, 'database_up 1', true],
  ] as const) {
    away = isAway
    const text = await scrape()
    assert.ok(text.includes(up), up)
    for (const name of ['jobs_waiting', 'jobs_failed', 'jobs_oldest_seconds', 'workers_seen'])
      assert.equal(new RegExp(`^${name} \\d`, 'm').test(text), waiting, name)
  }
})

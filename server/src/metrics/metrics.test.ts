// The private port: numbers of all processes added up, and the reasons why one is not ready.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openMetrics, serveMetrics } from './metrics.ts'

test('metrics and reasons are on the private port', async () => {
  const metrics = openMetrics({
    connections: () => ({ total: 3, idle: 1, waiting: 0 }),
    queue: async () => ({ waiting: 5, failed: 1, oldestSeconds: 2, workers: 4 }),
  })
  metrics.served({ method: 'GET', route: '/x', status: 200, seconds: 0.004 })
  const other = openMetrics({ connections: () => ({ total: 2, idle: 0, waiting: 0 }) })
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
    'http_request_duration_seconds_count{method="GET",route="/x",status="200"} 2',
    'database_connections{state="used"} 4',
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

// The service with the network in a box behind it, both in this process. The service has to know its own address before
// it is there, so that networks can call back: requests come to a small server, which hands them on.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/src/simulator.ts'
import { type TestApp, type TestAppOptions, testApp } from './helpers.ts'

export interface SimulatedApp extends TestApp {
  simulator: Simulator
  /** Where networks and browsers reach it. */
  origin: string
  /** Until nothing is on its way: no callback that is due soon, none that the service works on. */
  settle(): Promise<void>
  /** The clock goes on, and what is due then is asked, until nothing is due any more. */
  askFor(seconds: number): Promise<void>
}

/** Short, but long enough that what happens before and after each of them can be told apart. */
const quick = { pay: 15, prompt: 60, late: 2_500, between: 10, answer: 5, retry: 60_000 }
const soonMs = 1_000
const roundsMax = 20
const stepSeconds = 60

/** To be called once, at the top of a test file: it closes itself after the tests. */
export async function simulatedApp(
  { delays = quick, seed = 1 }: Pick<SimulatorOptions, 'delays' | 'seed'> = {},
  options: Omit<TestAppOptions, 'baseUrl'> = {},
): Promise<SimulatedApp> {
  const simulator = await startSimulator({ delays, seed })
  after(() => simulator.close())
  let server: TestApp | undefined
  const front = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const method = (request.method ?? 'GET') as 'GET' | 'POST' | 'PUT'
    const payload = Buffer.concat(chunks)
    const reply = await server?.app.inject({ method, url: request.url ?? '', headers, payload })
    response.writeHead(reply?.statusCode ?? 503, reply?.headers).end(reply?.rawPayload)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  after(() => front.close())
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const environment = { SIMULATOR_URL: simulator.url, ...options.environment }
  server = await testApp({ ...options, baseUrl, environment })
  const { clock, dependencies } = server
  const { operations } = dependencies
  await operations.tellSimulator()
  const settle = async () => {
    for (let rounds = 0; rounds < 2; rounds++) {
      await simulator.settled(soonMs)
      await operations.deliveries.idle()
    }
  }
  return {
    ...server,
    simulator,
    origin: baseUrl,
    settle,
    askFor: async (seconds) => {
      for (let left = seconds; left > 0; left -= stepSeconds) {
        await settle()
        clock.advance(Math.min(left, stepSeconds))
        for (let rounds = 0; rounds < roundsMax && (await operations.askDue()) > 0; rounds++) await settle()
        await settle()
      }
    },
  }
}

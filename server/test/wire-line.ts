// A line to the networks in a box: the adapters' exchanges go over HTTP to the simulator, and what it sends to callback
// addresses is kept for the test to read.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Simulator, startSimulator } from '../../simulator/src/simulator.ts'
import { systemClock } from '../src/base/clock.ts'
import {
  type Adapter,
  type Callback,
  type Delivery,
  type Exchange,
  type Heard,
  openCaller,
  type ProviderSettings,
  type WireOperation,
} from '../src/providers/providers.ts'
import { wireOperation } from './exchanges.ts'

export interface Line {
  simulator: Simulator
  caller: ReturnType<typeof openCaller>
  /** With an address of its own. */
  operation(given: Pick<WireOperation, 'kind' | 'amount'> & Partial<WireOperation>): WireOperation
  answerUrl(operation: WireOperation): string
  /** What came to the operation's address, in order. */
  callbacks(operation: WireOperation): Delivery[]
  /** What came to the address for answers. */
  answers(operation: WireOperation): Delivery[]
  close(): Promise<void>
}

const quiet = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

/** Short, and far enough apart that their order is sure. */
const delays = { pay: 10, prompt: 300, late: 900, between: 30, answer: 5 }

export async function openLine(): Promise<Line> {
  const came = new Map<string, Delivery[]>()
  const receiver = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await text(request)
    const isAnswer = path.startsWith('/answer/')
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
    )
    came.set(path, [...(came.get(path) ?? []), { method: request.method ?? '', headers, body, isAnswer }])
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const simulator = await startSimulator({ delays, seed: 1 })
  const caller = openCaller({ log: quiet, clock: systemClock })
  return {
    simulator,
    caller,
    operation: (given) => {
      const id = randomUUID()
      return wireOperation({ id, callbackUrl: `${base}/callback/${id}`, at: systemClock.now(), ...given })
    },
    answerUrl: ({ id }) => `${base}/answer/${id}`,
    callbacks: ({ id }) => came.get(`/callback/${id}`) ?? [],
    answers: ({ id }) => came.get(`/answer/${id}`) ?? [],
    close: async () => {
      await caller.close()
      await simulator.close()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
}

/** A provider as the service would use it. */
export interface Party {
  start(operation: WireOperation): Promise<Heard>
  /** What the provider answers: at once, or at the address for answers. */
  ask(operation: WireOperation): Promise<Heard>
  read(delivery: Delivery | undefined): Heard
}

export function partyOf<Settings extends ProviderSettings>(
  line: Line,
  { adapter, settings }: { adapter: Adapter<Settings>; settings: Settings },
): Party {
  const run = async (what: 'start' | 'ask', exchange: () => Exchange) => {
    const ran = await line.caller.run({ adapter, settings, mode: 'test', what, exchange })
    assert.ok(ran.ok, ran.ok ? '' : ran.detail)
    return ran.result
  }
  const read = (delivery: Delivery | undefined): Heard => {
    assert.ok(delivery, 'something came')
    const callback: Callback = adapter.readCallback(delivery, settings)
    assert.ok(callback.ok)
    return callback.heard
  }
  return {
    start: (operation) => run('start', () => adapter.start(operation, settings)),
    ask: async (operation) => {
      const before = line.answers(operation).length
      const heard = await run('ask', () => adapter.ask(operation, settings, line.answerUrl(operation)))
      // The answers of those that answer later come within a moment.
      await line.simulator.settled(100)
      const answer = line.answers(operation)[before]
      return answer === undefined ? heard : read(answer)
    },
    read,
  }
}

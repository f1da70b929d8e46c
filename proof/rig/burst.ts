// Many requests at the same moment. A connection is opened for each, everything but the last byte of its body is sent, and
// when all are there the last bytes leave in one tick: nobody is ahead by a handshake. Straight to the processes, in turn.
// Each is written down like any other act. Use:
//
//   const heard = await burst(stage, Array.from({ length: 200 }, () => sendOf(amina, …)))
//   told(heard)      // '1 × 200, 199 × 422 insufficient_funds'
import { request as open } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Carried, Carry, Heard, Raw, Request } from './client.ts'
import type { Stage } from './stage.ts'
import { eachOf } from './world.ts'

const answerMs = 60_000
const triesMax = 50

export async function burst(
  stage: Stage,
  requests: readonly Request[],
  { services = stage.services }: { services?: Stage['services'] } = {},
): Promise<Heard[]> {
  const ports = services.filter((one) => one.isAlive() && one.port > 0).map(({ port }) => port)
  const host = new URL(stage.front.url).host
  const line = openLine(requests.length)
  const heard = await Promise.all(
    requests.map((request, at) => {
      const port = ports[at % ports.length] ?? 0
      const carry: Carry = (raw) => held({ port, host, raw, stand: line.place() })
      return stage.client.act(request, carry)
    }),
  )
  // A machine that has too much to do says so (503), and nothing is decided by that: whoever heard it asks again.
  return eachOf(heard, 16, async (first, at) => {
    let one = first
    for (let tries = 0; one.outcome === 'unknown' && one.status !== 500 && tries < triesMax; tries++) {
      await sleep(200)
      one = await stage.client.act(requests[at] as Request)
    }
    return one
  })
}

/** How many of each answer, the most first. */
export function told(heard: readonly Heard[]): string {
  const counts = new Map<string, number>()
  for (const { status, json, error = '' } of heard) {
    const name = [status, json?.code ?? error].join(' ').trim()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const most = [...counts].toSorted(([, one], [, other]) => other - one)
  return most.map(([name, count]) => `${count} × ${name}`).join(', ')
}

/** Called once by each who is ready, or never will be: the last one's call lets all go. */
type Stand = (go: () => void) => void

function openLine(length: number): { place(): Stand } {
  const waiting: (() => void)[] = []
  return {
    place: () => {
      let stands = false
      return (go) => {
        if (stands) return
        stands = true
        waiting.push(go)
        if (waiting.length === length) for (const each of waiting) each()
      }
    },
  }
}

interface Held {
  port: number
  host: string
  raw: Raw
  stand: Stand
}

function held({ port, host, raw, stand }: Held): Promise<Carried> {
  const bytes = Buffer.from(raw.body ?? '{}')
  const headers = {
    'content-type': 'application/json',
    ...raw.headers,
    host,
    'content-length': bytes.length,
  }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, agent: false, method: raw.method, path: raw.path, headers }
    const sending = open(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          statusCode: response.statusCode ?? 0,
          headers: response.headers,
          body: { text: async () => text },
        })
      })
    })
    sending.setNoDelay(true)
    sending.setTimeout(answerMs, () => sending.destroy(new Error(`no answer within ${answerMs} ms`)))
    sending.on('error', (error) => {
      stand(() => undefined)
      reject(error)
    })
    sending.write(bytes.subarray(0, -1), () => stand(() => void sending.end(bytes.subarray(-1))))
  })
}

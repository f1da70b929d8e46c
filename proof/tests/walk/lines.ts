// Connections on which anything comes: messages with changed bytes, and messages that never end.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { edit, exchange, messageOf, problemOf } from '../../../server/test/fuzz/broken-messages.ts'
import { inputsOf } from '../../../server/test/fuzz/inputs.ts'
import type { Route } from '../../../server/test/route-table.ts'
import type { Stage } from '../../rig/stage.ts'
import { eachOf } from '../../rig/world.ts'
import { slowMs } from './answers.ts'
import type { Walk } from './walk.ts'

const width = 8
const silentMs = 20_000

/** Good messages for every route, of which bytes were changed. How many had an answer. */
export async function brokenMessages(stage: Stage, walk: Walk, count: number): Promise<number> {
  const port = stage.services[0]?.port ?? 0
  const { routes } = walk.surface
  const caller = await walk.caller(routes.find(({ path }) => path === '/api/me') as Route)
  const message = fc
    .tuple(
      fc.constantFrom(...routes).chain((route) => inputsOf(route, caller.known)),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
    )
    .map(([input, edits]) => {
      const good = messageOf(input, caller.headersOf(input.as, input.scheme))
      return edits.reduce((bytes, change) => change(bytes), good)
    })
  let answered = 0
  const batches = Array.from({ length: Math.ceil(count / 100) }, () => stage.scene.chance.below(2 ** 31))
  await eachOf(batches, width, async (seed) => {
    if (stage.scene.signal.aborted) return
    for (const bytes of fc.sample(message, { seed, numRuns: 100 })) {
      let heard = await exchange(bytes, { port, silentMs })
      if (heard.ms > slowMs) heard = await exchange(bytes, { port, silentMs })
      if (heard.text !== '') answered += 1
      const problem = problemOf(heard.text) ?? (heard.ms > slowMs ? 'it hangs' : undefined)
      if (problem !== undefined)
        stage.scene.fault(
          `a broken message: ${problem}: ${JSON.stringify(bytes.toString('latin1')).slice(0, 1_000)} was answered with ${heard.text.slice(0, 300)}`,
        )
    }
  })
  return answered
}

/** What a sender may take for a whole request, and a moment for who looks. */
const patienceMs = 30_000

const beginnings = [
  '',
  'G',
  'GET /api/health HTTP/1.1\r\n',
  'GET /api/health HTTP/1.1\r\nhost: a\r\nx-slow: ',
  'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n',
  'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"handle":',
  'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nffff\r\n{',
]

export interface Unended {
  /** Waits until each was answered or closed; says those that were not. */
  judge(): Promise<number>
}

/** Messages that begin and never end, on connections that stay open: whoever waits for the rest must stop waiting. */
export function unendedMessages(stage: Stage): Unended {
  const port = stage.services[0]?.port ?? 0
  const since = performance.now()
  const open = beginnings.map((text) => {
    const line = { text, ended: false }
    const socket = connect({ port, host: '127.0.0.1' })
    // What comes is read, or the end would not be seen.
    socket.on('error', () => undefined).resume()
    socket.on('close', () => {
      line.ended = true
    })
    if (text !== '') socket.write(text)
    stage.scene.defer(async () => void socket.destroy())
    return line
  })
  return {
    judge: async () => {
      // A connection on which nothing was said may stay: it is no request.
      const asked = open.filter(({ text }) => text !== '')
      while (asked.some(({ ended }) => !ended) && performance.now() - since < 3 * patienceMs) await sleep(200)
      for (const { text } of asked.filter(({ ended }) => !ended))
        stage.scene.fault(`a message that never ends is waited for: ${JSON.stringify(text)}`)
      return asked.length
    },
  }
}

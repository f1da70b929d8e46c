// What is not even HTTP, or too slow, or has too large a header: answered by hand, since Node makes no request of
// it. On a connection that still owes answers to earlier requests those come first, and nothing after them.
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { DirectResponse } from './direct/messages.ts'
import { catalogue, errorBody } from './error-reply.ts'
import { apiHeaders } from './headers.ts'

/** The answers each connection owes. Not in a Set, which keeps alive what has passed through it: see ledger/once.ts. */
const owed = new WeakMap<object, ServerResponse[]>()

const debts = new WeakMap<Server, { answers: number }>()

/** How many have asked a server something and have no answer yet. */
export const answersOwed = (server: Server): number => debts.get(server)?.answers ?? 0

export function watchConnections(server: Server): void {
  const debt = { answers: 0 }
  debts.set(server, debt)
  const answered = () => {
    debt.answers -= 1
  }
  server.prependListener('request', (request, response) => {
    debt.answers += 1
    response.once('close', answered)
    // Its connection is Node's, and can be found broken, only once it owes nothing.
    if ((response as object) instanceof DirectResponse) return
    const answers = owed.get(request.socket) ?? []
    answers.push(response)
    owed.set(request.socket, answers)
    response.once('close', () => answers.splice(answers.indexOf(response), 1))
  })
  // An `Expect` that we don't know is refused like any other bad request, not by Node in its own way.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  const answers = owed.get(socket) ?? []
  const complete = answers.filter(({ req }) => req.complete)
  const begun = answers.some(({ headersSent }) => headersSent)
  if (!socket.writable || error.code === 'ECONNRESET' || (begun && complete.length === 0)) socket.destroy()
  else if (complete.length > 0) destroyAfter(complete, socket)
  else socket.end(refusalOf(error))
}

function destroyAfter(answers: ServerResponse[], socket: Socket): void {
  let left = answers.length
  for (const answer of answers) {
    answer.once('close', () => {
      left -= 1
      if (left === 0) socket.destroySoon()
    })
  }
}

function refusalOf(error: { code?: string }): string {
  const detail = details[error.code ?? ''] ?? 'The request is not valid HTTP.'
  const refusal = new AppError('bad_request', { detail })
  const { status } = catalogue[refusal.code]
  const requestId = newId('req')
  const body = JSON.stringify(errorBody(refusal, requestId))
  const headers = {
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large; 16 KiB is the most.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

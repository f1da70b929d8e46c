// A service of a few lines: it does one thing with each request that comes, and tells what came.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach } from 'node:test'
import { MfukoError } from '../src/mfuko.ts'

export interface Got {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export type Act = (response: ServerResponse, request: IncomingMessage) => void

export interface Scripted {
  baseUrl: string
  /** Since the test has begun. */
  got: Got[]
  /** What it does with one request after the other; the last for all that follow. */
  plays: (...acts: Act[]) => void
}

/** For the tests of one file. */
export async function openScripted(): Promise<Scripted> {
  const got: Got[] = []
  let script: Act[] = []
  const service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      got.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      const act = script.length > 1 ? script.shift() : script[0]
      act?.(response, request)
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  after(() => {
    service.closeAllConnections()
    service.close()
  })
  beforeEach(() => {
    got.length = 0
  })
  const plays = (...acts: Act[]) => {
    script = acts
  }
  return { baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, got, plays }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Act =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
export const fine = json(200, { success: true, message: 'Payment created', data: { reference: 'PY-1' } })
export const away = json(503, {
  success: false,
  message: 'away',
  code: 'unavailable',
  request_id: 'req_1',
})
export const hangUp: Act = (response) => response.destroy()
export const silence: Act = () => {}

export async function failure(call: Promise<unknown>): Promise<MfukoError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof MfukoError, String(error))
  return error
}

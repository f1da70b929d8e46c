// Where notifications arrive: a server that writes down every delivery, and misbehaves when it is told to. Addresses
// below it can be told apart by their path. Use:
//
//   const receiver = await openReceiver({ folder })
//   body.ipn_url = `${receiver.url}/shop-1`
//   receiver.behave = (delivery) => (delivery.path === '/shop-1' ? { status: 500 } : { status: 200 })
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceiverEntry } from '../check/journal.ts'
import { type Lines, openLines } from './journal.ts'

export interface Delivery {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Of the same event, this one included. */
  times: number
  /** The port of whoever sends it: see `owner.ts`. */
  port: number
  /** Whoever sent it has gone, and hears no answer. */
  isOver(): boolean
}

export interface Behaviour {
  /** 0: the connection is cut instead of an answer. So it is written down too when the sender has gone. */
  status: number
  afterMs?: number
  body?: string
  headers?: Record<string, string>
}

export interface Receiver {
  url: string
  /** The path of the journal. */
  journal: string
  behave: (delivery: Delivery) => Behaviour | Promise<Behaviour>
  /** Event → how often it came. */
  seen: Map<string, number>
  close(): Promise<void>
}

export async function openReceiver({
  folder,
  name = 'receivers',
  forced = true,
}: {
  folder: string
  name?: string
  /** False: a line is in the journal a moment after it was written. */
  forced?: boolean
}): Promise<Receiver> {
  const lines: Lines<ReceiverEntry> = await openLines(join(folder, `${name}.jsonl`), { forced })
  const seen = new Map<string, number>()
  const server = createServer((request, response) => {
    // Who sends may go away in the middle: that is no delivery.
    receive(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 10_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    journal: lines.path,
    behave: () => ({ status: 200 }),
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await lines.close()
    },
  }
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { headers, url: path = '/' } = request
    const id = String(headers['webhook-id'])
    const times = (seen.get(id) ?? 0) + 1
    seen.set(id, times)
    const { socket } = request
    const isOver = () => socket.destroyed
    const port = socket.remotePort ?? 0
    const how = await receiver.behave({ path, headers, body, times, port, isOver })
    if (how.afterMs !== undefined) await sleep(how.afterMs)
    const status = isOver() ? 0 : how.status
    await lines.write({
      at: Date.now(),
      url: `${receiver.url}${path}`,
      headers,
      body: body.toString('base64'),
      status,
    })
    if (status === 0) response.destroy()
    else response.writeHead(status, how.headers).end(how.body ?? '')
  }
  return receiver
}

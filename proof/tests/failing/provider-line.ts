// The line between the service and its providers. It hands requests on to the networks in a box, and misbehaves when it is
// told to: answers nothing, 500, rubbish, or the truth with twice the amount. Use:
//
//   const line = await openProviderLine(() => stage.simulator.url)
//   line.become('hangs')
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request as send } from 'undici'

export type Behaviour = 'well' | 'hangs' | 'fails' | 'talks rubbish' | 'doubles amounts'

export interface ProviderLine {
  /** By name, so that names are needed to reach it. */
  url: string
  /** Whoever waits in vain is cut off. */
  become(behaviour: Behaviour): void
  close(): Promise<void>
}

const rubbish = '<html><body>Temporarily{{"status":"SUCCESSFUL"'
const trouble = 'java.lang.NullPointerException at com.provider.Ledger'

export async function openProviderLine(target: () => string): Promise<ProviderLine> {
  let behave: Behaviour = 'well'
  const hanging = new Set<ServerResponse>()
  const server = createServer((incoming, response) => {
    if (behave === 'hangs') hanging.add(response)
    else answer({ behave, target: target() }, incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    become: (next) => {
      behave = next
      for (const response of hanging) response.destroy()
      hanging.clear()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  { behave, target }: { behave: Behaviour; target: string },
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  if (behave === 'fails') return void response.writeHead(500).end(trouble)
  if (behave === 'talks rubbish')
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(rubbish)
  const { method = 'GET', url = '/' } = incoming
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers
  const body = Buffer.concat(chunks)
  const given = await send(`${target}${url}`, {
    method: method as 'GET',
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  })
  const text = await given.body.text()
  const { 'content-length': _given, 'transfer-encoding': _coding, connection: _kept, ...rest } = given.headers
  const isStatus = method === 'GET' && behave === 'doubles amounts'
  response.writeHead(given.statusCode, rest).end(isStatus ? doubled(text) : text)
}

const doubled = (text: string): string =>
  text.replace(
    /("amount":\s*"?)(\d+)/,
    (_, before: string, amount: string) => `${before}${2 * Number(amount)}`,
  )

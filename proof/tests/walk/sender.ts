// Sends what no client of good manners would, and says what came of it. What not even Node lets through goes as bytes over a
// connection of its own.
import { Agent, type IncomingMessage, request as open } from 'node:http'
import { exchange, messageOf } from '../../../server/test/fuzz/broken-messages.ts'

export interface Parcel {
  method: string
  url: string
  headers: Record<string, string>
  body?: Buffer | undefined
}

export interface Told {
  /** 0: there was no answer. */
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  ms: number
  /** Why there was no answer. Absent with status 0: the message was none, and the connection was closed. */
  error?: string
}

export interface Sender {
  send(parcel: Parcel): Promise<Told>
  close(): Promise<void>
}

const answerMs = 30_000

export function openSender(url: string, { connections }: { connections: number }): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname: host, port } = new URL(url)
  return {
    send: async (parcel) => {
      const began = performance.now()
      const ms = () => performance.now() - began
      try {
        return { ...(await sent(parcel, { agent, host, port })), ms: ms() }
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string }
        if (/^ERR_(INVALID|UNESCAPED|HTTP)/.test(code)) return asBytes(parcel, Number(port))
        return { status: 0, headers: {}, text: '', ms: ms(), error: `${code} ${message}` }
      }
    },
    close: async () => agent.destroy(),
  }
}

type Way = { agent: Agent; host: string; port: string }

function sent({ method, url: path, headers, body }: Parcel, way: Way): Promise<Omit<Told, 'ms'>> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': body.length }
    const sending = open({ ...way, method, path, headers: { ...length, ...headers } }, (answer) => {
      textOf(answer).then(
        (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        reject,
      )
    })
    sending.setTimeout(answerMs, () => sending.destroy(new Error(`no answer within ${answerMs} ms`)))
    sending.on('error', reject)
    sending.end(body)
  })
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const goOn = /^HTTP\/1\.1 100 Continue\r\n\r\n/

async function asBytes(parcel: Parcel, port: number): Promise<Told> {
  const bytes = messageOf({ body: undefined, ...parcel }, {})
  const heard = await exchange(bytes, { port, silentMs: answerMs })
  const text = heard.text.replace(goOn, '')
  const { ms } = heard
  const [, status, head = ''] = /^HTTP\/1\.[01] (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n/s.exec(text) ?? []
  if (status === undefined)
    return { status: 0, headers: {}, text, ms, ...(text === '' ? {} : { error: 'no HTTP' }) }
  const lines = head.split('\r\n').map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  const headers = Object.fromEntries(lines) as Record<string, string>
  const rest = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1')
  // Only what is large comes in pieces, and that was seen before.
  const isWhole = headers['transfer-encoding'] === undefined
  const body = isWhole ? rest.subarray(0, Number(headers['content-length'] ?? rest.length)).toString() : ''
  return { status: Number(status), headers, text: body, ms }
}

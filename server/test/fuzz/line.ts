// The same requests over a connection, as clients send them: whole and in one piece, so that what has the plainest form is
// read without Node's server (server/src/http/direct), and what has not by it. The answer is read by hand, as it comes.
import { connect } from 'node:net'

interface Said {
  status: number
  /** By their names in small letters. */
  headers: Record<string, string>
  text: string
}

interface Line {
  port: number
  method: string
  /** Where it seems to come from; any address of this machine's own network, where the system has one. */
  from: string
  silentMs: number
}

/** Undefined: there was no answer, or only a part of one. */
export function sendOnLine(
  message: Buffer,
  { port, method, from, silentMs }: Line,
): Promise<Said | undefined> {
  const { promise, resolve } = Promise.withResolvers<Said | undefined>()
  let received = Buffer.alloc(0)
  const own = process.platform === 'linux' ? { localAddress: from.replace(/^\d+/, '127') } : {}
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...own })
  const done = (said: Said | undefined) => {
    clearTimeout(timer)
    socket.destroy()
    resolve(said)
  }
  const timer = setTimeout(done, silentMs, undefined)
  socket.on('data', (part) => {
    received = Buffer.concat([received, part])
    const said = read(received, { method, isOver: false })
    if (said !== undefined) done(said)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => done(read(received, { method, isOver: true })))
  socket.write(message)
  return promise
}

/** Undefined while something of it is missing. */
function read(bytes: Buffer, { method, isOver }: { method: string; isOver: boolean }): Said | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1])
  const rest = bytes.subarray(end + 4)
  // "Go on": the answer comes behind it.
  if (status < 200) return read(rest, { method, isOver })
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line] as const)
  const headers = Object.fromEntries(
    pairs.map(([name, line]) => [name, line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = method === 'HEAD' || status === 204 || status === 304 ? Buffer.alloc(0) : bodyIn(rest, headers)
  if (body === undefined && !isOver) return undefined
  return { status, headers, text: (body ?? rest).toString() }
}

function bodyIn(rest: Buffer, headers: Record<string, string>): Buffer | undefined {
  if (headers['transfer-encoding'] === 'chunked') return unchunked(rest)
  const length = headers['content-length']
  if (length === undefined || rest.length < Number(length)) return undefined
  return rest.subarray(0, Number(length))
}

function unchunked(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; at < rest.length; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return undefined
}

// A proxy between a ledger and its database that breaks the connection at the worst moments: it reads the protocol of
// PostgreSQL and knows which message ends a transaction, and which answers that. The transaction is the one in which a
// marker is written. It also cuts after any number of bytes.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * `unsent`: the end of the transaction never reaches the server. `late`: it does, when the client is long gone.
 * `sent`: it does at once, and nobody waits for the answer. `answered`: the answer is lost.
 */
export type Cut = 'unsent' | 'late' | 'sent' | 'answered'

export interface FaultProxy {
  url: string
  /** The next transaction that writes `marker` is cut; once. */
  cutAt(cut: Cut, marker: string): void
  /** All connections are cut when so many more bytes have passed. */
  cutAfter(bytes: number): void
  /** How many connections have been cut. */
  cuts(): number
  close(): Promise<void>
}

export const lateMs = 600

interface Faults {
  armed: { cut: Cut; marker: string } | undefined
  bytesLeft: number
  cuts: number
}

export async function openFaultProxy(url: string): Promise<FaultProxy> {
  const target = new URL(url)
  const faults: Faults = { armed: undefined, bytesLeft: Number.POSITIVE_INFINITY, cuts: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    joinSockets(faults, { client, upstream })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: through.href,
    cutAt: (cut, marker) => {
      faults.armed = { cut, marker }
    },
    cutAfter: (bytes) => {
      faults.bytesLeft = bytes
    },
    cuts: () => faults.cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Session {
  /** Each of these is answered by one ReadyForQuery. */
  asked: number
  answered: number
  inBlock: boolean
  /** What is to happen with the transaction that is being written. */
  cut: Cut | undefined
  /** The answer that is lost. */
  lost: number | undefined
}

function joinSockets(faults: Faults, { client, upstream }: { client: Socket; upstream: Socket }): void {
  const session: Session = { asked: 0, answered: 0, inBlock: false, cut: undefined, lost: undefined }
  const cutNow = () => {
    faults.cuts += 1
    client.destroy()
    upstream.destroy()
  }
  const passes = (bytes: Buffer): boolean => {
    faults.bytesLeft -= bytes.length
    if (faults.bytesLeft > 0) return true
    // The server is told by the end of the connection, as when a client is killed.
    faults.cuts += 1
    client.destroy()
    upstream.end()
    return false
  }
  const fromClient = messages({ startup: true }, (type, bytes) => {
    if (upstream.writableEnded || !passes(bytes)) return
    const ends = follow(session, { type, bytes, faults })
    if (!ends || session.cut === undefined) upstream.write(bytes)
    else if (session.cut === 'unsent') cutNow()
    else if (session.cut === 'answered') {
      session.lost = session.asked
      upstream.write(bytes)
    } else {
      faults.cuts += 1
      client.destroy()
      setTimeout(() => upstream.end(bytes), session.cut === 'late' ? lateMs : 0)
    }
  })
  const fromServer = messages({ startup: false }, (type, bytes) => {
    if (!passes(bytes)) return
    if (type === 'Z') session.answered += 1
    const idle = type === 'Z' && bytes.at(-1) === 'I'.charCodeAt(0)
    if (idle && session.lost !== undefined && session.answered >= session.lost) cutNow()
    else client.write(bytes)
  })
  client.on('data', fromClient).on('end', () => upstream.end())
  upstream.on('data', fromServer).on('close', () => client.destroy())
}

/** Keeps track of one message of the client. Does it end the transaction in which the marker was written? */
function follow(
  session: Session,
  { type, bytes, faults }: { type: string; bytes: Buffer; faults: Faults },
): boolean {
  if (faults.armed !== undefined && bytes.includes(faults.armed.marker)) {
    session.cut = faults.armed.cut
    faults.armed = undefined
  }
  const text = type === 'Q' ? bytes.toString('latin1', 5).toLowerCase() : ''
  if (type === 'Q' || type === 'S') session.asked += 1
  if (text.startsWith('begin')) session.inBlock = true
  const ends = type === 'S' ? !session.inBlock : text.startsWith('commit')
  if (text.startsWith('commit') || text.startsWith('rollback\0')) session.inBlock = false
  return ends && session.cut !== undefined
}

/** Cuts a stream into messages: a letter (but for the first of a client), the length of the rest, the rest. */
export function messages({ startup }: { startup: boolean }, each: (type: string, bytes: Buffer) => void) {
  let kept = Buffer.alloc(0)
  let first = startup
  return (chunk: Buffer): void => {
    kept = Buffer.concat([kept, chunk])
    while (kept.length >= 5) {
      const length = first ? kept.readUInt32BE(0) : 1 + kept.readUInt32BE(1)
      if (kept.length < length) return
      const bytes = kept.subarray(0, length)
      kept = kept.subarray(length)
      each(first ? '' : String.fromCharCode(bytes[0] ?? 0), bytes)
      first = false
    }
  }
}

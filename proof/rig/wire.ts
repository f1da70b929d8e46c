// The line between the service and its database: it reads PostgreSQL's messages, so it knows the moment at which a
// transaction is committed, and can be cut, slowed, stopped and refused. Use:
//
//   const wire = openWire(databaseUrl)
//   const url = await wire.entrance()             // for one process: who comes by it is known by it
//   wire.atCommit('sent', { marker: 'proof-17', act: (url) => stage.byEntrance(url)?.kill() })
//   wire.hang(); wire.heal()
//   wire.refuse(); wire.heal()
//   wire.cut()                                    // all connections, now
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { messages } from '../../server/test/fault-proxy.ts'

/**
 * `unsent`: the word to commit never reaches the database. `sent`: it has just been handed on, and nobody has heard the
 * answer. `answered`: the answer is there, and the service has not heard it. `heard`: the same, and it hears it afterwards.
 */
export type Moment = 'unsent' | 'sent' | 'answered' | 'heard'

export interface Aim {
  /** Bytes that the transaction has written, as the text of a note; without it, the next one of the traffic. */
  marker?: string
  /** Runs at that moment. Then the connection is cut for `unsent` and `answered`; for `sent` the answer is kept back. */
  act: (entrance: string) => unknown
}

export interface Wire {
  /** An address of the database, for one process. */
  entrance(): Promise<string>
  /** Once. */
  atCommit(moment: Moment, aim: Aim): void
  /** Nothing passes any more, and nobody is told; new connections neither. */
  hang(): void
  /** New connections are refused, and those there are cut. */
  refuse(): void
  /** Every message of the database is late by so much. */
  delay(ms: number): void
  /** All connections are cut, now. */
  cut(): void
  /** Cut when so many more bytes have passed. */
  cutAfter(bytes: number): void
  heal(): void
  connections(): number
  close(): Promise<void>
}

interface State {
  aim: (Aim & { moment: Moment }) | undefined
  how: 'well' | 'hangs' | 'refuses'
  delayMs: number
  bytesLeft: number
}

/** In every note of the traffic, and so in the transaction that moves its money. */
export const trafficMarker = 'proof-'

export function openWire(url: string): Wire {
  const state: State = { aim: undefined, how: 'well', delayMs: 0, bytesLeft: Number.POSITIVE_INFINITY }
  const lines = new Set<Line>()
  const servers: Server[] = []
  const entrance = async () => {
    const through = new URL(url)
    const server = createServer((client) => {
      if (state.how === 'refuses') return void client.resetAndDestroy()
      const { hostname: host, port } = new URL(url)
      const upstream = connect({ host, port: Number(port) })
      const line = joinSockets(state, { client, upstream, entrance: through.href })
      lines.add(line)
      client.on('close', () => lines.delete(line))
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    through.port = String((server.address() as AddressInfo).port)
    return through.href
  }
  const cut = () => {
    for (const line of lines) line.cut()
  }
  return {
    entrance,
    atCommit: (moment, aim) => {
      state.aim = { ...aim, moment }
    },
    hang: () => {
      state.how = 'hangs'
    },
    refuse: () => {
      state.how = 'refuses'
      cut()
    },
    delay: (ms) => {
      state.delayMs = ms
    },
    cut,
    cutAfter: (bytes) => {
      state.bytesLeft = bytes
    },
    heal: () => {
      Object.assign(state, { aim: undefined, how: 'well', delayMs: 0, bytesLeft: Number.POSITIVE_INFINITY })
      for (const line of lines) line.go()
    },
    connections: () => lines.size,
    close: async () => {
      cut()
      for (const server of servers) await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Line {
  cut(): void
  /** What was kept back goes on. */
  go(): void
}

interface Session {
  inBlock: boolean
  /** The transaction that is being written is the one aimed at. */
  aimed: (Aim & { moment: Moment }) | undefined
  /** The answer to it is kept back. */
  waits: Exclude<Moment, 'unsent'> | undefined
  /** Of `heard`, until it goes on. */
  late: Buffer[]
}

interface Ends {
  client: Socket
  upstream: Socket
  entrance: string
}

function joinSockets(state: State, { client, upstream, entrance }: Ends): Line {
  const session: Session = { inBlock: false, aimed: undefined, waits: undefined, late: [] }
  const kept: (() => void)[] = []
  const cut = () => {
    client.destroy()
    upstream.destroy()
  }
  for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', () => undefined)
  /** In order, also behind what is kept back or late. */
  const pass = (socket: Socket, bytes: Buffer) => {
    const write = () => void (socket.writable && socket.write(bytes))
    state.bytesLeft -= bytes.length
    if (state.bytesLeft <= 0) cut()
    else if (state.how === 'hangs' || kept.length > 0) kept.push(write)
    else if (state.delayMs > 0 && socket === client) setTimeout(write, state.delayMs)
    else write()
  }
  const fromClient = messages({ startup: true }, (type, bytes) => {
    const aim = endsAimed(session, { state, type, bytes })
    if (aim?.moment === 'unsent') {
      aim.act(entrance)
      return cut()
    }
    pass(upstream, bytes)
    if (aim === undefined) return
    session.waits = aim.moment
    if (aim.moment === 'sent') aim.act(entrance)
  })
  const fromServer = messages({ startup: false }, (type, bytes) => {
    if (session.waits === undefined) return pass(client, bytes)
    if (session.waits === 'heard') session.late.push(bytes)
    const isDone = type === 'Z' && bytes.at(-1) === 'I'.charCodeAt(0)
    if (session.waits === 'sent' || !isDone) return
    session.aimed?.act(entrance)
    if (session.waits === 'answered') return cut()
    for (const message of session.late) pass(client, message)
    Object.assign(session, { aimed: undefined, waits: undefined, late: [] })
  })
  client.on('data', fromClient).on('end', () => upstream.end())
  upstream.on('data', fromServer).on('close', () => client.destroy())
  client.on('close', () => upstream.end())
  return {
    cut,
    go: () => {
      for (const write of kept.splice(0)) write()
    },
  }
}

/** Keeps track of one message of the client. Is it the end of the transaction that is aimed at? */
function endsAimed(
  session: Session,
  { state, type, bytes }: { state: State; type: string; bytes: Buffer },
): Session['aimed'] {
  const { aim } = state
  if (aim !== undefined && bytes.includes(aim.marker ?? trafficMarker)) {
    session.aimed = aim
    state.aim = undefined
  }
  const text = type === 'Q' ? bytes.toString('latin1', 5).toLowerCase() : ''
  if (text.startsWith('begin')) session.inBlock = true
  // Without a block a Sync is the end: many statements that were sent at once are one transaction.
  const ends = type === 'S' ? !session.inBlock : text.startsWith('commit')
  if (text.startsWith('commit') || text.startsWith('rollback\0')) session.inBlock = false
  return ends ? session.aimed : undefined
}

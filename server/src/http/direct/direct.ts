// The direct way. Node's HTTP server makes two streams, a dozen listeners and two timers for each request. So a POST that
// came whole, in one piece and in the plainest form is read here and answered in one piece, which takes a seventh off the
// time of a transfer. At the first thing that is anything else the connection is given to Node's server, with what came, for
// good. What must stay true: the two ways answer the same, but for the order and case of header names; one request at a time
// on a connection; none is held for longer than Node would; and nothing is kept for who does not read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { abandon, DirectRequest, DirectResponse, openStanding, type Standing } from './messages.ts'
import { readPlain } from './read.ts'

/** Who says nothing for so long is Node's guest, who has limits for that. */
const firstWordMs = 1_000
/** Node too waits so much longer than it says: a request that is on its way should find the connection open. */
const spareMs = 1_000
/** How often is looked who rests for too long. A timer for each would be set anew with every request and every answer. */
const lookMs = 500

interface Lane {
  socket: Socket
  /** Its place in the list. */
  at: number
  /** Nothing has come yet. */
  isNew: boolean
  /** When something last came or went. */
  seenMs: number
  /** What is being worked on. */
  busy: DirectResponse | undefined
  /** Came while something was being worked on. */
  waiting: Buffer | undefined
}

export interface DirectOptions {
  /** What every answer of the direct way carries, unless it says something else itself. */
  standing: Readonly<Record<string, string>>
}

export function serveDirectly(server: Server, options: DirectOptions): void {
  const lanes = openLanes(server)
  const standing = openStanding(options.standing)
  // What the server itself does with a connection.
  const ordinary = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const handOver = (bytes: Buffer | undefined) => {
      socket.pause()
      if (bytes !== undefined) socket.unshift(bytes)
      for (const take of ordinary) take.call(server, socket)
      process.nextTick(() => socket.resume())
    }
    openLane({ server, lanes, standing, handOver }, socket)
  })
}

interface Guests {
  server: Server
  lanes: Lanes
  standing: Standing
  /** What came last was not for the direct way, or nothing came. */
  handOver: (bytes: Buffer | undefined) => void
}

function openLane({ server, lanes, standing, handOver }: Guests, socket: Socket): void {
  const lane = lanes.add(socket)
  const take = (bytes: Buffer) => {
    // Who does not read its answers is Node's guest, who hears nothing more of them until they have gone.
    const plain = socket.writableNeedDrain ? undefined : readPlain(bytes)
    if (plain === undefined) {
      leave()
      return handOver(bytes)
    }
    const request = new DirectRequest(socket, plain)
    const keepAliveSeconds = Math.floor(server.keepAliveTimeout / 1_000)
    lane.busy = new DirectResponse(request, { keepAliveSeconds, standing, onSent })
    server.emit('request', request as unknown as IncomingMessage, lane.busy as unknown as ServerResponse)
  }
  const onSent = (last: boolean) => {
    lane.busy = undefined
    lane.seenMs = performance.now()
    const { waiting } = lane
    lane.waiting = undefined
    if (last || !server.listening) return void socket.destroySoon()
    if (waiting === undefined) return
    // Not from within the answer before it.
    setImmediate(() => {
      if (!socket.writable) return
      socket.resume()
      take(waiting)
    })
  }
  const onData = (bytes: Buffer) => {
    // Nothing is done for who can't be told what came of it.
    if (!socket.writable) return
    if (lane.isNew) socket.setTimeout(0)
    lane.isNew = false
    lane.seenMs = performance.now()
    if (lane.busy === undefined) return take(bytes)
    lane.waiting = lane.waiting === undefined ? bytes : Buffer.concat([lane.waiting, bytes])
    socket.pause()
  }
  // Who hangs up and who only says that nothing more will come look the same. Node's server waits for neither.
  const onEnd = () => void socket.end()
  const onTimeout = () => {
    leave()
    handOver(undefined)
  }
  const onError = () => void socket.destroy()
  const onClose = () => {
    leave()
    if (lane.busy !== undefined) abandon(lane.busy)
  }
  const leave = () => {
    lanes.remove(lane)
    socket.off('data', onData).off('end', onEnd).off('timeout', onTimeout)
    socket.off('error', onError).off('close', onClose).setTimeout(0)
  }
  socket.on('data', onData).on('end', onEnd).on('timeout', onTimeout)
  socket.on('error', onError).on('close', onClose).setTimeout(firstWordMs)
}

type Lanes = ReturnType<typeof openLanes>

/** All connections of the direct way, which the server does not know when it closes those it has. */
function openLanes(server: Server) {
  const lanes: Lane[] = []
  const closeIdle = server.closeIdleConnections.bind(server)
  const closeAll = server.closeAllConnections.bind(server)
  server.closeIdleConnections = () => {
    // Who has just come in may be about to say something; and of who was served, the answer may still be on its way.
    for (const { busy, isNew, socket } of [...lanes]) if (busy === undefined && !isNew) socket.destroySoon()
    closeIdle()
  }
  server.closeAllConnections = () => {
    for (const { socket } of [...lanes]) socket.destroy()
    closeAll()
  }
  const letGo = () => {
    const before = performance.now() - server.keepAliveTimeout - spareMs
    for (const { isNew, seenMs, socket } of [...lanes]) if (!isNew && seenMs < before) socket.destroy()
  }
  const looking = setInterval(letGo, lookMs).unref()
  server.on('close', () => clearInterval(looking))
  return {
    add: (socket: Socket): Lane => {
      const lane: Lane = {
        socket,
        at: lanes.length,
        isNew: true,
        seenMs: performance.now(),
        busy: undefined,
        waiting: undefined,
      }
      lanes.push(lane)
      return lane
    },
    /** The last one takes its place. */
    remove: (lane: Lane): void => {
      const last = lanes.at(-1)
      if (lanes[lane.at] !== lane || last === undefined) return
      lanes[lane.at] = last
      last.at = lane.at
      lanes.pop()
    },
  }
}

// The loop of a process accepts one connection a turn and listening socket. With much to do a turn takes tens of
// milliseconds: of a crowd that comes at once most would stand before the entrance for half a minute, where nobody can tell
// them to come later. So one address gets many entrances: sockets that listen on the same port, among which the system deals
// out who comes. Where a process accepts for others (several on one port) its loop has nothing else to do, and one is enough.
import cluster from 'node:cluster'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { answersOwed } from './broken-requests.ts'
import type { App } from './instance.ts'

const entrancesMore = 31
const seeOutMs = 100
/** Who has just come in gets so long to say something. */
const silentMs = 1_000

/** Closes all entrances at once; resolves when everybody inside has left. */
export type CloseEntrances = () => Promise<void>

export async function openEntrances(
  app: App,
  { host, port }: { host: string; port: number },
): Promise<CloseEntrances> {
  const isAlone = process.platform === 'linux' && cluster.isPrimary
  const place = { host, port, reusePort: isAlone }
  await app.listen(place)
  // All of them together let in as many as the one would.
  if (isAlone) app.server.maxConnections = Math.ceil(app.server.maxConnections / (1 + entrancesMore))
  const entrances = await Promise.all(
    Array.from({ length: isAlone ? entrancesMore : 0 }, () => openEntrance(app, host)),
  )
  return async () => {
    const seeingOut = seeOut(app.server)
    try {
      await Promise.all([app.close(), ...entrances.map(closed)])
    } finally {
      clearInterval(seeingOut)
    }
  }
}

/** For a server that closes, Node ends no connection by itself: neither those that rest nor those that say nothing. */
function seeOut(server: HttpServer): NodeJS.Timeout {
  let servedAt = performance.now()
  return setInterval(() => {
    // Who has been served would stay for as long as a connection may rest.
    server.closeIdleConnections()
    if (answersOwed(server) > 0) servedAt = performance.now()
    // Browsers open connections in advance, and would keep them for a minute without a word.
    else if (performance.now() - servedAt > silentMs) server.closeAllConnections()
  }, seeOutMs)
}

async function openEntrance(app: App, host: string): Promise<Server> {
  // As the server of the app does it.
  const entrance = createServer({ allowHalfOpen: true, noDelay: true })
  entrance.maxConnections = app.server.maxConnections
  entrance.on('connection', (socket) => app.server.emit('connection', socket))
  const { port } = app.server.address() as AddressInfo
  await new Promise<void>((resolve, reject) =>
    entrance.once('error', reject).listen({ host, port, reusePort: true }, resolve),
  )
  return entrance
}

const closed = (entrance: Server) => new Promise<void>((resolve) => entrance.close(() => resolve()))

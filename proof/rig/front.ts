// The one address that people, shops and providers know, while the processes behind it come and go: connections are
// handed to them in turn, and to the next one when nobody is there. A connection stays with its process. Use:
//
//   const front = await openFront()
//   front.to([one.port, two.port])
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Front {
  url: string
  /** From now on new connections go to these ports. */
  to(ports: readonly number[]): void
  /** How many connections are open now. */
  connections(): number
  close(): Promise<void>
}

export async function openFront(): Promise<Front> {
  let ports: readonly number[] = []
  let turn = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    keep(client)
    turn += 1
    const order = ports.map((_, at) => ports[(turn + at) % ports.length] ?? 0)
    void reach(order).then((upstream) => {
      if (upstream === undefined || client.destroyed) {
        upstream?.destroy()
        client.resetAndDestroy()
        return
      }
      keep(upstream)
      client.pipe(upstream).pipe(client)
      client.resume()
      upstream.on('close', () => client.destroy())
      client.on('close', () => upstream.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (next) => {
      ports = [...next]
    },
    connections: () => sockets.size / 2,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The first of them that takes the connection. */
async function reach(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    const reached = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    if (reached) return socket
    socket.destroy()
  }
  return undefined
}

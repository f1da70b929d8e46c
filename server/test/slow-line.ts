// A line to the database that can be slow, or go silent in the middle: connections stay open, new ones are taken, and no
// byte comes through. That is how a server that hangs looks, or a router that has lost its way.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowLine {
  url: string
  /** Every answer comes so much later. */
  delay(ms: number): void
  hang(): void
  /** New connections work again. The old ones stay silent for ever, as when a router has forgotten them. */
  goOn(): void
  /** How many connections are open, the silent ones among them. */
  open(): number
}

export async function openSlowLine(url: string): Promise<SlowLine> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  const state = { delayMs: 0, hangs: false }
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    if (state.hangs) silent.add(socket)
  }
  const server = createServer((client) => {
    keep(client)
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    keep(upstream)
    const pass = (to: Socket, bytes: Buffer) => {
      if (!silent.has(to) && !to.destroyed) to.write(bytes)
    }
    // One after another: what is delayed stays in order.
    let turn = Promise.resolve()
    client.on('data', (bytes: Buffer) => pass(upstream, bytes))
    upstream.on('data', (bytes: Buffer) => {
      const { delayMs } = state
      if (delayMs === 0) pass(client, bytes)
      else
        turn = turn.then(async () => {
          await sleep(delayMs)
          pass(client, bytes)
        })
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      if (!silent.has(client)) client.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  const through = new URL(url)
  through.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: through.href,
    delay: (ms) => {
      state.delayMs = ms
    },
    hang: () => {
      state.hangs = true
      for (const socket of sockets) silent.add(socket)
    },
    goOn: () => {
      state.hangs = false
    },
    open: () => sockets.size / 2,
  }
}

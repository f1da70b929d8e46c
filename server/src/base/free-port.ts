// Ports that nobody listens on, for who begins to listen a moment later.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { StartError } from './errors.ts'

/** Below those that systems lend to outgoing connections (Linux from 32768 on): one of them can be gone the next moment. */
const lowest = 20_000
const highest = 32_000
const triesMax = 100

export async function freePort(host: string): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(lowest, highest)
    if (await isFree(host, port)) return port
  }
  throw new StartError(`No free port was found between ${lowest} and ${highest}. Choose one yourself.`)
}

export const isFree = (host: string, port: number): Promise<boolean> =>
  tryPort(host, port).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return false
      throw error
    },
  )

/** Listens for a moment, or throws the system's word for why not. */
export const tryPort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })

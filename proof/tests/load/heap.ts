// How much memory the service has in use once everything is collected that nobody needs any more: what grows there with each
// request is a leak, long before it is seen from outside. Asked by the door that Node opens for debuggers (SIGUSR1), at a
// port of its own choice, which it tells.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../rig/service.ts'

/** For the environment of the service: any free port. */
export const debuggable = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --inspect-port=0`.trim() }

const told = /Debugger listening on (ws:\S+)/
const triesMax = 600

export async function usedHeapMb({ pid, lines }: ServiceProcess): Promise<number> {
  process.kill(pid, 'SIGUSR1')
  const address = () => lines.map((line) => told.exec(line)?.[1]).find((found) => found !== undefined)
  for (let tries = 0; address() === undefined; tries++) {
    if (tries > triesMax) throw new Error('the service opens no door for debuggers')
    await sleep(100)
  }
  const socket = new WebSocket(address() ?? '')
  await once(socket, 'open')
  const ask = async (method: string): Promise<{ usedSize?: number }> => {
    socket.send(JSON.stringify({ id: 1, method }))
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }]
      const { id, result } = JSON.parse(data) as { id?: number; result?: object }
      if (id === 1) return result ?? {}
    }
  }
  try {
    // What a first round sets free holds things that a second one finds.
    for (let round = 0; round < 2; round++) await ask('HeapProfiler.collectGarbage')
    return ((await ask('Runtime.getHeapUsage')).usedSize ?? Number.NaN) / 2 ** 20
  } finally {
    socket.close()
  }
}

// A database that ends by itself (killed, out of memory) is started again, on the same port, so that the pools find it
// and the service goes on. What is hopeless is left: the service then says that it is not ready. And its log must not fill
// the disk while it runs.
import { turnLogOver } from './embedded-cluster.ts'
import { launch, type Running, type Server, takeOver } from './embedded-postmaster.ts'
import { belongsTo, endLeftovers, type StopLimits, stopDatabase } from './embedded-processes.ts'

export interface Watch {
  stop(limits: StopLimits): Promise<void>
}

const lookMs = 500
const restartsMax = 5
const calmMs = 60_000
const logMs = 5_000

export function keepRunning(server: Server, first: Running): Watch {
  let running = first
  let stopping = false
  let restarting: Promise<void> = Promise.resolve()
  let restarts = 0
  let startedAt = performance.now()

  const restart = async () => {
    server.say('The database has ended unexpectedly; starting it again…')
    await endLeftovers(server.name)
    const samePort = { ...server, port: first.port }
    running = (await takeOver(samePort)) ?? (await launch(samePort))
    startedAt = performance.now()
  }
  let busy = false
  const look = () => {
    if (busy || stopping || belongsTo(running.pid, server.name)) return
    restarts = performance.now() - startedAt > calmMs ? 1 : restarts + 1
    if (restarts > restartsMax) {
      clearInterval(timer)
      server.say(
        'The database ends again and again and is left as it is. See postgres.log in the data folder.',
      )
      return
    }
    busy = true
    restarting = restart()
      .catch((error: unknown) => server.say(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        busy = false
      })
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  const log = keepLogShort(server.place.dataDir)
  return {
    stop: async (limits) => {
      stopping = true
      clearInterval(timer)
      await log.stop()
      await restarting
      await stopDatabase({ pid: running.pid, name: server.name }, limits)
    },
  }
}

function keepLogShort(dataDir: string): { stop(): Promise<void> } {
  let turning: Promise<void> | undefined
  const turn = () => {
    // What a full disk, or somebody who has taken the log away, prevents may work the next time.
    turning ??= turnLogOver(dataDir)
      .catch(() => undefined)
      .finally(() => {
        turning = undefined
      })
  }
  const timer = setInterval(turn, logMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await turning
    },
  }
}

// The walk over every route with inputs of every kind, by everybody whom it takes. T5 looks at what comes back, T14 at what
// is left behind. Use:
//
//   const walk = await openWalk(stage)
//   await walk.go({ inputs: 100, seen: ({ input, told }) => … })
import fc from 'fast-check'
import {
  type Caller,
  type Stage as Callers,
  openCaller,
  openStage as openCallers,
} from '../../../server/test/fuzz/callers.ts'
import { type Input, inputsOf } from '../../../server/test/fuzz/inputs.ts'
import type { Route } from '../../../server/test/route-table.ts'
import type { Stage } from '../../rig/stage.ts'
import { eachOf } from '../../rig/world.ts'
import { openHands } from './hands.ts'
import { openSender, type Sender, type Told } from './sender.ts'
import { readSurface, type Surface } from './surface.ts'

export interface Step {
  route: Route
  input: Input
  headers: Record<string, string>
  told: Told
}

export interface Walk {
  surface: Surface
  sender: Sender
  callers: Callers
  /** Somebody who calls this route. */
  caller(route: Route): Promise<Caller>
  send(input: Input, headers: Record<string, string>): Promise<Told>
  go(options: WalkOptions): Promise<void>
}

export interface WalkOptions {
  /** For each route. */
  inputs: number
  /** Fewer, when all of it would take longer. */
  minutesMax?: number
  /** Another input than was made, for each. */
  change?: (input: Input, route: Route) => Input
  /** Says what is wrong with it, if anything; then the route is left. */
  judge: (step: Step) => string | undefined | Promise<string | undefined>
  /** What was found, one a route. */
  found: (sentence: string) => void
}

/** So many routes at once. */
const width = 8

/** Here a password takes as long to be hashed as it does anywhere. */
const renewedMax = 8

/** In the short form one is enough to know; in the long one a person wants to see what there is. */
const faultsMax = { gate: 1, night: 20 }

/** Each address is somebody else's: the service must be told to believe it. */
export const walkSettings = { TRUSTED_PROXIES: '127.0.0.1' }

export async function openWalk(stage: Stage): Promise<Walk> {
  const [service] = stage.services
  if (service === undefined) throw new Error('there is a process to walk over')
  const sender = openSender(service.url, { connections: 4 * width })
  stage.scene.defer(sender.close)
  const surface = await readSurface(service.url)
  const callers = await openCallers(openHands(stage, sender))
  // One for each route, who stays: making somebody ready takes more requests than are tried then.
  const ready = new Map<Route, Promise<Caller>>()
  const caller = (route: Route) => {
    const there = ready.get(route) ?? openCaller(callers, route, { renewedMax })
    ready.set(route, there)
    return there
  }
  const send = ({ method, url, body, address }: Input, headers: Record<string, string>) =>
    sender.send({ method, url, body, headers: { 'x-forwarded-for': address, ...headers } })
  return {
    surface,
    sender,
    callers,
    caller,
    send,
    go: async ({ inputs, minutesMax = 60, change = (input) => input, judge, found }) => {
      const shareMs = (minutesMax * 60_000 * width) / surface.routes.length
      const { scene } = stage
      const isEnough = () => scene.signal.aborted || scene.faults().length >= faultsMax[scene.tier]
      await eachOf(surface.routes, width, async (route) => {
        if (isEnough()) return
        const who = await caller(route)
        const property = fc.asyncProperty(inputsOf(route, who.known), async (made) => {
          if (isEnough()) return
          const input = change(made, route)
          const headers = { ...who.headersOf(input.as, input.scheme), ...input.headers }
          const told = await send(input, headers)
          const problem = await judge({ route, input, headers, told })
          if (problem !== undefined) throw new Error(problem)
          await who.note({ as: input.as, status: told.status, body: jsonOf(told) })
        })
        const seed = scene.chance.below(2 ** 31)
        const run = await fc.check(property, {
          seed,
          numRuns: inputs,
          endOnFailure: true,
          interruptAfterTimeLimit: shareMs,
        })
        if (run.failed) found(`${route.method} ${route.path}: ${reasonOf(run.errorInstance)}`)
      })
    },
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** There is nothing to learn from what is large. */
const learnedFromMax = 100_000

function jsonOf({ headers, text }: Told): { code?: string } | undefined {
  const isJson = String(headers['content-type']).startsWith('application/json')
  return isJson && text !== '' && text.length < learnedFromMax ? JSON.parse(text) : undefined
}

// A crowd that asks for the whole product. In a closed loop each client asks when it has its answer, which shows how much
// the service can do. In an open loop requests come at fixed times, whatever becomes of those before them, as people do: so
// whoever stalls is seen to stall, by all who come meanwhile. A payment has several steps; each of them takes its turn among
// the arrivals. It runs in a process of its own (`crowd-process.ts`). Use:
//
//   const crowd = await openCrowd({ world, receiverUrl, ports, host, folder, seed })
//   const peak = await crowd.closed({ clients: 64, ms: 5_000 })
//   const [over, after] = await crowd.open([{ perSecond: 3_000, ms: 8_000 }, { perSecond: 500, ms: 8_000 }])
import { setTimeout as sleep } from 'node:timers/promises'
import { openChance } from '../../simulator/src/chance.ts'
import {
  type Carry,
  type Client,
  type Heard,
  openClient,
  outcomeByStatus,
  type Raw,
  type Request,
} from './client.ts'
import { figuresOf, openTally, type StepFigures, type Tally } from './crowd-figures.ts'
import { openLanes } from './lanes.ts'
import { draw, type Kind, type Mix, perform, type Round } from './traffic.ts'
import type { Person, World } from './world.ts'

export interface CrowdOptions {
  world: World
  receiverUrl: string
  /** Of the processes of the service. */
  ports: readonly number[]
  host: string
  /** For the journal. */
  folder: string
  seed: number
}

export interface Step {
  perSecond: number
  ms: number
}

export interface Crowd {
  closed(options: { clients: number; ms: number; mix?: Mix }): Promise<StepFigures>
  /** One right after the other, without waiting for the answers of the one before. */
  open(steps: readonly Step[]): Promise<StepFigures[]>
  end(): Promise<Left>
}

/** What nobody knows, and the journal. */
export interface Left {
  journal: string
  unknown: Request[]
  unsure: Round['unsure']
}

/** Of a thousand requests. Looking at a checkout and paying there are several of `pay`. */
const usualMix: Mix = {
  send: 450,
  pay: 240,
  read: 150,
  contribute: 100,
  deposit: 40,
  withdraw: 10,
  refund: 10,
}
const byWallet = 0.05
const thrift = 0.05
const connectionsMax = 3_000
const triesMax = 20
const quietMs = 60_000
/** In a closed loop who is turned away comes again then: a service that refuses all day does nothing. */
const againMs = 200
/** Behind all numbers of the stage's own client. */
const numbersFrom = 1_000_000_000

/** When a request was due, and who wants to know of it. */
interface Turn {
  kind: Kind
  due: number
  tally: Tally
  /** It has its answer, or will have none. */
  ended?: (status: number) => void
}

export async function openCrowd(options: CrowdOptions): Promise<Crowd> {
  const { arrive, draws, quiet, leave } = await openPeople(options)
  return {
    closed: async ({ clients, ms, mix = usualMix }) => {
      const tally = openTally()
      const timer = setTimeout(tally.end, ms)
      const live = async () => {
        while (performance.now() < tally.from + ms) {
          const { promise, resolve: ended } = Promise.withResolvers<number>()
          arrive({ kind: draws(mix), due: performance.now(), tally, ended })
          if (turnedAway(await promise)) await sleep(againMs)
        }
      }
      await Promise.all(Array.from({ length: clients }, live))
      clearTimeout(timer)
      return figuresOf(tally, ms)
    },
    open: async (steps) => {
      const tallies: Tally[] = []
      let from = performance.now()
      for (const step of steps) {
        const tally = openTally({ from, before: tallies.at(-1) })
        tallies.push(tally)
        await comeAndGo(step, (due) => arrive({ kind: draws(usualMix), due, tally }), tally)
        from += step.ms
      }
      tallies.at(-1)?.end()
      await quiet()
      return tallies.map((tally, at) => figuresOf(tally, steps[at]?.ms ?? 0))
    },
    end: leave,
  }
}

interface People {
  draws(mix: Mix): Kind
  /** Somebody asks for something of that kind, or the next step of a payment is taken. */
  arrive(turn: Turn): void
  /** Until all have their answers. */
  quiet(): Promise<void>
  /** When payments that have begun are at their end. */
  leave(): Promise<Left>
}

async function openPeople(options: CrowdOptions): Promise<People> {
  const { world, ports, host, folder } = options
  const lanes = openLanes({ ports, host, connectionsMax })
  const client = await openClient({
    url: `http://${host}`,
    folder,
    name: 'crowd',
    forced: false,
    numbersFrom,
  })
  const chance = openChance(options.seed)
  const stage = { client, world, receiver: { url: options.receiverUrl } }
  const round: Round = { stage, chance, paid: [], unsure: [], byWallet, thrift }
  /** Requests on their way, and things that people have begun. */
  let [running, acting] = [0, 0]
  const carry = async (raw: Raw, { kind, due, tally, ended }: Turn) => {
    running += 1
    let status = 0
    try {
      const answer = await lanes.carry(raw)
      status = answer.statusCode
      return answer
    } finally {
      tally.note({ kind, due, status })
      running -= 1
      ended?.(status)
    }
  }
  const one = async (kind: Kind, turn: () => Turn | Promise<Turn>) => {
    acting += 1
    const asking = turning(client, async (raw) => carry(raw, await turn()))
    const person = world.people[chance.below(world.people.length)] as Person
    const acts = { ...round, stage: { ...stage, client: kind === 'pay' ? persistent(asking) : asking } }
    await perform(acts, { kind, person })
    acting -= 1
  }
  const line = openLine()
  const quiet = async () => {
    const patientUntil = performance.now() + quietMs
    while (running > 0 && performance.now() < patientUntil) await sleep(20)
  }
  return {
    draws: (mix) => draw(chance, mix),
    arrive: (turn) => {
      if (turn.kind !== 'pay') void one(turn.kind, () => turn)
      else if (!line.call(turn)) void one('pay', line.turn)
    },
    quiet,
    leave: async () => {
      const tally = openTally()
      const patientUntil = performance.now() + quietMs
      while (acting > 0 && performance.now() < patientUntil) {
        for (let left = line.waiting(); left > 0; left--)
          line.call({ kind: 'pay', due: performance.now(), tally })
        await sleep(20)
      }
      const left = { journal: client.journal, unknown: client.unknown(), unsure: round.unsure }
      lanes.close()
      await client.close()
      return left
    },
  }
}

/** A client whose requests are carried like this. Answers to questions are no promise, and not written down. */
const turning = (client: Client, carried: Carry): Client => ({
  ...client,
  act: (request) =>
    request.act === 'read'
      ? client.look(request, carried)
      : client.act({ ...request, outcomeOf: request.outcomeOf ?? outcomeByWords }, carried),
  look: (request) => client.look(request, carried),
})

/** Until the step is over, at its times. */
async function comeAndGo(
  { perSecond, ms }: Step,
  arrive: (due: number) => void,
  { from, late }: Tally,
): Promise<void> {
  for (let come = 0; ; await sleep(1)) {
    const now = performance.now()
    const all = Math.ceil((Math.min(now - from, ms) * perSecond) / 1_000)
    for (; come < all; come++) {
      const due = from + (come * 1_000) / perSecond
      late(due, now)
      arrive(due)
    }
    if (now >= from + ms) return
  }
}

/** Steps of payments wait here for a turn; a turn that nobody waits for is kept for who begins a payment with it. */
function openLine() {
  const waiting: ((turn: Turn) => void)[] = []
  const kept: Turn[] = []
  return {
    turn: (): Turn | Promise<Turn> => kept.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    /** False: nobody has waited for it. */
    call: (turn: Turn): boolean => {
      const next = waiting.shift()
      if (next === undefined) kept.push(turn)
      else next(turn)
      return next !== undefined
    },
    waiting: () => waiting.length,
  }
}

const turnedAway = (status: number) => status === 503 || status === 429

/** Who is told to come again comes again: a payment is not given up for that. */
function persistent(client: Client): Client {
  const again = async (ask: () => Promise<Heard>) => {
    let heard = await ask()
    for (let tries = 1; turnedAway(heard.status) && tries < triesMax; tries++) heard = await ask()
    return heard
  }
  return {
    ...client,
    act: (request) => again(() => client.act(request)),
    look: (request) => again(() => client.look(request)),
  }
}

/** A crowd that is turned away is told that nothing was done: the checker holds it to that. */
const outcomeByWords = ({ status, text }: Heard): Heard['outcome'] =>
  status === 503 && text.includes('Nothing was done') ? 'refused' : outcomeByStatus(status)

// The same money is spent by many at once, over one, two and four processes: it is spent once. What is decided once is
// decided once, limits hold, and people who send to each other in both directions never stop each other.
import { burst } from '../rig/burst.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { verdict } from '../rig/verdict.ts'
import { eachOf, type Person, type Shop } from '../rig/world.ts'
import type { Proof } from '../scene.ts'
import { approveApprove, lastSeat, payCancelExpire, refundRefund, rotatePay } from './races/deciding.ts'
import { sendOf, whoOf } from './races/purse.ts'
import { allWays, dailyLimit, pots, wholeBalance } from './races/spending.ts'

/** For each number of processes. */
const sizes = {
  gate: { whole: 2, ways: 1, pots: 1, deciding: 2, limit: 1, transfers: 400 },
  night: { whole: 34, ways: 8, pots: 2, deciding: 167, limit: 1, transfers: 6_700 },
}

export const proof: Proof = {
  id: 'T2',
  title: 'Double spend',
  promise:
    'Money is spent once, and what is decided once is decided once, however many try at the same moment.',
  minutes: { gate: 8, night: 40 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 1, wire: false, connections: 64 })
    const shop: Shop = structuredClone(stage.world.shops[1] as Shop)
    let at = 0
    for (const processes of [1, 2, 4]) {
      const missing = Array.from({ length: processes - stage.services.length }, () => stage.start())
      await Promise.all(missing)
      const rounds = (count: number, race: (round: number) => Promise<void>) => async () => {
        for (let round = at * count; round < (at + 1) * count && scene.faults().length === 0; round++)
          await race(round)
      }
      const parts = {
        'the whole balance': rounds(size.whole, (round) => wholeBalance(stage, { round })),
        'all ways': rounds(size.ways, (round) => allWays(stage, { round })),
        pots: rounds(size.pots, (round) => pots(stage, { round })),
        'the daily limit': rounds(size.limit, (round) => dailyLimit(stage, { round })),
        'what is decided once': rounds(size.deciding, async (round) => {
          const races = [refundRefund(stage, { round }), payCancelExpire(stage), approveApprove(stage)]
          await Promise.all([...races, lastSeat(stage), rotatePay(stage, { shop })])
        }),
        'both directions': () => bothDirections(stage, size.transfers),
      }
      for (const [name, part] of Object.entries(parts)) {
        // One is enough to know, and the money is where nobody expects it.
        if (scene.faults().length > 0) return
        await part()
        scene.say(`${processes} processes: ${name}`)
      }
      at += 1
    }
    await judgeDeadlocks(stage)
    const busy = stage.client.counts.unknown
    await verdict(stage)
    scene.figure('processes', '1, 2 and 4')
    scene.figure('answers 503 or none, asked again (0 on a quiet machine)', busy)
    scene.figure('whole balances, each sent 200 times at once', 3 * size.whole)
    scene.figure('balances spent by all ways at once', 3 * size.ways)
    scene.figure('of each thing that is decided once', 3 * size.deciding)
    scene.figure('transfers among 10 people by 64 clients', 3 * size.transfers)
  },
}

/** Everybody to everybody, by many at once. */
async function bothDirections(stage: Stage, transfers: number): Promise<void> {
  const { client, scene } = stage
  const people = whoOf(stage).deciding
  const pick = () => scene.chance.below(people.length)
  const plan = Array.from({ length: transfers }, () => {
    const from = pick()
    const to = (from + 1 + scene.chance.below(people.length - 1)) % people.length
    const amount = 500 + scene.chance.below(500)
    return sendOf(people[from] as Person, { to: people[to] as Person, amount, currency: 'UGX' })
  })
  const first = await burst(stage, plan.slice(0, 64))
  const heard = [...first, ...(await eachOf(plan.slice(64), 64, (request) => client.act(request)))]
  // Without an answer, or 503: the verdict asks again.
  const bad = heard.filter(({ outcome, status }) => outcome === 'refused' || status === 500)
  if (bad.length > 0)
    scene.fault(
      `in both directions: ${bad.length} of ${transfers} failed: ${bad[0]?.status} ${bad[0]?.text} ${bad[0]?.error ?? ''}`,
    )
}

/** Locks are taken in one order, so PostgreSQL never has to choose a victim; the client would not see it, but wait a second. */
async function judgeDeadlocks({ scene, cluster, database }: Stage): Promise<void> {
  const [row] = await cluster.query<{ deadlocks: string }>(
    'postgres',
    `select deadlocks from pg_stat_database where datname = '${database}'`,
  )
  scene.figure('deadlocks', Number(row?.deadlocks))
  if (Number(row?.deadlocks) > 0) scene.fault(`PostgreSQL had to break ${row?.deadlocks} deadlocks`)
}

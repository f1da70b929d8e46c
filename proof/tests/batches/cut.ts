// The line to the database breaks when a batch commits. Nobody knows then what became of its postings, so everybody is told
// that, and who asks again with the key hears what came of it: one effect each. Nothing is tried again behind their backs.
import { randomUUID } from 'node:crypto'
import { told } from '../../rig/burst.ts'
import type { Heard, Request } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import { trafficMarker } from '../../rig/wire.ts'
import type { Person } from '../../rig/world.ts'
import { sendOf, sinkOf } from '../races/purse.ts'

export interface Cut {
  /** Who heard that nobody knows. */
  unknown: number
  /** Of those, what was there all the same. */
  there: number
}

const width = 64
/** Answers of the database are late by so much, so that those who come meanwhile are one batch. */
const lateMs = 30

interface Wish {
  note: string
  request: Request
}

/** Every eighth has no key. */
function wishesOf({ world }: Stage): Wish[] {
  return Array.from({ length: width }, (_, at) => {
    const note = `${trafficMarker}T22-${randomUUID()}`
    const request = sendOf(world.people[at % 48] as Person, {
      ...{ to: sinkOf({ world } as Stage, at), amount: 1_000, currency: 'UGX', note },
    })
    if (at % 8 !== 3) return { note, request }
    const { key: _key, ...bare } = request
    return { note, request: bare }
  })
}

export async function cutCommit(stage: Stage, moment: 'answered' | 'unsent'): Promise<Cut> {
  const { client, scene, wire } = stage
  const wishes = wishesOf(stage)
  const aimed = wishes[Math.floor(width / 2)] as Wish
  let cuts = 0
  wire.delay(lateMs)
  wire.atCommit(moment, { marker: aimed.note, act: () => (cuts += 1) })
  const heard = await Promise.all(wishes.map(({ request }) => client.act(request)))
  wire.heal()
  const what = `a commit that was cut (${moment})`
  if (cuts !== 1) scene.fault(`${what}: there were ${cuts} cuts`)
  const odd = heard.filter(({ status }) => status !== 200 && status !== 503)
  if (odd.length > 0) scene.fault(`${what}: not everybody is told that nobody knows (${told(odd)})`)
  const unknown = wishes.filter((_, at) => heard[at]?.outcome === 'unknown')
  if (!unknown.includes(aimed) || unknown.length < 2)
    scene.fault(`${what}: ${unknown.length} of its batch were told (${told(heard)})`)
  const before = await effects(stage, wishes)
  if ((before.get(aimed.note) ?? 0) !== (moment === 'answered' ? 1 : 0))
    scene.fault(`${what}: its effect is there ${before.get(aimed.note) ?? 0} times`)
  await judgeAgain(stage, { what, wishes, heard })
  return { unknown: unknown.length, there: unknown.filter(({ note }) => before.has(note)).length }
}

async function judgeAgain(
  stage: Stage,
  { what, wishes, heard }: { what: string; wishes: readonly Wish[]; heard: readonly Heard[] },
): Promise<void> {
  const { client, scene } = stage
  const keyed = wishes.filter(({ request }) => request.key !== undefined)
  const again = await Promise.all(keyed.map(({ request }) => client.act(request)))
  const failed = again.filter(({ outcome }) => outcome !== 'done')
  if (failed.length > 0) scene.fault(`${what}: asked again with the key, ${told(failed)}`)
  for (const [at, wish] of keyed.entries()) {
    const first = heard[wishes.indexOf(wish)]
    if (first?.outcome === 'done' && first.text !== again[at]?.text)
      scene.fault(`${what}: another answer than before: ${first.text} and ${again[at]?.text}`)
  }
  const counted = await effects(stage, wishes)
  for (const [at, { note, request }] of wishes.entries()) {
    const times = counted.get(note) ?? 0
    const sure = request.key !== undefined || heard[at]?.outcome === 'done'
    if (times > 1 || (sure && times !== 1))
      scene.fault(
        `${what}: ${request.key === undefined ? 'without a key' : 'with its key'} it happened ${times} times`,
      )
  }
}

/** How often each has happened, by the database. */
async function effects({ cluster, database }: Stage, wishes: readonly Wish[]): Promise<Map<string, number>> {
  const rows = await cluster.query<{ note: string; times: number }>(
    database,
    `select details ->> 'note' as note, count(*)::int as times from ledger.postings
     where details ->> 'note' = any ($1) group by 1`,
    [wishes.map(({ note }) => note)],
  )
  return new Map(rows.map(({ note, times }) => [note, times]))
}

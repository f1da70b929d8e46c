// Things that are decided once, with everybody deciding at once: a payment is paid, cancelled or too late; it is given back
// whole or not at all; a pot is paid out; the last seat of a group is taken; a key is replaced while it is used.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { burst, told } from '../../rig/burst.ts'
import { readyToCancel } from '../../rig/checkout.ts'
import { asPerson, asShop, type Heard, type Loose, patient } from '../../rig/client.ts'
import type { Stage } from '../../rig/stage.ts'
import { newGroup, type Person, type Shop } from '../../rig/world.ts'
import { armed, askFor, availableTo, giveOf, must, whoOf } from './purse.ts'

const currency = 'RWF'
const doneIn = (heard: readonly Heard[]): number => heard.filter(({ outcome }) => outcome === 'done').length

/** The service may refuse, and must not break. */
function judgeRefusals({ scene }: Stage, heard: readonly Heard[], what: string): void {
  const odd = heard.filter(({ status, outcome }) => outcome === 'unknown' || status >= 500)
  if (odd.length > 0) scene.fault(`${what}: answers that say nothing (${told(odd)})`)
}

/** Whole, or two fifths at a time: then two fit. */
export async function refundRefund(stage: Stage, { round }: { round: number }): Promise<void> {
  const { client, scene, world } = stage
  const [shop, person] = [world.shops[0], whoOf(stage).deciding[0]] as [Shop, Person]
  // A shop must have more than it got for this one: the fee does not come back.
  for (const amount of round === 0 ? [50_000] : [])
    must(
      await client.act(
        await armed(stage, { person, payment: await askFor(stage, { shop, amount, currency }) }),
      ),
    )
  const payment = await askFor(stage, { shop, amount: 1_000, currency })
  must(await client.act(await armed(stage, { person, payment })))
  const before = await availableTo(stage, person, currency)
  const [body, fit, back] = round % 2 === 0 ? [{}, 1, 1_000] : [{ amount: 400 }, 2, 800]
  const route = 'POST /api/merchant/payments/:reference/refund'
  const path = `/api/merchant/payments/${payment.reference}/refund`
  const heard = await burst(
    stage,
    Array.from({ length: 16 }, () =>
      asShop(shop, 'live', { act: 'refund', route, path, key: randomUUID(), body }),
    ),
  )
  judgeRefusals(stage, heard, 'refund beside refund')
  const came = (await availableTo(stage, person, currency)) - before
  if (doneIn(heard) !== fit || came !== back)
    scene.fault(
      `refund beside refund: ${doneIn(heard)} of ${fit} went through, ${came} of ${back} came back (${told(heard)})`,
    )
}

/** As no other race asks for it. */
const fought = 1_010

/** The clock strikes while the customer pays and cancels, each in several tabs. */
export async function payCancelExpire(stage: Stage): Promise<void> {
  const { client, cluster, database, scene, world } = stage
  const [shop, person] = [world.shops[1], whoOf(stage).deciding[1]] as [Shop, Person]
  const payment = await askFor(stage, { shop, amount: fought, currency })
  const [pay, cancel] = await Promise.all([armed(stage, { person, payment }), readyToCancel(client, payment)])
  const before = await availableTo(stage, person, currency)
  const dueMs = scene.chance.below(120)
  await cluster.query(
    database,
    `with due as (update payments.payments set expires_at = now() + interval '${dueMs} ms'
       where status = 'pending' and payer_id is null and currency = '${currency}' and amount = ${fought} returning 1)
     select graphile_worker.add_job('expire_payments', run_at := now() + interval '${dueMs} ms') from due`,
  )
  const tabs = [pay, cancel, pay, cancel, pay, cancel, pay, cancel]
  const heard = await burst(stage, scene.chance.happens(0.5) ? tabs : tabs.toReversed())
  judgeRefusals(stage, heard, 'pay beside cancel beside expiry')
  const end = await ended(stage, { shop, reference: payment.reference })
  const gone = before - (await availableTo(stage, person, currency))
  const paid = end === 'completed' ? fought : 0
  if (end === 'pending') scene.fault('pay beside cancel beside expiry: the payment never ended')
  if (gone !== paid) scene.fault(`pay beside cancel beside expiry: it is ${end}, and ${gone} left the wallet`)
}

async function ended(
  { client }: Stage,
  { shop, reference }: { shop: Shop; reference: string },
): Promise<string> {
  const route = 'GET /api/pay/:reference'
  const look = asShop(shop, 'live', { act: 'read', route, path: `/api/pay/${reference}` })
  for (let tries = 0; tries < 200; tries++) {
    const { status } = must(await patient(client).look(look)).data
    if (status !== 'pending') return status
    await sleep(50)
  }
  return 'pending'
}

/** Two proposals over the whole pot, which two members approve in several tabs: one is paid. */
export async function approveApprove(stage: Stage): Promise<void> {
  const { client, scene } = stage
  const people = whoOf(stage).deciding.slice(2, 5)
  const [chair, ...others] = people as [Person, ...Person[]]
  const { id } = await newGroup(client, { people, currency, members: 3 })
  must(await client.act(giveOf(chair, { place: 'groups', id, amount: 5_000 })))
  const proposals: string[] = []
  for (const reason of ['Seed', 'Roof']) {
    const body = { to: chair.handle, amount: 5_000, reason }
    const place = { route: 'POST /api/groups/:id/payouts', path: `/api/groups/${id}/payouts` }
    proposals.push(must(await client.act(asPerson(chair, { act: 'propose', ...place, body }))).data.id)
  }
  const before = await availableTo(stage, chair, currency)
  const route = 'POST /api/groups/:id/payouts/:payout_id/approve'
  const votes = others.flatMap((person) =>
    [0, 1, 2, 3].map((at) => {
      const path = `/api/groups/${id}/payouts/${proposals[at % 2]}/approve`
      return asPerson(person, { act: 'approve', route, path })
    }),
  )
  const heard = await burst(stage, votes)
  judgeRefusals(stage, heard, 'approve beside approve')
  const came = (await availableTo(stage, chair, currency)) - before
  const shown = await patient(client).look(
    asPerson(chair, { act: 'read', route: 'GET /api/groups/:id/payouts', path: `/api/groups/${id}/payouts` }),
  )
  const paid = (must(shown).data as Loose[]).filter(({ status }) => status === 'paid').length
  if (paid !== 1 || came !== 5_000)
    scene.fault(`approve beside approve: ${paid} payouts of one pot, ${came} of 5000 came (${told(heard)})`)
}

/** Two seats are left, and twelve people at the door. */
export async function lastSeat(stage: Stage): Promise<void> {
  const { client, scene } = stage
  const chair = whoOf(stage).deciding[5] as Person
  const body = {
    name: 'Three',
    kind: 'goal',
    goal_amount: 9_000,
    visibility: 'private',
    max_members: 3,
    currency,
  }
  const made = must(await client.act(asPerson(chair, { act: 'make', route: 'POST /api/groups', body }))).data
  const place = { route: 'POST /api/groups/:id/join', path: `/api/groups/${made.id}/join` }
  const heard = await burst(
    stage,
    whoOf(stage)
      .members.slice(0, 12)
      .map((person) => asPerson(person, { act: 'join', ...place, body: { invite_code: made.invite_code } })),
  )
  judgeRefusals(stage, heard, 'the last seats')
  const shown = await patient(client).look(
    asPerson(chair, { act: 'read', route: 'GET /api/groups/:id', path: `/api/groups/${made.id}` }),
  )
  const { member_count: count, members } = must(shown).data
  if (doneIn(heard) !== 2 || count !== 3 || members.length !== 3)
    scene.fault(
      `the last seats: ${doneIn(heard)} got one of 2, and ${members.length} sit on 3 (${told(heard)})`,
    )
}

const forgottenMs = 10_000

/** A shop replaces its key in several tabs while it is used. One key is good afterwards, everywhere. */
export async function rotatePay(stage: Stage, { shop }: { shop: Shop }): Promise<void> {
  const { scene } = stage
  const { owner } = shop
  const old = shop.test.key
  const ask = (key: string) =>
    asShop({ ...shop, test: { ...shop.test, key } }, 'test', {
      ...{ act: 'ask', route: 'POST /api/pay', key: randomUUID() },
      body: { amount: 1_000, currency, description: 'Fought for' },
    })
  const rotate = {
    ...{ act: 'rotate', route: 'POST /api/merchant/rotate-key' },
    body: { password: owner.password, mode: 'test', what: 'api_key', grace_hours: 0 },
    noted: {},
  }
  const rotations = Array.from({ length: 3 }, () => asPerson(owner, { ...rotate, key: randomUUID() }))
  const heard = await burst(stage, [...rotations, ...Array.from({ length: 12 }, () => ask(old))])
  judgeRefusals(stage, heard, 'rotate beside pay')
  const keys = heard.slice(0, 3).flatMap((one) => (one.outcome === 'done' ? [one.json.data.value] : []))
  if (keys.length === 0) scene.fault(`rotate beside pay: no key was replaced (${told(heard)})`)
  const tries = [old, ...keys].flatMap((key) => stage.services.map(() => ({ key, request: ask(key) })))
  // Other processes hear of it within two seconds; a busy machine gets more.
  for (const until = performance.now() + forgottenMs; ; await sleep(100)) {
    const answers = await burst(
      stage,
      tries.map(({ request }) => ({ ...request, key: randomUUID() })),
    )
    const good = new Set(tries.filter((_, at) => answers[at]?.outcome === 'done').map(({ key }) => key))
    const everywhere = answers.filter(({ outcome }) => outcome === 'done').length === stage.services.length
    if (good.size === 1 && everywhere && !good.has(old)) {
      ;[shop.test.key = old] = [...good]
      return
    }
    if (performance.now() < until) continue
    scene.fault(
      `rotate beside pay: ${good.size} keys are good, ${good.has(old) ? 'the old one too' : ''} (${told(answers)})`,
    )
    return
  }
}

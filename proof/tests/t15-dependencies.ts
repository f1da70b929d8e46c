// Whatever the service depends on fails, in every way it can: the database, the providers and their callbacks, the mail
// server, the name servers, the clock. Nobody waits long or reads of what is inside, money moves or does not move at all,
// the health says how it is, and when the trouble is over all is well again without anybody's help.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPerson } from '../rig/client.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { databaseAway, verdict } from '../rig/verdict.ts'
import type { Person } from '../rig/world.ts'
import type { Proof, Scene } from '../scene.ts'
import { livesThrough, type Slowest } from './failing/asking.ts'
import { clockFailures, databaseFailures, type Failing, otherFailures } from './failing/failures.ts'
import { openMailBox } from './failing/mail-box.ts'
import { openProviderLine } from './failing/provider-line.ts'
import { sendOf } from './races/purse.ts'

export const proof: Proof = {
  id: 'T15',
  title: 'Dependencies that fail',
  promise:
    'Whatever fails, money moves or does not move at all, everybody is told in time, and all is well by itself afterwards.',
  minutes: { gate: 8, night: 45 },
  run: async (scene) => {
    const failing = await openFailing(scene)
    const { stage } = failing
    const pids = stage.services.map(({ pid }) => pid)
    const slowest: Slowest = { answer: 0, health: 0, recovery: 0 }
    let lived = 0
    for (const failure of [...databaseFailures, ...otherFailures, ...clockFailures]) {
      if (scene.faults().length > 0) return
      if (await livesThrough(failing, failure, slowest)) lived += 1
    }
    if (stage.services.some((one, at) => !one.isAlive() || one.pid !== pids[at]))
      scene.fault('a process of the service did not live through it')
    await verdict(stage, { forgives: databaseAway, check: { order: false } })
    await judgeMisconfirmed(failing)
    await judgeMails(failing)
    // It takes the time that there is for it.
    if (scene.tier === 'night') await stopsWhileItHangs(stage)
    scene.figure('failures lived through', lived)
    scene.figure('slowest answer to who moves money', `${slowest.answer} ms`)
    scene.figure('the health was right after', `${slowest.health} ms at the most`)
    scene.figure('all was well again after', `${slowest.recovery} ms at the most`)
  },
}

/** Somebody else's amount is nobody's: it is kept for the operators to look at. */
async function judgeMisconfirmed({ stage, misconfirmed }: Failing): Promise<void> {
  const { client, scene } = stage
  if (misconfirmed.length === 0) scene.fault('no deposit was confirmed with another amount')
  for (const { person, reference } of misconfirmed) {
    const path = `/api/transactions/${reference}`
    const asked = asPerson(person, { act: 'read', route: 'GET /api/transactions/:reference', path })
    const { status, json } = await client.look(asked)
    const state = json?.data?.status
    if (status >= 500 || state === 'completed')
      scene.fault(`a deposit that was confirmed with another amount is ${state ?? status}`)
  }
}

const mailMs = 30_000

/** What could not be sent is sent again, the first time after ten seconds. */
async function judgeMails({ stage: { scene }, mails }: Failing): Promise<void> {
  for (const until = performance.now() + mailMs; mails.taken() === 0; await sleep(100)) {
    if (performance.now() < until) continue
    scene.fault('the mail server is back, and no mail has come')
    return
  }
}

const stopMs = 31_000

/** Whoever is told to stop ends, with a code, in the time there is for it. */
async function stopsWhileItHangs({ wire, scene, services, client, world }: Stage): Promise<void> {
  wire.hang()
  const [from, to] = world.people as [Person, Person]
  const asked = client.look(sendOf(from, { to, amount: 500, currency: 'UGX' }))
  const began = performance.now()
  const late = AbortSignal.timeout(stopMs)
  const ends = services.map((service) =>
    Promise.race([service.end(), once(late, 'abort').then(() => 'late')]),
  )
  const codes = await Promise.all(ends)
  wire.heal()
  await asked
  scene.figure('stopped while PostgreSQL hung, after', `${Math.round(performance.now() - began)} ms`)
  if (codes.some((code) => typeof code !== 'number'))
    scene.fault(`a process that was stopped while PostgreSQL hung ended with ${codes.join(' and ')}`)
}

/** A stage whose providers, mail server and names can be taken away. */
async function openFailing(scene: Scene): Promise<Failing> {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-proof-failing-'))
  scene.defer(async () => rmSync(folder, { recursive: true, force: true }))
  const mails = await openMailBox()
  scene.defer(mails.close)
  let stage: Stage | undefined
  const providers = await openProviderLine(() => stage?.simulator.url ?? '')
  scene.defer(providers.close)
  const namesAway = join(folder, 'names-away')
  stage = await openStage(scene, {
    processes: 2,
    clock: true,
    env: {
      SIMULATOR_URL: providers.url,
      SMTP_URL: mails.url,
      NAMES_AWAY: namesAway,
      NODE_OPTIONS: `--import ${new URL('failing/names-away.ts', import.meta.url).href}`,
    },
  })
  return { stage, providers, mails, namesAway, misconfirmed: [] }
}

// Words that stand for secrets go through every route, in right and in wrong places, while all is well and while everything
// fails. Afterwards they are looked for in all that the service tells: its log, its numbers, its mails, its refusals, and what
// the machine shows of its process.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MailServer, startMailServer } from '../../server/test/mail-server.ts'
import { secrets } from '../rig/service.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { eachOf } from '../rig/world.ts'
import type { Proof, Scene } from '../scene.ts'
import { type Needle, openSearch, type Search } from './rest/search.ts'
import { type Canaries, openCanaries } from './walk/canaries.ts'
import type { Told } from './walk/sender.ts'
import { openWalk, type Step, type Walk, walkSettings } from './walk/walk.ts'

/** For each route; canaries of each of the two kinds; requests of each route that are sent again while all fails. */
const sizes = {
  gate: { inputs: 12, canaries: 100, again: 2 },
  night: { inputs: 300, canaries: 1_000, again: 10 },
}

export const proof: Proof = {
  id: 'T14',
  title: 'Nothing leaks',
  promise: 'No secret that anybody sends is in a log, a number, a mail, a refusal or the list of processes.',
  minutes: { gate: 8, night: 30 },
  run: async (scene) => {
    const size = sizes[scene.tier]
    const mails = await startMailServer()
    scene.defer(mails.stop)
    const env = { ...walkSettings, LOG_LEVEL: 'debug', SMTP_URL: mails.url }
    const stage = await openStage(scene, { processes: 1, env })
    const walk = await openWalk(stage)
    const canaries = openCanaries(scene.chance, size.canaries)
    const watch = openWatch(stage, { canaries, walk, mails })
    const steps = await sendAll(scene, { walk, canaries, watch, size })
    scene.say('all was well')
    await watch.look()
    if (scene.faults().length > 0) return
    const failures = await whileAllFails(stage, { walk, watch, steps })
    for (const service of stage.services) await service.end()
    const { lines, errors } = await watch.end()
    scene.figure('canaries', canaries.secret.length + canaries.stray.length)
    scene.figure('requests that carried them', watch.answers())
    scene.figure('of these answered with 500 or 503, as it was wanted', failures)
    scene.figure('lines of the log', `${lines}, ${errors} of which tell of an error`)
    scene.figure('mails', mails.received.length)
    if (lines < watch.answers())
      scene.fault(`the log has ${lines} lines, and ${watch.answers()} requests came`)
    if (errors === 0 || failures === 0) scene.fault('nothing failed, so nothing was tried')
    if (mails.received.length === 0) scene.fault('no mail came, so none was looked at')
  },
}

interface Sending {
  walk: Walk
  canaries: Canaries
  watch: Watch
  size: { inputs: number; again: number }
}

/** Some of them are kept: those that got furthest. */
async function sendAll(scene: Scene, { walk, canaries, watch, size }: Sending): Promise<Step[]> {
  const kept: Step[] = []
  const counts = new Map<string, number>()
  await walk.go({
    inputs: size.inputs,
    change: (input, route) => canaries.carry(input, route),
    judge: (step) => {
      const name = `${step.route.method} ${step.route.path}`
      const times = counts.get(name) ?? 0
      if (step.told.status < 400 && times < size.again) {
        counts.set(name, times + 1)
        kept.push(step)
      }
      return watch.answered(step.told)
    },
    found: (sentence) => scene.fault(sentence),
  })
  return kept
}

/**
 * First no row can be written: PostgreSQL then tells in its error what the row would have been. Then connections to the
 * database break in the middle, and at last nobody answers there.
 */
async function whileAllFails(
  stage: Stage,
  { walk, watch, steps }: { walk: Walk; watch: Watch; steps: readonly Step[] },
): Promise<number> {
  let failures = 0
  const again = async () => {
    await eachOf(steps, 8, async ({ input, headers, route }) => {
      // Another key: the answer of before is not asked for.
      const key = headers['idempotency-key'] === undefined ? {} : { 'idempotency-key': randomUUID() }
      const told = await walk.send(input, { ...headers, ...key })
      if (told.status >= 500) failures += 1
      const problem = watch.answered(told)
      if (problem !== undefined)
        stage.scene.fault(`${route.method} ${route.path}, while all fails: ${problem}`)
    })
  }
  await refuseRows(stage, 'add')
  await again()
  await refuseRows(stage, 'drop')
  const cutting = setInterval(stage.wire.cut, 50)
  await again()
  clearInterval(cutting)
  stage.wire.refuse()
  await again()
  stage.wire.heal()
  return failures
}

async function refuseRows({ cluster, database }: Stage, what: 'add' | 'drop'): Promise<void> {
  const change =
    what === 'add' ? 'add constraint canary check (false) not valid' : 'drop constraint if exists canary'
  const tables = await cluster.query<{ name: string }>(
    database,
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker', 'pg_toast')`,
  )
  // Each by itself: whoever wants all locks at once waits for others who have some.
  for (const { name } of tables) await cluster.query(database, `alter table ${name} ${change}`)
}

interface Watch {
  /** What an answer tells that it should not. */
  answered(told: Told): string | undefined
  answers(): number
  /** At everything that is told now. */
  look(): Promise<void>
  /** When the process has ended: at all that it has said. */
  end(): Promise<{ lines: number; errors: number }>
}

interface Watched {
  canaries: Canaries
  walk: Walk
  mails: MailServer
}

const everyMs = 100

function openWatch(stage: Stage, { canaries, walk, mails }: Watched): Watch {
  const { scene, services } = stage
  const secret = needlesOf([...canaries.secret, ...realSecrets(stage), ...walk.callers.secrets])
  const [all, only] = [openSearch([...secret, ...needlesOf(canaries.stray)]), openSearch(secret)]
  const inErrors = openSearch(needlesOf([...canaries.secret, ...canaries.stray]))
  const inAnswers = openSearch(needlesOf(canaries.secret))
  let [lines, errors, answers] = [0, 0, 0]
  // The newest lines are kept by the rig, not all: they are taken as they come.
  const take = () => {
    for (const service of services)
      for (const line of service.lines.splice(0)) {
        lines += 1
        if (/"level":"(error|fatal)"/.test(line)) errors += 1
        all.scan(Buffer.from(line), `the log: ${line.slice(0, 300)}`)
      }
  }
  const timer = setInterval(take, everyMs)
  scene.defer(async () => clearInterval(timer))
  const look = async () => {
    take()
    await lookAround(stage, { all, only })
    for (const { raw, mail } of mails.received)
      only.scan(Buffer.from([raw, mail.subject, mail.text, mail.html].join('\n')), `a mail: ${mail.subject}`)
    for (const search of [all, only]) {
      for (const [what, where] of search.found) scene.fault(`a secret (${what}) was told: ${where}`)
      search.found.clear()
    }
  }
  return {
    look,
    answers: () => answers,
    answered: ({ status, headers, text }) => {
      answers += 1
      const isJson = String(headers['content-type']).startsWith('application/json')
      const search = status >= 400 && isJson ? inErrors : inAnswers
      // A page of the checkout leads on with the token that it was asked for with.
      if (!isJson) return undefined
      search.scan(Buffer.from(text), text.slice(0, 300))
      const [first] = search.found
      search.found.clear()
      return first === undefined ? undefined : `the answer tells a canary: ${status} ${first[1]}`
    },
    end: async () => {
      await sleep(2 * everyMs)
      clearInterval(timer)
      await look()
      return { lines, errors }
    },
  }
}

/** Its numbers, its command line; and the log of the database, where what people write may be, but no secret. */
async function lookAround(stage: Stage, { all, only }: { all: Search; only: Search }): Promise<void> {
  for (const { metricsUrl, pid, isAlive } of stage.services) {
    if (!isAlive()) continue
    for (const path of ['/metrics', '/status'])
      all.scan(Buffer.from(await (await fetch(`${metricsUrl}${path}`)).text()), path)
    for (const name of ['cmdline', 'comm']) all.scan(readFileSync(`/proc/${pid}/${name}`), `its ${name}`)
  }
  const { dataDir } = stage.cluster
  for (const name of readdirSync(dataDir).filter((one) => one.endsWith('.log')))
    only.scan(readFileSync(join(dataDir, name)), `the database's ${name}`)
}

/** What the service and its people really have. */
function realSecrets({ world }: Stage): string[] {
  const people = [...world.people, world.operator].flatMap(({ token, password }) => [token, password])
  const shops = world.shops.flatMap(({ live, test }) => [live.key, live.secret, test.key, test.secret])
  return [...new Set([...people, ...shops, ...Object.values(secrets())])]
}

const needlesOf = (texts: readonly string[]): Needle[] =>
  texts
    .filter((text) => text.length >= 8)
    .map((text) => ({ what: text.slice(0, 16), bytes: Buffer.from(text) }))

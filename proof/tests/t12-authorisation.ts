// Every route, asked by everybody, for what is their own, somebody else's, of the other mode, or nobody's: over HTTP, of two
// processes in turn. The answers are those of the checked-in table; and what is somebody else's looks as if it did not exist.
import {
  type Answers,
  answerOf,
  type Cell,
  type CellRequest,
  lineOf,
  readTable,
  requestOf,
  unlike,
  whoseOf,
} from '../../server/test/authorisation/matrix.ts'
import { pageRecipes } from '../../server/test/authorisation/page-recipes.ts'
import { recipes } from '../../server/test/authorisation/recipes.ts'
import {
  callers,
  expiredToken,
  type Stage as Matrix,
  openStage as openMatrix,
} from '../../server/test/authorisation/stage.ts'
import { register } from '../../server/test/people.ts'
import { type Client, openClient, patient, type Request } from '../rig/client.ts'
import { openStage, type Stage } from '../rig/stage.ts'
import { judge } from '../rig/verdict.ts'
import { eachOf } from '../rig/world.ts'
import type { Proof } from '../scene.ts'
import { openMaker } from './access/maker.ts'
import { compare } from './access/timing.ts'

const sizes = {
  gate: { times: 0 },
  night: { times: 200 },
}

export const proof: Proof = {
  id: 'T12',
  title: 'Who may do what',
  promise:
    'Everybody gets what is theirs and nothing else, in every process; what belongs to somebody else looks as if it did not exist.',
  minutes: { gate: 5, night: 30 },
  run: async (scene) => {
    const { times } = sizes[scene.tier]
    const stage = await openStage(scene, { processes: 2, clock: true })
    const clients = await eachOf(stage.services, 2, async ({ url }, at) =>
      patient(await openClient({ url, folder: stage.folder, name: `callers-${at}`, connections: 2 })),
    )
    for (const client of clients) scene.defer(client.close)
    const { server, routes } = await openMaker(stage)
    const without = routes.filter((route) => !(route in recipes))
    if (without.length > 0) scene.fault(`not in the table: ${without.join(', ')}`)
    await register(server, { handle: 'friend' })
    const expired = await expiredToken(server)
    const matrices = [await openMatrix(server, { expired }), await openMatrix(server, { expired })]
    scene.say('everybody is there')
    const counts = { cells: 0, hidden: 0 }
    // The pages of the site and their files are for everybody, and need to be built.
    const left = Object.entries(recipes).filter(([name]) => !(name in pageRecipes))
    await eachOf(matrices, matrices.length, async (matrix) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [route, recipe] = next
        await judgeRoute({ stage, clients, matrix }, { route, recipe, counts })
        // One route is enough to know.
        if (scene.faults().length > 0) return
      }
    })
    if (scene.faults().length > 0) return
    scene.say('all cells are asked')
    const [matrix] = matrices
    if (times > 0 && matrix !== undefined) await timed({ stage, clients, matrix }, times)
    // What is told to shops that do not exist is tried again for days: nobody waits for that.
    await judge(stage, { check: { rules: [3, 4, 5, 9, 10], wholeJournal: false } })
    scene.figure('cells asked over HTTP, of 2 processes in turn', counts.cells)
    scene.figure('of these for what is of others, or of the other mode', counts.hidden)
  },
}

interface Asking {
  stage: Stage
  /** One a process. */
  clients: readonly Client[]
  matrix: Matrix
}

interface Judged extends Pick<Cell, 'route' | 'recipe'> {
  counts: { cells: number; hidden: number }
}

async function judgeRoute(asking: Asking, { route, recipe, counts }: Judged): Promise<void> {
  const { scene } = asking.stage
  const answers = await askAll(asking, { route, recipe })
  counts.cells += answers.size
  if (recipe.spoils) await asking.matrix.renew()
  for (const kind of ['foreign', 'mode'] as const) {
    counts.hidden += [...answers.keys()].filter((key) => key.startsWith(kind)).length
    for (const { caller, answer, missing } of unlike(answers, kind))
      scene.fault(
        `${route}, ${kind}, ${caller}: ${answer.status} ${answer.text}, but what does not exist: ${missing.status} ${missing.text}`,
      )
  }
}

const table = readTable()

/** Each caller goes to the other process than the one before. */
async function askAll(
  { stage: { scene }, clients, matrix }: Asking,
  { route, recipe }: Pick<Cell, 'route' | 'recipe'>,
): Promise<Answers> {
  const answers: Answers = new Map()
  for (const whose of whoseOf(recipe)) {
    const expected = table.get(lineOf(route, whose)) ?? []
    for (const [at, caller] of callers.entries()) {
      const cell = { route, recipe, whose, caller }
      const request = asked(await requestOf(matrix, cell))
      const heard = await clients[at % clients.length]?.look(request)
      const answer = answerOf(heard?.status ?? 0, heard?.text ?? '')
      answers.set(`${whose} ${caller}`, answer)
      if (String(answer.status) !== expected[at])
        scene.fault(
          `${route}, ${whose}, ${caller}: ${answer.status}, not ${expected[at]} (${answer.text.slice(0, 200)})`,
        )
    }
  }
  return answers
}

function asked({ method, url, headers, payload }: CellRequest): Omit<Request, 'act' | 'who'> {
  const form = typeof payload === 'string' ? Object.fromEntries(new URLSearchParams(payload)) : undefined
  return {
    route: `${method} ${url}`,
    headers,
    ...(form === undefined ? {} : { form }),
    ...(typeof payload === 'object' ? { body: payload } : {}),
  }
}

/** Nor does the time tell whether somebody else has it. */
async function timed({ stage, clients, matrix }: Asking, times: number): Promise<void> {
  const [client] = clients
  if (client === undefined) throw new Error('there are two')
  for (const [route, recipe] of Object.entries(recipes)) {
    const statuses = table.get(lineOf(route, 'foreign')) ?? []
    const at = callers.findIndex((caller, place) => statuses[place] === '404' && caller !== 'none')
    const caller = callers[at]
    if (caller === undefined || !route.startsWith('GET ')) continue
    const foreign = asked(await requestOf(matrix, { route, recipe, whose: 'foreign', caller }))
    const missing = asked(await requestOf(matrix, { route, recipe, whose: 'missing', caller }))
    await compare(stage.scene, client, {
      name: `${route} of somebody else, or of nobody`,
      known: () => foreign,
      unknown: () => missing,
      ...{ status: 404, times, medianMs: 5 },
    })
  }
}

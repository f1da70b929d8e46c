// Who may do what: every route of the app, called by everybody, for what is their own, somebody else's, of the other mode,
// or nobody's. The answers are in authorisation/table.txt, one status a cell; a route without lines fails. What is
// somebody else's and what does not exist get the same answer. After a change that is meant, write the table anew with
// AUTHORISATION=write and read what has changed.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Recipe, recipes } from './authorisation/recipes.ts'
import { type Caller, callers, openStage, type Stage } from './authorisation/stage.ts'
import { reconcile } from './helpers.ts'
import { patientDelays } from './open-orders.ts'
import { register } from './people.ts'
import { nameOf, routeTable } from './route-table.ts'
import { simulatedApp } from './simulated-app.ts'

const tablePath = new URL('./authorisation/table.txt', import.meta.url)
const writes = process.env.AUTHORISATION === 'write'

const webDir = mkdtempSync(join(tmpdir(), 'mfuko-authorisation-'))
after(() => rmSync(webDir, { recursive: true }))
for (const folder of ['assets', 'docs/guides']) mkdirSync(join(webDir, folder), { recursive: true })
for (const name of [
  'index.html',
  'app.html',
  'docs/index.html',
  'docs/guides/errors.html',
  'reference.html',
  '404.html',
  'favicon.svg',
  'apple-touch-icon.png',
  'app-icon-192.png',
  'app-icon-512.png',
  'app.webmanifest',
  'theme.js',
  'app-worker.js',
  'robots.txt',
  'assets/a.js',
])
  writeFileSync(join(webDir, name), name)

const table = routeTable()
const server = await simulatedApp({ delays: patientDelays }, { webDir, watch: table.watch })
const routes = table.routes().map(nameOf)

/** Whose the thing is that a path names. `-`: it names none. */
type Whose = '-' | 'own' | 'foreign' | 'mode' | 'missing'

const whoseOf = ({ object, modes, shared }: Recipe): Whose[] => {
  if (object === undefined) return ['-']
  return ['own', ...(shared ? [] : (['foreign'] as const)), ...(modes ? (['mode'] as const) : []), 'missing']
}

const lineOf = (route: string, whose: Whose) => `${route.padEnd(52)} ${whose.padEnd(8)}`

/** What the table says: `route whose` → a status for each caller. */
function readTable(): Map<string, string[]> {
  const lines = readFileSync(tablePath, 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [method = '', path = '', whose = '', ...statuses] = line.split(/ +/)
        return [lineOf(`${method} ${path}`, whose as Whose), statuses]
      }),
  )
}

interface Cell {
  route: string
  recipe: Recipe
  whose: Whose
  caller: Caller
}

interface Answer {
  status: number
  /** All of it, less what is new in every answer. */
  text: string
}

/** A key has its own mode; a person looks at what is live. */
const modeOf = (caller: Caller) => (caller === 'test' ? 'test' : 'live')

async function ask(stage: Stage, { route, recipe, whose, caller }: Cell): Promise<Answer> {
  const mode = whose === 'mode' ? (modeOf(caller) === 'live' ? 'test' : 'live') : modeOf(caller)
  const world = whose === 'foreign' ? stage.foreignTo(caller) : stage.worldOf(caller)
  const params =
    whose === 'missing'
      ? (recipe.missing ?? {})
      : ((await recipe.object?.({ server, world, caller, mode })) ?? {})
  const [method = '', path = ''] = route.split(' ')
  const fill = (text: string) =>
    text
      .replace(/:(\w+)/g, (_, name: string) => params[name] ?? `:${name}`)
      .replace(/\*$/, params['*'] ?? '*')
  const body = recipe.body?.(stage.worldOf(caller))
  const answer = await server.app.inject({
    method: method as 'GET',
    url: `${fill(path)}${recipe.query === undefined ? '' : `?${fill(recipe.query)}`}`,
    headers: {
      ...(await stage.credential(caller, { anew: recipe.spoils === true })),
      ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: answer.statusCode, text: answer.body.replace(/"request_id":"\w+"/, '') }
}

const heading = [
  '# Who may do what: the status that each caller gets. Read by server/test/authorisation.test.ts.',
  '# own: of the caller. foreign: of somebody else. mode: of the caller, in the other mode. missing: of nobody.',
  `${'# route'.padEnd(52)} ${'whose'.padEnd(8)} ${callers.map((caller) => caller.padEnd(10)).join('')}`.trimEnd(),
]

const written = [...heading]
after(() => {
  if (writes) writeFileSync(tablePath, `${written.join('\n')}\n`)
})

test('every route has a recipe, and every recipe a route', () => {
  assert.deepEqual(
    {
      without: routes.filter((route) => !(route in recipes)),
      gone: Object.keys(recipes).filter((name) => !routes.includes(name)),
    },
    { without: [], gone: [] },
    'add the route to authorisation/recipes.ts and its lines to authorisation/table.txt',
  )
})

describe('the matrix', () => {
  let stage: Stage
  before(async () => {
    await register(server, { handle: 'friend' })
    stage = await openStage(server)
  })
  const expected = writes ? new Map<string, string[]>() : readTable()

  for (const [route, recipe] of Object.entries(recipes))
    test(route, async () => {
      const answers = new Map<string, Answer>()
      for (const whose of whoseOf(recipe)) {
        const found: string[] = []
        for (const caller of callers) {
          const answer = await ask(stage, { route, recipe, whose, caller })
          answers.set(`${whose} ${caller}`, answer)
          found.push(String(answer.status))
        }
        const line = lineOf(route, whose)
        written.push(`${line} ${found.map((status) => status.padEnd(10)).join('')}`.trimEnd())
        if (writes) continue
        const wanted = expected.get(line)
        assert.ok(wanted, `table.txt has no line for ${line.trim()}: ${found.join(' ')}`)
        const differ = callers.flatMap((caller, at) =>
          found[at] === wanted[at] ? [] : [`${whose} ${caller}: ${found[at]}, not ${wanted[at]}`],
        )
        assert.deepEqual(differ, [])
      }
      if (recipe.spoils) await stage.renew()
      for (const hidden of ['foreign', 'mode'] as const) compare(answers, hidden)
    })

  test('the table has no lines of routes that are gone', () => {
    const lines = Object.entries(recipes).flatMap(([route, recipe]) =>
      whoseOf(recipe).map((whose) => lineOf(route, whose)),
    )
    assert.deepEqual(
      [...expected.keys()].filter((line) => !lines.includes(line)),
      [],
    )
  })

  test('nothing was moved that should not have been', async () => {
    await reconcile(server)
  })
})

/** What is refused because it is somebody else's looks as if it did not exist. */
function compare(answers: Map<string, Answer>, hidden: 'foreign' | 'mode'): void {
  for (const caller of callers) {
    const answer = answers.get(`${hidden} ${caller}`)
    // An owner sees both modes.
    if (answer === undefined || (hidden === 'mode' && answer.status === answers.get(`own ${caller}`)?.status))
      continue
    assert.deepEqual(answer, answers.get(`missing ${caller}`), `${caller}: ${hidden} and missing look alike`)
  }
}

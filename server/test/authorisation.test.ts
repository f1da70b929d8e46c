// Who may do what: every route of the app, called by everybody, for what is their own, somebody else's, of the other mode,
// or nobody's. The answers are in authorisation/table.txt, one status a cell; a route without lines fails. What is
// somebody else's and what does not exist get the same answer. After a change that is meant, write the table anew with
// AUTHORISATION=write and read what has changed.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  type Answer,
  answerOf,
  type Cell,
  lineOf,
  readTable,
  requestOf,
  tablePath,
  unlike,
  whoseOf,
} from './authorisation/matrix.ts'
import { recipes } from './authorisation/recipes.ts'
import { callers, openStage, type Stage } from './authorisation/stage.ts'
import { reconcile } from './helpers.ts'
import { patientDelays } from './open-orders.ts'
import { register } from './people.ts'
import { nameOf, routeTable } from './route-table.ts'
import { simulatedApp } from './simulated-app.ts'

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

async function ask(stage: Stage, cell: Cell): Promise<Answer> {
  const { method, ...request } = await requestOf(stage, cell)
  const answer = await server.app.inject({ method: method as 'GET', ...request })
  return answerOf(answer.statusCode, answer.body)
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
      for (const hidden of ['foreign', 'mode'] as const)
        assert.deepEqual(unlike(answers, hidden), [], `${hidden} and missing look alike`)
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

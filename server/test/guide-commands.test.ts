// What is not a walk through the API, but still an example: commands for those who run the service, in docs/operations and
// in the guide of the simulator. Each is read from its page and run here, with only its places replaced by ours; and there
// is none that nobody runs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startSimulator } from '../../simulator/src/simulator.ts'
import { openDb } from '../src/db/db.ts'
import { openMetrics } from '../src/metrics/metrics.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'mfuko-commands-'))
after(() => rmSync(folder, { recursive: true }))

const sh = async (command: string): Promise<string> =>
  (await run('sh', ['-ec', command], { cwd: folder })).stdout

interface Block {
  page: string
  kind: string
  text: string
}

const blocksOf = (page: string): Block[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', text = '']) => ({ page, kind, text: text.trim() }),
  )

/** Commands of ours: that each is there is said by package.json, and what it does by its own tests. */
const ownCommand = /^npm (?:start|run ([\w:]+))/

const simulator = await startSimulator({ seed: 1 })
after(() => simulator.close())

/** What the pages call their place, and where that is here. */
const placed = (text: string): string =>
  text
    .replaceAll('http://localhost:8082', simulator.url)
    .replaceAll('/srv/mfuko', join(folder, 'srv'))
    .replaceAll('/backup', join(folder, 'backup'))

async function runBlock({ kind, text }: Block): Promise<void> {
  if (kind === 'sql') return runSql(text)
  if (kind === 'yaml') return checkRules(text)
  for (const command of placed(text).replaceAll('\\\n', '').split('\n')) {
    const own = ownCommand.exec(command)
    if (own !== null) checkOwn(own[1])
    else if (command.startsWith('curl')) await runCurl(command)
    else await sh(command)
  }
}

function checkOwn(script: string | undefined): void {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.ok(script === undefined || Object.hasOwn(scripts, script), `package.json has no ${script}`)
}

async function runCurl(command: string): Promise<void> {
  const said = await sh(command.replace('curl', 'curl -sS -w "\\n%{http_code}"'))
  assert.match(said.trim(), /\n?2\d\d$/, `${command}\n${said}`)
}

/** Under another name: the test server has a role of that name already. */
async function runSql(text: string): Promise<void> {
  const name = `guide_${randomBytes(4).toString('hex')}`
  const db = openDb({
    url: process.env.TEST_DATABASE_ADMIN_URL ?? '',
    connectionsMax: 1,
    name: 'mfuko tests',
  })
  try {
    for (const statement of text
      .replaceAll('mfuko', name)
      .split(';')
      .filter((one) => one.trim() !== ''))
      await db.rows(statement)
    await db.rows(`drop database ${name}`)
    await db.rows(`drop role ${name}`)
  } finally {
    await db.close()
  }
}

/** Rules for Prometheus: every number that they look at is one of ours. */
async function checkRules(text: string): Promise<void> {
  const metrics = openMetrics({
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    queue: async () => ({ waiting: 0, failed: 0, oldestSeconds: 0, workers: 1 }),
  })
  const known = new Set((await metrics.samples()).map(({ name }) => name))
  const named = [...text.matchAll(/\b([a-z]+(?:_[a-z]+)+)\b(?=[\s({[)])/g)].map(([, name = '']) => name)
  assert.ok(named.length >= 5)
  assert.deepEqual(
    named.filter((name) => !known.has(name.replace(/_(count|sum|bucket)$/, ''))),
    [],
  )
}

mkdirSync(join(folder, 'srv/.data'), { recursive: true })
mkdirSync(join(folder, 'backup'))
writeFileSync(join(folder, 'srv/.data/kept'), 'kept')

const pages = [...globSync('docs/operations/*.md', { cwd: root }).sort(), 'docs/guides/simulator.md']
for (const page of pages) {
  describe(page, () => {
    for (const block of blocksOf(page)) test(block.text.split('\n')[0] ?? '', () => runBlock(block))
  })
}

test('the copy of the data has everything', async () => {
  const [copy] = globSync('backup/*.tar.gz', { cwd: folder })
  assert.ok(copy !== undefined && existsSync(join(folder, copy)))
  assert.match(await sh(`tar -tzf ${copy}`), /\.data\/kept/)
})

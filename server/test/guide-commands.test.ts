// What is not a walk through the API, but still an example: commands for those who run the service, in docs/operations, the
// guides and the pages at the root. Each is read from its page and run here, with only its places replaced by ours, or when
// it is one of our own, held against package.json, its program and the settings; and there is none that nobody looks at.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startSimulator } from '../../simulator/src/simulator.ts'
import { configurationPage, loadConfig } from '../src/config.ts'
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
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', text = '']) => ({ page, kind, text: text.trim() }),
  )

/** Commands of ours, with settings in front; behind two spaces the page says what they do, as their own tests do. */
const ownCommand =
  /^((?:[A-Z_]+=\S+ )*)npm (?:(?:start|test)|run ([\w:]+))(?: -- ((?:\S+ )*\S+))?(?: {2,}.*)?$/
const setting = /^[A-Z_]+=\S+$/

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
    if (own !== null) checkOwn(own)
    else if (setting.test(command)) checkSettings([command])
    else if (command.startsWith('curl')) await runCurl(command)
    else await sh(command)
  }
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Told to tests and proofs, which are no service. */
const ofTests = /^SEED=/

function checkOwn([, before = '', script, given = '']: RegExpExecArray): void {
  checkSettings(
    before
      .trim()
      .split(' ')
      .filter((one) => one !== '' && !ofTests.test(one)),
  )
  if (script === undefined) return
  assert.ok(Object.hasOwn(scripts, script), `package.json has no ${script}`)
  const program = /^node (server\/src\/\S+)$/.exec(scripts[script])?.[1]
  if (program === undefined) return
  // Its first word is an option or what is to be done; behind it come names of people.
  const [word = ''] = given.split(' ')
  const source = readFileSync(join(root, program), 'utf8')
  assert.ok(source.includes(`'${word.replace(/^--/, '')}'`) || word === '', `${program} knows no ${word}`)
}

function checkSettings(given: readonly string[]): void {
  const pairs = given.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] as const)
  const unknown = pairs.map(([name]) => name).filter((name) => !configurationPage().includes(`\`${name}\``))
  assert.deepEqual(unknown, [])
  loadConfig(Object.fromEntries(pairs))
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

/** In guides what has a kind is for guides.test.ts; and what is hashed in that of the audit log, for audit.test.ts. */
const isOurs = ({ page, kind, text }: Block): boolean =>
  !page.startsWith('docs/guides') || (kind === '' && !text.startsWith('text '))

const pages = ['README.md', 'CONTRIBUTING.md', 'docs/operations/*.md', 'docs/guides/*.md'].flatMap((names) =>
  globSync(names, { cwd: root }).sort(),
)
const blocks = pages.flatMap(blocksOf).filter(isOurs)
for (const [page, own = []] of Map.groupBy(blocks, ({ page }) => page)) {
  describe(page, () => {
    for (const block of own) test(block.text.split('\n')[0] ?? '', () => runBlock(block))
  })
}

test('the guides have commands', () => {
  const named = new Set(blocks.map(({ page }) => page))
  for (const name of ['accounts', 'audit', 'mail', 'simulator'])
    assert.ok(named.has(`docs/guides/${name}.md`), name)
})

test('the copy of the data has everything', async () => {
  const [copy] = globSync('backup/*.tar.gz', { cwd: folder })
  assert.ok(copy !== undefined && existsSync(join(folder, copy)))
  assert.match(await sh(`tar -tzf ${copy}`), /\.data\/kept/)
})

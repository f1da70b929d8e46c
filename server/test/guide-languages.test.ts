// A newcomer who follows a guide literally, in any of its languages, gets what it says: above all a completed test payment
// and a verified notification. Each language is the one of this machine, with the library of this tree; one that is not
// there is left out, and named. How a guide is read: guide-walk.ts.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findCommand, usualFolders } from '../../scripts/system-package.ts'
import { freePort } from '../src/base/free-port.ts'
import * as notifications from '../src/notifications/notifications.ts'
import { newBusiness } from './businesses.ts'
import { isWalked, languagesOf, type Step, stepsOf, type Walk, walkThrough } from './guide-walk.ts'
import { reconcile, testApp } from './helpers.ts'

const root = join(import.meta.dirname, '../..')
const inTree = (path: string) => join(root, path)
const guidesFolder = inTree('docs/guides')

interface Language {
  /** What must be on the machine. */
  program: string
  /** How the guides install it from a clone, where that takes long or needs a network: here it is in its place already. */
  installs: () => string[]
  /** As if it were installed, for guides that do not say how. */
  prepare: (folder: string) => void
  environment?: NodeJS.ProcessEnv
}

const read = (path: string) => readFileSync(inTree(path), 'utf8')
const write = (folder: string, file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

const languages: Record<string, Language> = {
  curl: { program: 'openssl', installs: () => [], prepare: () => undefined },
  JavaScript: {
    program: 'bash',
    installs: () => [
      `npm --prefix ../mfuko run build -w ${JSON.parse(read('sdk/js/package.json')).name}`,
      'npm install ../mfuko/sdk/js',
    ],
    prepare: (folder) => {
      mkdirSync(join(folder, 'node_modules/@mfuko'), { recursive: true })
      symlinkSync(inTree('sdk/js'), join(folder, 'node_modules/@mfuko/sdk'))
    },
    environment: { NODE_OPTIONS: '--conditions=mfuko-source' },
  },
  PHP: {
    program: 'php',
    installs: () => [],
    prepare: (folder) =>
      write(folder, 'vendor/autoload.php', `<?php require '${inTree('sdk/php/autoload.php')}';\n`),
  },
  Python: {
    program: 'python3',
    installs: () => ['pip install ../mfuko/sdk/python'],
    prepare: () => undefined,
    environment: { PYTHONPATH: inTree('sdk/python'), PYTHONDONTWRITEBYTECODE: '1' },
  },
  Go: {
    program: 'go',
    installs: () => [],
    prepare: (folder) => {
      const required = `require ${goModule()} v1.0.0\nreplace ${goModule()} => ${inTree('sdk/go')}\n`
      write(folder, 'go.mod', `module quickstart\n\ngo 1.19\n\n${required}`)
    },
    // As the tests of the library have it, so that Go's standard library is compiled once.
    environment: { GOFLAGS: '-mod=mod -ldflags=-w', GOPROXY: 'off', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  },
}

const goModule = () => /^module (.+)$/m.exec(read('sdk/go/go.mod'))?.[1]

const guides = readdirSync(guidesFolder)
  .map((name) => ({ name, text: readFileSync(join(guidesFolder, name), 'utf8') }))
  .filter(({ text }) => isWalked(text))
  .map(({ name, text }) => ({ name, steps: stepsOf(text) }))

const server = await testApp({ baseUrl: 'http://localhost:8080' })
const address = await server.listen()
let delivery: notifications.Delivery
before(() => {
  const { merchants, config, log } = server.dependencies
  delivery = notifications.startDelivery({
    url: server.url,
    clock: server.clock,
    log,
    config,
    keysOf: merchants.keysOf,
    onTrouble: merchants.tellTrouble,
  })
})
after(() => delivery.stop())

test('the quickstart is there in every language', () => {
  const quickstart = guides.find(({ name }) => name === 'quickstart.md')
  assert.deepEqual(languagesOf(quickstart?.steps ?? []).sort(), Object.keys(languages).sort())
})

test('the command line is run as the guides say, and comes from the clone', () => {
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, npm_config_offline: 'true' }
  const said = execFileSync('bash', ['-c', `${inClone}--help`], {
    cwd: newFolder(),
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  assert.match(said, /mfuko listen --forward-to/)
})

test('nothing is installed or run by a name that is in a registry, where it is not ours', () => {
  const readmes = ['README.md', ...globSync('sdk/*/README.md', { cwd: root })]
  const pages = [...readmes, ...globSync('docs/**/*.md', { cwd: root })]
  const asking =
    /npx (-\S+ )*@?mfuko|npm (i|install|exec) @?mfuko|pip install mfuko|composer require mfuko|go get \S*mfuko/
  for (const page of pages) assert.doesNotMatch(read(page), asking, page)
})

// They mostly wait for each other's programs.
for (const { name, steps } of guides)
  describe(name, { concurrency: 3 }, () => {
    const there = languagesOf(steps)
    for (const label of there.length > 0 ? there : [undefined])
      test(label ?? 'as it is', async (t) => {
        const language = languages[label ?? 'curl']
        assert.ok(language, `${label} is a language that the tests know`)
        const { program } = language
        if (findCommand(program, usualFolders()) === undefined)
          return t.skip(`${program} was not found on this machine: ${name} is not tried in ${label}`)
        await follow(steps, { label, language })
      })
  })

test('the books are right', async () => {
  await reconcile(server)
})

/** The service keeps real time here: the programs of the guides do. */
function keepTime(): void {
  server.clock.set(new Date(Math.max(Date.now(), server.clock.now().getTime() + 1)).toISOString())
  delivery.wake()
}

let walks = 0

async function follow(
  steps: readonly Step[],
  { label, language }: { label: string | undefined; language: Language },
): Promise<void> {
  walks += 1
  const number = walks
  keepTime()
  const folder = newFolder()
  if (language.installs().length > 0 || !installs(steps, label)) language.prepare(folder)
  const business = await newBusiness(server, { approved: false })
  const node = dirname(process.execPath)
  const walk: Walk = {
    folder,
    language: label,
    address,
    port: await freePort('localhost'),
    variables: new Map([
      ['MFUKO_URL', address],
      ['MFUKO_MERCHANT_ID', String(business.id)],
      ['MFUKO_API_KEY', business.testKey],
      ['MFUKO_CLIENT_SECRET', business.testSecret],
    ]),
    environment: { ...process.env, ...language.environment, PATH: `${node}:${process.env.PATH}` },
    onStep: keepTime,
    realCommand: (command) => realCommand(command, language),
  }
  // Several follow the same guide, and a handle belongs to one of them.
  const personal = steps.map((step) =>
    'text' in step ? { ...step, text: step.text.replaceAll(/\bzawadi\b/g, `zawadi_${number}`) } : step,
  )
  const own = label === 'curl' ? personal.filter((step) => !isOfReceiver(step)) : personal
  await walkThrough(own, walk)
}

/** The reader's own, beside the clone. */
function newFolder(): string {
  const place = mkdtempSync(join(tmpdir(), 'mfuko-guide-'))
  after(() => rmSync(place, { recursive: true, force: true }))
  symlinkSync(root, join(place, 'mfuko'))
  mkdirSync(join(place, 'shop'))
  return join(place, 'shop')
}

const installs = (steps: readonly Step[], label: string | undefined): boolean =>
  steps.some((step) => 'text' in step && step.language === label && step.text.includes('../mfuko/sdk/'))

/** With curl alone there is no receiver that anything could be forwarded to. */
const isOfReceiver = (step: Step): boolean =>
  'text' in step && (step.words.some((word) => word.startsWith('terminal=')) || step.text.startsWith(inClone))

const commandLine = inTree('sdk/js/bin/mfuko.js')
const inClone = 'npm --prefix ../mfuko exec --no -- mfuko '

/**
 * Installing is left out, where it takes long; and so is starting the service, and npm in front of the command line, which a
 * test of its own has.
 */
function realCommand(command: string, { installs }: Language): string {
  if (installs().includes(command)) return ''
  if (command === 'npm start') return ''
  return command.replace(inClone, `${process.execPath} ${commandLine} `)
}

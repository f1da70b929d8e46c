// What `npm start` and `npm test` do first: packages are installed when they are not the wanted ones, the web app is
// built when its sources changed, once, and whatever was interrupted is done again. npm and Vite are stand-ins here.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../..')

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

/** Notes each call; `npm-does` says what becomes of it. */
const standInForNpm = `
const fs = require('node:fs')
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
const does = fs.existsSync('npm-does') ? fs.readFileSync('npm-does', 'utf8') : ''
const logs = process.argv.find((arg) => arg.startsWith('--logs-dir=')).slice(11)
if (does === 'hangs') setInterval(() => undefined, 1000)
else if (does === 'takes a moment') setTimeout(() => undefined, 700)
else if (does !== '') {
  fs.writeFileSync(logs + '/1-debug-0.log', '12 error code ' + does + '\\n')
  console.error('npm error code ' + does)
  process.exit(1)
}
`

const standInForVite = `
const fs = require('node:fs')
fs.appendFileSync('../vite-calls', process.env.NODE_ENV + '\\n')
if (fs.existsSync('broken.ts')) { console.error('broken.ts: no such thing'); process.exit(1) }
fs.mkdirSync('dist', { recursive: true })
fs.writeFileSync('dist/index.html', '')
`

function newProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'mfuko-setup-'))
  cleanups.push(() => rmSync(project, { recursive: true, force: true }))
  const write = (name: string, content: string | object) => {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  write('package.json', { name: 'x', workspaces: ['web'], dependencies: { a: '1.0.0' } })
  write('web/package.json', { name: '@x/web' })
  const platform = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
  write('package-lock.json', {
    packages: {
      '': { dependencies: { a: '1.0.0' } },
      web: {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0', dev: true },
      'node_modules/here': platform,
      'node_modules/elsewhere': { ...platform, os: ['plan9'] },
    },
  })
  write('tsconfig.base.json', {})
  write('web/vite.config.ts', '')
  write('web/app.ts', '1')
  write('npm-cli.js', standInForNpm)
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  return project
}

/** Puts there what only the build needs. */
function addVite(project: string): void {
  mkdirSync(join(project, 'node_modules/vite/bin'), { recursive: true })
  writeFileSync(join(project, 'node_modules/vite/package.json'), '{}')
  writeFileSync(join(project, 'node_modules/vite/bin/vite.js'), standInForVite)
}

interface Run {
  process: ChildProcess
  /** So far. */
  said(): string
  end: Promise<{ code: number | null; output: string }>
}

function begin(project: string, call: string): Run {
  const code = `
    const setup = require('./scripts/setup.cjs')
    const say = (line) => console.log(line)
    ${call}.catch((error) => { console.log(error.name + ': ' + error.message); process.exitCode = 1 })`
  const child = spawn(process.execPath, ['-e', code], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_execpath: join(project, 'npm-cli.js') },
  })
  cleanups.push(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return {
    process: child,
    said: () => output,
    end: once(child, 'close').then(([exitCode]) => ({ code: exitCode, output })),
  }
}

const installCall = 'setup.ensureInstalled({ say })'
const buildCall = 'setup.ensureWebBuilt({ say })'
const run = (project: string, call: string) => begin(project, call).end

const callsOf = (project: string, program: 'npm' | 'vite'): string[] => {
  const file = join(project, `${program}-calls`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

const npmDoes = (project: string, what: string) => writeFileSync(join(project, 'npm-does'), what)

test('packages are installed once, and again when what is wanted changes', async () => {
  const project = newProject()
  const first = await run(project, installCall)
  assert.equal(first.output, 'Installing packages…\nInstalled the packages in 1 s.\n')
  assert.deepEqual(await run(project, installCall), { code: 0, output: '' })
  assert.equal(callsOf(project, 'npm').length, 1)
  assert.match(callsOf(project, 'npm')[0] ?? '', /^install .*--include=dev/)
  for (const file of ['package-lock.json', 'web/package.json']) {
    appendFileSync(join(project, file), '\n')
    await run(project, installCall)
    await run(project, installCall)
  }
  assert.equal(callsOf(project, 'npm').length, 3)
})

test('in production what only builds need is left out, and added when it is needed', async () => {
  const project = newProject()
  await run(project, 'setup.ensureInstalled({ say, dev: false })')
  assert.match(callsOf(project, 'npm').at(-1) ?? '', /--omit=dev/)
  await run(project, installCall)
  assert.match(callsOf(project, 'npm').at(-1) ?? '', /--include=dev/)
  await run(project, 'setup.ensureInstalled({ say, dev: false })')
  assert.equal(callsOf(project, 'npm').length, 2)
})

test('an installation that was killed is done again', async () => {
  const project = newProject()
  npmDoes(project, 'hangs')
  const killed = begin(project, installCall)
  while (callsOf(project, 'npm').length === 0) await sleep(20)
  killed.process.kill('SIGKILL')
  await once(killed.process, 'exit')
  npmDoes(project, '')
  // npm itself was not killed, so the next one waits for it.
  const next = begin(project, installCall)
  while (!next.said().includes('Waiting for another command')) await sleep(20)
  assert.equal(callsOf(project, 'npm').length, 1)
  const lock = join(project, 'node_modules/.mfuko-install.lock')
  const [, npm] = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }[]
  assert.ok(npm !== undefined)
  process.kill(npm.pid, 'SIGKILL')
  const { code, output } = await next.end
  assert.equal(code, 0)
  assert.match(output, /^Waiting for another command .*\nInstalling packages…\nInstalled/)
  assert.equal(existsSync(lock), false)
})

test('a signal stops npm too', async () => {
  const project = newProject()
  npmDoes(project, 'hangs')
  const stopped = begin(project, installCall)
  while (callsOf(project, 'npm').length === 0) await sleep(20)
  stopped.process.kill('SIGTERM')
  assert.equal((await stopped.end).code, 1)
  npmDoes(project, '')
  assert.match((await run(project, installCall)).output, /^Installing packages…\nInstalled/)
})

test('of two commands at once one installs', async () => {
  const project = newProject()
  npmDoes(project, 'takes a moment')
  const ends = await Promise.all([run(project, installCall), run(project, installCall)])
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0],
  )
  assert.equal(callsOf(project, 'npm').length, 1)
})

// Who a lock names that nobody holds any more.
const staleHolders: [what: string, holders: string][] = [
  ['a process that lives, but started at another time', `[{ pid: process.ppid, start: 'long ago 1' }]`],
  ['our own number, from an earlier life', `[{ pid: process.pid, start: 'long ago 1' }]`],
  ['bare numbers, as an earlier release wrote them', '[process.pid, process.ppid]'],
  ['nobody', '[]'],
]
for (const [what, holders] of staleHolders) {
  test(`a lock that names ${what} is taken over`, { timeout: 240_000 }, async () => {
    const project = newProject()
    const lock = join(project, 'node_modules/.mfuko-install.lock')
    mkdirSync(dirname(lock), { recursive: true })
    const leave = `require('node:fs').writeFileSync(${JSON.stringify(lock)}, JSON.stringify(${holders}))`
    const { code, output } = await run(project, `${leave}; ${installCall}`)
    assert.equal(code, 0)
    assert.match(output, /^Installing packages…\nInstalled/)
    assert.equal(existsSync(lock), false)
  })
}

test('what a person has installed with npm is used', async () => {
  const project = newProject()
  const noted = join(project, 'node_modules/.package-lock.json')
  mkdirSync(dirname(noted), { recursive: true })
  const note = (packages: Record<string, string>) => {
    const entries = Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }])
    writeFileSync(noted, JSON.stringify({ packages: Object.fromEntries(entries) }))
    return run(project, installCall)
  }
  // Packages that are missing, of another version, or for another platform don't count.
  for (const packages of [
    { a: '1.0.0', here: '1.0.0' },
    { a: '1.0.0', b: '2.0.0', here: '1.0.0' },
    { a: '1.0.0', b: '1.0.0' },
  ]) {
    assert.match((await note(packages)).output, /^Installing/)
    rmSync(join(project, 'node_modules/.mfuko-install'))
  }
  assert.equal((await note({ a: '1.0.0', b: '1.0.0', here: '1.0.0' })).output, '')
})

for (const [code, calls, sentence] of [
  [
    'ENOTFOUND',
    1,
    /StartError: The packages can't be fetched: the npm registry does not answer \(ENOTFOUND\)\. Check/,
  ],
  ['ECONNRESET', 2, /Trying once more\.[\s\S]*the npm registry does not answer \(ECONNRESET\)/],
  ['ENOSPC', 1, /StartError: The packages can't be installed: the disk is full\. Free some space/],
  [
    'E404',
    1,
    /StartError: The packages could not be installed\. The last words of npm:\n {2}npm error code E404\nMend/,
  ],
] as const) {
  test(`npm fails with ${code}: a sentence`, async () => {
    const project = newProject()
    npmDoes(project, code)
    const end = await run(project, installCall)
    assert.equal(end.code, 1)
    assert.match(end.output, sentence)
    assert.equal(callsOf(project, 'npm').length, calls)
  })
}

test('the web app is built once, and again when its sources change', async () => {
  const project = newProject()
  addVite(project)
  assert.equal((await run(project, buildCall)).output, 'Building the web app…\nBuilt the web app in 1 s.\n')
  assert.deepEqual(await run(project, buildCall), { code: 0, output: '' })
  assert.deepEqual(callsOf(project, 'vite'), ['production'])
  writeFileSync(join(project, 'web/app.test.ts'), 'only tests read it')
  await run(project, buildCall)
  assert.equal(callsOf(project, 'vite').length, 1)
  writeFileSync(join(project, 'web/app.ts'), '2')
  await run(project, buildCall)
  assert.equal(callsOf(project, 'vite').length, 2)
})

test('a build that failed shows why, and is done again', async () => {
  const project = newProject()
  addVite(project)
  await run(project, buildCall)
  writeFileSync(join(project, 'web/broken.ts'), '')
  const failed = await run(project, `${buildCall}.finally(() => console.log(setup.isWebBuilt()))`)
  assert.equal(failed.code, 1)
  assert.match(
    failed.output,
    /^Building the web app…\nfalse\nStartError: The web app could not be built; the lines above/,
  )
  rmSync(join(project, 'web/broken.ts'))
  assert.match((await run(project, buildCall)).output, /^Building/, 'the old stamp is gone')
})

// `npm start` as a person sees it: it runs, it stops when told, whatever is killed leaves nothing that stops the
// next start, and what a person must mend is one sentence and exit code 1.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { also, longTest, thorough } from './thorough.ts'

const root = resolve(import.meta.dirname, '../..')
const launcher = join(root, 'scripts/start.cjs')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mfuko-start-'))
  cleanups.push(async () => {
    await quiet(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** With the data of the first service here that ran and stopped: to make a database again for each would be waste. */
function usedFolder(): string {
  assert.ok(used, 'the first test has stopped a service')
  const folder = newFolder()
  copy(used, folder)
  return folder
}
const copy = (from: string, to: string) => execFileSync('cp', ['-a', `${from}/.`, to])
let used: string | undefined
after(() => {
  if (used !== undefined) rmSync(used, { recursive: true, force: true, maxRetries: 5 })
})
function keepAsUsed(dataDir: string): void {
  if (used !== undefined) return
  used = mkdtempSync(join(tmpdir(), 'mfuko-used-'))
  copy(dataDir, used)
}

interface Started {
  process: ChildProcess
  pid: number
  /** Everything it has printed. */
  output(): string
  /** Its address, as soon as it is there. */
  site: Promise<string>
  exit: Promise<number | null>
}

interface StartOptions {
  dataDir: string
  env?: Record<string, string>
  command?: string
  args?: string[]
}

function start({ dataDir, env = {}, command = process.execPath, args = [launcher] }: StartOptions): Started {
  const { NODE_TEST_CONTEXT: _, npm_lifecycle_event: __, DATABASE_URL: ___, ...inherited } = process.env
  const child = spawn(command, args, {
    // A group of its own, as a terminal makes it: a signal to the group is Ctrl-C.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...inherited,
      NODE_ENV: 'development',
      PORT: '0',
      METRICS_PORT: '0',
      SIMULATOR_PORT: '0',
      DEMO: 'off',
      DATA_DIR: dataDir,
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  const site = new Promise<string>((done, fail) => {
    child.on('message', (message: { type?: string; urls?: { site: string } }) => {
      if (message.type === 'ready' && message.urls) done(message.urls.site)
    })
    exit.then((code) => fail(new Error(`it ended with ${code} instead of starting:\n${output}`)))
  })
  site.catch(() => undefined)
  cleanups.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const pid = child.pid
  assert.ok(pid !== undefined)
  return { process: child, pid, output: () => output, site, exit }
}

async function isHealthy(started: Started): Promise<void> {
  const address = `${await started.site}/api/health`
  let reply = await fetch(address)
  // On a busy machine a part may fall behind for a moment, and says so.
  for (let waited = 0; waited < 10_000 && reply.status === 503; waited += 200) {
    await sleep(200)
    reply = await fetch(address)
  }
  assert.equal(reply.status, 200)
  const body: unknown = await reply.json()
  assert.ok(typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok')
}

/** What it printed when it refused to start. */
async function refusal(options: StartOptions): Promise<string> {
  const started = start(options)
  assert.equal(await started.exit, 1, started.output())
  // A sentence, not a stack of calls.
  assert.doesNotMatch(started.output(), /\n\s+at /)
  return started.output().trim()
}

const processes = () =>
  execFileSync('ps', ['-axo', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .flatMap((match) => (match && !match[3]?.startsWith('Z') ? [match] : []))
    .map(([, pid, parent, , command = '']) => ({ pid: Number(pid), parent: Number(parent), command }))

const databasesOf = (dataDir: string) =>
  processes().filter(({ command }) => command.includes(`-D ${dataDir}/postgres`))

const serviceOf = ({ pid }: { pid: number }): number => {
  const found = processes().find(({ parent, command }) => parent === pid && command.includes('main.ts'))
  assert.ok(found, 'the launcher has started the service')
  return found.pid
}

/** Nothing that works in this folder is left. */
async function quiet(dataDir: string): Promise<void> {
  for (let waited = 0; waited < 20_000 && databasesOf(dataDir).length > 0; waited += 100) await sleep(100)
  assert.deepEqual(databasesOf(dataDir), [])
}

// The two others stop it below, too.
for (const [what, signal, folder] of [
  ['Ctrl-C', 'SIGINT', newFolder] as const,
  ...also([
    ['SIGTERM', 'SIGTERM', usedFolder] as const,
    ['a closed terminal', 'SIGHUP', usedFolder] as const,
  ]),
]) {
  test(`it runs, and ${what} stops everything`, async () => {
    const dataDir = folder()
    const started = start({ dataDir })
    await isHealthy(started)
    assert.match(started.output(), /is running\./)
    const phones = /Virtual phones +(\S+)/.exec(started.output())?.[1] ?? ''
    assert.equal((await fetch(phones)).status, 200)
    // More than one for a moment: a new session has the command line of its parent.
    assert.ok(databasesOf(dataDir).length >= 1)
    // The terminal signals every process, and npm hands it on once more.
    process.kill(-started.pid, signal)
    process.kill(started.pid, signal)
    assert.equal(await started.exit, 0, started.output())
    assert.deepEqual(databasesOf(dataDir), [])
    await assert.rejects(fetch(phones))
    keepAsUsed(dataDir)
  })
}

if (thorough)
  test('when nobody reads what it prints it goes on, and stops when told', async () => {
    const dataDir = usedFolder()
    const started = start({ dataDir })
    await started.site
    started.process.stdout?.destroy()
    started.process.stderr?.destroy()
    for (let times = 0; times < 3; times++) await isHealthy(started)
    process.kill(started.pid, 'SIGTERM')
    assert.equal(await started.exit, 0)
  })

longTest('several processes watch the folder of the database', async () => {
  const dataDir = usedFolder()
  const started = start({ dataDir, env: { WEB_CONCURRENCY: '2', RATE_LIMITS: 'off' } })
  await isHealthy(started)
  const site = await started.site
  /** Several questions at once, so that each process is asked. */
  const answers = async () => {
    const asked = Array.from({ length: 6 }, () =>
      fetch(`${site}/api/health`, { headers: { connection: 'close' } }),
    )
    return new Set((await Promise.all(asked)).map(({ status }) => status))
  }
  // PostgreSQL does not look for its folder by name, so it goes on.
  renameSync(dataDir, `${dataDir}-moved`)
  try {
    for (let tries = 0; tries < 20 && (await answers()).has(200); tries++) await sleep(300)
    assert.deepEqual(await answers(), new Set([503]))
  } finally {
    renameSync(`${dataDir}-moved`, dataDir)
  }
  process.kill(started.pid, 'SIGTERM')
  assert.equal(await started.exit, 0, started.output())
})

const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
const onTerminal = hasTerminal ? {} : { skip: 'needs the program `script` of util-linux, to make a terminal' }

if (thorough)
  test('when its terminal is closed everything stops', onTerminal, async () => {
    const dataDir = usedFolder()
    const shell = `exec "${process.execPath}" "${launcher}"`
    const terminal = start({ dataDir, command: 'script', args: ['-qefc', shell, '/dev/null'] })
    while (!terminal.output().includes('Ctrl-C stops it')) await sleep(50)
    const launched = processes().find(({ parent }) => parent === terminal.pid)
    assert.ok(launched)
    const pids = [launched.pid, serviceOf(launched)]
    process.kill(terminal.pid, 'SIGKILL')
    const left = () => processes().filter(({ pid }) => pids.includes(pid))
    cleanups.push(() => left().map(({ pid }) => process.kill(pid, 'SIGKILL')))
    for (let waited = 0; waited < 20_000 && left().length > 0; waited += 100) await sleep(100)
    assert.deepEqual(left(), [])
    assert.deepEqual(databasesOf(dataDir), [])
  })

test('stopped in the middle of its first start, it leaves nothing and starts again', async () => {
  const dataDir = newFolder()
  for (const afterMs of [900, ...also([300, 600, 1200, 1500, 2000, 3000])]) {
    const started = start({ dataDir })
    await sleep(afterMs)
    process.kill(-started.pid, 'SIGINT')
    await started.exit
    await quiet(dataDir)
  }
  const last = start({ dataDir })
  await isHealthy(last)
  process.kill(last.pid, 'SIGINT')
  assert.equal(await last.exit, 0)
})

/** A database process may end by itself between being listed and being killed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

test('after kill -9 of the service, then of everything, the next start works; then of the launcher, and the service stops by itself', async () => {
  const dataDir = usedFolder()
  const first = start({ dataDir })
  await first.site
  process.kill(serviceOf(first), 'SIGKILL')
  assert.equal(await first.exit, 1)
  const second = start({ dataDir })
  await isHealthy(second)
  for (const pid of [second.pid, serviceOf(second), ...databasesOf(dataDir).map(({ pid }) => pid)])
    killIfThere(pid)
  const third = start({ dataDir })
  await isHealthy(third)
  const service = serviceOf(third)
  process.kill(third.pid, 'SIGKILL')
  await quiet(dataDir)
  for (let waited = 0; waited < 5_000 && processes().some(({ pid }) => pid === service); waited += 100)
    await sleep(100)
  assert.ok(!processes().some(({ pid }) => pid === service))
})

if (thorough)
  test('after kill -9 of npm everything stops by itself', async () => {
    const dataDir = usedFolder()
    // npm runs the command through a shell; this one stands for both.
    const script = `"${process.execPath}" "${launcher}"; true`
    const env = { npm_lifecycle_event: 'start' }
    const started = start({ dataDir, command: '/bin/sh', args: ['-c', script], env })
    await started.site
    process.kill(started.pid, 'SIGKILL')
    await quiet(dataDir)
  })

longTest('a taken port is a sentence', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  cleanups.push(() => holder.close())
  const address = holder.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  assert.match(
    await refusal({ dataDir: usedFolder(), env: { PORT: port } }),
    new RegExp(`Port ${port} is taken by another program\\. .*PORT=`),
  )
})

longTest(
  'a second one with the same data is told so, and the first goes on until a word by the channel stops it',
  async () => {
    const dataDir = usedFolder()
    const first = start({ dataDir })
    await first.site
    assert.match(
      await refusal({ dataDir }),
      new RegExp(
        `Mfuko is already running \\(process ${serviceOf(first)}\\) with the data folder ${dataDir}\\.`,
      ),
    )
    await isHealthy(first)
    first.process.send({ type: 'stop' })
    assert.equal(await first.exit, 0, first.output())
    assert.deepEqual(databasesOf(dataDir), [])
  },
)

test('a data folder that can’t be used is a sentence', async () => {
  const dataDir = join(newFolder(), 'data')
  writeFileSync(dataDir, '')
  assert.match(await refusal({ dataDir }), /The data folder .* can't be used: a file is in its place\./)
})

test('a wrong prices file is a sentence, before anything starts', async () => {
  const dataDir = newFolder()
  const path = join(dataDir, 'prices.json')
  writeFileSync(path, '{ "transferPercent": "1%" }')
  assert.match(
    await refusal({ dataDir, env: { PRICES_FILE: path } }),
    /^PRICES_FILE can't be used: .*\ntransferPercent must be from 0 to 99\.99, .*, not "1%"\.$/,
  )
  assert.deepEqual(readdirSync(dataDir), ['prices.json'])
})

test('too old a Node is a sentence', async () => {
  const dataDir = newFolder()
  const preload = join(dataDir, 'old-node.cjs')
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })`)
  const message = await refusal({ dataDir, args: ['--require', preload, launcher] })
  assert.match(message, /^Mfuko needs Node 20 or later, and this is Node 18\.20\.4\. Install a newer one/)
})

test('no registry is a sentence', async () => {
  const project = newFolder()
  for (const name of [
    'package.json',
    'package-lock.json',
    'server/package.json',
    'web/package.json',
    'scripts',
  ]) {
    mkdirSync(join(project, name, '..'), { recursive: true })
    cpSync(join(root, name), join(project, name), { recursive: true })
  }
  const message = await refusal({
    dataDir: join(project, '.data'),
    args: [join(project, 'scripts/start.cjs')],
    // Nothing listens on port 9, and nothing is in this cache.
    env: { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(project, 'cache') },
  })
  assert.match(message, /^Installing packages…\n/)
  assert.match(
    message,
    /The packages can't be fetched: the npm registry does not answer \(ECONNREFUSED\)\. Check the network/,
  )
})

'use strict'
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const setup = require('../setup.cjs')

const main = path.resolve(__dirname, '../../server/src/main.ts')
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Ctrl-C arrives from the terminal and from npm: signals within a second are one. */
const repeatedMs = 1_000
/** The service takes 30 seconds at most to stop; then something hangs. */
const stopMsMax = 40_000
/** Node's own code in large pages, where the system has them: a thirtieth less time for a transfer, and 27 MB of memory. */
const serviceOptions = ['--use-largepages=silent']

const say = (line) => process.stdout.write(`${line}\n`)

async function launch() {
  stopWithParent()
  // When the terminal is gone, there is nobody to tell.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  try {
    // In production what only builds and tests need may be missing, unless the pages must be built.
    const dev = process.env.NODE_ENV !== 'production' || !setup.isWebBuilt()
    await setup.ensureInstalled({ say, dev })
    await setup.ensureWebBuilt({ say })
    start(setup.nodeBinary())
  } catch (error) {
    process.stderr.write(`\n${error.name === 'StartError' ? error.message : error.stack}\n`)
    process.exit(1)
  }
}

function start(node) {
  const child = spawn(node, [...serviceOptions, main], {
    env: setup.nodeEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.on('error', (error) => {
    process.stderr.write(`\nThe service could not be started with ${node}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code ?? 1))

  let stoppedAt
  const killHard = () => {
    child.kill('SIGKILL')
    process.exit(1)
  }
  const stop = () => {
    if (stoppedAt !== undefined) return
    stoppedAt = Date.now()
    setTimeout(killHard, stopMsMax)
    if (child.connected) child.send({ type: 'stop' }, () => undefined)
  }
  const onSignal = () => {
    if (stoppedAt !== undefined && Date.now() - stoppedAt > repeatedMs) killHard()
    stop()
  }
  for (const signal of signals) process.on(signal, onSignal)

  // Whoever started us with a channel of their own hears what the service says, and may tell it to stop.
  if (process.send) {
    child.on('message', (message) => process.connected && process.send(message, () => undefined))
    process.on('message', (message) => message.type === 'stop' && stop())
    process.on('disconnect', stop)
  }
}

/** A killed npm can't tell us anything, but then we get another parent. */
function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return
  const ancestors = ancestorsOf()
  const timer = setInterval(() => {
    if (String(ancestorsOf()) === String(ancestors)) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 1_000)
  timer.unref()
}

/** npm starts us through a shell, which may stay between us and npm. */
function ancestorsOf() {
  const parent = process.ppid
  try {
    // "number (name) state parent …"
    const [, name, grandparent] =
      /\((.*)\) \S (\d+)/.exec(fs.readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? []
    return /^(sh|dash|ash|bash|busybox)$/.test(name) ? [parent, Number(grandparent)] : [parent]
  } catch {
    return [parent]
  }
}

module.exports = { launch }

'use strict'
const { spawn } = require('node:child_process')

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const outputCharsMax = 20_000
const everyMs = 10_000

/**
 * Runs a program to its end and says how it goes: what is done at the start, every 10 seconds, and how long it took.
 * With `show` the program speaks to the terminal itself. When we are told to stop, the program is stopped too.
 */
async function run({ command, args, cwd, env, show = false, doing, done, say, started }) {
  const startedAt = Date.now()
  const seconds = () => `${Math.max(1, Math.round((Date.now() - startedAt) / 1000))} s`
  say(`${doing}…`)
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', ...(show ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
  })
  const timer = show ? undefined : setInterval(() => say(`${doing}… ${seconds()}`), everyMs)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-outputCharsMax)
    })
  }
  let stopped = false
  const stop = (signal) => {
    stopped = true
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, stop)
  if (child.pid !== undefined) started?.(child.pid)
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }))
    child.once('close', (code) => resolve({ code, error: undefined }))
  })
  clearInterval(timer)
  for (const signal of signals) process.removeListener(signal, stop)
  if (stopped) process.exit(1)
  if (end.code === 0) say(`${done} in ${seconds()}.`)
  return { ...end, output }
}

module.exports = { run }

'use strict'
const { spawn } = require('node:child_process')
const os = require('node:os')
const path = require('node:path')
const { nodeBinary } = require('./node-binary.cjs')

const root = path.resolve(__dirname, '../..')
const say = (line) => process.stdout.write(`${line}\n`)

/** Runs `prepare`, then a script on the project's own Node, whose exit code becomes ours. `env` is its environment. */
async function runScript({ script, args, prepare, env = process.env }) {
  try {
    await prepare({ say })
    start({ script, args, env })
  } catch (error) {
    process.stderr.write(`${error.name === 'StartError' ? error.message : error.stack}\n`)
    process.exit(1)
  }
}

function start({ script, args, env }) {
  // The channel tells the script when this process is killed, so that it stops too.
  const child = spawn(nodeBinary(), [script, ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`${path.relative(root, script)} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + os.constants.signals[signal])
  })
}

module.exports = { runScript }

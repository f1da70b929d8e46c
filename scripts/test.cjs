// `npm test`: makes ready what the tests need (packages, the built web app), then runs scripts/run-tests.ts on the
// project's own Node. Plain CommonJS, because it runs before anything is installed, on the machine's Node.
'use strict'
const setup = require('./setup.cjs')

// First of all: an old Node doesn't even know the names below.
setup.requireNode()
const { spawn } = require('node:child_process')
const os = require('node:os')
const path = require('node:path')

const root = path.resolve(__dirname, '..')
const args = process.argv.slice(2)
const say = (line) => process.stdout.write(`${line}\n`)

async function main() {
  await setup.ensureInstalled({ say })
  if (!args.includes('--checks')) await setup.ensureWebBuilt({ say })
  // The channel tells the tests when this process is killed, so that they stop too.
  const child = spawn(setup.nodeBinary(), [path.join(__dirname, 'run-tests.ts'), ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`The tests could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    process.exit(signal === null ? code : 128 + os.constants.signals[signal])
  })
}

main().catch((error) => {
  process.stderr.write(`${error.name === 'StartError' ? error.message : error.stack}\n`)
  process.exit(1)
})

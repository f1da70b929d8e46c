// `npm test`: makes ready what the tests need (packages, the built web app), then runs scripts/run-tests.ts on the
// project's own Node. Plain CommonJS, because it runs before anything is installed, on the machine's Node.
'use strict'
const setup = require('./setup.cjs')

// First of all: an old Node doesn't even know the names below.
setup.requireNode()
const path = require('node:path')

const args = process.argv.slice(2)

async function prepare(options) {
  await setup.ensureInstalled(options)
  if (!args.includes('--checks')) await setup.ensureWebBuilt(options)
}

setup.runScript({ script: path.join(__dirname, 'run-tests.ts'), args, prepare })

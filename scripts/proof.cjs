// `npm run proof`: makes ready what the proofs need (packages, the built web app), then runs proof/proof.ts on the project's
// own Node.
// Plain CommonJS, because it runs before anything is installed, on the machine's Node.
'use strict'
const setup = require('./setup.cjs')

// First of all: an old Node doesn't even know the names below.
setup.requireNode()
const path = require('node:path')

async function prepare(options) {
  await setup.ensureInstalled(options)
  await setup.ensureWebBuilt(options)
}

const script = path.resolve(__dirname, '../proof/proof.ts')
// What is proved runs as `npm start` would run it.
setup.runScript({
  script,
  args: process.argv.slice(2),
  prepare,
  env: setup.nodeEnvironment(),
})

// `npm run bench`: makes ready what the measurements need (packages), then runs bench/bench.ts on the project's own
// Node. Plain CommonJS, because it runs before anything is installed, on the machine's Node.
'use strict'
const setup = require('./setup.cjs')

// First of all: an old Node doesn't even know the names below.
setup.requireNode()
const path = require('node:path')

const script = path.resolve(__dirname, '../bench/bench.ts')
// What is measured runs as `npm start` would run it.
setup.runScript({
  script,
  args: process.argv.slice(2),
  prepare: setup.ensureInstalled,
  env: setup.nodeEnvironment(),
})

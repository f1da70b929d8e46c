// `npm run storm`: makes ready what it needs (packages), then runs server/test/storm/main.ts on the project's own Node.
// Plain CommonJS, because it runs before anything is installed, on the machine's Node.
'use strict'
const setup = require('./setup.cjs')

// First of all: an old Node doesn't even know the names below.
setup.requireNode()
const path = require('node:path')

const script = path.resolve(__dirname, '../server/test/storm/main.ts')
setup.runScript({ script, args: process.argv.slice(2), prepare: setup.ensureInstalled })

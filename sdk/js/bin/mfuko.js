#!/usr/bin/env node
// Runs the command line: as it was built for the package, or from its source in a clone of the project.
import { existsSync } from 'node:fs'

const source = new URL('../src/cli/mfuko.ts', import.meta.url)
const built = new URL('../dist/cli/mfuko.js', import.meta.url)
const runsSource = Boolean(process.features.typescript) && existsSync(source)
if (!runsSource && !existsSync(built)) {
  process.stderr.write('In a clone, run it with the Node of the project: npm exec --no -- mfuko\n')
  process.exit(1)
}
await import(runsSource ? source : built)

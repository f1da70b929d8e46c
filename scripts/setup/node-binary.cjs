'use strict'
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { startError } = require('./start-error.cjs')

const root = path.resolve(__dirname, '../..')
const major = 24

/** The Node that the packages bring. Where there is none for this platform, the one that runs this will do. */
function nodeBinary() {
  const own = path.join(root, 'node_modules/.bin/node')
  const { status, stdout } = spawnSync(own, ['--version'], { encoding: 'utf8' })
  if (status === 0 && majorOf(stdout) >= major) return own
  if (majorOf(process.version) >= major) return process.execPath
  throw startError(
    `Mfuko runs on Node ${major}, which its packages bring, but not for this machine (${process.platform} ${process.arch}). Install Node ${major} or later, then run the command again.`,
  )
}

/**
 * V8 by itself lets the young part of the heap grow to 128 MB, and the old one to four times of what is in use. With these
 * the ledger stays below 300 MB at a thousand postings in flight; a smaller young part would cost more time than it saves
 * memory (16: 12 µs more of each transfer). A process that needs more than 1 GB is broken, or has an operator who says so:
 * NODE_OPTIONS comes last, and wins.
 */
const heapOptions = '--max-semi-space-size=32 --max-old-space-size=1024'

/** What was compiled at one start is there at the next, which then takes less time. Where nobody may write it is not. */
const compiled = path.join(root, 'node_modules/.mfuko-compiled')

/** The environment for what runs on that Node; its own children get it too. */
const nodeEnvironment = () => ({
  NODE_COMPILE_CACHE: compiled,
  ...process.env,
  NODE_OPTIONS: [heapOptions, process.env.NODE_OPTIONS].filter(Boolean).join(' '),
})

const majorOf = (version) => Number(/^v([0-9]+)\./.exec(version)?.[1] ?? 0)

module.exports = { nodeBinary, nodeEnvironment }

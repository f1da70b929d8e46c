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

const majorOf = (version) => Number(/^v([0-9]+)\./.exec(version)?.[1] ?? 0)

module.exports = { nodeBinary }

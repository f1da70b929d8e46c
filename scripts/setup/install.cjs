'use strict'
// Installs the packages. What must stay true: an installation that was interrupted is never taken for a whole one.
// The stamp in node_modules says what was installed; it is written last.
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { withLock } = require('./lock.cjs')
const { run } = require('./run.cjs')
const { startError } = require('./start-error.cjs')

const root = path.resolve(__dirname, '../..')
const stamp = path.join(root, 'node_modules/.mfuko-install')
const unfinished = 'unfinished'
const dependencyKinds = ['dependencies', 'devDependencies', 'optionalDependencies']

/** `dev: false`: what only builds and tests need may be missing. */
async function ensureInstalled({ say, dev = true }) {
  if (isInstalled(dev)) return
  await withLock({ name: 'mfuko-install', say }, async (started) => {
    // Another command may have done it while we waited.
    if (isInstalled(dev)) return
    fs.writeFileSync(stamp, unfinished)
    await install({ say, dev, started })
    fs.writeFileSync(`${stamp}.new`, stampFor(dev))
    fs.renameSync(`${stamp}.new`, stamp)
  })
}

async function install({ say, dev, started }) {
  const { problem, passing } = await runNpm({ say, dev, started })
  if (problem === undefined) return
  if (!passing) throw problem
  // On a bad line the second try goes further: what was fetched is in npm's cache.
  say('The connection to the npm registry broke. Trying once more.')
  const second = await runNpm({ say, dev, started })
  if (second.problem !== undefined) throw second.problem
}

async function runNpm({ say, dev, started }) {
  const logs = path.join(root, 'node_modules/.mfuko-npm-logs')
  fs.rmSync(logs, { recursive: true, force: true })
  fs.mkdirSync(logs)
  const npm = npmCommand()
  try {
    const { code, error, output } = await run({
      command: npm.command,
      args: [...npm.args, ...npmArguments(dev), `--logs-dir=${logs}`],
      cwd: root,
      show: process.stdout.isTTY === true && process.stderr.isTTY === true,
      doing: 'Installing packages',
      done: 'Installed the packages',
      say,
      started,
    })
    if (code === 0) return {}
    return error ? { problem: noNpm(error) } : explain({ log: readLogs(logs), output })
  } finally {
    fs.rmSync(logs, { recursive: true, force: true })
  }
}

const npmArguments = (dev) => [
  ...['install', '--no-audit', '--no-fund', '--loglevel=error'],
  // Other versions of npm would rewrite package-lock.json in their own fashion.
  '--no-save',
  '--include=optional',
  dev ? '--include=dev' : '--omit=dev',
  // The lock file names exact versions, so what is in the cache need not be asked for again.
  '--prefer-offline',
  // npm asks for some packages one after the other; without a registry each of them waits this long.
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=5000'],
  '--fetch-timeout=30000',
]

const noNpm = (error) =>
  startError(
    `npm could not be started (${error.message}). Install Node with npm, then run the command again.`,
  )

/** The npm that has started us, or the one in the PATH. Other package managers set the same variable. */
function npmCommand() {
  const script = process.env.npm_execpath
  if (script && /^npm.*\.[cm]?js$/.test(path.basename(script)))
    return { command: process.execPath, args: [script] }
  return { command: 'npm', args: [] }
}

const passingCodes = /\b(ECONNRESET|ECONNABORTED|ETIMEDOUT|EIDLETIMEOUT|ERR_SOCKET_TIMEOUT|EPIPE|E50[234])\b/
const lastingCodes = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/

/** npm's own log has the code of the failure also when npm spoke to the terminal itself. */
function explain({ log, output }) {
  const errors = log.split('\n').filter((line) => /^[0-9]+ error /.test(line))
  const words = errors.join('\n') || output
  const [code] = lastingCodes.exec(words) ?? passingCodes.exec(words) ?? []
  if (code || /\bnetwork\b/.test(words)) {
    const problem = startError(
      `The packages can't be fetched: the npm registry does not answer${code ? ` (${code})` : ''}. Check the network connection, the proxy, and the address that "npm config get registry" prints; then run the command again.`,
    )
    return { problem, passing: code !== undefined && passingCodes.test(code) }
  }
  if (/\bENOSPC\b/.test(words)) {
    return {
      problem: startError(
        "The packages can't be installed: the disk is full. Free some space, then run the command again.",
      ),
    }
  }
  const tail = (output.trim() || words).split('\n').slice(-12)
  const lines = [
    'The packages could not be installed. The last words of npm:',
    ...tail.map((line) => `  ${line}`),
  ]
  return { problem: startError([...lines, 'Mend what they say, then run the command again.'].join('\n')) }
}

function readLogs(folder) {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.log'))
  return files.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n')
}

/** By our stamp; or else, when a person ran `npm install` themselves, by what npm noted. */
function isInstalled(dev) {
  const found = readText(stamp)
  if (found === stampFor(true) || found === stampFor(dev)) return true
  if (found === unfinished || !npmHasInstalled(dev)) return false
  try {
    fs.writeFileSync(stamp, stampFor(dev))
  } catch (error) {
    // An image that can't be written to: then this is looked up at each start.
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error
  }
  return true
}

/** Packages for one platform are no use on another, so the platform is part of it. */
function stampFor(dev) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const file of [
    'package-lock.json',
    ...manifests().map(({ folder }) => path.join(folder, 'package.json')),
  ]) {
    hash.update(`${file}\n`).update(readText(path.join(root, file)) ?? '')
  }
  return `${hash.digest('hex')} ${dev ? 'all' : 'without dev'}\n`
}

/** The project's own and those of its workspaces. */
function manifests() {
  const top = readJson(path.join(root, 'package.json'))
  const others = (top.workspaces ?? []).map((folder) => ({
    folder,
    manifest: readJson(path.join(root, folder, 'package.json')),
  }))
  return [{ folder: '', manifest: top }, ...others]
}

/** npm notes at the end of an installation what is in node_modules. Is that what package-lock.json wants? */
function npmHasInstalled(dev) {
  const noted = readText(path.join(root, 'node_modules/.package-lock.json'))
  const lock = readText(path.join(root, 'package-lock.json'))
  if (noted === undefined || lock === undefined) return false
  const installed = JSON.parse(noted).packages ?? {}
  const wanted = JSON.parse(lock).packages ?? {}
  const upToDate = manifests().every(({ folder, manifest }) =>
    dependencyKinds.every((kind) => sameEntries(manifest[kind], wanted[folder]?.[kind])),
  )
  const isMissing = ([place, entry]) =>
    /(^|\/)node_modules\//.test(place) && isNeeded(entry, dev) && installed[place]?.version !== entry.version
  return upToDate && !Object.entries(wanted).some(isMissing)
}

function isNeeded(entry, dev) {
  if (entry.link || entry.libc) return false
  if ((entry.dev || entry.devOptional) && !dev) return false
  if (!entry.optional) return true
  return fits(entry.os, process.platform) && fits(entry.cpu, process.arch) && Boolean(entry.os)
}

const fits = (list, name) => list === undefined || list.includes(name)

const sameEntries = (some = {}, others = {}) =>
  JSON.stringify(Object.entries(some).sort()) === JSON.stringify(Object.entries(others).sort())

const readJson = (file) => JSON.parse(readText(file) ?? '{}')

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}

module.exports = { ensureInstalled }

'use strict'
// Two commands that start together must not install or build at the same time. The lock is a file with the numbers
// of the processes that work under it; when all of them are gone, it is taken over.
const fs = require('node:fs')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { startError } = require('./start-error.cjs')

const folder = path.resolve(__dirname, '../../node_modules')
const waitMsMax = 30 * 60 * 1000

/** Runs `work` when nobody else runs it. `work` gets a function for the numbers of processes it starts. */
async function withLock({ name, say }, work) {
  const lock = path.join(folder, `.${name}.lock`)
  await takeLock({ lock, say })
  const pids = [process.pid]
  const release = () => fs.rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    return await work((pid) => {
      pids.push(pid)
      write(lock, pids)
    })
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

async function takeLock({ lock, say }) {
  makeFolder()
  let told = false
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += 500) {
    if (tryTake(lock)) return
    const holders = readHolders(lock)
    if (holders.some(isLive)) {
      if (!told) say(`Waiting for another command that is at the same work (process ${holders[0]})…`)
      told = true
      await sleep(500)
    } else {
      removeStale(lock, holders)
    }
  }
  throw startError(`Another command has been at the same work for too long. Stop it, or remove ${lock}.`)
}

function makeFolder() {
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.W_OK)
  } catch (error) {
    throw startError(
      `The folder ${folder} can't be written to (${error.code}). Run the command as the user who owns it.`,
      error,
    )
  }
}

/** A link either appears whole or not at all, and never replaces another. */
function tryTake(lock) {
  const draft = `${lock}.${process.pid}`
  write(draft, [process.pid])
  try {
    fs.linkSync(draft, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Moved away first, and put back if somebody else has taken it over in this very moment. */
function removeStale(lock, holders) {
  const stale = `${lock}.stale-${process.pid}`
  try {
    fs.renameSync(lock, stale)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (String(readHolders(stale)) === String(holders)) fs.rmSync(stale, { force: true })
  else fs.renameSync(stale, lock)
}

function write(file, pids) {
  const draft = `${file}.${process.pid}.new`
  fs.writeFileSync(draft, JSON.stringify(pids))
  fs.renameSync(draft, file)
}

function readHolders(lock) {
  try {
    return JSON.parse(fs.readFileSync(lock, 'utf8'))
  } catch {
    return []
  }
}

function isLive(pid) {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Ended, but not collected: in containers nobody may do that. */
function isZombie(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).startsWith('Z')
  } catch {
    return false
  }
}

module.exports = { withLock }

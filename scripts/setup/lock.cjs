'use strict'
// Two commands that start together must not install or build at the same time. The lock is a file that names the
// processes that work under it, each by its number and when it started, since numbers are used again; when all of them
// are gone, it is taken over.
const { spawnSync } = require('node:child_process')
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
  const holders = [holderOf(process.pid)]
  const release = () => fs.rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    return await work((pid) => {
      holders.push(holderOf(pid))
      write(lock, holders)
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
      if (!told)
        say(`Waiting for another command that is at the same work (process ${holders.find(isLive).pid})…`)
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
  write(draft, [holderOf(process.pid)])
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
  if (JSON.stringify(readHolders(stale)) === JSON.stringify(holders)) fs.rmSync(stale, { force: true })
  else fs.renameSync(stale, lock)
}

function write(file, holders) {
  const draft = `${file}.${process.pid}.new`
  fs.writeFileSync(draft, JSON.stringify(holders))
  fs.renameSync(draft, file)
}

function readHolders(lock) {
  try {
    const holders = JSON.parse(fs.readFileSync(lock, 'utf8'))
    return Array.isArray(holders) ? holders : []
  } catch {
    return []
  }
}

const holderOf = (pid) => ({ pid, start: startOf(pid) })

/** A lock that names ourselves before we have it is of an earlier process with our number. */
const isLive = ({ pid, start }) => pid !== process.pid && start !== undefined && startOf(pid) === start

/** Tells a process from a later one with its number. Undefined: there is none, or it has ended (a zombie). */
function startOf(pid) {
  if (!fs.existsSync('/proc/self/stat')) return startByPs(pid)
  try {
    // "pid (name) state parent …"; the name may hold spaces and brackets. The 22nd field is the start, in clock ticks
    // since the machine started: so it takes the id of that start to be sure.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    if (['Z', 'X'].includes(fields[0])) return undefined
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
  } catch {
    return undefined
  }
}

function startByPs(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state, ...start] = (stdout ?? '').trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : start.join(' ')
}

module.exports = { withLock }

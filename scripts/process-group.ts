// Runs a program in a process group of its own, so that it and everything it started can be ended together.
// What must stay true: every run ends within its limit plus the grace, and leaves no process of its group.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface GroupOptions {
  command: string
  args: readonly string[]
  cwd?: string
  env?: NodeJS.ProcessEnv
  limitMs: number
  /** Ends the group early: Ctrl-C. */
  stop?: AbortSignal
  onOutput?: (text: string) => void
}

export interface GroupEnd {
  /** `limit`: it took too long. `stopped`: by the signal. `missing`: it could not be started. */
  how: 'exited' | 'limit' | 'stopped' | 'missing'
  code: number | null
  signal: NodeJS.Signals | null
  /** The program ended by itself, but something it had started was still running and had to be ended. */
  leftBehind: boolean
  output: string
}

const graceMs = 5_000
const settleMs = 2_000
const outputCharsMax = 200_000

export async function runGroup(options: GroupOptions): Promise<GroupEnd> {
  const end: GroupEnd = { how: 'exited', code: null, signal: null, leftBehind: false, output: '' }
  if (options.stop?.aborted) return { ...end, how: 'stopped' }
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
  })
  const hear = (text: string) => {
    end.output = (end.output + text).slice(-outputCharsMax)
    options.onOutput?.(text)
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const closed = once(child, 'close').catch(() => undefined)

  const group = child.pid
  if (group === undefined) {
    const [error] = await once(child, 'error')
    return { ...end, how: 'missing', output: String(error) }
  }
  const finish = (how: GroupEnd['how']) => {
    end.how = how
    signalGroup(group, 'SIGTERM')
    setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs).unref()
  }
  const limit = setTimeout(() => finish('limit'), options.limitMs)
  const onStop = () => finish('stopped')
  options.stop?.addEventListener('abort', onStop, { once: true })

  const [code, signal] = await once(child, 'exit')
  clearTimeout(limit)
  options.stop?.removeEventListener('abort', onStop)
  end.leftBehind = await sweepGroup(group)
  // A process that left the group may hold the pipes for ever.
  await Promise.race([closed, sleep(settleMs, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  return { ...end, code, signal }
}

/** Ends what the group's first process left behind; true if there was something. */
async function sweepGroup(group: number): Promise<boolean> {
  if (await groupEnds(group, settleMs)) return false
  signalGroup(group, 'SIGTERM')
  if (await groupEnds(group, graceMs)) return true
  signalGroup(group, 'SIGKILL')
  await groupEnds(group, settleMs)
  return true
}

async function groupEnds(group: number, waitMs: number): Promise<boolean> {
  for (const until = Date.now() + waitMs; ; await sleep(50)) {
    if (!groupRuns(group)) return true
    if (Date.now() >= until) return false
  }
}

function groupRuns(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  // Zombies answer signals too, and stay where the first process of a container doesn't collect them.
  return readdirSync('/proc').some((pid) => /^[0-9]+$/.test(pid) && runsInGroup(pid, group))
}

function runsInGroup(pid: string, group: number): boolean {
  try {
    // "pid (name) state parent group …"; the name may hold spaces and brackets.
    const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return Number(pgrp) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** False when the group has no process any more. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    // macOS says EPERM for a group of zombies.
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))
      return false
    throw error
  }
}

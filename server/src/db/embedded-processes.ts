// The processes of this machine. What must stay true: a signal never reaches a stranger. Numbers are used again
// by other programs, so a process is known by its number and when it started, or, for the processes of a
// database, by the name of the database, which each of them carries in its command line.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const hasProc = existsSync('/proc/self/stat')
const pollMs = hasProc ? 20 : 100

/** Tells a process from a later one with its number. Undefined: there is none, or it has ended (a zombie). */
export function startOf(pid: number): string | undefined {
  if (!hasProc) {
    const [state, ...start] = ps(['-o', 'stat=,lstart=', '-p', String(pid)])
      .trim()
      .split(/\s+/)
    return !state || state.startsWith('Z') ? undefined : start.join(' ')
  }
  // "pid (name) state parent …"; the name may hold spaces and brackets. The 22nd field is the start, in clock
  // ticks since the machine started: so it takes the id of that start to be sure.
  const fields = readText(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ') ?? []
  const [state, ticks] = [fields[0], fields[19]]
  if (state === undefined || state === 'Z' || state === 'X') return undefined
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${ticks}`
}

/** Does this number belong to a live process of the database of this name? */
export const belongsTo = (pid: number, name: string): boolean => {
  const command = hasProc ? procCommand(pid) : ps(['-o', 'command=', '-p', String(pid)]).trim()
  return isOf(command, name) && startOf(pid) !== undefined
}

export interface StopLimits {
  /** How long the clean way (SIGINT: end the sessions, write everything down) may take. */
  cleanMs: number
  /** How long the quick way (SIGQUIT: the next start recovers from the log) may take. */
  quickMs: number
}

/** Stops the first process of a database; its other processes go with it. */
export async function stopDatabase(what: { pid: number; name: string }, limits: StopLimits): Promise<void> {
  const gone = () => !belongsTo(what.pid, what.name)
  const steps = [
    { signal: 'SIGINT', waitMs: limits.cleanMs },
    { signal: 'SIGQUIT', waitMs: limits.quickMs },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const
  for (const { signal, waitMs } of steps) {
    if (gone()) break
    send(what.pid, signal)
    if (await until(gone, waitMs)) break
  }
  await endLeftovers(what.name)
}

/** After the first process was killed, the others end by themselves, but one in a long statement may not. */
export async function endLeftovers(name: string): Promise<void> {
  const left = () =>
    commands().filter(({ command, pid }) => isOf(command, name) && startOf(pid) !== undefined)
  if (await until(() => left().length === 0, 5_000)) return
  for (const { pid } of left()) send(pid, 'SIGKILL')
  await until(() => left().length === 0, 5_000)
}

/** Waits until the condition holds; false when it still doesn't after the limit. */
export async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  for (const end = performance.now() + limitMs; ; await sleep(pollMs)) {
    if (condition()) return true
    if (performance.now() >= end) return false
  }
}

/** As PostgreSQL itself looks at it: zombies count, processes of other users may not. */
export function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// The first process has its settings in its command line, the others have a title.
const isOf = (command: string, name: string) =>
  command.includes(`cluster_name=${name} `) || command.startsWith(`postgres: ${name}: `)

function commands(): { pid: number; command: string }[] {
  if (hasProc) {
    const pids = readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))
    return pids.map((pid) => ({ pid: Number(pid), command: procCommand(Number(pid)) }))
  }
  return ps(['-axo', 'pid=,command='])
    .split('\n')
    .map((line) => /^\s*([0-9]+) (.*)$/.exec(line))
    .flatMap((match) => (match ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : []))
}

const procCommand = (pid: number): string => readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''

const ps = (args: string[]): string => spawnSync('ps', args, { encoding: 'utf8' }).stdout ?? ''

/** Undefined when the process has just ended. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

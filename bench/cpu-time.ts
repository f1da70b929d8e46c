// CPU time of a server and all its processes, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'

/** A tick is a hundredth of a second on every Linux that Node runs on. */
const tickMs = 10

/** Undefined where there is no /proc. The file has the number of the first process in its first line. */
export function processTreeCpuMs(pidFile: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  const first = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    const stat = /^[0-9]+$/.test(name) ? readStat(name) : undefined
    if (stat === undefined) continue
    // What ended processes used is counted with the one that started them.
    if (stat.pid === first) ticks += stat.own + stat.endedChildren
    else if (stat.parent === first) ticks += stat.own
  }
  return ticks * tickMs
}

const pageBytes = 4_096

/** Of one process, by its number: CPU time so far, and memory now. */
export function processUse(pid: number): { cpuMs: number; rssBytes: number } {
  const stat = process.platform === 'linux' ? readStat(String(pid)) : undefined
  return stat === undefined
    ? { cpuMs: Number.NaN, rssBytes: Number.NaN }
    : { cpuMs: stat.own * tickMs, rssBytes: stat.residentPages * pageBytes }
}

function readStat(pid: string) {
  try {
    // "pid (name) state parent …"; the name may hold spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    const field = (index: number) => Number(fields[index])
    return {
      pid: Number(pid),
      parent: field(1),
      own: field(11) + field(12),
      endedChildren: field(13) + field(14),
      residentPages: field(21),
    }
  } catch {
    // It ended between the look into the folder and this one.
    return undefined
  }
}

// Kill -9 of a whole PostgreSQL: what it had not written down by then is lost.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedded } from '../src/db/embedded.ts'

/** The first process and, before anything can end in order, all others. */
export function killDatabase({ dataDir }: Pick<Embedded, 'dataDir'>): void {
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const others = childrenOf(pid)
  for (const each of [pid, ...others]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch (error) {
      // A connection that has just ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  assert.ok(others.length > 3, `the database has ${others.length} processes`)
}

function childrenOf(parent: number): number[] {
  const table = existsSync('/proc/self/stat')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [name, parentOf(name)])
    : spawnSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
        .stdout.split('\n')
        .map((line) => line.trim().split(/\s+/))
  return table.filter(([, of]) => Number(of) === parent).map(([pid]) => Number(pid))
}

/** "pid (name) state parent …"; the name may hold spaces and brackets. */
function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]
  } catch {
    return undefined
  }
}

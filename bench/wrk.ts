// Requests as fast as they are answered, by wrk. pgbench, which measures what we are compared with, is written in C and
// leaves the cores to the database; what makes our load should leave them to the service in the same way. With a load that
// was made in Node, two cores answered a tenth less.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGroup } from '../scripts/process-group.ts'
import { ensureSystemPackage, type Found } from '../scripts/system-package.ts'
import { StartError } from '../server/src/base/errors.ts'
import type { LoadResult } from './http-load.ts'

export interface Wrk {
  run(options: WrkRun): Promise<LoadResult>
}

export interface WrkRun {
  url: string
  connections: number
  runMs: number
  /** Lua that defines `request()`, which returns the next request, whole. */
  script: string
}

const graceMs = 60_000

export const findWrk = (options: {
  say: (line: string) => void
  stop: AbortSignal
  mayInstall?: boolean
}): Promise<Found> => ensureSystemPackage({ ...options, command: 'wrk', aptPackage: 'wrk' })

/** What it prints is for people; this is for us. */
const report = `
function done(summary, latency, requests)
  io.write(string.format("mfuko %d %d %f %f %f %d %d\\n", summary.requests, summary.duration, latency.mean,
    latency:percentile(50), latency:percentile(99), summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
`

export function openWrk({ path, stop }: { path: string; stop: AbortSignal }): Wrk {
  return {
    run: async ({ url, connections, runMs, script }) => {
      const folder = mkdtempSync(join(tmpdir(), 'mfuko-wrk-'))
      try {
        const file = join(folder, 'request.lua')
        writeFileSync(file, `${script}\n${report}`)
        const seconds = Math.max(1, Math.round(runMs / 1_000))
        const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', file, url]
        const limitMs = seconds * 1_000 + graceMs
        const end = await runGroup({ command: path, args, env: { PATH: process.env.PATH }, limitMs, stop })
        stop.throwIfAborted()
        return readWrk(end.output)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Times come in µs. */
export function readWrk(output: string): LoadResult {
  const found = /^mfuko (.*)$/m.exec(output)?.[1]?.split(' ').map(Number)
  const [requests, us, mean, p50, p99, refused, broken] = found ?? []
  if (requests === undefined || us === undefined || broken === undefined)
    throw new StartError(`wrk said something unexpected:\n${output.trim().split('\n').slice(-5).join('\n')}`)
  const failed = { 'not 2xx': refused ?? 0, broken }
  return {
    requests,
    perSecond: (requests * 1e6) / us,
    meanMs: (mean ?? 0) / 1_000,
    p50Ms: (p50 ?? 0) / 1_000,
    p99Ms: (p99 ?? 0) / 1_000,
    failed: Object.fromEntries(Object.entries(failed).filter(([, times]) => times > 0)),
    allRequests: requests,
  }
}

// `npm run bench`: measures the ledger on a PostgreSQL of its own, as ratios to pgbench's TPC-B on the same server, and
// writes bench/RESULTS.md. scripts/bench.cjs starts it on the right Node. docs/guides/benchmark.md says what is measured.
//   npm run bench                               everything but the largest size, some minutes
//   npm run bench -- --full                     with 10 000 000 entries in place
//   npm run bench -- --quick                    one or two minutes, for a first look
//   npm run bench -- --only spread --profile    some parts; a CPU profile of the ledger's process
// A goal that is missed is a result, so the exit code is 0 all the same; the table says it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartError } from '../server/src/base/errors.ts'
import { measure } from './harness.ts'
import { findPgbench, openTpcb } from './pgbench.ts'
import { type Plan, readArguments } from './plan.ts'
import { describeProfile } from './profile.ts'
import { describeMachine, figureTable, goalTable, plainTable, remarks, resultsDocument } from './report.ts'
import { openServer } from './server.ts'
import { findWrk, openWrk } from './wrk.ts'

const projectRoot = resolve(import.meta.dirname, '..')
const resultsFile = join(import.meta.dirname, 'RESULTS.md')
const profileFolder = join(projectRoot, '.data/bench')
const profileLines = 25

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

async function main(): Promise<void> {
  const wanted = readArguments(process.argv.slice(2))
  const stop = listenForStop()
  const adminUrl = process.env.BENCH_DATABASE_URL || undefined
  const pgbench = await findPgbench({ say, stop })
  if ('advice' in pgbench) throw new StartError(pgbench.advice)
  const wrk = wanted.plan.sections.has('send') ? await findWrk({ say, stop }) : undefined
  if (wrk !== undefined && 'advice' in wrk) throw new StartError(wrk.advice)
  say(adminUrl === undefined ? 'Starting a PostgreSQL…' : 'Using the PostgreSQL of BENCH_DATABASE_URL.')
  const server = await openServer({ adminUrl, say })
  try {
    stop.throwIfAborted()
    const tpcb = openTpcb({ path: pgbench.path, scale: wanted.plan.tpcb.scale, stop })
    if (wanted.profile) mkdirSync(profileFolder, { recursive: true })
    const profiles = wanted.profile ? { profiles: profileFolder } : {}
    const load = wrk === undefined ? {} : { wrk: openWrk({ path: wrk.path, stop }) }
    const { plan } = wanted
    const figures = await measure({ plan, server, tpcb, say, stop, ...load, ...profiles })
    const machine = describeMachine(server, new Date())
    say(`\n${plainTable(figureTable(figures))}\n`)
    for (const line of remarks(figures)) say(line)
    if (wanted.profile) printProfiles(plan)
    say(`\n${plainTable(goalTable(figures))}\n`)
    // What is fast and wrong is worth nothing.
    if (figures.books.some(({ problems }) => problems.length > 0)) {
      throw new StartError('The books were wrong after the run (see above), so nothing was written.')
    }
    if (!wanted.keep) {
      say('Not written to bench/RESULTS.md: that is for whole runs.')
      return
    }
    const command = `npm run bench${wanted.length === 'full' ? ' -- --full' : ''}`
    writeFileSync(resultsFile, resultsDocument({ figures, machine, command }))
    say('Written to bench/RESULTS.md.')
  } finally {
    await server.stop()
  }
}

function printProfiles({ sections: wanted }: Plan): void {
  for (const name of ['spread', 'hot', 'single'] as const) {
    if (wanted.has(name)) say(`\n${describeProfile(join(profileFolder, `${name}.cpuprofile`), profileLines)}`)
  }
}

/** Ctrl-C reaches the whole process group and is passed on by npm and the launcher too: all of that is one stop. */
function listenForStop(): AbortSignal {
  const controller = new AbortController()
  const stop = (exitCode: number, why: string) => {
    if (controller.signal.aborted) return
    process.exitCode = exitCode
    controller.abort(new StartError(`Stopped (${why}); nothing was written.`))
  }
  process.on('SIGINT', () => stop(130, 'SIGINT'))
  process.on('SIGTERM', () => stop(143, 'SIGTERM'))
  process.on('SIGHUP', () => stop(129, 'SIGHUP'))
  process.on('disconnect', () => stop(143, 'the launcher was killed'))
  process.stdout.on('error', () => stop(141, 'nobody reads any more'))
  return controller.signal
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`)
  process.exitCode ??= 1
}
// The channel to the launcher would keep this process alive.
process.exit()

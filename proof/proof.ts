// `npm run proof`: proves the promises of the service, one after the other, on databases and processes of its own.
//   npm run proof                       all of them, in the short form (gate)
//   npm run proof -- --night            in the long form
//   npm run proof -- T2 T4              only these
//   npm run proof -- --controls T2      the planted bugs of these: each must make its proof fail
//   CONTROL='before commit' npm run proof -- --controls     only planted bugs with these words in their name
//   SEED=17 npm run proof               with the same chance again
// Writes RESULTS.md. Ends with 1 when a promise does not hold or a planted bug was missed.
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { allControls, allProofs } from './list.ts'
import { runControl } from './plant.ts'
import { type ControlResult, writeReport } from './report.ts'
import { closeGround } from './rig/ground.ts'
import { type Proof, perform, type Result } from './scene.ts'

const began = performance.now()
const say = (line: string) => {
  const seconds = String(Math.round((performance.now() - began) / 1_000)).padStart(4)
  process.stdout.write(`${seconds} s  ${line}\n`)
}

async function main(): Promise<number> {
  const { values, positionals: wanted } = parseArgs({
    allowPositionals: true,
    options: { night: { type: 'boolean' }, controls: { type: 'boolean' }, out: { type: 'string' } },
  })
  const tier = values.night ? 'night' : 'gate'
  const seed = Number(process.env.SEED || randomInt(2 ** 31))
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)))
  const proofs = (await allProofs()).filter(({ id }) => wanted.length === 0 || wanted.includes(id))
  const unknown = wanted.filter((id) => !proofs.some((proof) => proof.id === id))
  if (unknown.length > 0) throw new Error(`There is no proof called ${unknown.join(', ')}.`)
  say(`seed ${seed} (the same chance again: SEED=${seed} npm run proof)`)
  const given = { seed, signal: stop.signal }
  const results = values.controls ? [] : await prove(proofs, { ...given, tier })
  const controls = values.controls ? await plantAll(proofs, given) : []
  if (values.out === undefined) writeReport(results, controls, { tier, seed, date: new Date() })
  else writeFileSync(values.out, JSON.stringify(results))
  const broken = [
    ...results.flatMap(({ id, held, faults }) =>
      held ? [] : [`${id}: ${faults.slice(0, 5).map(short).join('; ')}`],
    ),
    ...controls.flatMap(({ proof, name, bitten, why }) =>
      bitten ? [] : [`${proof} missed ${name}: ${short(why)}`],
    ),
  ]
  // Last of all, so that who reads only the end of a long log reads this.
  for (const line of broken) say(`FAILED ${line}`)
  const all = results.length + controls.length
  say(broken.length === 0 ? 'all of it holds' : `${broken.length} of ${all} failed (seed ${seed})`)
  return broken.length === 0 ? 0 : 1
}

const short = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300)

interface Given {
  seed: number
  signal: AbortSignal
}

async function prove(proofs: readonly Proof[], given: Given & { tier: 'gate' | 'night' }): Promise<Result[]> {
  const server = fileURLToPath(new URL('../server', import.meta.url))
  const results: Result[] = []
  try {
    for (const proof of proofs) {
      if (given.signal.aborted) break
      say(`${proof.id} ${proof.title}`)
      const result = await perform(proof, { ...given, server, say: (line) => say(`${proof.id} ${line}`) })
      results.push(result)
      say(
        `${proof.id} ${result.held ? 'holds' : `DOES NOT HOLD (${result.faults.length} faults)`}, ${result.seconds} s`,
      )
      for (const { name, value } of result.figures) say(`${proof.id}   ${name}: ${value}`)
    }
  } finally {
    await closeGround()
  }
  return results
}

async function plantAll(proofs: readonly Proof[], given: Given): Promise<ControlResult[]> {
  const words = process.env.CONTROL
  const ids = new Set(proofs.map(({ id }) => id))
  const chosen = (await allControls()).filter(
    ({ proof, name }) => ids.has(proof) && (words === undefined || name.includes(words)),
  )
  const results: ControlResult[] = []
  for (const control of chosen) {
    if (given.signal.aborted) break
    say(`${control.proof} with a planted bug: ${control.name}`)
    const result = await runControl(control, { ...given, say })
    results.push(result)
    say(`${control.proof} ${result.bitten ? 'found it' : 'MISSED IT'}: ${result.why.slice(0, 300)}`)
  }
  return results
}

// The database has a life of its own: whatever happens, it goes with the run.
process.once('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`)
  void closeGround().finally(() => process.exit(1))
})

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    return 1
  }),
)

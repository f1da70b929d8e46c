// proof/RESULTS.md: what the last run of each proof found, with its machine, date and seed. A run of some proofs keeps
// what the others found before.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Result } from './scene.ts'

export interface ControlResult {
  proof: string
  name: string
  bitten: boolean
  why: string
  seconds: number
}

export interface Run {
  tier: string
  seed: number
  date: Date
}

const file = new URL('RESULTS.md', import.meta.url)
const head = `# What the proofs found

Written by \`npm run proof\`; what is proved and how is told in [Proofs](../docs/guides/proof.md). Each part is of the
last run of that proof.
`

export function writeReport(results: readonly Result[], controls: readonly ControlResult[], run: Run): void {
  const parts = readParts()
  for (const result of results) parts.set(result.id, partOf(result, run))
  for (const proof of new Set(controls.map((one) => one.proof)))
    parts.set(`${proof} planted`, plantedOf(proof, controls, run))
  const sorted = [...parts].toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
  writeFileSync(file, [head, ...sorted.map(([id, text]) => `<!-- ${id} -->\n${text}`)].join('\n'))
}

function readParts(): Map<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const parts = text.split(/^<!-- (.+) -->\n/m).slice(1)
  const found = new Map<string, string>()
  for (let at = 0; at + 1 < parts.length; at += 2)
    found.set(parts[at] ?? '', `${(parts[at + 1] ?? '').trimEnd()}\n`)
  return found
}

function partOf({ id, title, promise, held, faults, figures, seconds }: Result, run: Run): string {
  const rows = figures.map(({ name, value }) => `| ${name} | ${value} |`)
  const table = rows.length === 0 ? [] : ['', '| Figure | Value |', '|---|---|', ...rows]
  const broken = held ? [] : ['', ...faults.slice(0, 20).map((fault) => `- ${line(fault)}`)]
  const verdict = held ? 'holds' : `does not hold: ${faults.length} faults`
  return `${[`## ${id} ${title}: ${verdict}`, '', promise, '', `${seconds} s, ${about(run)}.`, ...table, ...broken].join('\n')}\n`
}

function plantedOf(proof: string, controls: readonly ControlResult[], run: Run): string {
  const rows = controls
    .filter((one) => one.proof === proof)
    .map(
      ({ name, bitten, why, seconds }) =>
        `| ${name} | ${bitten ? 'found' : 'MISSED'} | ${seconds} | ${line(why)} |`,
    )
  const table = ['| Planted bug | | s | What said so |', '|---|---|---|---|', ...rows]
  return `${[`### ${proof}: planted bugs`, '', `${about(run)}.`, '', ...table].join('\n')}\n`
}

const line = (text: string): string => (text.split('\n')[0] ?? '').replaceAll('|', '\\|').slice(0, 300)

const about = ({ tier, seed, date }: Run): string =>
  `${tier}, seed ${seed}, ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${machine()}, commit ${commit()}`

function machine(): string {
  const [first] = cpus()
  const name = first?.model.trim().replace(/\s+/g, ' ') ?? 'unknown processor'
  return `${cpus().length} × ${name}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'unknown'
  }
}

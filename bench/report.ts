// What is printed at the end of a run, and bench/RESULTS.md, which has the same for readers.

import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, type as systemType, totalmem } from 'node:os'
import { count, type Figures, goalsOf, median, type Sample, spreadOf } from './figures.ts'

export interface Machine {
  date: string
  cores: number
  cpu: string
  memory: string
  system: string
  node: string
  postgres: string
  settings: string
  sync: string
}

export interface ServerFacts {
  version: string
  settings: string
  syncMs: number | undefined
}

export const describeMachine = (server: ServerFacts, now: Date): Machine => ({
  date: now.toISOString().slice(0, 10),
  cores: availableParallelism(),
  cpu: `${cpus()[0]?.model.trim() || 'unknown'}, ${arch()}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  system: `${distribution()}${systemType()} ${release()}`,
  node: process.versions.node,
  postgres: server.version,
  settings: server.settings,
  sync: server.syncMs === undefined ? 'unknown' : `${server.syncMs.toFixed(2)} ms`,
})

function distribution(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    return name === undefined ? '' : `${name}, `
  } catch {
    return ''
  }
}

export type Table = readonly (readonly string[])[]

/** The first row has the headings. */
export function goalTable(figures: Figures): Table {
  const rows = goalsOf(figures).map(({ what, wanted, reached, range, met }) => [
    what,
    wanted,
    reached,
    range,
    met ? 'yes' : 'NO',
  ])
  return [['goal', 'wanted', 'reached', 'rounds', 'met'], ...rows]
}

export function figureTable(figures: Figures): Table {
  const { tpcb, tpcbSingle, spread, hot, single, growth, memory } = figures
  const rows: [string, Sample[]][] = [
    ['TPC-B, prepared, 8 clients', tpcb],
    ['TPC-B, prepared, 1 client', tpcbSingle],
    [`ledger, spread, ${figures.inFlight} in flight`, spread],
    [`ledger, one hot account, ${figures.inFlight} in flight`, hot],
    ['ledger, one at a time', single],
    ['POST /api/send, 64 connections', figures.api?.send ?? []],
    ['POST /api/send, one recipient', figures.api?.sendHot ?? []],
    ['POST /api/send, half as many', figures.api?.sendHalf ?? []],
    ['POST /api/v1/initiate-payment, 64 connections', figures.payments?.initiate ?? []],
    ['payments from wallets, spread', figures.payments?.paySpread ?? []],
    ['payments from wallets, one merchant', figures.payments?.payHot ?? []],
    ['notifications delivered', figures.payments?.deliveries ?? []],
    ...(growth?.sizes ?? []).map(({ entries, samples }): [string, Sample[]] => [
      `ledger, ${count(growth?.accounts ?? 0)} accounts, ${count(entries)} entries in place`,
      samples,
    ]),
    [`ledger, spread, ${memory?.inFlight} in flight`, memory === undefined ? [] : [memory.sample]],
  ]
  return [
    [
      'median of the rounds',
      'a second',
      'spread',
      'mean ms',
      'p50 ms',
      'p99 ms',
      'Node µs',
      'PostgreSQL µs',
      'WAL bytes',
    ],
    ...rows.filter(([, samples]) => samples.length > 0).map(([name, samples]) => figureRow(name, samples)),
  ]
}

function figureRow(name: string, samples: readonly Sample[]): string[] {
  const middle = (pick: (sample: Sample) => number | undefined, digits: number): string => {
    const values = samples.map(pick).filter((value) => value !== undefined)
    if (values.length === 0) return ''
    return digits === 0 ? count(median(values)) : median(values).toFixed(digits)
  }
  const perSecond = samples.map((sample) => sample.perSecond)
  return [
    name,
    middle((sample) => sample.perSecond, 0),
    samples.length === 1 ? '' : `${(100 * spreadOf(perSecond)).toFixed(0)} %`,
    middle(({ meanMs }) => meanMs, 2),
    middle(({ p50Ms }) => p50Ms, 2),
    middle(({ p99Ms }) => p99Ms, 2),
    middle(({ nodeUs }) => nodeUs, 0),
    middle(({ postgresUs }) => postgresUs, 0),
    middle(({ walBytes }) => walBytes, 0),
  ]
}

/** On a quiet machine TPC-B differs by less from run to run. */
const waveringMost = 0.25

/** Facts that belong to no row. */
export function remarks(figures: Figures): string[] {
  const { tpcb, growth, memory, books } = figures
  const lines: string[] = []
  if (tpcb.length > 0) {
    const rates = tpcb.map(({ perSecond }) => count(perSecond)).join(', ')
    lines.push(
      `TPC-B in the order it was measured, which shows how steady the machine was: ${rates} a second.`,
    )
    const wavering = spreadOf(tpcb.map(({ perSecond }) => perSecond))
    if (wavering > waveringMost) {
      lines.push(
        `THE MACHINE WAS NOT STEADY: TPC-B alone differed by ${(100 * wavering).toFixed(0)} %. Measure again when nothing else is running.`,
      )
    }
  }
  if (growth !== undefined && growth.pages.length > 0) {
    const longMs = median(growth.pages.map((page) => page.longMs)).toFixed(3)
    const shortMs = median(growth.pages.map((page) => page.shortMs)).toFixed(3)
    lines.push(
      `A page of statement: ${longMs} ms from the middle of the longest account, ${shortMs} ms from the shortest.`,
    )
  }
  if (memory !== undefined) {
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
    const { usedBytes, totalBytes, externalBytes } = memory.heap
    lines.push(
      `Memory after the warm-up ${mb(memory.beforeBytes)}, at the end ${mb(memory.afterBytes)}: heap ${mb(totalBytes)} (${mb(usedBytes)} in use), outside of it ${mb(externalBytes)}.`,
    )
  }
  for (const { database, entries, seconds, problems } of books) {
    const found = problems.length === 0 ? 'right' : `WRONG: ${problems.join('; ')}`
    lines.push(
      `The books afterwards (${database}), ${count(entries)} entries in ${seconds.toFixed(1)} s: ${found}.`,
    )
  }
  return lines
}

export function plainTable(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return table.map(line).join('\n')
}

const markdownTable = ([headings = [], ...rows]: Table): string =>
  [headings, headings.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

export const resultsDocument = ({ figures, machine, command }: Results): string => `# Results

Written by \`${command}\` on ${machine.date}; [docs/guides/benchmark.md](../docs/guides/benchmark.md) says what the
figures mean. Absolute figures belong to this machine; the ratios are what counts.

| machine | |
|---|---|
| processor | ${machine.cores} cores, ${machine.cpu} |
| memory | ${machine.memory} |
| system | ${machine.system} |
| one write that reaches the disk | ${machine.sync} |
| PostgreSQL | ${machine.postgres} (${machine.settings}) |
| Node | ${machine.node} |

## Goals

${markdownTable(goalTable(figures))}

## Figures

The last three columns are used by one posting or transaction: CPU time of the ledger's process and of PostgreSQL,
bytes of write-ahead log.

${markdownTable(figureTable(figures))}

${remarks(figures)
  .map((line) => `- ${line}`)
  .join('\n')}
`

export interface Results {
  figures: Figures
  machine: Machine
  command: string
}

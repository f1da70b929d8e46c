// What a person sees of a test run. Plain lines, so that it reads the same in a terminal, a log and a CI page.
import { styleText } from 'node:util'
import type { FileResult } from './test-results.ts'

export interface Report {
  say(line: string): void
  /** One line for a file, and everything about what failed in it. */
  add(result: FileResult): void
  /** The summary; its last line is `N passed, N failed`, with `, N skipped` when some were. True: all is well. */
  close(): boolean
}

export interface ReportOptions {
  write: (text: string) => void
  colours: boolean
  /** Also show what passing files print: for somebody who runs a few files and looks closely. */
  showOutput: boolean
}

const slowestShown = 5

export function openReport({ write, colours, showOutput }: ReportOptions): Report {
  const startedAt = performance.now()
  const results: FileResult[] = []
  const paint: Paint = (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text)
  const say = (line: string) => write(`${line}\n`)
  return {
    say,
    add(result) {
      results.push(result)
      for (const line of linesOfFile(result, { paint, showOutput })) say(line)
    },
    close() {
      for (const line of linesOfSummary(results, paint)) say(line)
      say(paint('dim', `${seconds(performance.now() - startedAt)} in all`))
      const failed = sum(results, (result) => result.failures.length)
      say(closingLine(results))
      return failed === 0
    },
  }
}

type Paint = (format: 'red' | 'green' | 'yellow' | 'dim' | 'bold', text: string) => string

export function closingLine(results: readonly FileResult[]): string {
  const passed = sum(results, (result) => result.passed)
  const failed = sum(results, (result) => result.failures.length)
  const skipped = sum(results, (result) => result.skipped.length)
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function linesOfFile(result: FileResult, options: { paint: Paint; showOutput: boolean }): string[] {
  const { paint } = options
  const { failures, skipped } = result
  const count = result.passed + failures.length + skipped.length
  const facts = [
    count === 1 ? '1 test' : `${count} tests`,
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    seconds(result.durationMs),
  ]
  const mark = failures.length > 0 ? paint('red', '✖') : paint('green', '✔')
  const lines = [`${mark} ${result.file} ${paint('dim', `(${facts.join(', ')})`)}`]
  for (const { name, reason } of skipped)
    lines.push(`    ${paint('yellow', '–')} ${name}: skipped, ${reason}`)
  for (const { name, text } of failures)
    lines.push(`    ${paint('red', '✖')} ${paint('bold', name)}`, ...indent(text))
  if ((failures.length > 0 || options.showOutput) && result.output.trim() !== '') {
    lines.push(`    ${paint('dim', 'what it printed:')}`, ...indent(result.output))
  }
  return lines
}

const indent = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `        ${line}`.trimEnd())

function linesOfSummary(results: readonly FileResult[], paint: Paint): string[] {
  const lines = ['']
  if (results.length > slowestShown) {
    const slowest = results.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, slowestShown)
    lines.push(
      'Slowest:',
      ...slowest.map((result) => `  ${seconds(result.durationMs).padStart(7)}  ${result.file}`),
      '',
    )
  }
  const failed = results.flatMap(({ file, failures }) => failures.map(({ name }) => ({ file, name })))
  if (failed.length > 0) {
    lines.push('Failed:', ...failed.map(({ file, name }) => `  ${paint('red', '✖')} ${file}: ${name}`), '')
  }
  return lines
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const sum = (results: readonly FileResult[], count: (result: FileResult) => number): number =>
  results.reduce((total, result) => total + count(result), 0)

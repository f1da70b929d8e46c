// What a person sees of a test run. Plain lines, so that it reads the same in a terminal, a log and a CI page.
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { type FileResult, fileItself } from './test-results.ts'

export interface Report {
  say(line: string): void
  /** One line for a file, and everything about what failed in it. */
  add(result: FileResult): void
  /** The same for a file that had failed. When it passes now, that counts, and the failure is told as unsteady. */
  addAgain(result: FileResult): void
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
/** The summary repeats what failed, where it is not lost in a long log: the start of it, since the whole is above. */
const messagesMax = 20
const messageLinesMax = 30
const outputLinesMax = 15

export function openReport({ write, colours, showOutput }: ReportOptions): Report {
  const startedAt = performance.now()
  const results: FileResult[] = []
  const unsteady: FileResult[] = []
  const paint: Paint = (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text)
  const say = (line: string) => write(`${line}\n`)
  return {
    say,
    add(result) {
      results.push(result)
      for (const line of linesOfFile(result, { paint, showOutput })) say(line)
    },
    addAgain(result) {
      for (const line of linesOfFile(result, { paint, showOutput })) say(line)
      const index = results.findIndex(({ file }) => file === result.file)
      if (result.failures.length === 0) unsteady.push(...results.splice(index, 1, result))
    },
    close() {
      for (const line of linesOfTimes(results)) say(line)
      say(paint('dim', `${seconds(performance.now() - startedAt)} in all`))
      for (const line of linesOfFailures(unsteady, { title: 'Unsteady (passed when run alone):', paint }))
        say(line)
      for (const line of linesOfFailures(results, { title: 'Failed:', paint })) say(line)
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

function linesOfTimes(results: readonly FileResult[]): string[] {
  const line = (durationMs: number, name: string) => `  ${seconds(durationMs).padStart(9)}  ${name}`
  const lines = ['']
  const measured = results.flatMap(({ file, processorMs }) =>
    processorMs === undefined ? [] : [{ file, processorMs }],
  )
  if (measured.length > 0) {
    const total = measured.reduce((sum, { processorMs }) => sum + processorMs, 0)
    const largest = measured.toSorted((one, other) => other.processorMs - one.processorMs)
    lines.push(
      'Processor time:',
      ...largest.map(({ file, processorMs }) => line(processorMs, file)),
      line(total, 'all files'),
    )
    const rest = allChildrenMs() - total
    if (rest > 0) lines.push(line(rest, 'the database, types and lint'))
    lines.push('')
  }
  if (results.length > slowestShown) {
    const slowest = results.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, slowestShown)
    lines.push('Slowest:', ...slowest.map(({ durationMs, file }) => line(durationMs, file)), '')
  }
  return lines
}

/** What all processes took that were started by this one or by them, and have ended. Only Linux tells; in hundredths. */
function allChildrenMs(): number {
  if (process.platform !== 'linux') return 0
  // The 16th and 17th field; the second, a name, may hold spaces and brackets.
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
  const [user, system] = fields.slice(13, 15)
  return (Number(user) + Number(system)) * 10
}

function linesOfFailures(
  results: readonly FileResult[],
  { title, paint }: { title: string; paint: Paint },
): string[] {
  const failed = results.flatMap((result) => result.failures.map((failure) => ({ result, ...failure })))
  if (failed.length === 0) return []
  const lines = ['', title]
  for (const [index, { result, name, text }] of failed.entries()) {
    lines.push(`  ${paint('red', '✖')} ${result.file}: ${name}`)
    if (index >= messagesMax) continue
    lines.push(...indent(text).slice(0, messageLinesMax))
    // Why a file failed outside of its tests is only in what it printed.
    if (name === fileItself && result.output.trim() !== '')
      lines.push(...indent(result.output).slice(-outputLinesMax))
  }
  return [...lines, '']
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const sum = (results: readonly FileResult[], count: (result: FileResult) => number): number =>
  results.reduce((total, result) => total + count(result), 0)

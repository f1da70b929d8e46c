// What a test file's process said and how it ended, read into a result. Only leaves count: a suite or a test with
// tests inside counts when it failed by itself (a hook, its own code), never for what is inside it.
// What must stay true: a file that did not run to its end never looks as if it had passed.
import type { GroupEnd } from './process-group.ts'

export interface FileResult {
  file: string
  passed: number
  failures: { name: string; text: string }[]
  skipped: { name: string; reason: string }[]
  /** What the file printed, and what node:test remarked. */
  output: string
  durationMs: number
  /** Of its process and all that it started; known when it was asked for. */
  processorMs?: number | undefined
}

/** The name of a failure that no test has. */
export const fileItself = '(the file)'

export interface FileRun {
  file: string
  /** The lines of test-reporter.cjs. */
  events: string
  end: GroupEnd
  limitMs: number
  durationMs: number
  processorMs?: number | undefined
}

interface TestEvent {
  type: 'dequeue' | 'complete' | 'start' | 'pass' | 'fail' | 'diagnostic' | 'summary'
  name?: string
  nesting?: number
  place?: string
  suite?: boolean
  skip?: string | boolean
  todo?: string | boolean
  message?: string
  failure?: { type: string; text: string }
  ms?: number
}

export function readResult(run: FileRun): FileResult {
  const events = readEvents(run.events)
  const result = {
    ...countLeaves(events),
    file: run.file,
    durationMs: run.durationMs,
    processorMs: run.processorMs,
    output: run.end.output,
  }
  const remarks = events.filter((event) => event.type === 'diagnostic' && event.message?.startsWith('Error:'))
  result.output += remarks.map((event) => `${event.message}\n`).join('')
  if (run.end.leftBehind) result.output += 'The file left processes running; they were ended.\n'
  const problem = problemOfFile({ run, events, result })
  if (problem !== undefined) result.failures.push({ name: fileItself, text: problem })
  return result
}

export interface CompanyRun extends Pick<FileRun, 'events' | 'end'> {
  files: readonly string[]
}

/**
 * What several files in one process said (test-company.ts), a result for each that ran to its end. The others have none:
 * they never came to their turn, or the process ended with them.
 */
export function readCompany({ files, events: text, end }: CompanyRun): FileResult[] {
  const results: FileResult[] = []
  let own: TestEvent[] = []
  for (const event of readEvents(text)) {
    const { type, name = '', nesting = 0, message = '' } = event
    if (nesting > 0) own.push({ ...event, nesting: nesting - 1 })
    else if (files.includes(name) && (type === 'pass' || type === 'fail')) {
      results.push(resultIn({ file: name, own, whole: event, end }))
      own = []
    } else if (type === 'diagnostic') {
      // Told behind the result of the file that it is about.
      const [, processorMs] = /^processor (\d+) ms$/.exec(message) ?? []
      const last = results.at(-1)
      if (last !== undefined && processorMs !== undefined) last.processorMs = Number(processorMs)
    }
  }
  // A process that failed though no test did: nobody knows whose fault that was.
  const failed = results.some(({ failures }) => failures.length > 0)
  return failed || end.code === 0 ? results : []
}

interface InCompany {
  file: string
  own: readonly TestEvent[]
  /** The test that the file is here. */
  whole: TestEvent
  end: GroupEnd
}

function resultIn({ file, own, whole, end }: InCompany): FileResult {
  const counted = countLeaves(own)
  const { failure, ms = 0 } = whole
  const count = counted.passed + counted.failures.length + counted.skipped.length
  if (failure !== undefined && failure.type !== 'subtestsFailed')
    counted.failures.push({ name: fileItself, text: failure.text })
  else if (count === 0) counted.failures.push({ name: fileItself, text: 'It has no test.' })
  // What all of them printed: nobody can tell which of them did.
  const output = counted.failures.length > 0 ? end.output : ''
  return { ...counted, file, output, durationMs: ms }
}

function readEvents(text: string): TestEvent[] {
  return text.split('\n').flatMap((line) => {
    // The last line of a process that was killed may be cut.
    if (!line.startsWith('{') || !line.endsWith('}')) return []
    return [JSON.parse(line) as TestEvent]
  })
}

type Counted = Pick<FileResult, 'passed' | 'failures' | 'skipped'>

/** Results come after those of what is inside, so a level's mark tells whether there was something inside. */
function countLeaves(events: readonly TestEvent[]): Counted {
  const counted: Counted = { passed: 0, failures: [], skipped: [] }
  const path: string[] = []
  const hasInside: boolean[] = []
  for (const { type, name = '', nesting = 0, suite = false, skip, todo, failure } of events) {
    if (type === 'start') {
      path.length = nesting
      path[nesting] = name
    }
    if (type !== 'pass' && type !== 'fail') continue
    const leaf = !suite && !hasInside[nesting]
    hasInside[nesting] = false
    if (nesting > 0) hasInside[nesting - 1] = true
    const fullName = [...path.slice(0, nesting), name].join(' > ')
    if (isSet(skip)) counted.skipped.push({ name: fullName, reason: reasonOf(skip, 'no reason given') })
    else if (isSet(todo)) counted.skipped.push({ name: fullName, reason: reasonOf(todo, 'to do') })
    else if (type === 'fail' && (leaf || failure?.type !== 'subtestsFailed'))
      counted.failures.push({ name: fullName, text: failure?.text ?? 'failed without an error' })
    else if (type === 'pass' && leaf) counted.passed += 1
  }
  return counted
}

const isSet = (mark: string | boolean | undefined): mark is string | true =>
  mark !== undefined && mark !== false

const reasonOf = (mark: string | true, otherwise: string): string =>
  mark === true || mark === '' ? otherwise : mark

interface Outcome {
  run: FileRun
  events: readonly TestEvent[]
  result: Counted
}

function problemOfFile({ run, events, result }: Outcome): string | undefined {
  const { how, code, signal } = run.end
  const finished = events.some((event) => event.type === 'summary')
  const ending = signal === null ? `exit code ${code}` : signal
  const count = result.passed + result.failures.length + result.skipped.length
  if (how === 'missing') return `Its process could not be started: ${run.end.output}`
  if (how === 'limit') {
    const remark =
      runningThen(events) ?? 'No test was running: something is open, a timer, a server, a connection.'
    return `Not finished after ${run.limitMs / 1000} s, so it was ended. ${remark}`
  }
  if (!finished && code === 0 && events.length === 0)
    return 'It has no test, or ended its process before the first one.'
  if (!finished)
    return `Its process ended before its tests did (${ending}). ${runningThen(events) ?? ''}`.trim()
  if (code !== 0 && result.failures.length === 0)
    return `Its process failed (${ending}) outside of its tests.`
  return count === 0 ? 'It has no test.' : undefined
}

function runningThen(events: readonly TestEvent[]): string | undefined {
  const key = (event: TestEvent) => `${event.nesting} ${event.place} ${event.name}`
  const completed = new Set(events.filter((event) => event.type === 'complete').map(key))
  const open = events.filter((event) => event.type === 'dequeue' && !completed.has(key(event)))
  return open.length === 0 ? undefined : `Running then: ${open.map((event) => event.name).join(' > ')}.`
}

// Reads the examples of a guide, so that a test can run them. In docs/guides a fenced block of `sh` with curl in it is an
// example; the fenced block behind it (`json`, `http`, `csv`, `text`) is the answer of its last command. In an answer `…`
// stands for what differs from run to run: inside a text for any characters, as the last entry of a list for any more
// entries, as the last field of an object for any more fields. A line `TOKEN='…'  # data.token of the answer` keeps that
// value of the answer before it, and `"$TOKEN"` stands for it afterwards; `export` may stand before it. In
// `CODE='…'  # the code mailed to amina@example.com` it is that of the latest mail. Guides with tabs for several languages
// are walked by guide-walk.ts, which uses the same commands. How they are run: guide-run.ts.
import assert from 'node:assert/strict'

export interface Example {
  /** Where it begins in the guide. */
  line: number
  commands: Command[]
  answer: { kind: string; text: string } | undefined
}

export type Command =
  | { keep: string; path: string }
  | { keep: string; mailedTo: string }
  | { set: string; value: string }
  /** In words, and as it is written. */
  | { curl: string[]; line: string }
  /** Anything else that a shell runs. */
  | { run: string }

export interface CurlRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
  /** With `-i` and `-D -` the answer shows its status and headers. */
  withHead: boolean
  /** With `-o` the answer goes into this file. */
  file: string | undefined
}

const answerKinds = ['json', 'http', 'csv', 'text']

export function examplesOf(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    kind: match[1] ?? '',
    text: match[2] ?? '',
    line: markdown.slice(0, match.index).split('\n').length,
    end: match.index + match[0].length,
    begin: match.index,
  }))
  return blocks.flatMap((block, at) => {
    if (block.kind !== 'sh' || !/^\s*curl /m.test(block.text)) return []
    const next = blocks[at + 1]
    // What is written in between may explain; another heading begins something else.
    const between = next === undefined ? '#' : markdown.slice(block.end, next.begin)
    const isAnswer = next !== undefined && answerKinds.includes(next.kind) && !/^#/m.test(between)
    const answer = isAnswer ? { kind: next.kind, text: next.text } : undefined
    const commands = commandsOf(block.text)
    for (const command of commands)
      assert.ok(!('run' in command), `an example is of curl, not of ${Object.values(command)}`)
    return [{ line: block.line, commands, answer }]
  })
}

export function commandsOf(text: string): Command[] {
  return logicalLines(text).map((line) => {
    const kept = /^(?:export )?([A-Z_]+)='…'\s+# (\S+) of the answer$/.exec(line)
    if (kept !== null) return { keep: kept[1] ?? '', path: kept[2] ?? '' }
    const mailed = /^([A-Z_]+)='…'\s+# the code mailed to (\S+)$/.exec(line)
    if (mailed !== null) return { keep: mailed[1] ?? '', mailedTo: mailed[2] ?? '' }
    const set = /^export ([A-Z_]+)=(\S+)$/.exec(line)
    if (set !== null) return { set: set[1] ?? '', value: set[2] ?? '' }
    const words = wordsOf(line.replaceAll(/\\\n/g, ' '))
    return words[0] === 'curl' ? { curl: words.slice(1), line } : { run: line }
  })
}

/** A quoted text may go over several lines, and what ends in a backslash goes on in the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    if ((open.match(/'/g)?.length ?? 0) % 2 === 1 || open.endsWith('\\')) continue
    if (open.trim() !== '' && !open.trim().startsWith('#')) lines.push(open.trim())
    open = ''
  }
  assert.equal(open, '', 'a quote is closed')
  return lines
}

/** As a shell splits a line; variables stay as they are written. */
function wordsOf(line: string): string[] {
  const part = /([^\s'"]+)|'([^']*)'|"((?:\\.|[^"\\])*)"/g
  const whole = line.match(/(?:[^\s'"]|'[^']*'|"(?:\\.|[^"\\])*")+/g) ?? []
  return whole.map((word) =>
    word.replaceAll(
      part,
      (_all, bare, single, double) => bare ?? single ?? double.replaceAll(/\\(.)/g, '$1'),
    ),
  )
}

/** What curl sends. An option that is not known here is refused. */
export function requestOf(words: readonly string[], variables: ReadonlyMap<string, string>): CurlRequest {
  const request = { url: '', method: '', headers: {} as Record<string, string>, withHead: false }
  let file: string | undefined
  const data: string[] = []
  const query: string[] = []
  const left = words.map((word) => filled(word, variables))
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const value = () => left.shift() ?? assert.fail(`${word} needs a value`)
    if (!word.startsWith('-')) request.url = word
    else if (word === '-s') continue
    else if (word === '-i') request.withHead = true
    else if (word === '-X') request.method = value()
    else if (word === '-d') data.push(value())
    else if (word === '-o') file = value()
    else if (word === '-D') request.withHead = value() === '-'
    else if (word === '-G') query.push('')
    else if (word === '-H') {
      const [, name = '', text = ''] = /^([^:]+): ?(.*)$/s.exec(value()) ?? []
      request.headers[name.toLowerCase()] = text
    } else assert.fail(`the option ${word} of curl is not known to guide-steps.ts`)
  }
  const isQuery = query.length > 0
  const url = isQuery ? `${request.url}?${data.join('&')}` : request.url
  const body = isQuery || data.length === 0 ? undefined : data.join('&')
  const method = request.method || (body === undefined ? 'GET' : 'POST')
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    ...request,
    url,
    method,
    body,
    file,
    headers: { 'user-agent': 'curl/8.14.1', ...type, ...request.headers },
  }
}

const filled = (word: string, variables: ReadonlyMap<string, string>) =>
  word.replaceAll(/\$([A-Z_]+)/g, (_all, name: string) => {
    const value = variables.get(name)
    assert.ok(value !== undefined, `$${name} is kept by an example before`)
    return value
  })

/** `data.token`, `data.0.id` */
export function valueAt(body: unknown, path: string): string {
  let at = body
  for (const name of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[name]
  assert.ok(typeof at === 'string' || typeof at === 'number', `the answer has a text at ${path}`)
  return String(at)
}

/** What the guide shows that the answer is not, in words; undefined when it is right. */
export function differs(shown: unknown, real: unknown, path = 'the answer'): string | undefined {
  const says = `${path}: the guide says ${JSON.stringify(shown)}, it is ${JSON.stringify(real)}`
  // Alone it is any number, too.
  if (shown === '…' && typeof real === 'number') return undefined
  if (typeof shown === 'string') return typeof real === 'string' && like(shown, real) ? undefined : says
  if (typeof shown !== 'object' || shown === null) return shown === real ? undefined : says
  if (typeof real !== 'object' || real === null || Array.isArray(shown) !== Array.isArray(real)) return says
  const isOpen = Array.isArray(shown) ? shown.at(-1) === '…' : Object.keys(shown).at(-1) === '…'
  const names = Object.keys(shown).slice(0, isOpen ? -1 : undefined)
  const there = Object.keys(real)
  if (names.some((name, at) => there[at] !== name) || (!isOpen && there.length > names.length))
    return `${path}: the guide shows ${names.join(', ')}; there are ${there.join(', ')}`
  for (const name of names) {
    const inside = [shown, real].map((object) => (object as Record<string, unknown>)[name])
    const problem = differs(inside[0], inside[1], `${path}.${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** `…` is any characters of a line. */
export function like(pattern: string, text: string): boolean {
  const parts = pattern.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(text)
}

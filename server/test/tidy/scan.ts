/**
 * A small scanner for TypeScript, so that rules can tell code from comments and strings.
 * `code` has the length of the text, with the insides of comments, strings and regular expressions blanked:
 * an offset in it is an offset in the text. Code inside a template's `${…}` stays code.
 * In JSX text an apostrophe looks like a string; such a string ends with its line, so the damage stays there.
 */

export interface Source {
  path: string
  text: string
}

export interface Complaint {
  path: string
  line: number
  rule: string
  hint: string
}

/** A rule looks at all sources at once, because some rules compare files with each other. */
export interface Rule {
  name: string
  check: (sources: Source[]) => Complaint[]
}

/** A string or template as written, without its quotes; a template's holes read as `hole`. */
export interface Literal {
  start: number
  value: string
}

export interface Comment {
  start: number
  value: string
}

export interface Scan {
  code: string
  literals: Literal[]
  comments: Comment[]
}

const scans = new WeakMap<Source, Scan>()

/** Every rule asks for the same scans, so each source is scanned once. */
export const scanOf = (source: Source): Scan => {
  const known = scans.get(source)
  if (known) return known
  const scan = scanText(source.text)
  scans.set(source, scan)
  return scan
}

export const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

interface State {
  text: string
  at: number
  code: string[]
  literals: Literal[]
  comments: Comment[]
  /** For each open template: how many braces are open inside its current hole. */
  holes: { literal: Literal; braces: number }[]
}

export const scanText = (text: string): Scan => {
  const state: State = { text, at: 0, code: [...text.split('')], literals: [], comments: [], holes: [] }
  while (state.at < text.length) scanStep(state)
  return { code: state.code.join(''), literals: state.literals, comments: state.comments }
}

const scanStep = (state: State): void => {
  const { text, at } = state
  const char = text[at]
  const pair = text.slice(at, at + 2)
  if (pair === '//' || (at === 0 && pair === '#!')) scanComment(state, '\n')
  else if (pair === '/*') scanComment(state, '*/')
  else if (char === "'" || char === '"') scanString(state, char)
  else if (char === '`') openTemplate(state)
  else if (char === '/' && regexMayStart(state)) scanRegex(state)
  else if (char === '}' && state.holes.at(-1)?.braces === 0) closeHole(state)
  else scanCode(state)
}

/** Counts braces, because the brace that closes a hole is the one nobody opened inside it. */
const scanCode = (state: State): void => {
  const hole = state.holes.at(-1)
  if (hole && state.text[state.at] === '{') hole.braces += 1
  if (hole && state.text[state.at] === '}') hole.braces -= 1
  state.at += 1
}

const blank = (state: State, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) if (state.text[at] !== '\n') state.code[at] = ' '
}

const scanComment = (state: State, close: '\n' | '*/'): void => {
  const start = state.at
  const found = state.text.indexOf(close, start + 2)
  const inner = found === -1 ? state.text.length : found
  const end = found === -1 || close === '\n' ? inner : inner + close.length
  state.comments.push({ start, value: state.text.slice(start + 2, inner) })
  blank(state, start, end)
  state.at = end
}

const scanString = (state: State, quote: string): void => {
  const start = state.at
  let end = start + 1
  while (end < state.text.length && state.text[end] !== quote && state.text[end] !== '\n') {
    end += state.text[end] === '\\' ? 2 : 1
  }
  state.literals.push({ start, value: state.text.slice(start + 1, end) })
  blank(state, start + 1, end)
  state.at = end + 1
}

const openTemplate = (state: State): void => {
  const literal = { start: state.at, value: '' }
  state.literals.push(literal)
  state.at += 1
  scanTemplate(state, literal)
}

const closeHole = (state: State): void => {
  const hole = state.holes.pop()
  state.at += 1
  if (hole) scanTemplate(state, hole.literal)
}

/** From inside the template's text up to its end, or up to the start of its next hole. */
const scanTemplate = (state: State, literal: Literal): void => {
  const start = state.at
  let end = start
  while (end < state.text.length && state.text[end] !== '`' && state.text.slice(end, end + 2) !== '${') {
    end += state.text[end] === '\\' ? 2 : 1
  }
  literal.value += state.text.slice(start, end)
  blank(state, start, end)
  if (state.text[end] === '$') {
    literal.value += 'hole'
    state.holes.push({ literal, braces: 0 })
    state.at = end + 2
  } else {
    state.at = end + 1
  }
}

const wordsBeforeRegex = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield)$/

/** A slash divides after a value, and starts a regular expression after an operator. `</` and `/>` are JSX. */
const regexMayStart = ({ text, at, code }: State): boolean => {
  if (text[at + 1] === '>' || text[at - 1] === '<') return false
  const before = code
    .slice(Math.max(0, at - 200), at)
    .join('')
    .trimEnd()
  return before === '' || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || wordsBeforeRegex.test(before)
}

const scanRegex = (state: State): void => {
  const start = state.at
  let inClass = false
  let end = start + 1
  while (end < state.text.length && state.text[end] !== '\n' && (inClass || state.text[end] !== '/')) {
    if (state.text[end] === '[') inClass = true
    if (state.text[end] === ']') inClass = false
    end += state.text[end] === '\\' ? 2 : 1
  }
  blank(state, start + 1, end)
  state.at = end + 1
}

/** The offset after the bracket that closes the one at `open`, or the end of the code. */
export const closingOf = (code: string, open: number): number => {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if ('([{'.includes(code[at] ?? '')) depth += 1
    if (')]}'.includes(code[at] ?? '')) depth -= 1
    if (depth === 0) return at + 1
  }
  return code.length
}

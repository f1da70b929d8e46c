/** How code is written: what STYLE.md forbids, as far as it can be seen without a compiler. */

import { isCode, isServerCode } from './imports.ts'
import { type Pattern, patternRules } from './patterns.ts'
import { type Complaint, closingOf, lineAt, type Rule, type Source, scanOf } from './scan.ts'

const functionLinesMax = 70
const fileLinesMax = 450

/** Classes that may exist: errors, values with rules of their own, and those that stand for a class of Node's. */
const classNames = [
  'AppError',
  'StartError',
  'NoAnswer',
  'Secret',
  'TestResource',
  'DirectRequest',
  'DirectResponse',
]

/** Who speaks to the terminal: the files a person starts. Everything else logs. */
const printers = ['server/src/main.ts', 'server/src/migrate.ts', 'server/src/command.ts']

const isServerOrScript = (path: string): boolean =>
  isCode(path) && (path.startsWith('server/') || path.startsWith('scripts/'))

const openWork = /\bTODO\b(?!\(#\d+\))|\bFIXME\b|\bXXX\b/g

const patterns: Pattern[] = [
  {
    rule: 'default-export',
    hint: 'export by name, so that a thing has the same name everywhere',
    pattern: /\bexport\s+default\b|\bas\s+default\b/g,
    where: (path) => isCode(path) && !/\.config\.ts$/.test(path),
  },
  {
    rule: 'class',
    hint: `use functions and plain objects; classes are ${classNames.join(', ')} (list in server/test/tidy/code.ts)`,
    pattern: /(?<![\w.$-])class\s+(?:(\w+)|\{)/g,
    where: isServerOrScript,
    when: (match) => !classNames.includes(match[1] ?? ''),
  },
  {
    rule: 'any-type',
    hint: 'say what it is, or take unknown and check it',
    pattern: /(?:[:<=|&]|\bas|,(?=\s*any\s*>))\s*any\b(?!\s*[(:=])|\bany\[\]/g,
    where: (path) => /\.tsx?$/.test(path),
  },
  {
    rule: 'type-silencer',
    hint: 'the type checker is not switched off: fix the type, or use @ts-expect-error with a reason',
    pattern: /@ts-(?:ignore|nocheck)\b|@ts-expect-error\s*$/gm,
    where: isCode,
    part: 'comments',
  },
  {
    rule: 'lint-silencer',
    hint: 'write `biome-ignore <rule>: <why>`; there is no other linter here',
    pattern: /\beslint-(?:disable|enable)|\bbiome-ignore(?:-\w+)?(?![^\n]*:\s*[^\s<][^\n]{8})/g,
    where: isCode,
    part: 'comments',
  },
  {
    rule: 'console',
    hint: 'log with pino; only main.ts, migrate.ts and what the other commands share, command.ts, speak to the terminal',
    pattern: /\bconsole\s*\.|\bprocess\s*\.\s*std(?:out|err)\s*\.\s*write\b/g,
    where: (path) => isServerCode(path) && !printers.includes(path),
  },
  {
    rule: 'open-work',
    hint: 'open work is written TODO(#123), with the number of its issue; the other words do not land',
    pattern: openWork,
    where: isCode,
    part: 'comments',
  },
  {
    rule: 'open-work',
    hint: 'open work is written TODO(#123), with the number of its issue; the other words do not land',
    pattern: openWork,
    where: (path) => /\.(?:sql|css|html)$/.test(path),
    part: 'text',
  },
  {
    rule: 'test-left-out',
    hint: "run every test: no only; a skipped one says why, `{ skip: 'why' }` or t.skip('why')",
    pattern:
      /\b(?:test|it|describe|suite)\s*\.\s*(?:only|skip|todo)\s*\(|\b(?:only|skip|todo)\s*:\s*true\b|\.\s*skip\s*\(\s*\)/g,
    where: (path) => /\.test\.tsx?$/.test(path),
  },
  {
    rule: 'erasable-syntax',
    hint: 'Node runs the file by erasing its types: a string union for enum, a file for namespace, plain fields',
    pattern:
      /(?<![\w.$])enum\s+\w+\s*\{|(?<![\w.$])namespace\s+[\w.]+\s*\{|\bconstructor\s*\([^)]*\b(?:private|public|protected|readonly)\s/g,
    where: (path) => /\.tsx?$/.test(path),
  },
  {
    rule: 'empty-name',
    hint: 'name it by what it does; Service, Manager, Helper, Util and an I in front say nothing',
    pattern:
      /\bexport\s+(?:declare\s+|abstract\s+|async\s+)*(?:const|let|function\*?|class|interface|type)\s+(?:\w*(?:Service|Manager|Helpers?|Utils?)|I[A-Z][a-z]\w*)\b/g,
    where: isCode,
  },
]

/** What a file begins with that a program writes: nobody reads it from top to bottom. */
const madeMark = '// Made from '

const fileLength: Rule = {
  name: 'file-length',
  check: (sources) =>
    sources
      .filter(({ path, text }) => isCode(path) && !text.startsWith(madeMark))
      .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
      .filter(({ lines }) => lines > fileLinesMax)
      .map(({ path, lines }) => ({
        path,
        line: fileLinesMax,
        rule: 'file-length',
        hint: `${lines} lines; a file has at most ${fileLinesMax}: give a part of it a file and a name`,
      })),
}

const functionLength: Rule = {
  name: 'function-length',
  check: (sources) => sources.filter(({ path }) => isCode(path)).flatMap(longFunctions),
}

const longFunctions = (source: Source): Complaint[] => {
  const { code } = scanOf(source)
  return bodiesOf(code).flatMap(({ start, open }) => {
    const line = lineAt(code, start)
    const lines = lineAt(code, closingOf(code, open)) - line + 1
    const hint = `${lines} lines; a function has at most ${functionLinesMax}: move the leaves into functions of their own`
    return lines > functionLinesMax ? [{ path: source.path, line, rule: 'function-length', hint }] : []
  })
}

interface Body {
  start: number
  /** The offset of the brace that opens the body. */
  open: number
}

const notFunctions = ['if', 'for', 'while', 'switch', 'catch', 'with', 'function', 'return', 'super']

/** Bodies of arrows, functions and methods. A `describe` only groups tests, so its length is free. */
const bodiesOf = (code: string): Body[] => {
  const arrows = [...code.matchAll(/=>\s*\{/g)]
    .filter(
      ({ index }) => !/\b(?:describe|suite)\s*\([^\n]*$/.test(code.slice(Math.max(0, index - 200), index)),
    )
    .map((match) => ({ start: match.index, open: match.index + match[0].length - 1 }))
  const named = [...code.matchAll(/\bfunction\b[^(]*\(|(?<![\w.$])(\w+)\s*\(/g)]
    .filter((match) => match[1] === undefined || !notFunctions.includes(match[1]))
    .flatMap((match) => {
      const open = bodyAfter(code, closingOf(code, match.index + match[0].length - 1))
      return open === undefined ? [] : [{ start: match.index, open }]
    })
  return [...arrows, ...named]
}

/** The brace of the body after a parameter list that ended at `at`, past the type of the result. */
const bodyAfter = (code: string, at: number): number | undefined => {
  const rest = /^\s*(:?)\s*/.exec(code.slice(at))
  let next = at + (rest?.[0].length ?? 0)
  if (rest?.[1] !== ':') return code[next] === '{' ? next : undefined
  while (next < code.length) {
    const typeBrace = /[:|&<,(=]\s*$/.test(code.slice(Math.max(0, next - 20), next))
    if (code[next] === '{' && !typeBrace) return next
    if (/[;,)=\n]/.test(code[next] ?? '')) return undefined
    next = /[[({]/.test(code[next] ?? '') ? closingOf(code, next) : next + 1
  }
  return undefined
}

export const codeRules: Rule[] = [...patternRules(patterns), fileLength, functionLength]

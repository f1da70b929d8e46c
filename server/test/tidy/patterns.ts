/** Rules that are one regular expression over the code of some files. */

import { type Complaint, lineAt, type Rule, type Source, scanOf } from './scan.ts'

export interface Pattern {
  rule: string
  hint: string
  pattern: RegExp
  /** Which files the pattern is looked for in. */
  where: (path: string) => boolean
  /** What of the file is searched: its code (the default), its comments, or all of it. */
  part?: 'code' | 'comments' | 'text'
  /** A second look at what was found, where the pattern alone says too much. */
  when?: (match: RegExpExecArray) => boolean
}

/** One rule for each name among the patterns, in their order. */
export const patternRules = (patterns: Pattern[]): Rule[] =>
  [...new Set(patterns.map(({ rule }) => rule))].map((name) => ({
    name,
    check: (sources) =>
      patterns
        .filter(({ rule }) => rule === name)
        .flatMap((pattern) =>
          sources.filter(({ path }) => pattern.where(path)).flatMap((source) => findPattern(source, pattern)),
        ),
  }))

const findPattern = (source: Source, pattern: Pattern): Complaint[] =>
  partsOf(source, pattern.part ?? 'code').flatMap(({ start, value }) =>
    [...value.matchAll(pattern.pattern)]
      .filter((match) => pattern.when?.(match) ?? true)
      .map(({ index }) => ({
        path: source.path,
        line: lineAt(source.text, start + index),
        rule: pattern.rule,
        hint: pattern.hint,
      })),
  )
const partsOf = (source: Source, part: 'code' | 'comments' | 'text'): { start: number; value: string }[] => {
  if (part === 'text') return [{ start: 0, value: source.text }]
  if (part === 'code') return [{ start: 0, value: scanOf(source).code }]
  return scanOf(source).comments.map(({ start, value }) => ({ start: start + 2, value }))
}

/** Documents that stay true: every room is described, and what a document points at exists. */

import { posix } from 'node:path'
import { isTest, roomOf } from './imports.ts'
import { lineAt, type Rule, type Source } from './scan.ts'

const roomDescribed: Rule = {
  name: 'room-described',
  check: (sources) => {
    const architecture = sources.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? ''
    const rooms = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== ''))
    return [...rooms]
      .filter((room) => !new RegExp(`(?<![\\w/-])${room}/(?![\\w-])`).test(architecture))
      .map((room) => ({
        path: 'ARCHITECTURE.md',
        line: 1,
        rule: 'room-described',
        hint: `say in one line what the room ${room}/ is for`,
      }))
  },
}

const documentsOf = (sources: Source[]): Source[] =>
  sources.filter(({ path }) => path.endsWith('.md') && !isTest(path))

/** A file of the tree, or a folder that has one. */
const existsIn = (sources: Source[]): ((path: string) => boolean) => {
  const known = new Set(['.', ''])
  for (const { path } of sources) {
    for (let at = path; at !== '.' && !known.has(at); at = posix.dirname(at)) known.add(at)
  }
  return (path) => known.has(path.replace(/\/$/, ''))
}

/** The text with fenced code blanked: an example is no link. */
const prose = (text: string): string =>
  text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, (fenced) => fenced.replace(/[^\n]/g, ' '))

const linkResolves: Rule = {
  name: 'link-resolves',
  check: (sources) => {
    const exists = existsIn(sources)
    return documentsOf(sources).flatMap(({ path, text }) =>
      [...prose(text).matchAll(/\]\(\s*<?([^)\s>]+)/g)]
        .filter(([, target = '']) => !/^(?:[a-z]+:|#|\/)/.test(target))
        .map((match) => ({ match, file: (match[1] ?? '').replace(/[#?].*$/, '') }))
        .filter(({ file }) => !exists(posix.join(posix.dirname(path), file)))
        .map(({ match, file }) => ({
          path,
          line: lineAt(text, match.index),
          rule: 'link-resolves',
          hint: `the link leads to ${file}, which does not exist`,
        })),
    )
  },
}

/** What is made on the machine and not kept in the tree. */
const madeHere = /^(?:web\/dist)(?:\/|$)/

/** `server/src/<room>/sql.ts` and `server/src/**` are patterns, not paths. */
const pathExists: Rule = {
  name: 'path-exists',
  check: (sources) => {
    const exists = existsIn(sources)
    return documentsOf(sources).flatMap(({ path, text }) =>
      [...prose(text).matchAll(/`((?:server|web|scripts|docs)\/[\w./-]*)`/g)]
        .filter(([, file = '']) => !madeHere.test(file) && !exists(file))
        .map(({ 1: file, index }) => ({
          path,
          line: lineAt(text, index),
          rule: 'path-exists',
          hint: `${file} is mentioned and does not exist`,
        })),
    )
  },
}

export const documentRules: Rule[] = [roomDescribed, linkResolves, pathExists]

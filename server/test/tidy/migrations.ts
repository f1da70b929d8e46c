/** Migrations: numbered without gaps, said why, lower case, no local time, every table in a schema. */

import { lineAt, type Rule, type Source } from './scan.ts'

const folder = 'server/migrations/'

const migrationsOf = (sources: Source[]): Source[] =>
  sources.filter(({ path }) => path.startsWith(folder)).toSorted((a, b) => (a.path < b.path ? -1 : 1))

const named: Rule = {
  name: 'migration-name',
  check: (sources) =>
    migrationsOf(sources)
      .filter(({ path }) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.test(path.slice(folder.length)))
      .map(({ path }) => ({
        path,
        line: 1,
        rule: 'migration-name',
        hint: 'a migration is called NNNN-what.sql',
      })),
}

const numbered: Rule = {
  name: 'migration-number',
  check: (sources) =>
    migrationsOf(sources)
      .map(({ path }) => ({ path, number: Number(path.slice(folder.length, folder.length + 4)) }))
      .flatMap(({ path, number }, place) => {
        const wanted = String(place + 1).padStart(4, '0')
        const hint = `migrations count up from 0001 without gaps; the number here is ${wanted}`
        return number === place + 1 ? [] : [{ path, line: 1, rule: 'migration-number', hint }]
      }),
}

const reasoned: Rule = {
  name: 'migration-reason',
  check: (sources) =>
    migrationsOf(sources)
      .filter(({ text }) => !/^--(?!!)\s*\S+(?:\s+\S+){2,}/.test(text))
      .map(({ path }) => ({
        path,
        line: 1,
        rule: 'migration-reason',
        hint: 'the first line is a comment that says why',
      })),
}

interface Lexeme {
  rule: string
  pattern: RegExp
  hint: string
}

const keywords =
  'select insert update delete from where set into values create alter drop table index schema view function ' +
  'trigger type not null unique primary foreign key references check constraint default begin end returns ' +
  'language as on for each row execute and or grant revoke to with if exists declare raise exception return'

const lexemes: Lexeme[] = [
  {
    rule: 'migration-case',
    pattern: new RegExp(`\\b(?:${keywords.toUpperCase().split(' ').join('|')})\\b`, 'g'),
    hint: 'SQL keywords are written in small letters',
  },
  {
    rule: 'migration-time',
    pattern: /\btimestamp\b(?!\s*(?:\(\d\)\s*)?with\s+time\s+zone)/gi,
    hint: 'a time without its zone is a guess: timestamptz',
  },
  {
    rule: 'migration-schema',
    pattern:
      /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?!if\b)(?:"[^"]+"|\w+)(?!\s*\.|\w|")/gi,
    hint: 'every table is created in the schema of its room: create table room.name',
  },
]

const lexemeRule = ({ rule, pattern, hint }: Lexeme): Rule => ({
  name: rule,
  check: (sources) =>
    migrationsOf(sources).flatMap(({ path, text }) => {
      const code = sqlCode(text)
      return [...code.matchAll(pattern)].map(({ index }) => ({ path, line: lineAt(code, index), rule, hint }))
    }),
})

/** The SQL with comments and quoted text blanked, line by line. The bodies of `$$` stay: they are code too. */
const sqlCode = (text: string): string =>
  text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, (hidden) => hidden.replace(/[^\n]/g, ' '))

export const migrationRules: Rule[] = [named, numbered, reasoned, ...lexemes.map(lexemeRule)]

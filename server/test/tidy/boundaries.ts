/** What may cross a border of the service, and where: SQL, the ledger's tables, outgoing HTTP, URLs. */

import { type Import, importsOf, isServerCode, roomOf } from './imports.ts'
import { type Complaint, closingOf, lineAt, type Rule, type Scan, type Source, scanOf } from './scan.ts'

const src = 'server/src/'

/** Starts of statements. English sentences start otherwise, or lack the second word. */
const sqlForms = [
  /select\s(?:[\s\S]*\sfrom\s|[\w.]+\(|\d)/,
  /insert\s+into\s/,
  /update\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\s/,
  /delete\s+from\s/,
  /merge\s+into\s/,
  /with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s*)?\(/,
  /(?:create|alter|drop)\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+|unlogged\s+|materialized\s+)*(?:table|index|schema|view|function|trigger|type|role|user|database|extension|sequence|domain|policy)\s/,
  /truncate\s+(?:table\s+)?[\w."]+/,
  /lock\s+table\s/,
  /set\s+(?:local|session|transaction)\s/,
  /(?:grant|revoke)\s[\s\S]*\s(?:to|from)\s/,
  /copy\s[\s\S]*\s(?:from|to)\s+(?:stdin|stdout)/,
  /explain\s/,
  /do\s+\$/,
]

const sqlStart = new RegExp(
  `^(?:\\s|--[^\\n]*\\n|\\/\\*[\\s\\S]*?\\*\\/)*(?:${sqlForms.map(({ source }) => source).join('|')})`,
)

/** Keywords are all lower or all upper case: `Select a wallet from the list` is a sentence. */
export const looksLikeSql = (literal: string): boolean => {
  const first = /^(?:\s|--[^\n]*\n)*([a-zA-Z]+)/.exec(literal)?.[1] ?? ''
  const oneCase = first === first.toLowerCase() || first === first.toUpperCase()
  return oneCase && sqlStart.test(first === first.toUpperCase() ? literal.toLowerCase() : literal)
}

const complainAt = (source: Source, offset: number, why: { rule: string; hint: string }): Complaint => ({
  path: source.path,
  line: lineAt(source.text, offset),
  ...why,
})

const sqlHome: Rule = {
  name: 'sql-home',
  check: (sources) =>
    sources
      .filter(({ path }) => isServerCode(path) && roomOf(path) !== 'db' && !path.endsWith('/sql.ts'))
      .flatMap((source) =>
        scanOf(source)
          .literals.filter(({ value }) => looksLikeSql(value))
          .map(({ start }) =>
            complainAt(source, start, {
              rule: 'sql-home',
              hint: "SQL lives in the room's sql.ts (one exported function a statement), in db/ and in migrations",
            }),
          ),
      ),
}

const ledgerTable = /"?\bledger"?\."?(?!public_)[a-z_]+/
const ledgerInStatement = new RegExp(
  `\\b(?:from|join|into|update|table|references)\\s+${ledgerTable.source}`,
  'i',
)

/** What the ledger publishes for other rooms to read is a view named `ledger.public_…`. */
const ledgerTables: Rule = {
  name: 'ledger-tables',
  check: (sources) =>
    sources
      .filter(({ path }) => path.startsWith(src) && path.endsWith('.ts') && roomOf(path) !== 'ledger')
      .flatMap((source) =>
        scanOf(source)
          .literals.filter(
            ({ value }) => (looksLikeSql(value) && ledgerTable.test(value)) || ledgerInStatement.test(value),
          )
          .map(({ start }) =>
            complainAt(source, start, {
              rule: 'ledger-tables',
              hint: 'only ledger/ names tables of schema ledger: call its door, or read a view ledger.public_…',
            }),
          ),
      ),
}

const outgoingFiles = ['server/src/providers/call.ts', 'server/src/notifications/send.ts']
const outgoingHint = 'HTTP leaves from providers/call.ts and notifications/send.ts only'
const httpClients =
  /^(undici|axios|got|ky|node-fetch|superagent|needle|phin|request|cross-fetch|ofetch)(\/.*)?$/
const httpModules = /^(node:)?(http|https|http2)$/
const outgoingCalls = /(?<![\w.$])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b|\bnew\s+(?:WebSocket|EventSource)\b/g
const outgoingMethods = /\b(?:https?|http2)\s*\.\s*(?:request|get|connect)\s*\(/g

/** Serving is not calling out: http/ and metrics/ may make servers, and types are free. */
const httpModuleFault = (room: string, { kind, clause }: Import): boolean => {
  if (kind === 'type') return false
  const serves = room === 'http' || room === 'metrics'
  const onlyServer = /^\{[^}]*\}$/.test(clause)
    ? !/\b(request|get|connect|Agent|globalAgent|ClientRequest)\b/.test(clause)
    : kind === 'namespace' || /^\w+$/.test(clause)
  return !(serves && onlyServer)
}

const outgoingHttp: Rule = {
  name: 'outgoing-http',
  check: (sources) =>
    sources
      .filter(({ path }) => isServerCode(path) && !outgoingFiles.includes(path))
      .flatMap((source) => {
        const { code } = scanOf(source)
        const offsets = [...code.matchAll(outgoingCalls), ...code.matchAll(outgoingMethods)].map(
          ({ index }) => complainAt(source, index, { rule: 'outgoing-http', hint: outgoingHint }),
        )
        const imports = importsOf(source)
          .filter(
            (fact) =>
              httpClients.test(fact.specifier) ||
              (httpModules.test(fact.specifier) && httpModuleFault(roomOf(source.path), fact)),
          )
          .map(({ line, specifier }) => ({
            path: source.path,
            line,
            rule: 'outgoing-http',
            hint: `${outgoingHint}; this imports ${specifier}`,
          }))
        return [...offsets, ...imports]
      }),
}

const slowCalls =
  /(?<![\w.$])fetch\s*\(|\bawait\s+providers\s*\.|\bnotifications\s*\.\s*send\s*\(|\b(?:setTimeout|sleep|delay)\s*\(/g

/** A rough check: it sees what is written between the brackets, not what a called function does. */
const quietTransaction: Rule = {
  name: 'quiet-transaction',
  check: (sources) =>
    sources
      .filter(({ path }) => isServerCode(path))
      .flatMap((source) => {
        const { code } = scanOf(source)
        return [...code.matchAll(/\binTransaction\s*(?:<[^()]*>\s*)?\(/g)].flatMap((match) => {
          const open = match.index + match[0].length - 1
          return [...code.slice(open, closingOf(code, open)).matchAll(slowCalls)].map(({ index }) =>
            complainAt(source, open + index, {
              rule: 'quiet-transaction',
              hint: 'nothing but the database is awaited inside inTransaction: call out before it or after it',
            }),
          )
        })
      }),
}

const url = String.raw`\b(?:request|req)(?:\s*\.\s*raw)?\s*\.\s*(?:url|originalUrl)\b`
const urlTests = new RegExp(
  [
    String.raw`${url}\s*\??\.\s*(?:startsWith|endsWith|includes|match|indexOf|search)\s*\(`,
    String.raw`${url}\s*(?:===|!==|==|!=)`,
    String.raw`(?:===|!==)\s*${url}`,
    String.raw`\.\s*(?:test|exec|has|includes)\s*\(\s*${url}`,
    String.raw`\bswitch\s*\(\s*${url}`,
    // Taken out of the request, it would be tested under another name.
    String.raw`\{[^{}]*\burl\b[^{}]*\}\s*(?::\s*FastifyRequest\b|=\s*(?:request|req)\b)`,
  ].join('|'),
  'g',
)

/** A text without a slash is no path: looking for a forbidden character decides nothing about who may call. */
const asksForPath = ({ literals }: Scan, end: number): boolean => {
  const literal = literals.find(({ start }) => start === end)
  return literal === undefined || literal.value.includes('/')
}

const urlTest: Rule = {
  name: 'url-test',
  check: (sources) =>
    sources
      .filter(({ path }) => isServerCode(path))
      .flatMap((source) => {
        const scan = scanOf(source)
        return [...scan.code.matchAll(urlTests)]
          .filter((match) => asksForPath(scan, match.index + match[0].length))
          .map(({ index }) =>
            complainAt(source, index, {
              rule: 'url-test',
              hint: 'who may call belongs to the scope a route is registered in, never to a test of the URL',
            }),
          )
      }),
}

export const boundaryRules: Rule[] = [sqlHome, ledgerTables, outgoingHttp, quietTransaction, urlTest]

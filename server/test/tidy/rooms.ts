/**
 * The import table of the server: room → rooms it may import. ARCHITECTURE.md has the same picture in words.
 * Rooms that are not built yet have their row already, so that each has its place.
 * A layer imports earlier layers, never its own or a later one. Where a row says more or less, it says why.
 */

const ground = ['base', 'db', 'http', 'background', 'providers', 'audit'] as const
const money = [...ground, 'ledger'] as const
const people = [...money, 'users', 'wallets', 'transactions', 'notifications', 'mail', 'receipts'] as const
const withProviders = [...people, 'operations'] as const
const products = [...withProviders, 'merchants', 'transfers', 'funding', 'groups', 'campaigns'] as const
const all = [...products, 'payments'] as const

export const roomTable: Record<string, readonly string[]> = {
  base: [],
  db: ['base'],
  // http never sees the database: what it keeps there (idempotency, say) it is given by app.ts.
  http: ['base'],
  providers: ['base'],
  background: ['base', 'db'],
  // Every room may write down what happened, so it sees none of them.
  audit: ['base', 'db', 'http', 'background'],

  health: ['base', 'db', 'http'],
  metrics: ['base', 'db'],
  site: ['base', 'http'],

  // The ledger knows no user, merchant, HTTP or provider.
  ledger: ['base', 'db', 'background'],

  // People get codes and notices by mail, so users is the one of its layer that sees a neighbour.
  users: [...money, 'mail'],
  wallets: money,
  transactions: money,
  notifications: money,
  mail: money,
  // What is told of money, by whatever room it moves, to people and by mail.
  receipts: [...money, 'users', 'mail'],

  // Orders to providers, each from its writing to its end; who the money belongs to is the matter of later rooms.
  operations: money,

  merchants: people,
  transfers: people,
  funding: withProviders,
  groups: people,
  campaigns: people,

  payments: products,

  checkout: all,
  operators: all,
}

/** The files beside the rooms that put them together: the only ones to import what `composedFiles` names. */
export const composers = ['app.ts', 'main.ts']

/**
 * Parts of db/ that act before there is an app, so the files beside the rooms import them directly.
 * The door leaves them out: no room starts a server or migrates.
 */
export const startFiles = ['db/embedded.ts', 'db/migrate.ts']

/** The files of a room that only a composer imports. */
export const composedFiles = ['routes.ts', 'pages.ts', 'callbacks.ts', 'jobs.ts']

/**
 * Files that may import a file of http/ directly. http/ is infrastructure of many files, each with a purpose
 * of its own; a door would only repeat them. Decisions (doors, rules, sql) stay without HTTP.
 */
export const httpUsers = ['routes.ts', 'schema.ts', 'pages.ts', 'callbacks.ts']

/** The first cycle of the table as a path (`a → b → a`), or nothing. */
export const tableCycle = (table: Record<string, readonly string[]>): string | undefined => {
  const done = new Set<string>()
  const visit = (room: string, trail: string[]): string | undefined => {
    if (trail.includes(room)) return [...trail.slice(trail.indexOf(room)), room].join(' → ')
    if (done.has(room)) return undefined
    for (const next of table[room] ?? []) {
      const cycle = visit(next, [...trail, room])
      if (cycle) return cycle
    }
    done.add(room)
    return undefined
  }
  for (const room of Object.keys(table)) {
    const cycle = visit(room, [])
    if (cycle) return cycle
  }
  return undefined
}

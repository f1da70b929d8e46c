// The routes of a room, called by people who only have to say who they are: for tests that need a hundred of them and
// no password. They answer under /probe, on a database, a ledger and a clock that the test can reach.
import { after } from 'node:test'
import { AppError } from '../src/base/errors.ts'
import { type Db, openDb } from '../src/db/db.ts'
import type { App } from '../src/http/instance.ts'
import { openScope } from '../src/http/scope.ts'
import { type Ledger, openLedger } from '../src/ledger/ledger.ts'
import { type TestApp, type TestClock, testApp, testClock, testDatabase } from './helpers.ts'

type Answer = Awaited<ReturnType<App['inject']>>

export interface Probe extends Pick<TestApp, 'app' | 'url' | 'listen'> {
  db: Db
  ledger: Ledger
  clock: TestClock
  /** As this person, a path below /api. */
  get(userId: string, path: string): Promise<Answer>
  post(userId: string, path: string, body: object): Promise<Answer>
}

export interface ProbeOptions {
  routes: (scope: App, parts: { db: Db; ledger: Ledger; clock: TestClock }) => void
  environment?: Record<string, string>
}

export async function openProbe({ routes, environment = {} }: ProbeOptions): Promise<Probe> {
  const database = await testDatabase()
  const { url } = database
  const clock = testClock()
  const db = openDb({ url, connectionsMax: 4, name: 'mfuko tests' })
  const ledger = openLedger({ url, clock })
  after(() => Promise.all([ledger.close(), db.close()]))
  const { app, listen } = await testApp({
    database,
    environment,
    more: (http) =>
      openScope(http, {
        limit: 'credential',
        authenticate: ({ headers }) => {
          const [, id] = /^Bearer (usr_\w+)$/.exec(headers.authorization ?? '') ?? []
          if (id === undefined) throw new AppError('unauthenticated')
          return { kind: 'user', id }
        },
        routes: async (scope) => {
          await scope.register(async (inner) => routes(inner, { db, ledger, clock }), { prefix: '/probe' })
        },
      }),
  })
  const call = (userId: string, path: string) => ({
    url: `/probe/api${path}`,
    headers: { authorization: `Bearer ${userId}` },
  })
  return {
    app,
    db,
    ledger,
    clock,
    url,
    listen,
    get: (userId, path) => app.inject(call(userId, path)),
    post: (userId, path, body) => app.inject({ ...call(userId, path), method: 'POST', payload: body }),
  }
}

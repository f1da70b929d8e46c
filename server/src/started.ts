import { setTimeout as sleep } from 'node:timers/promises'
import * as audit from './audit/audit.ts'
import { AppError } from './base/errors.ts'
import type { Config } from './config.ts'
import { readMigrations } from './db/migrate.ts'
import type { Dependencies } from './dependencies.ts'

/** At the start, when everything starts at once, a connection may take longer than requests wait for one. */
const triesMax = 10
const pauseMs = 500

interface Started {
  version: string
  config: Pick<Config, 'ROLE' | 'WEB_CONCURRENCY' | 'production'>
}

/**
 * With the versions of what runs; the audit log tells what ran at any time. The service answers requests by now: it must
 * not end because this had to wait.
 */
export async function noteStart(deps: Pick<Dependencies, 'db' | 'clock'>, started: Started): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await record(deps, started)
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable'
      if (!isAway || tries >= triesMax) throw error
      await sleep(pauseMs)
    }
  }
}

const record = (
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  { version, config }: Started,
): Promise<void> =>
  db.inTransaction((tx) =>
    audit.record(tx, {
      actor: { kind: 'system', id: 'service' },
      action: 'service.started',
      object: version,
      result: 'ok',
      details: {
        node: process.versions.node,
        schema: readMigrations().at(-1)?.name,
        role: config.ROLE,
        processes: config.WEB_CONCURRENCY,
        production: config.production,
      },
      at: clock.now(),
    }),
  )

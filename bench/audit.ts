// Walking a long audit log, as `npm run audit:verify` does it: sealed by the service's own code before, five days of it, each
// event as a login leaves one.

import * as audit from '../server/src/audit/audit.ts'
import { Secret } from '../server/src/base/secret.ts'
import { openDb } from '../server/src/db/db.ts'
import { type AuditFigures, count } from './figures.ts'
import type { Bench } from './harness.ts'

const days = 5
const statementRows = 10_000
const statementMs = 600_000

export async function measureAudit({ plan, say, stop }: Bench, url: string): Promise<AuditFigures> {
  const { events } = plan.audit
  const secret = new Secret(Buffer.alloc(32, 7))
  const db = openDb({ url, connectionsMax: 2, name: 'mfuko bench', statementMs })
  try {
    say(`Sealing ${count(events)} events of the audit log…`)
    let now = new Date('2026-03-14T09:00:00.000Z')
    const clock = { now: () => now }
    const ofDay = Math.ceil(events / days)
    for (let written = 0; written < events; ) {
      const most = Math.min(ofDay, events - written)
      for (let added = 0; added < most; added += statementRows)
        await db.rows(addEvents, [now, Math.min(statementRows, most - added), written + added])
      written += most
      while ((await audit.seal(db, { secret, clock })).sealed > 0) stop.throwIfAborted()
      if (written < events) now = new Date(now.getTime() + 86_400_000)
    }
    const result = await audit.verify(db, { secret, clock, signal: stop })
    const { seconds, problems } = result
    if (result.events !== events || problems.length > 0)
      throw new Error(`The walk saw ${result.events} of ${events} events: ${problems.join('; ')}`)
    say(`  walked in ${seconds.toFixed(1)} s`)
    return { events, seconds }
  } finally {
    await db.close()
  }
}

const addEvents = `select audit.add_event($1::timestamptz, 'user', 'usr_' || n, 'login', 'ses_' || n, 'ok', '197.248.1.2',
    sha256(n::text::bytea), 'ses_' || n, 'req_' || n, json_build_object('device', 'Opera Mini ' || n))
  from generate_series($3::int + 1, $3::int + $2::int) as n`

// Sends an operation. Who sends has said so in the database before: a process that dies while it sends leaves an operation
// that may have arrived or not, and that is asked for, not sent again.
import type { Heard } from '../providers/providers.ts'
import { hear, look, settle } from './hearing.ts'
import type { OperationRow } from './model.ts'
import { inMs, keepExchanges, leaseMs, type Room, wireOf } from './room.ts'
import * as sql from './sql.ts'

/** A person who wanted to pay has gone by then. */
const promptMsMax = 5 * 60_000

export async function start(room: Room, id: string): Promise<OperationRow> {
  const { db, clock } = room
  const claimed = await sql.claimNew(db, { id, now: clock.now(), due: inMs(clock, leaseMs) })
  return claimed === undefined ? look(room, id) : send(room, claimed)
}

/** Left behind by a process that died before it could send. */
export async function startLate(room: Room, row: OperationRow): Promise<OperationRow> {
  const ageMs = room.clock.now().getTime() - row.created_at.getTime()
  if (row.kind !== 'collect' || ageMs < promptMsMax) return start(room, row.id)
  const outcome = {
    state: 'failed',
    code: 'provider_unavailable',
    detail: 'it could not be sent in time',
  } as const
  return settle(room, row, { outcome, from: ['new'] })
}

/** The same once more: only for a kind of order that the provider takes once however often it is sent. */
export async function sendAgain(room: Room, { id, sends }: OperationRow): Promise<OperationRow> {
  const { db, clock } = room
  const claimed = await sql.claimAgain(db, { id, now: clock.now(), due: inMs(clock, leaseMs), sends })
  return claimed === undefined ? look(room, id) : send(room, claimed)
}

async function send(room: Room, row: OperationRow): Promise<OperationRow> {
  const { registry, caller } = room
  const provided = registry.of(row.provider, row.mode)
  if (provided === undefined) {
    const heard = { state: 'failed', code: 'provider_config', detail: 'the provider is not set up' } as const
    return hear(room, row, row.sends === 1 ? heard : unknown(heard.detail))
  }
  const { adapter, settings } = provided
  const wire = await wireOf(room, row)
  const exchange = () => adapter.start(wire, settings)
  const since = row.sent_at ?? room.clock.now()
  const ran = await caller.run({ adapter, settings, mode: row.mode, what: 'start', exchange, since })
  const heard = ran.ok ? clear(row, ran.result) : unanswered(row, ran)
  const after = await hear(room, row, heard, { sends: row.sends })
  await keepExchanges(room, row, { made: ran.made, heard })
  return after
}

const unknown = (detail: string): Heard => ({ state: 'unknown', detail })

/** A refusal of what was sent before says nothing of the first time; and one of a duplicate means that it is there. */
function clear(row: OperationRow, heard: Heard): Heard {
  if (heard.state === 'absent') return unknown(heard.detail)
  if (heard.state !== 'failed') return heard
  return row.sends > 1 || heard.code === 'duplicate_transaction' ? unknown(heard.detail) : heard
}

function unanswered(row: OperationRow, { notSent, detail }: { notSent: boolean; detail: string }): Heard {
  return notSent && row.sends === 1
    ? { state: 'failed', code: 'provider_unavailable', detail }
    : unknown(detail)
}

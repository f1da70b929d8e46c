// Asks providers what became of operations, and does whatever else is due: sends what a dead process had not sent, and
// ends what its owner could not end.
import type { Heard, Made } from '../providers/providers.ts'
import { conclude, hear, judgeHint, look, settle } from './hearing.ts'
import type { OperationRow } from './model.ts'
import { answerUrlOf, inMs, keepExchanges, leaseMs, type Room, wireOf } from './room.ts'
import { absenceDue, afterAbsent } from './rules.ts'
import { sendAgain, startLate } from './sending.ts'
import * as sql from './sql.ts'

/** Somebody took it and was not heard of, or the time has come. The row is claimed. */
export async function lookAfter(room: Room, row: OperationRow): Promise<OperationRow> {
  if (row.decided !== null) return conclude(room, row)
  if (row.state === 'new') return startLate(room, row)
  return ask(room, row.id, { abandoned: true })
}

export interface Asking {
  /** Whoever was sending it has not been heard of in time. */
  abandoned: boolean
}

/** Nothing is asked of what was never sent. */
export async function ask(room: Room, id: string, { abandoned }: Asking): Promise<OperationRow> {
  const { db, clock } = room
  const claimed = await sql.claimAsk(db, { id, now: clock.now(), due: inMs(clock, leaseMs) })
  const row = claimed ?? (await look(room, id))
  // What has failed may have been paid all the same; what is completed stays so.
  if (claimed === undefined && (row.sends === 0 || row.decided !== 'failed')) return row
  const { heard, later, made } = await question(room, row)
  if (!later) await judgeHint(room, row, heard)
  // That the question was taken says nothing about the operation: not even that the provider knows it.
  const said: Heard = later && heard.state === 'pending' ? { state: 'unknown', detail: 'asked' } : heard
  const after = await hearAnswer(room, row, said, { abandoned })
  await keepExchanges(room, row, { made, heard })
  return after
}

async function hearAnswer(
  room: Room,
  row: OperationRow,
  heard: Heard,
  { abandoned }: Asking,
): Promise<OperationRow> {
  const unclear = heard.state === 'unknown' || heard.state === 'absent'
  // It is just being sent: that the provider does not know it yet means nothing.
  if (unclear && row.state === 'sending' && !abandoned) return row
  if (row.decided !== null && heard.state !== 'completed') return row
  return heard.state === 'absent' ? hearAbsent(room, row, heard) : hear(room, row, heard)
}

interface Answer {
  heard: Heard
  /** It will come to an address that we have told. */
  later: boolean
  made: readonly Made[]
}

async function question(room: Room, row: OperationRow): Promise<Answer> {
  const { registry, caller } = room
  const provided = registry.of(row.provider, row.mode)
  if (provided === undefined)
    return { heard: { state: 'unknown', detail: 'the provider is not set up' }, later: false, made: [] }
  const { adapter, settings } = provided
  const wire = await wireOf(room, row)
  const address = answerUrlOf(room, row.id)
  const exchange = () => adapter.ask(wire, settings, address)
  const ran = await caller.run({ adapter, settings, mode: row.mode, what: 'ask', exchange, address })
  const heard: Heard = ran.ok ? ran.result : { state: 'unknown', detail: ran.detail }
  return { heard, later: ran.told, made: ran.made }
}

type AbsentHeard = Extract<Heard, { state: 'absent' }>

export async function hearAbsent(room: Room, row: OperationRow, heard: AbsentHeard): Promise<OperationRow> {
  const { db, registry, clock } = room
  const kept = await hear(room, row, heard)
  const adapter = registry.of(row.provider, row.mode)?.adapter
  if (adapter === undefined || kept.decided !== null || kept.sent_at === null) return kept
  const meaning = afterAbsent({
    idempotent: adapter.idempotent[row.kind],
    accepted: kept.state !== 'unknown',
    firstSentAt: kept.first_sent_at ?? kept.sent_at,
    sentAt: kept.sent_at,
    now: clock.now(),
    sends: kept.sends,
    absences: kept.absences,
    settlesWithinSeconds: adapter.settlesWithinSeconds,
  })
  switch (meaning) {
    case 'wait': {
      // Not later than when its absence means something.
      const due = absenceDue(kept.sent_at, clock.now(), adapter.settlesWithinSeconds)
      if (kept.state === 'unknown') await sql.hurry(db, { id: kept.id, due })
      return kept
    }
    case 'send again':
      return sendAgain(room, kept)
    case 'failed': {
      const outcome = { state: 'failed', code: 'provider_error', detail: heard.detail } as const
      return settle(room, kept, { outcome, from: ['unknown'], sends: kept.sends })
    }
  }
}

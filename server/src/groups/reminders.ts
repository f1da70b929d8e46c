// Reminders by mail: two days before a cycle is due, on the day, and when it is late; each once, to who has not paid.
import { check } from '../base/check.ts'
import { isCurrency, toText } from '../base/money.ts'
import { openProblems } from '../base/problems.ts'
import * as mail from '../mail/mail.ts'
import * as users from '../users/users.ts'
import { type GroupDependencies, groupOf, known, withPeople } from './room.ts'
import { loadRound } from './rounds/apply.ts'
import { type ReminderKind, reminderAt } from './rounds/calendar.ts'
import { unpaidSeats } from './rounds/round.ts'
import * as roundSql from './rounds/sql.ts'
import * as sql from './sql.ts'

const aheadMs = 3 * 86_400_000
const bite = 200
const bitesMax = 1_000

const templates = { soon: 'group_due_soon', today: 'group_due_today', late: 'group_late' } as const

/** Returns how many mails were written. */
export async function remindDue(deps: GroupDependencies): Promise<number> {
  const now = deps.clock.now()
  const problems = openProblems('groups could not be reminded')
  let [sent, after] = [0, '']
  for (let bites = 0; bites < bitesMax; bites++) {
    const rows = await roundSql.readDue(deps.db, {
      before: new Date(now.getTime() + aheadMs),
      after,
      limit: bite,
    })
    for (const row of rows) {
      const kind = reminderAt({ dueAt: row.due_at, timeZone: row.time_zone, now })
      if (kind !== undefined) sent += (await remind(deps, { row, kind, now }).catch(problems.note)) ?? 0
    }
    after = rows.at(-1)?.group_id ?? ''
    if (rows.length < bite) break
  }
  problems.tell()
  return sent
}

interface Reminding {
  row: roundSql.DueRow
  kind: ReminderKind
  now: Date
}

async function remind(deps: GroupDependencies, { row, kind, now }: Reminding): Promise<number> {
  const { group_id: id, number, cycle } = row
  return withPeople(deps, { group: id }, async (tx, people) => {
    const noted = await roundSql.noteReminder(tx, { group: id, number, cycle, kind, at: now })
    if (noted === undefined) return 0
    const found = await sql.lockGroup(tx, id)
    check(found !== undefined, 'groups are never deleted')
    const group = groupOf(found)
    const open = await loadRound(tx, group)
    if (open?.row.number !== number || open.round.cycle !== cycle) return 0
    const turns = unpaidSeats(open.round).map(({ turn }) => turn)
    const { currency } = group
    check(isCurrency(currency), 'a group has a currency of the table')
    let sent = 0
    for (const seat of open.seats.filter(({ turn }) => turns.includes(turn))) {
      const person = known(people, seat.user_id)
      if (!users.reachable(person)) continue
      const minor = row.amount + (kind === 'late' ? row.fine : 0n)
      await mail.queue(tx, {
        to: users.mailboxOf(person),
        template: templates[kind],
        data: {
          groupName: group.name,
          amountText: toText({ minor, currency }, person.locale),
          time: row.due_at,
          timeZone: row.time_zone,
        },
        about: { kind: 'group', id },
      })
      sent += 1
    }
    return sent
  })
}

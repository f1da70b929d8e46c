// The chains of all days, one link after the other. Pure: rows go in, findings come out. After a wrong link the walk
// goes on from what the link says, so that one altered event is one finding, and not as many as there are after it.
import type { Findings } from '../base/findings.ts'
import { dayAfter, daysBetween, emptyHash, linkHash, type Standing } from './chain.ts'
import type { Head, LinkRow } from './sql.ts'

export interface Days {
  link(row: LinkRow): void
  /** After the last link: closes every day before the one the tip stands in. */
  end(tipDay: string | undefined): void
  at(): Standing
  count(): number
}

const gapMax = 40_000

export function openDays({ heads, findings }: { heads: readonly Head[]; findings: Findings }): Days {
  const headOf = new Map(heads.map((head) => [head.day, head]))
  const firstHead = heads.map(({ day }) => day).toSorted()[0]
  let at: Standing | undefined
  let count = 0

  const begin = (day: string): Standing => {
    count = 1
    return { day: firstHead !== undefined && firstHead < day ? firstHead : day, events: 0n, hash: emptyHash }
  }
  const closeDay = (standing: Standing) => {
    const head = headOf.get(standing.day)
    headOf.delete(standing.day)
    findings.add(`the head of ${standing.day}`, headProblems(head, standing))
  }
  const goTo = (day: string, name: string): Standing => {
    let standing = at ?? begin(day)
    const tooFar = daysBetween(standing.day, day) > gapMax
    if (tooFar) findings.add(name, [`its day ${day} can't be`])
    while (standing.day < day && !tooFar) {
      closeDay(standing)
      standing = { day: dayAfter(standing.day), events: 0n, hash: standing.hash }
      count += 1
    }
    at = standing
    return standing
  }
  return {
    link: (row) => {
      const name = `event ${row.event_id} (${row.day ?? row.raw_day}, position ${row.position})`
      if (row.day === null) {
        findings.add(name, ["its day can't be"])
        return
      }
      const before = goTo(row.day, name)
      findings.add(name, linkProblems({ ...row, day: row.day }, before))
      at = { day: before.day, events: row.position, hash: row.hash }
    },
    end: (tipDay) => {
      if (tipDay !== undefined) goTo(tipDay, 'the tip of the chain')
      for (const day of headOf.keys()) findings.add(`the head of ${day}`, ['that day is not over yet'])
    },
    at: () => at ?? { day: '', events: 0n, hash: emptyHash },
    count: () => count,
  }
}

function headProblems(head: Head | undefined, { events, hash }: Standing): string[] {
  if (head === undefined) return ['it is missing, or signed with another secret than SECRET_AUDIT']
  if (head.events !== events)
    return [`it says that the day has ${head.events} events, and ${events} are there`]
  return head.hash === hash ? [] : ['it has another hash than the last event of the day']
}

function linkProblems(row: LinkRow & { day: string }, before: Standing): string[] {
  const problems: string[] = []
  const { day, position, prev_hash, id } = row
  const due = before.events + 1n
  if (before.day !== day || position < due) {
    problems.push('it is out of order')
  } else if (position > due) {
    const missing = position - due === 1n ? `position ${due} is` : `positions ${due} to ${position - 1n} are`
    problems.push(`${missing} missing before it`)
  } else if (prev_hash !== before.hash) {
    problems.push('it does not follow from the event before it')
  }
  if (id === null) return [...problems, 'the event itself is gone']
  const hash = linkHash({ before: prev_hash, day, position, event: { ...row, id } })
  if (hash !== row.hash) problems.push('the event or its hash was altered')
  return problems
}

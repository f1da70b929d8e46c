// What happened, in figures.
import type { Simulator } from '../../../simulator/src/simulator.ts'
import type { Journal } from './scenes.ts'
import type { Links, Tables } from './truth.ts'

export interface Story {
  tables: Tables
  links: Links
  journal: Journal
  /** Requests of people that nobody answered. */
  unanswered: number
  simulator: Pick<Simulator, 'orders' | 'statements'>
}

export function figures(story: Story): string[] {
  const { tables, journal, unanswered } = story
  const operations = [...tables.operations.values()]
  const refused = [...journal.refused].map(([what, count]) => `${what} ${count}`)
  return [
    `operations     ${operations.length}: ${counted(operations.map(({ purpose, state }) => `${purpose} ${state}`))}`,
    `providers      ${counted(operations.map(({ provider }) => provider))}`,
    `callbacks      ${callbacks(story)}`,
    `sent again     ${operations.filter(({ sends }) => sends > 1).length}; came late: ${operations.filter(({ late_of: first }) => first !== null).length}; asked: ${operations.reduce((sum, { asks }) => sum + asks, 0)} times`,
    `payments       ${tables.payments.size}: ${counted([...tables.payments.values()].map(({ status, late }) => (late ? `${status} late` : status)))}`,
    `unmatched      ${tables.unmatched.length}: ${counted(tables.unmatched.map(({ why, status }) => `${why} ${status}`))}`,
    `failures       ${counted(operations.flatMap(({ failure_code: code }) => code ?? []))}`,
    `people         ${journal.moved.length + journal.payments.length + journal.refunds.length} promises; ${unanswered} requests without an answer, made again; refused: ${refused.join(', ') || 'nothing'}`,
    `forgeries      ${tables.suspected.size} operations with one in the audit log`,
  ]
}

function counted(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, list]) => [word, list.length] as const)
  const sorted = counts.sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([word, count]) => `${word} ${count}`).join(', ') || 'none'
}

const callbacks = ({ simulator }: Story): string =>
  counted(
    simulator
      .orders()
      .flatMap(({ told }) =>
        told.map(({ fate, status }) =>
          status === undefined && fate !== 'lost' ? `${fate} to nobody` : fate,
        ),
      ),
  )

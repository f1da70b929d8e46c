// What the providers themselves say has moved, for those who compare it with our books.

import type { Mode, ProviderId, ProviderRecord } from '../providers/providers.ts'
import * as providers from '../providers/providers.ts'
import type { Room } from './room.ts'

export interface Statement {
  provider: ProviderId
  mode: Mode
  from: Date
  to: Date
}

const pagesMax = 10_000

/** All of it, or it throws; undefined when the provider has no interface for it. */
export async function recordsOf(room: Room, statement: Statement): Promise<ProviderRecord[] | undefined> {
  const { registry, caller } = room
  const { provider, mode, from, to } = statement
  const provided = registry.of(provider, mode)
  if (provided === undefined) return undefined
  if (provided.simulated) return simulatedRecords(room, statement)
  const { adapter, settings } = provided
  const records = adapter.records?.bind(adapter)
  if (records === undefined) return undefined
  const exchange = () => records({ from, to }, settings)
  const ran = await caller.run({ adapter, settings, mode, what: 'ask', exchange })
  if (!ran.ok) throw new Error(`${provider} did not tell its records: ${ran.detail}`)
  return ran.result
}

async function simulatedRecords(
  { registry, caller }: Room,
  { provider, from, to }: Statement,
): Promise<ProviderRecord[] | undefined> {
  const { simulatorUrl } = registry
  if (simulatorUrl === undefined) return undefined
  const records: ProviderRecord[] = []
  let after = 0
  for (let pages = 0; pages < pagesMax; pages++) {
    const request = providers.statementRequest({ provider, from, to, after })
    const page = providers.readStatement(await caller.send(simulatorUrl, request))
    records.push(...page.records)
    if (page.last === undefined) return records
    after = page.last
  }
  throw new Error(`the statement of ${provider} has no end`)
}

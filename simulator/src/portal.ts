// Where providers tell things whose callers name no address with each order: set once, as in a provider's portal.
import type { Journal } from './journal.ts'
import { type ProviderId, providerIds } from './knobs.ts'

export interface Portal {
  add(provider: ProviderId, url: string): void
  of(provider: ProviderId): string[]
  all(): Record<ProviderId, string[]>
}

/** The latest ones. A caller that comes back on another port every time leaves old ones behind. */
const urlsMax = 6

export function openPortal(journal: Journal): Portal {
  const kept = journal.map<string[]>('portal')
  const of = (provider: ProviderId) => kept.get(provider) ?? []
  return {
    of,
    add: (provider, url) => {
      const others = of(provider).filter((known) => known !== url)
      kept.set(provider, [...others, url].slice(-urlsMax))
    },
    all: () => Object.fromEntries(providerIds.map((id) => [id, of(id)])) as Record<ProviderId, string[]>,
  }
}

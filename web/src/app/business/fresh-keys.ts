// Keys that were just made. The service shows an API key for a few minutes only, so it must not get lost on the way: it
// stays in the memory of this page, and nowhere else, until the owner has stored it, leaves or reloads.
import type { RegisterMerchantData } from '@mfuko/sdk/browser'
import { keep, readKept } from '../kit/kept.ts'
import { createStore } from '../kit/store.ts'
import { whenLeaving } from '../session.ts'

export type Mode = 'live' | 'test'

export interface ModeKeys {
  apiKey?: string
  clientSecret?: string
  /** What names the key, and opens nothing. */
  prefix?: string
  /** The owner said so: they are no longer put in front of them. */
  stored?: boolean
}

export type FreshKeys = Partial<Record<Mode, ModeKeys>>

const store = createStore<FreshKeys>({})
whenLeaving(() => store.set({}))

export const useFreshKeys = store.use

export function holdKeys(mode: Mode, keys: ModeKeys): void {
  const all = store.get()
  store.set({ ...all, [mode]: { ...all[mode], ...keys } })
}

/** The service shows them again for a while: which ones are stored is remembered by their name, also after a reload. */
export function markStored(mode: Mode): void {
  const prefix = store.get()[mode]?.prefix
  if (prefix !== undefined) keep(storedName(mode), prefix)
  holdKeys(mode, { stored: true })
}

const storedName = (mode: Mode) => `stored-key-${mode}`

type Shown = RegisterMerchantData['credentials']['live']
export type Credentials = Omit<Shown, 'api_key' | 'client_secret'>
export type Business = Omit<RegisterMerchantData, 'credentials'> & { credentials: Record<Mode, Credentials> }

/** The business without what is secret in it, which is taken out and held. */
export function withoutKeys({ credentials, ...business }: RegisterMerchantData): Business {
  return {
    ...business,
    credentials: { live: taken('live', credentials.live), test: taken('test', credentials.test) },
  }
}

function taken(mode: Mode, { api_key, client_secret, ...rest }: Shown): Credentials {
  const prefix = rest.api_key_prefix ?? ''
  if (prefix !== '' && readKept(storedName(mode)) === prefix) return rest
  // Shown again, they are no news.
  if (api_key !== undefined && api_key !== store.get()[mode]?.apiKey)
    holdKeys(mode, { apiKey: api_key, prefix, stored: false })
  if (client_secret !== undefined) holdKeys(mode, { clientSecret: client_secret })
  return rest
}

// Keys that were just made. The service shows an API key for a few minutes only, so it must not get lost on the way: it
// stays in the memory of this page, and nowhere else, until the owner has stored it, leaves or reloads.
import type { RegisterMerchantData } from '@mfuko/sdk/browser'
import { createStore } from '../kit/store.ts'
import { whenLeaving } from '../session.ts'

export type Mode = 'live' | 'test'

export interface ModeKeys {
  apiKey?: string
  clientSecret?: string
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

export function markStored(mode: Mode): void {
  holdKeys(mode, { stored: true })
}

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
  // Shown again, it is no news to who has stored it.
  if (api_key !== undefined && api_key !== store.get()[mode]?.apiKey)
    holdKeys(mode, { apiKey: api_key, stored: false })
  if (client_secret !== undefined) holdKeys(mode, { clientSecret: client_secret })
  return rest
}

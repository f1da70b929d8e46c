// Who is here. The token stays in the memory of the library's client; a cookie that no script can read brings the session
// back after a reload.
import { createBrowserClient, MfukoError, type User } from '@mfuko/sdk/browser'
import { QueryClient } from '@tanstack/react-query'
import { currentLanguage, setLanguage } from './kit/language.ts'
import { createStore } from './kit/store.ts'

export type { User } from '@mfuko/sdk/browser'

export type SessionState =
  | { state: 'starting' }
  /** The service could not be asked. */
  | { state: 'unreachable' }
  /** `ended`: by another device, by an operator, by time. */
  | { state: 'out'; ended: boolean }
  | { state: 'in'; user: User }

const store = createStore<SessionState>({ state: 'starting' })
export const useSession = store.use

export const client = createBrowserClient({
  timeoutMs: 20_000,
  language: currentLanguage,
  onSignedOut: () => leave(true),
})

/** Answers are fresh for a moment; after money moved everything is asked again (`refreshAll`). */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client tries again by itself where that helps.
      retry: false,
      staleTime: 5_000,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export const refreshAll = (): Promise<void> => queries.invalidateQueries()

/** For pages that only somebody who is signed in sees. */
export function useUser(): User {
  const session = store.use()
  if (session.state !== 'in') throw new Error('This page is for people who are signed in.')
  return session.user
}

export async function start(): Promise<void> {
  store.set({ state: 'starting' })
  try {
    const user = await client.resume()
    if (user === undefined) store.set({ state: 'out', ended: false })
    else enter(user)
  } catch (error) {
    // No cookie, or one that this page may not use: nobody is here.
    const isAnswer = error instanceof MfukoError && error.status >= 400 && error.status < 500
    store.set(isAnswer ? { state: 'out', ended: false } : { state: 'unreachable' })
  }
}

export function enter(user: User): void {
  setLanguage(user.locale)
  store.set({ state: 'in', user })
}

/** After a change of the own account. */
export async function refreshUser(): Promise<void> {
  const { limits: _, ...user } = await client.account.me()
  store.set({ state: 'in', user })
}

export async function signOut(): Promise<void> {
  await client.logout()
  leave(false)
}

const forgetting = new Set<() => void>()

/** For what a part of the app holds in memory outside of the queries: it must not meet the next person. */
export function whenLeaving(forget: () => void): void {
  forgetting.add(forget)
}

function leave(ended: boolean): void {
  // Nothing of one person is shown to the next on a shared phone.
  queries.clear()
  for (const forget of forgetting) forget()
  store.set({ state: 'out', ended })
}

// Who is here. The token stays in the memory of the library's client; a cookie that no script can read brings the session
// back after a reload.
import { createBrowserClient, MfukoError, type User } from '@mfuko/sdk/browser'
import { QueryClient } from '@tanstack/react-query'
import { keep, readKept } from './kit/kept.ts'
import { currentLanguage, setLanguage } from './kit/language.ts'
import { createStore } from './kit/store.ts'

export type { User } from '@mfuko/sdk/browser'

export type SessionState =
  | { state: 'starting' }
  /** The service could not be asked, or it asks to wait. */
  | { state: 'unreachable'; error: unknown }
  | { state: 'out'; why: Out }
  | { state: 'in'; user: User }

/**
 * `nobody` came yet. `ended`: by another device, by an operator, by time. `left`: by the person. `leaving`: by the person,
 * but the service could not be told, so the cookie is still good.
 */
export type Out = 'nobody' | 'ended' | 'left' | 'leaving'

const store = createStore<SessionState>({ state: 'starting' })
export const useSession = store.use

export const client = createBrowserClient({
  timeoutMs: 20_000,
  language: currentLanguage,
  onSignedOut: () => leave(isLeaving ? 'left' : 'ended'),
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
  if (isLeaving) return finishLeaving()
  try {
    const user = await client.resume()
    if (user === undefined) store.set({ state: 'out', why: 'nobody' })
    else enter(user)
  } catch (error) {
    store.set(saysNobody(error) ? { state: 'out', why: 'nobody' } : { state: 'unreachable', error })
  }
}

/** No cookie, or one that this page may not use. Who has to wait was not looked at, and a proxy on the way knows nobody. */
const saysNobody = (error: unknown): boolean =>
  error instanceof MfukoError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.code !== 'rate_limited' &&
  error.code !== 'unreadable_answer'

export function enter(user: User): void {
  setLanguage(user.locale)
  store.set({ state: 'in', user })
}

/** After a change of the own account. */
export async function refreshUser(): Promise<void> {
  const { limits: _, ...user } = await client.account.me()
  store.set({ state: 'in', user })
}

/** By password or with a new account. Who signs in takes the place of who wanted to leave. */
export const signIn = (call: () => Promise<User>): Promise<User> =>
  inTurn(async () => {
    const user = await call()
    markLeaving(false)
    return user
  })

/** Marked first: who closes the page meanwhile is not back when it is opened again. */
export function signOut(): Promise<void> {
  markLeaving(true)
  return finishLeaving()
}

let isLeaving = readKept('leaving') !== undefined

function markLeaving(value: boolean): void {
  isLeaving = value
  keep('leaving', value ? 'yes' : undefined)
}

/** Nothing of the person is shown from then on, whether the service can be told or not. */
export const finishLeaving = (): Promise<void> =>
  inTurn(async () => {
    // Otherwise it is done, or somebody has signed in meanwhile.
    if (isLeaving) leave((await endSession()) ? 'left' : 'leaving')
  })

// Whatever page is open when the connection is back.
window.addEventListener('online', () => void finishLeaving())

const leaveMs = 8_000

async function endSession(): Promise<boolean> {
  try {
    // After a reload only the cookie knows which session it is.
    const isHere = client.isSignedIn() || (await client.resume()) !== undefined
    if (isHere) await client.logout({ timeoutMs: leaveMs })
  } catch {
    return false
  }
  markLeaving(false)
  return true
}

let turn: Promise<unknown> = Promise.resolve()

/** One after the other: who signs in while the session before is being ended would be signed out with it. */
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const mine = turn.then(act, act)
  turn = mine
  return mine
}

const forgetting = new Set<() => void>()

/** For what a part of the app holds in memory outside of the queries: it must not meet the next person. */
export function whenLeaving(forget: () => void): void {
  forgetting.add(forget)
}

function leave(why: Out): void {
  // Nothing of one person is shown to the next on a shared phone.
  queries.clear()
  for (const forget of forgetting) forget()
  store.set({ state: 'out', why })
}

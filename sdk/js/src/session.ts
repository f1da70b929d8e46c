// A login that lasts: the token is kept in memory only, exchanged before it expires or when it is refused, once for all
// calls that wait for it. How the next token is had differs: a program shows the old one, a page its cookie.
import { MfukoError } from './errors.ts'
import type { LoginBody, RegisterBody, RegisterData } from './operations.ts'
import { openCalls, type PlatformCalls } from './platform.ts'
import { dataOf, openRequest, type Request } from './request.ts'
import { isUnknown } from './retry.ts'
import {
  type CallOptions,
  openTransport,
  type Sent,
  type Transport,
  type TransportOptions,
} from './transport.ts'

export type SignedIn = RegisterData
export type User = SignedIn['user']

export interface Session {
  login(body: Omit<LoginBody, 'session'>, call?: CallOptions): Promise<User>
  register(body: Omit<RegisterBody, 'session'>, call?: CallOptions): Promise<User>
  /** Goes on with the session of before, if there is one. */
  resume(call?: CallOptions): Promise<User | undefined>
  logout(call?: CallOptions): Promise<void>
  isSignedIn(): boolean
}

export type SessionClient = PlatformCalls & Session

export interface SessionOptions extends TransportOptions {
  /** The session has ended: by another device, by an operator, by time. Not after `logout`. */
  onSignedOut?: () => void
}

export interface Keeping extends SessionOptions {
  keptIn: 'memory' | 'cookie'
  /** Of a program that has one from before. */
  token?: string | undefined
  /** A new one: for a program that keeps it for its next start. */
  onToken?: ((token: string | undefined) => void) | undefined
}

/** A token that is good for less than this is exchanged first: the clocks of computers differ. */
const earlySeconds = 60

interface Held {
  token: string | undefined
  expiresAtMs: number
  /** Whose it is, as far as that was told. */
  user?: User | undefined
  /** Another number after each login and log-out: what was begun under one of them never goes on under the next. */
  login: number
}

export function openSession(options: Keeping): SessionClient {
  const held: Held = { token: options.token, expiresAtMs: Number.POSITIVE_INFINITY, login: 0 }
  const credentials = (): Record<string, string> =>
    held.token === undefined ? {} : { authorization: `Bearer ${held.token}` }
  const open = openRequest(openTransport({ ...options, credentials: () => ({}) }))
  const transport = openTransport({ ...options, credentials })
  const hold = (token: string | undefined, seconds = 0) => {
    held.token = token
    held.expiresAtMs = nowMs() + seconds * 1_000
    if (token === undefined) {
      held.user = undefined
      held.login += 1
    }
    options.onToken?.(token)
  }
  const keep = ({ token, expires_in: seconds, user }: SignedIn): User => {
    hold(token, seconds)
    held.user = user
    return user
  }
  const begin = (signedIn: SignedIn): User => {
    held.login += 1
    return keep(signedIn)
  }
  const refresh = openRefresh({ options, open, held, keep, hold })
  const request = openRequest(renewing({ transport, held, refresh }))
  const session = options.keptIn === 'cookie' ? ({ session: 'cookie' } as const) : {}
  return {
    ...openCalls(request),
    login: async (body, call) =>
      begin(await dataOf(open('POST /api/auth/login', { ...call, body: { ...body, ...session } }))),
    register: async (body, call) =>
      begin(await dataOf(open('POST /api/auth/register', { ...call, body: { ...body, ...session } }))),
    resume: (call) => refresh(call),
    logout: async (call) => {
      const { login } = held
      await request('POST /api/auth/logout', { ...call }).catch((error: unknown) => {
        // It had ended already.
        if (!(error instanceof MfukoError && error.code === 'unauthenticated')) throw error
      })
      if (held.token !== undefined && held.login === login) hold(undefined)
    },
    isSignedIn: () => held.token !== undefined,
  }
}

interface Refreshing {
  options: Keeping
  open: Request
  held: Held
  keep: (signedIn: SignedIn) => User
  hold: (token: undefined) => void
}

type Refresh = (call?: CallOptions) => Promise<User | undefined>

/**
 * One at a time: all who wait get the same. Undefined: the session has ended. That is told here, once for all of them, and
 * only of a session that was in use: a page that asks whether there still is one gets its answer. Who has logged in or out
 * meanwhile has had the last word.
 */
function openRefresh({ options, open, held, keep, hold }: Refreshing): Refresh {
  let running: Promise<User | undefined> | undefined
  const refreshOnce: Refresh = async (call) => {
    const { token } = held
    const byCookie = options.keptIn === 'cookie'
    if (!byCookie && token === undefined) return undefined
    try {
      const body = byCookie || token === undefined ? {} : { token }
      const renewed = await dataOf(refreshTwice(open, { ...call, body }))
      if (held.token !== token) return held.user
      // The cookie is the browser's: in another tab somebody else has logged in, who must not act in this one's name.
      return held.user === undefined || held.user.id === renewed.user.id ? keep(renewed) : end(token)
    } catch (error) {
      if (held.token !== token) return held.user
      if (!(error instanceof MfukoError && error.code === 'unauthenticated')) throw error
      return end(token)
    }
  }
  const end = (token: string | undefined) => {
    hold(undefined)
    if (token !== undefined) options.onSignedOut?.()
    return undefined
  }
  return (call) => {
    running ??= refreshOnce(call).finally(() => {
      running = undefined
    })
    return running
  }
}

/** For ten seconds an exchanged token gets the same successor again; later it ends the session. Two tries fit in. */
const lostMs = 4_500

async function refreshTwice(
  request: Request,
  given: CallOptions & { body: { token?: string } },
): Promise<{ data: SignedIn }> {
  const input = { ...given, timeoutMs: Math.min(given.timeoutMs ?? lostMs, lostMs) }
  try {
    return await request('POST /api/auth/refresh', input)
  } catch (error) {
    // Also behind the page of a proxy: the token may have been exchanged all the same.
    if (!(error instanceof MfukoError && isUnknown(error.status))) throw error
    return request('POST /api/auth/refresh', input)
  }
}

interface Renewing {
  transport: Transport
  held: Held
  refresh: Refresh
}

/** A refused token is exchanged and the request sent again: who was not let in has done nothing. */
const renewing =
  ({ transport, held, refresh }: Renewing): Transport =>
  async (given) => {
    const { login } = held
    const mayGoOn = () => held.login === login
    const sent = { ...given, mayGoOn }
    const exchange = () => refresh().catch((error: unknown) => tellKey(error, sent))
    if (held.token !== undefined && held.expiresAtMs - nowMs() < earlySeconds * 1_000) {
      await exchange()
      if (!mayGoOn()) throw left(sent)
    }
    const { token } = held
    try {
      return await transport(sent)
    } catch (error) {
      const isRefused = error instanceof MfukoError && error.code === 'unauthenticated'
      if (!isRefused || token === undefined || !mayGoOn()) throw error
      // Another call may have exchanged it meanwhile.
      if (held.token === token && (await exchange()) === undefined) throw error
      if (!mayGoOn()) throw error
      return transport(sent)
    }
  }

/** Whose wish it was is not signed in any more. As the service would say it: nothing has happened. */
const left = ({ idempotencyKey }: Sent) =>
  new MfukoError({
    code: 'unauthenticated',
    message: 'The session of this call has ended',
    status: 401,
    idempotencyKey,
  })

/** The exchange has failed, but a try before it may have happened: who asked needs the key to go on. */
function tellKey(error: unknown, { idempotencyKey }: Sent): never {
  if (!(error instanceof MfukoError)) throw error
  throw new MfukoError({ ...error, message: error.message, idempotencyKey, cause: error })
}

const nowMs = () => Date.now()

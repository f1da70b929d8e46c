import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors.ts'
import { currencyCodes, toJson } from '../base/money.ts'
import type { Prices } from '../base/prices.ts'
import { bearerOf } from '../http/bearer.ts'
import { refusedFields, refuseFields, requireNone } from '../http/fields.ts'
import type { App } from '../http/instance.ts'
import { originOf } from '../http/origin.ts'
import type { RateLimiter } from '../http/rate-limits.ts'
import { bodyOptional, listOf, ok } from '../http/schema.ts'
import { callerOf } from '../http/scope.ts'
import { openSessionCookie, type SessionCookie } from '../http/session-cookie.ts'
import { emailProblem, nameProblem, passwordProblem, phoneProblem, pinProblem, sentences } from './rules.ts'
import * as schema from './schema.ts'
import { idleSeconds } from './sessions.ts'
import {
  type Caller,
  defaultCurrency,
  type LoginName,
  type Person,
  type SignedIn,
  type Users,
  unknownCountry,
} from './users.ts'

const tags = ['Account']
const refusal = (description: string) => ({ description, $ref: 'ErrorReply#' })

const notOwnPage = refusal('The cookie was asked for or shown by something else than a page of this service.')

/** For callers who are not logged in yet, or not any more. */
export function authRoutes(app: App, deps: { users: Users; limits: RateLimiter; baseUrl: string }): void {
  const cookie = sessionCookie(deps)
  loginRoutes(app, { ...deps, cookie })
  refreshRoute(app, { ...deps, cookie })
  passwordRoutes(app, deps)
}

const sessionCookie = ({ baseUrl }: { baseUrl: string }): SessionCookie =>
  openSessionCookie({ baseUrl, seconds: idleSeconds })

function loginRoutes(app: App, { users, cookie }: { users: Users; cookie: SessionCookie }): void {
  const register = {
    summary: 'Create an account',
    description:
      'Answers as a login does. A wallet in the currency of the country comes with it. An e-mail address is sent a code to confirm it with.',
    tags,
    operationId: 'register',
    body: schema.Registration,
    response: { 201: schema.SignedInReply, 403: notOwnPage },
  }
  const registering = { schema: register, config: { limit: 'register' }, attachValidation: true } as const
  app.post('/api/auth/register', registering, async (request, reply) => {
    const refused = refusedFields(request)
    requireNone(
      await users.registrationProblems({ given: goodFields(request.body, refused), errors: refused }),
    )
    const { session, ...given } = request.body
    if (session === 'cookie') cookie.requireOwnPage(request)
    const signedIn = await users.register({ given, origin: originOf(request) })
    if (session === 'cookie') cookie.write(reply, signedIn.token)
    return reply.code(201).send(ok('Welcome', shownLogin(signedIn)))
  })

  const login = {
    summary: 'Log in',
    description:
      'Wrong and unknown get the same answer. Ten failures in 15 minutes for one name, or thirty from one address, are answered with 429 until `Retry-After` is over.',
    tags,
    operationId: 'login',
    body: schema.Login,
    response: {
      200: schema.SignedInReply,
      401: refusal('The name or the password is wrong.'),
      403: notOwnPage,
    },
  }
  const loggingIn = { schema: login, config: { limit: 'login' }, attachValidation: true } as const
  app.post('/api/auth/login', loggingIn, async (request, reply) => {
    refuseFields(request, () => nameErrors(request.body))
    const { password, session, ...name } = request.body
    if (session === 'cookie') cookie.requireOwnPage(request)
    const signedIn = await users.login({ name, password, origin: originOf(request) })
    if (session === 'cookie') cookie.write(reply, signedIn.token)
    return ok('You are logged in', shownLogin(signedIn))
  })
}

interface RefreshParts {
  users: Users
  limits: RateLimiter
  cookie: SessionCookie
}

function refreshRoute(app: App, { users, limits, cookie }: RefreshParts): void {
  const refresh = {
    summary: 'Exchange the JWT for a new one',
    description:
      'The old JWT is refused from then on. It is sent as `Authorization: Bearer` or as `token`; an expired one is taken up to 7 days after it was issued. If the answer got lost, the old one gets the same new one again for 10 seconds. Shown later than that, or an older one shown: somebody else may have it, so the whole session ends. A session ends after 30 days in any case. Without a token the session cookie counts, for pages of this service only: all pages of a browser share one token, so until that is 12 hours old they get the same one.',
    tags,
    operationId: 'refresh',
    body: schema.Refresh,
    [bodyOptional]: true,
    response: { 200: schema.SignedInReply, 401: refusal('The session has ended.'), 403: notOwnPage },
  }
  const refreshing = {
    schema: refresh,
    config: { limit: 'login' },
    // The token may be in the header, and then there need not be a body.
    preValidation: async (request: FastifyRequest) => {
      request.body ??= {}
    },
  } as const
  const byToken = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    request.principal = users.readForRefresh(token)
    await limits.count('refresh', request, reply)
    const next = await users.refresh({ token, origin: originOf(request) })
    // A page that shows the token itself: what its cookie holds was exchanged too.
    if (cookie.read(request) === token) cookie.write(reply, next.token)
    return next
  }
  const byCookie = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    cookie.requireOwnPage(request)
    try {
      request.principal = users.readForRefresh(token)
      await limits.count('resume', request, reply)
      const next = await users.refresh({ token, origin: originOf(request), keepsYoung: true })
      cookie.write(reply, next.token)
      return next
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') cookie.clear(request, reply)
      throw error
    }
  }
  app.post('/api/auth/refresh', refreshing, async (request, reply) => {
    const kept = request.headers.authorization === undefined ? cookie.read(request) : undefined
    const next =
      request.body.token === undefined && kept !== undefined
        ? await byCookie(request, reply, kept)
        : await byToken(request, reply, request.body.token ?? bearerOf(request))
    return ok('Your session goes on', shownLogin(next))
  })
}

function passwordRoutes(app: App, { users }: { users: Users }): void {
  const forgot = {
    summary: 'Ask for a code to choose a new password',
    description:
      'Mails it to the confirmed e-mail address of the account. The answer is the same when there is no such account or address. A code is good for 30 minutes, and for five tries from one network; a new one takes its place. At most five are mailed in 15 minutes; from one network 20 can be asked for in a day.',
    tags,
    operationId: 'forgotPassword',
    body: schema.ForgotPassword,
    response: { 200: schema.DoneReply },
  }
  const forgetting = { schema: forgot, config: { limit: 'codes' }, attachValidation: true } as const
  app.post('/api/auth/password/forgot', forgetting, async (request) => {
    refuseFields(request, () => nameErrors(request.body))
    await users.forgotPassword({ name: request.body, origin: originOf(request) })
    return ok('If the account has a confirmed e-mail address, a code is on its way', null)
  })

  const reset = {
    summary: 'Choose a new password with the code',
    description: 'Ends every session of the account.',
    tags,
    operationId: 'resetPassword',
    body: schema.ResetPassword,
    response: { 200: schema.DoneReply },
  }
  const resetting = { schema: reset, config: { limit: 'codes' }, attachValidation: true } as const
  app.post('/api/auth/password/reset', resetting, async (request) => {
    refuseFields(request, () => ({
      ...nameErrors(request.body),
      ...judged({ password: request.body.password }, (password) => passwordProblem(password, { brand: '' })),
    }))
    const { code, password, ...name } = request.body
    await users.resetPassword({ name, code, password, origin: originOf(request) })
    return ok('The password is changed. Log in with it', null)
  })
}

/** For people who are logged in. */
export function meRoutes(app: App, deps: { users: Users; prices: Prices; baseUrl: string }): void {
  sessionRoutes(app, { ...deps, cookie: sessionCookie(deps) })
  profileRoutes(app, deps)
  secretRoutes(app, deps)
  contactRoutes(app, deps)
}

function sessionRoutes(app: App, { users, cookie }: { users: Users; cookie: SessionCookie }): void {
  const logout = {
    summary: 'Log out',
    description: 'Ends this session: its JWT is refused from then on. The session cookie is taken away.',
    tags,
    operationId: 'logout',
    response: { 200: schema.DoneReply },
  }
  app.post('/api/auth/logout', { schema: logout }, async (request, reply) => {
    const caller = whoOf(request)
    await users.endSession({ id: caller.session, caller })
    cookie.clear(request, reply)
    return ok('You are logged out', null)
  })

  const list = {
    summary: 'List your sessions',
    description:
      'The latest first. There are never more than 20: a new login ends the one that was not used for the longest time. So `next_cursor` is always null.',
    tags,
    operationId: 'listSessions',
    response: { 200: schema.SessionList },
  }
  app.get('/api/auth/sessions', { schema: list }, async (request) => {
    const { user, session } = whoOf(request)
    const items = (await users.sessions(user)).map(({ id, device, address, createdAt, lastUsedAt }) => ({
      id,
      device,
      address,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt.toISOString(),
      current: id === session,
    }))
    return listOf('Your sessions', { items, nextCursor: null })
  })

  const end = {
    summary: 'End a session',
    description: 'One of your own, for example of a phone that was lost.',
    tags,
    operationId: 'endSession',
    params: schema.SessionPath,
    response: { 200: schema.DoneReply },
  }
  app.delete('/api/auth/sessions/:id', { schema: end }, async (request) => {
    const ended = await users.endSession({ id: request.params.id, caller: whoOf(request) })
    if (!ended) throw new AppError('not_found', { detail: 'You have no such session.' })
    return ok('The session has ended', null)
  })
}

function profileRoutes(app: App, { users, prices }: { users: Users; prices: Prices }): void {
  const me = {
    summary: 'Who you are',
    description: 'With the limits that apply to you, by currency.',
    tags,
    operationId: 'getMe',
    response: { 200: schema.MeReply },
  }
  app.get('/api/me', { schema: me }, async (request) => {
    const person = await users.read(callerOf(request))
    return ok('You', { ...shown(person), limits: limitsOf(prices) })
  })

  const change = {
    summary: 'Change your name, language and receipts',
    tags,
    operationId: 'changeMe',
    body: schema.ProfileChange,
    response: { 200: schema.MeReply },
  }
  app.patch('/api/me', { schema: change, attachValidation: true }, async (request) => {
    refuseFields(request, () => judged({ name: request.body.name }, nameProblem))
    const { name, locale, email_receipts: wantsReceipts } = request.body
    const person = await users.changeProfile({
      change: { name, locale, wantsReceipts },
      caller: whoOf(request),
    })
    return ok('Changed', { ...shown(person), limits: limitsOf(prices) })
  })
}

function secretRoutes(app: App, { users }: { users: Users }): void {
  const pin = {
    summary: 'Set or change the PIN',
    description:
      'Moving money needs it. Five wrong ones in a row lock it for 30 minutes, ten disable it until a new one is set here. A change ends your other sessions.',
    tags,
    operationId: 'setPin',
    body: schema.PinChange,
    response: { 200: schema.DoneReply },
  }
  app.put('/api/me/pin', { schema: pin, attachValidation: true }, async (request) => {
    refuseMalformed(request, () => judged({ pin: request.body.pin }, (text) => pinProblem(text, {})))
    await users.setPin({ ...request.body, caller: whoOf(request) })
    return ok('The PIN is set', null)
  })

  const password = {
    summary: 'Change the password',
    description: 'Ends your other sessions.',
    tags,
    operationId: 'changePassword',
    body: schema.PasswordChange,
    response: { 200: schema.DoneReply },
  }
  app.put('/api/me/password', { schema: password, attachValidation: true }, async (request) => {
    const weak = (text: string) => passwordProblem(text, { brand: '' })
    refuseMalformed(request, () => judged({ new_password: request.body.new_password }, weak))
    const { password: present, new_password: newPassword } = request.body
    await users.changePassword({ password: present, newPassword, caller: whoOf(request) })
    return ok('The password is changed', null)
  })
}

function contactRoutes(app: App, { users }: { users: Users }): void {
  const email = {
    summary: 'Add or change the e-mail address',
    description: 'A code is mailed to the new address; until it comes back the address is not confirmed.',
    tags,
    operationId: 'changeEmail',
    body: schema.EmailChange,
    response: { 200: schema.UserReply },
  }
  app.put('/api/me/email', { schema: email, attachValidation: true }, async (request) => {
    refuseMalformed(request, () => judged({ email: request.body.email }, emailProblem))
    const person = await users.changeContact({ ...request.body, caller: whoOf(request) })
    return ok('A code is on its way to the new address', shown(person))
  })

  const phone = {
    summary: 'Add or change the phone number',
    tags,
    operationId: 'changePhone',
    body: schema.PhoneChange,
    response: { 200: schema.UserReply },
  }
  app.put('/api/me/phone', { schema: phone, attachValidation: true }, async (request) => {
    refuseMalformed(request, () => judged({ phone: request.body.phone }, phoneProblem))
    const person = await users.changeContact({ ...request.body, caller: whoOf(request) })
    return ok('The phone number is changed', shown(person))
  })

  const confirm = {
    summary: 'Confirm the e-mail address',
    description: 'With the code that was mailed to it. It is good for 24 hours and five tries.',
    tags,
    operationId: 'confirmEmail',
    body: schema.ConfirmEmail,
    response: { 200: schema.DoneReply },
  }
  app.post('/api/auth/email/confirm', { schema: confirm }, async (request) => {
    await users.confirmEmail({ code: request.body.code, caller: whoOf(request) })
    return ok('The e-mail address is confirmed', null)
  })

  const resend = {
    summary: 'Mail a new code to confirm the e-mail address',
    description:
      'It takes the place of the one before. 422 `invalid_state` when there is nothing to confirm.',
    tags,
    operationId: 'resendConfirmation',
    response: { 200: schema.DoneReply, 422: refusal('There is nothing to confirm.') },
  }
  app.post('/api/auth/email/resend', { schema: resend }, async (request) => {
    await users.resendConfirmation(whoOf(request))
    return ok('A code is on its way', null)
  })
}

const whoOf = (request: FastifyRequest): Caller => ({
  ...originOf(request),
  user: callerOf(request),
  session: request.principal?.session ?? '',
})

/**
 * Where the password is asked for again. What the schema takes is judged by the door: only there is the password compared,
 * and what is wrong with it is told with the rest.
 */
function refuseMalformed(request: FastifyRequest, find: () => Record<string, string>): void {
  if (request.validationError !== undefined) refuseFields(request, find)
}

const loginNames = ['email', 'phone', 'handle'] as const

/** Exactly one name. The body may be anything: the schema speaks for itself. */
function nameErrors(body: LoginName): Record<string, string> {
  const given = loginNames.filter((field) => body[field] !== undefined)
  if (given.length === 0) return { email: 'Email, phone or handle is required' }
  return Object.fromEntries(given.slice(1).map((field) => [field, `Send only one of ${given.join(', ')}`]))
}

/** What the rules say about a field that may be missing, or anything: then the schema speaks for itself. */
function judged(
  field: Record<string, unknown>,
  judge: (text: string) => string | undefined,
): Record<string, string> {
  const texts = Object.entries(field).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return sentences(Object.fromEntries(texts.map(([name, text]) => [name, judge(text)])))
}

/** Those that the schema has nothing against. */
const goodFields = <Body extends object>(body: Body, refused: Record<string, string>): Partial<Body> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => refused[field] === undefined)) as Partial<Body>

const shownLogin = ({ token, expiresIn, person }: SignedIn) => ({
  token,
  token_type: 'Bearer' as const,
  expires_in: expiresIn,
  user: shown(person),
})

const shown = (person: Person): schema.UserShown => ({
  id: person.id,
  handle: person.handle,
  name: person.name,
  email: person.email ?? null,
  email_confirmed: person.emailConfirmed,
  phone: person.phone ?? null,
  country: person.country === unknownCountry ? null : person.country,
  locale: person.locale,
  default_currency: defaultCurrency(person.country),
  has_pin: person.hasPin,
  email_receipts: person.wantsReceipts,
  frozen: person.frozen,
  roles: [...person.roles],
  created_at: person.createdAt.toISOString(),
})

type Shown = Record<
  (typeof currencyCodes)[number],
  Record<'least' | 'most' | 'daily_most', ReturnType<typeof toJson>>
>

const limitsOf = ({ least, most, dailyMost }: Prices): Shown =>
  Object.fromEntries(
    currencyCodes.map((currency) => [
      currency,
      {
        least: toJson({ minor: least[currency], currency }),
        most: toJson({ minor: most[currency], currency }),
        daily_most: toJson({ minor: dailyMost[currency], currency }),
      },
    ]),
  ) as Shown

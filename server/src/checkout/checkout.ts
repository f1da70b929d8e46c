// The hosted checkout: what a customer with the link of a payment sees and may do. What must stay true: the link shows
// this payment and nothing else; a wallet is shown after a login and charged after the PIN; amount, currency, merchant
// and addresses come from the payment and never from the request; a look changes nothing; and however often, in however
// many tabs and by whomever it is confirmed, a payment is paid once, and each of them sees what became of it.
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Locale } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Payment, Payments } from '../payments/payments.ts'
import type { Origin } from '../users/users.ts'
import * as customers from './customers.ts'
import * as external from './external.ts'
import { type Payee, type PayeeDeps, payeeOf } from './payee.ts'
import { payOnce } from './paying.ts'
import * as rules from './rules.ts'
import * as sql from './sql.ts'
import type { Method, Problem, Step, Typed, View } from './view.ts'
import * as visits from './visit.ts'

export type { StartForm } from './external.ts'
export type { Step, View } from './view.ts'
export { visitSeconds } from './visit.ts'

export interface CheckoutDeps
  extends customers.CustomerDeps,
    Pick<external.ExternalDeps, 'operations' | 'registry' | 'funding'>,
    PayeeDeps {
  payments: Pick<
    Payments,
    'byToken' | 'byNumber' | 'payFromWallet' | 'cancel' | 'attemptsOf' | 'startAttempt' | 'urlOf'
  >
  clock: Clock
  secrets: { readonly enc: Secret }
  baseUrl: string
}

/** Somebody with the link of a payment. */
export interface Visitor {
  token: string
  cookie: string | undefined
  origin: Origin
  /** Chosen on a page. */
  language?: Locale | undefined
}

/** A page to show at once, or the page of the payment to go to. `cookie`: a new one, or '' to take it away. */
export type Answer =
  | { show: View; status: number; retryAfter?: number | undefined }
  | { go: true; cookie?: string; step?: string }

export interface Checkout {
  /** Nothing: there is no such payment, or it ended long ago. `wanted`: the step that a link asks for. */
  look(visitor: Visitor, wanted: string | undefined): Promise<View | undefined>
  /** Changes with what the page would show. */
  state(visitor: Visitor): Promise<string | undefined>
  login(
    visitor: Visitor,
    form: { name: string; password: string; proof: string },
  ): Promise<Answer | undefined>
  logout(visitor: Visitor, form: { proof: string }): Promise<Answer | undefined>
  pay(visitor: Visitor, form: { pin: string; proof: string }): Promise<Answer | undefined>
  /** By a provider. */
  start(visitor: Visitor, form: external.StartForm): Promise<Answer | undefined>
  cancel(visitor: Visitor, form: { proof: string }): Promise<Answer | undefined>
  /** Where the merchant wants the customer; nothing when there is no such place, or it is not the merchant's any more. */
  returnTo(visitor: Visitor): Promise<string | undefined>
  /** The checkout that a provider's page was opened from; `sealed` is what its address back says. */
  backTo(sealed: string, language?: Locale): Promise<string | undefined>
}

interface Room extends CheckoutDeps {
  visits: visits.Visits
}

/** One look at a payment. */
interface Seen {
  payment: Payment
  status: Payment['status']
  now: Date
  token: string
  language: Locale | undefined
  visit: visits.Visit | undefined
  /** Who has logged in for it, in this browser. */
  customer: string | undefined
  payee: Payee
  /** By providers. */
  tried: external.Tried[]
  methods: Method[]
}

export function openCheckout(deps: CheckoutDeps): Checkout {
  const room: Room = { ...deps, visits: visits.openVisits(deps.secrets) }
  const having =
    <Form, Result>(act: (room: Room, seen: Seen, form: Form, origin: Origin) => Promise<Result>) =>
    async (visitor: Visitor, form: Form) => {
      const seen = await find(room, visitor)
      return seen && act(room, seen, form, visitor.origin)
    }
  return {
    look: having(async (_room, seen, wanted: string | undefined) =>
      viewOf(room, seen, await stepOf(room, seen, wanted)),
    ),
    state: (visitor) => having(async (_room, seen) => stateOf(seen))(visitor, undefined),
    login: having(login),
    logout: having(logout),
    pay: having(pay),
    start: having(start),
    cancel: having(cancel),
    returnTo: (visitor) => having(async (_room, seen) => returnPlace(seen))(visitor, undefined),
    backTo: async (sealed, language) => {
      const number = room.visits.openReturn(sealed)
      const payment = number === undefined ? undefined : await room.payments.byNumber(number)
      if (payment === undefined) return undefined
      await external.hurryOpen(room, payment)
      return inLanguage(room.payments.urlOf(payment), language)
    },
  }
}

/** An address that has a query, for somebody who has chosen a language. */
const inLanguage = (address: string, language: Locale | undefined): string =>
  language === undefined ? address : `${address}&lang=${language}`

/** Unknown, malformed and long over take the same way. */
async function find(room: Room, { token, cookie, language }: Visitor): Promise<Seen | undefined> {
  const well = rules.tokenForm.test(token)
  const now = room.clock.now()
  const read = await readTogether(room, { token: well ? token : rules.noToken, now })
  if (!well || read === undefined) return undefined
  const { payment, tried } = read
  const visit = room.visits.read(cookie, now)
  const status = rules.statusOf(payment, now)
  return {
    payment,
    status,
    now,
    token,
    language,
    visit,
    customer: visits.customerIn(visit, payment.number),
    payee: await payeeOf(room, payment),
    tried,
    methods: status === 'pending' ? await external.externalMethods(room, payment) : [],
  }
}

/**
 * A provider may confirm between the two reads: the try has succeeded, and the payment that was read before still waits.
 * Whoever has just paid would be asked how to pay. Both become so in one transaction, so the second look agrees.
 */
async function readTogether(
  room: Room,
  { token, now }: { token: string; now: Date },
): Promise<Pick<Seen, 'payment' | 'tried'> | undefined> {
  const read = async () => {
    const payment = await room.payments.byToken(token, { endedSince: rules.shownSince(now) })
    return payment && { payment, tried: await external.triedBefore(room, payment) }
  }
  const first = await read()
  return first?.payment.status === 'pending' && external.paidBy(first.tried) !== undefined ? read() : first
}

const stateOf = ({ status, tried }: Seen): string =>
  rules.stateOf(
    status,
    tried.map(({ attempt, operation }) => ({
      status: attempt.status,
      page: attempt.status === 'pending' && operation?.redirectUrl != null,
    })),
  )

function viewOf(room: Room, seen: Seen, step: Step): View {
  const { payment, now, token, visit, status } = seen
  return {
    payment: { ...payment, status },
    state: stateOf(seen),
    step,
    tries: external.triesIn(seen.tried),
    forms: {
      anybody: room.visits.proof({ token }),
      customer: visit === undefined ? '' : room.visits.proof({ token, browser: visit.browser }),
    },
    secondsLeft: rules.secondsLeft(payment, now),
    hasReturn: returnPlace(seen) !== undefined,
    hasOther: seen.methods.length > 0,
  }
}

async function stepOf(room: Room, seen: Seen, wanted?: string): Promise<Step> {
  const { payment, status, customer: id } = seen
  const customer = id === undefined ? undefined : await customers.findCustomer(room, payment, id)
  switch (status) {
    case 'completed':
    case 'refunded': {
      const mine = customer !== undefined && customers.hasPaid(customer, payment)
      return {
        step: 'paid',
        wallet: mine ? walletOf(payment, customer) : undefined,
        loggedIn: customer !== undefined,
        paid: external.paidBy(seen.tried),
      }
    }
    case 'failed':
      return { step: 'failed', code: payment.failure?.code ?? 'expired' }
    case 'pending':
      if (isSuspended(seen)) return { step: 'suspended' }
      if (wanted === 'cancel') return { step: 'cancel' }
      return external.askedStep(room, seen, wanted) ?? ownStep(room, seen, { wanted, customer })
    default:
      return status satisfies never
  }
}

interface Own {
  wanted: string | undefined
  customer: customers.Customer | undefined
}

/** Who has logged in confirms, unless another way is asked for. */
const ownStep = async (room: Room, seen: Seen, { wanted, customer }: Own): Promise<Step> =>
  customer === undefined || wanted === 'other' || external.isExternal(wanted)
    ? chooseStep(room, seen, { wanted })
    : confirmStep(seen.payment, customer)

const isSuspended = ({ payee }: Seen): boolean => payee.isSuspended

interface Chosen {
  wanted?: string | undefined
  typed?: Typed
  problem?: Problem
}

async function chooseStep(room: Room, seen: Seen, { wanted, typed, problem }: Chosen): Promise<Step> {
  const { payment, tried } = seen
  const wrongLogins = (await sql.wrongLogins(room.db, payment.number))?.failures ?? 0
  const isOff = wrongLogins >= rules.wrongLoginsMax
  const methods = methodsOf(seen, { wallet: !isOff })
  const open = (methods.find(({ id }) => id === wanted) ?? methods[0])?.id
  const off: Problem | undefined =
    isOff && (open === undefined || wanted === 'wallet') ? { code: 'wallet_off' } : undefined
  return {
    step: 'choose',
    methods,
    open,
    problem: off ?? problem ?? external.lastFailure(tried, payment),
    ...(typed === undefined ? {} : { typed }),
  }
}

/** The ways to pay that work for this payment, the likeliest first; those that are down come last. */
function methodsOf({ methods }: Seen, { wallet }: { wallet: boolean }): Method[] {
  const ours: Method[] = wallet ? [{ id: 'wallet', kind: 'wallet' }] : []
  const all = [...methods, ...ours]
  return [...all.filter((one) => !external.isDown(one)), ...all.filter(external.isDown)]
}

const walletOf = ({ amount }: Payment, { name, handle, spendable }: customers.Customer) => ({
  name,
  handle,
  currency: amount.currency,
  spendable,
})

function confirmStep(payment: Payment, customer: customers.Customer, problem?: Problem): Step {
  const { spendable } = customer
  const enough = spendable === 'endless' || spendable.minor >= payment.amount.minor
  const own = customer.problem ?? (enough ? undefined : 'too_little')
  return {
    step: 'confirm',
    wallet: walletOf(payment, customer),
    // In test mode who has nothing may try, so that a shop sees what comes of it.
    mayPay: customer.problem === undefined && !isPinShut(problem) && (enough || payment.mode === 'test'),
    problem: problem ?? (own === undefined ? undefined : { code: own }),
  }
}

const isPinShut = (problem: Problem | undefined): boolean =>
  problem?.code === 'pin_locked' || problem?.code === 'pin_disabled'

const goOn: Answer = { go: true }

/** Whatever was asked for, it is too late: the page of the payment says what became of it. */
const isOver = (seen: Seen): boolean => seen.status !== 'pending' || isSuspended(seen)

async function login(
  room: Room,
  seen: Seen,
  form: { name: string; password: string; proof: string },
  origin: Origin,
): Promise<Answer> {
  const { payment, token, now, visit } = seen
  const { number } = payment
  if (isOver(seen)) return goOn
  const again = async (problem: Problem, status = 422): Promise<Answer> => ({
    show: viewOf(
      room,
      seen,
      await chooseStep(room, seen, { wanted: 'wallet', typed: { name: form.name }, problem }),
    ),
    status,
  })
  if (!room.visits.isProof(form.proof, { token })) return again({ code: 'form_old' }, 403)
  if (form.name.trim() === '' || form.password === '') return again({ code: 'login_incomplete' })
  // Counted before it is tried: many at the same moment gain nothing.
  const counted = await sql.beginLogin(room.db, { number, most: rules.wrongLoginsMax, now })
  if (counted === undefined) return again({ code: 'wallet_off' })
  try {
    const customer = await customers.identify(room, payment, { ...form, origin })
    await sql.takeBackLogin(room.db, number)
    const cookie = room.visits.write(visits.withLogin(visit, { payment: number, customer, now }))
    // While a phone or a card page is waited for, the page of the payment is about that: who logs in wants the wallet.
    const isAsked = external.askedStep(room, seen, undefined) !== undefined
    return { go: true, cookie, ...(isAsked ? { step: 'wallet' } : {}) }
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (code === 'unauthenticated') return again({ code: 'login_wrong' })
    await sql.takeBackLogin(room.db, number)
    if (code !== 'rate_limited') throw error
    return { ...(await again({ code: 'login_often' }, 429)), retryAfter: (error as AppError).retryAfter }
  }
}

async function logout(
  room: Room,
  { payment, token, visit }: Seen,
  { proof }: { proof: string },
): Promise<Answer> {
  if (visit === undefined || !room.visits.isProof(proof, { token, browser: visit.browser })) return goOn
  const left = visits.withoutLogin(visit, payment.number)
  return { go: true, cookie: left === undefined || left.logins.length === 0 ? '' : room.visits.write(left) }
}

async function pay(
  room: Room,
  seen: Seen,
  form: { pin: string; proof: string },
  origin: Origin,
): Promise<Answer> {
  const { payment, token, visit, customer: id } = seen
  if (isOver(seen)) return goOn
  const customer = id === undefined ? undefined : await customers.findCustomer(room, payment, id)
  if (customer === undefined) {
    const step = await chooseStep(room, seen, { wanted: 'wallet', problem: { code: 'login_over' } })
    return { show: viewOf(room, seen, step), status: 403 }
  }
  const again = (problem: Problem, status = 422): Answer => ({
    show: viewOf(room, seen, confirmStep(payment, customer, problem)),
    status,
  })
  if (!room.visits.isProof(form.proof, { token, browser: visit?.browser }))
    return again({ code: 'form_old' }, 403)
  if (!rules.pinForm.test(form.pin)) return again({ code: 'pin_form' })
  const paid = await payOnce(room, payment, { id: customer.id, pin: form.pin, origin })
  switch (paid.outcome) {
    case 'paid':
    case 'decided':
      return goOn
    case 'declined':
    case 'limited': {
      const after = await room.payments.byNumber(payment.number)
      return after?.status === 'pending' ? again(declinedProblem[paid.outcome]) : goOn
    }
    case 'unknown':
      return { show: viewOf(room, seen, { step: 'waiting' }), status: 503, retryAfter: 1 }
    case 'refused':
      return again(paid.problem)
    default:
      return paid satisfies never
  }
}

const declinedProblem: Record<'declined' | 'limited', Problem> = {
  declined: { code: 'declined' },
  limited: { code: 'tried', tried: 'payer_limit_reached' },
}

async function start(room: Room, seen: Seen, form: external.StartForm): Promise<Answer> {
  const { payment, token } = seen
  if (isOver(seen)) return goOn
  const again = async (problem: Problem, status = 422): Promise<Answer> => ({
    show: viewOf(room, seen, await chooseStep(room, seen, { wanted: form.method, typed: form, problem })),
    status,
  })
  if (!room.visits.isProof(form.proof, { token })) return again({ code: 'form_old' }, 403)
  const order = external.readStart(room, payment, { form, methods: seen.methods })
  if ('code' in order) return again(order)
  const backUrl = `${room.baseUrl}/checkout/back?to=${room.visits.sealReturn(payment.number)}`
  const returnUrl = inLanguage(backUrl, seen.language)
  const started = await room.payments.startAttempt(payment, { ...order, returnUrl })
  switch (started.outcome) {
    case 'decided':
      return goOn
    case 'refused':
      return again(external.refusedProblem(started.problems))
    case 'phone_busy':
      return again({ code: 'phone_busy' }, 429)
    case 'started':
      return started.operation.redirectUrl === null ? goOn : { go: true, step: external.cardStep }
    default:
      return started satisfies never
  }
}

async function cancel(room: Room, seen: Seen, { proof }: { proof: string }): Promise<Answer> {
  const { payment, token } = seen
  if (isOver(seen)) return goOn
  if (!room.visits.isProof(proof, { token }))
    return { show: viewOf(room, seen, { step: 'cancel' }), status: 403 }
  await room.payments.cancel(payment)
  return goOn
}

function returnPlace({ payment, status, payee }: Seen): string | undefined {
  const address = rules.returnAddress(payment, status)
  if (address === null || !payee.mayReturnTo(address)) return undefined
  return rules.withOutcome(address, payment, status)
}

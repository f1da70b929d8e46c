// Ways to pay that are not ours: which fit a payment, what was tried, and what a form asks for.
import { check } from '../base/check.ts'
import type { Became, Funding } from '../funding/funding.ts'
import type { Operation, Operations } from '../operations/operations.ts'
import type { AttemptRow, NewAttempt, Payment } from '../payments/payments.ts'
import * as payments from '../payments/payments.ts'
import type { ProviderId, Registry } from '../providers/providers.ts'
import * as providers from '../providers/providers.ts'
import * as rules from './rules.ts'
import { outcomePhone } from './sandbox.ts'
import type { Method, PaidBy, Problem, Step, Tries, Try, Typed } from './view.ts'

export interface ExternalDeps {
  operations: Pick<Operations, 'methods' | 'guess' | 'problems' | 'find' | 'hurry'>
  registry: Pick<Registry, 'of' | 'simulatorUrl'>
  payments: Pick<payments.Payments, 'attemptsOf' | 'startAttempt'>
  funding: Pick<Funding, 'becameOf'>
}

/** Those of providers, the likeliest first. One that is down is not offered first. */
export async function externalMethods({ operations }: ExternalDeps, payment: Payment): Promise<Method[]> {
  const { amount, mode } = payment
  const all = await operations.methods({ currency: amount.currency, purpose: 'payment', mode })
  const fitting = all.filter(
    ({ id }) => !('amount' in operations.problems({ provider: id, mode, kind: 'collect', amount })),
  )
  const { code } = rules.diallingOf(amount.currency)
  const networks = fitting
    .filter(({ kind }) => kind === 'mobile_money')
    .map(({ id, name, health, prefixes }) => ({
      id,
      name,
      down: health === 'down',
      prefixes: prefixes.filter((prefix) => prefix.startsWith(code)),
    }))
  const cards = fitting
    .filter(({ kind }) => kind === 'card')
    .map(({ id, health }): Method => ({ id, kind: 'card', down: health === 'down' }))
  return networks.length === 0 ? cards : [{ id: 'mobile', kind: 'mobile_money', networks }, ...cards]
}

/** A step that a link asks for: the form of a way that is not ours. */
export const isExternal = (step: string | undefined): boolean =>
  step === 'mobile' || (step !== undefined && providers.providerOf(step) !== undefined)

export const isDown = (method: Method): boolean =>
  method.kind === 'mobile_money'
    ? method.networks.every(({ down }) => down)
    : method.kind === 'card' && method.down

/** One try by a provider, with what is known of it. */
export interface Tried {
  attempt: AttemptRow
  shown: Try
  operation: Operation | undefined
  /** What became of its money, which came when the payment could not take it. */
  notTaken: Became | undefined
}

/** Those by providers, the oldest first. */
export async function triedBefore(
  { operations, payments: room, funding }: ExternalDeps,
  payment: Payment,
): Promise<Tried[]> {
  if (payment.attempts === 0) return []
  const external = (await room.attemptsOf(payment)).filter(({ operation_id: id }) => id !== null)
  const notTaken = external.some(wasNotTaken) ? await funding.becameOf(payment.reference) : undefined
  return Promise.all(
    external.map(async (attempt): Promise<Tried> => {
      const { method, contact, operation_id: id, status } = attempt
      // What has failed is told by the try itself.
      const operation = status === 'failed' || id === null ? undefined : await operations.find(id)
      const shown: Try = {
        ...kindAndName(method),
        contact: rules.contactText(contact ?? '', payment.amount.currency),
      }
      return { attempt, shown, operation, notTaken: wasNotTaken(attempt) ? notTaken : undefined }
    }),
  )
}

const wasNotTaken = ({ failure_code: code }: AttemptRow): boolean => code === 'not_taken'

function kindAndName(method: string): Pick<Try, 'name' | 'kind'> {
  const { name, kind } = providers.adapterOf(providerIn(method))
  return { name, kind }
}

/** A page with the phone that was asked, when that is one of the simulator's. */
function virtualPhone(
  { registry }: Pick<ExternalDeps, 'registry'>,
  { operation }: Tried,
): string | undefined {
  const { phone = null, provider, mode } = operation ?? {}
  if (phone === null || provider === undefined || mode === undefined) return undefined
  return registry.of(provider, mode)?.simulated
    ? `${registry.simulatorUrl}/phones/${phone.slice(1)}`
    : undefined
}

const waitingIn = (tried: readonly Tried[]): Tried | undefined =>
  tried.findLast(({ attempt }) => attempt.status === 'pending')

/** Who comes back from a provider's page waits for what became of it, and its own word may have got lost. */
export async function hurryOpen(deps: ExternalDeps, payment: Payment): Promise<void> {
  const operation = waitingIn(await triedBefore(deps, payment))?.operation
  if (operation !== undefined) await deps.operations.hurry(operation.id)
}

export const triesIn = (tried: readonly Tried[]): Tries => ({
  made: tried.length > 0,
  open: waitingIn(tried)?.shown,
  notTaken: tried.find(({ notTaken }) => notTaken !== undefined)?.notTaken,
})

/** After a form for the provider's own page: straight there. */
export const cardStep = 'card'

/** While a try waits for its answer the page waits too, unless the customer wants to pay in another way. */
export function askedStep(
  deps: Pick<ExternalDeps, 'registry'>,
  { payment, tried }: { payment: Payment; tried: readonly Tried[] },
  wanted: string | undefined,
): Step | undefined {
  const waiting = waitingIn(tried)
  if (waiting === undefined) return undefined
  const mayTryOther = payment.attempts < payments.attemptsMax
  const stays = wanted === undefined || wanted === cardStep || !mayTryOther
  if (!stays) return undefined
  const page = waiting.operation?.redirectUrl ?? undefined
  return {
    step: 'asked',
    asked: waiting.shown,
    page,
    virtualPhone: virtualPhone(deps, waiting),
    forward: wanted === cardStep,
    mayTryOther,
  }
}

export function paidBy(tried: readonly Tried[]): PaidBy | undefined {
  const paid = tried.find(({ attempt }) => attempt.status === 'succeeded')
  return paid && { ...paid.shown, receipt: paid.operation?.receipt ?? undefined }
}

/** The last try failed, and the customer should know why before the next one. */
export function lastFailure(tried: readonly Tried[], payment: Payment): Problem | undefined {
  const last = tried.at(-1)?.attempt
  if (last?.status !== 'failed') return undefined
  const attemptsLeft = Math.max(0, payments.attemptsMax - payment.attempts)
  return { code: 'tried', tried: last.failure_code ?? 'provider_error', attemptsLeft }
}

/** What a form for an external way to pay says. */
export interface StartForm extends Required<Omit<Typed, 'name'>> {
  method: string
  /** In test mode: the outcome that was clicked. */
  outcome: string
  proof: string
}

/** An order for the provider, or what is wrong with the form. */
export function readStart(
  { operations }: ExternalDeps,
  { amount: { currency }, mode }: Payment,
  { form, methods }: { form: StartForm; methods: readonly Method[] },
): NewAttempt | Problem {
  const method = methods.find(({ id }) => id === form.method)
  switch (method?.kind) {
    case 'card': {
      const email = form.email.trim()
      return rules.emailForm.test(email) ? { method: providerIn(method.id), email } : { code: 'email_wrong' }
    }
    case 'mobile_money': {
      const { networks } = method
      const chosen = networks.find(({ id }) => id === form.network)
      const played = mode === 'test' ? outcomePhone(chosen ?? networks[0], form.outcome, currency) : undefined
      const phone = played ?? rules.dialled(form.phone, currency)
      if (!rules.phoneForm.test(phone)) return { code: 'phone_wrong' }
      const guessed = operations.guess(phone, { currency, mode })
      const only = networks.length === 1 ? networks[0] : undefined
      const network = chosen ?? networks.find(({ id }) => id === guessed) ?? only
      return network === undefined ? { code: 'network_unknown' } : { method: providerIn(network.id), phone }
    }
    default:
      return { code: 'method_off' }
  }
}

function providerIn(id: string): ProviderId {
  const found = providers.providerOf(id)
  check(found !== undefined, `${id} is a provider`)
  return found
}

/** Why the provider would not take it. */
export function refusedProblem(problems: Record<string, string>): Problem {
  if ('phone' in problems) return { code: 'phone_wrong' }
  return { code: 'amount' in problems ? 'amount_refused' : 'method_off' }
}

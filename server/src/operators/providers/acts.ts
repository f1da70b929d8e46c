// What operators do about providers: orders that got stuck, money that belongs to nobody, days whose books differ. The rooms
// that these belong to decide; here it is seen to that each act has its place in the audit log.
import * as background from '../../background/background.ts'
import { AppError } from '../../base/errors.ts'
import { decodeReference } from '../../base/reference.ts'
import type { Secret } from '../../base/secret.ts'
import type { Campaigns } from '../../campaigns/campaigns.ts'
import * as funding from '../../funding/funding.ts'
import type { KeptDelivery, KeptExchange, Operation, Operations } from '../../operations/operations.ts'
import type { Payment, Payments } from '../../payments/payments.ts'
import { type Actor, type OperatorDependencies, record, refuseOwn } from '../operators.ts'

export interface ProviderDependencies extends OperatorDependencies {
  operations: Operations
  funding: funding.Funding
  payments: Payments
  campaigns: Pick<Campaigns, 'find'>
  secrets: { readonly idem: Secret; readonly enc: Secret }
}

export interface OperationSeen {
  operation: Operation
  exchanges: KeptExchange[]
  deliveries: KeptDelivery[]
}

export async function seeOperation({ operations }: ProviderDependencies, id: string): Promise<OperationSeen> {
  const operation = await operations.find(id)
  if (operation === undefined) throw new AppError('not_found', { detail: 'There is no such operation.' })
  const [exchanges, deliveries] = await Promise.all([operations.exchangesOf(id), operations.deliveriesOf(id)])
  return { operation, exchanges, deliveries }
}

export async function askNow(
  deps: ProviderDependencies,
  { id, actor }: { id: string; actor: Actor },
): Promise<OperationSeen> {
  await seeOperation(deps, id)
  await deps.db.inTransaction((tx) => record(deps, tx, { action: 'operation.asked', object: id, actor }))
  await deps.operations.ask(id)
  return seeOperation(deps, id)
}

export interface Resolving {
  id: string
  outcome: 'completed' | 'failed'
  receipt: string | undefined
  reason: string
  actor: Actor
}

export async function resolve(
  deps: ProviderDependencies,
  { id, outcome, receipt, reason, actor }: Resolving,
): Promise<OperationSeen> {
  const { operation } = await seeOperation(deps, id)
  refuseOwn(actor, { owner: await ownerOf(deps, operation.reference), what: 'money' })
  await deps.operations.resolve(id, {
    outcome: outcome === 'completed' ? { state: 'completed', receipt } : { state: 'failed', detail: reason },
    operator: actor.operator,
    origin: actor,
    reason,
  })
  return seeOperation(deps, id)
}

/** Whose wallet, business or campaign an order is for, or from. */
async function ownerOf(deps: ProviderDependencies, text: string): Promise<string | undefined> {
  const reference = decodeReference(deps.secrets.idem, text)
  if (reference === undefined) return undefined
  if (reference.kind !== 'PY') return deps.funding.ownerOf(reference.id)
  const payment = await deps.payments.byNumber(reference.id)
  return payment && payeeOf(deps, payment)
}

async function payeeOf(
  { merchants, campaigns }: ProviderDependencies,
  { merchant, campaign }: Payment,
): Promise<string | undefined> {
  if (merchant !== null) return (await merchants.merchant(merchant))?.owner
  return campaign === null ? undefined : (await campaigns.find(campaign))?.ownerId
}

export async function dismiss(
  deps: ProviderDependencies,
  { id, reason, actor }: { id: string; reason: string; actor: Actor },
): Promise<OperationSeen> {
  await seeOperation(deps, id)
  await deps.operations.dismiss(id, { operator: actor.operator, origin: actor, reason })
  return seeOperation(deps, id)
}

export async function seeUnmatched(
  deps: Pick<ProviderDependencies, 'funding'>,
  id: string,
): Promise<funding.UnmatchedRow> {
  const row = await deps.funding.seeUnmatched(id)
  if (row === undefined) throw funding.noSuchMoney()
  return row
}

export interface Matched {
  id: string
  /** One of the two. */
  user: string | undefined
  payment: string | undefined
  reason: string
  actor: Actor
}

const deciderOf = ({ operator, ...origin }: Actor, reason: string): funding.Decider => ({
  by: { kind: 'operator', id: operator },
  reason,
  origin,
})

export async function matchUnmatched(
  deps: ProviderDependencies,
  { id, user, payment, reason, actor }: Matched,
): Promise<funding.UnmatchedRow> {
  const decider = deciderOf(actor, reason)
  await seeUnmatched(deps, id)
  refuseOwn(actor, { owner: user, what: 'money' })
  if (user !== undefined && payment === undefined) await deps.funding.matchToWallet({ id, user, decider })
  else if (payment !== undefined && user === undefined) {
    const reference = decodeReference(deps.secrets.idem, payment)
    const found = reference?.kind === 'PY' ? await deps.payments.byNumber(reference.id) : undefined
    const errors = { payment: 'There is no payment with this reference.' }
    if (found === undefined) throw new AppError('validation_failed', { errors })
    refuseOwn(actor, { owner: await payeeOf(deps, found), what: 'money' })
    await deps.payments.matchUnmatched({ id, payment: found, decider })
  } else {
    const errors = { user_id: 'Exactly one of user_id and payment must be given' }
    throw new AppError('validation_failed', { errors })
  }
  return seeUnmatched(deps, id)
}

export async function giveBack(
  deps: ProviderDependencies,
  { id, reason, actor }: { id: string; reason: string; actor: Actor },
): Promise<funding.UnmatchedRow> {
  const { meant_for: meantFor } = await seeUnmatched(deps, id)
  // An earlier return may have arrived after all: whose it was must not be who judges that.
  refuseOwn(actor, { owner: meantFor === null ? undefined : await ownerOf(deps, meantFor), what: 'money' })
  await deps.funding.giveBack({ id, decider: deciderOf(actor, reason) })
  return seeUnmatched(deps, id)
}

export async function seeMatch(deps: Pick<ProviderDependencies, 'funding'>, id: string) {
  const found = await deps.funding.seeMatch(id)
  if (found === undefined) throw new AppError('not_found', { detail: 'There is no such report.' })
  return found
}

/** No provider has records of ours from before; and the year 0, which JavaScript takes for one, no database knows. */
const firstDay = '2020-01-01'

/** In the background: it asks every provider for its records. */
export async function askForMatch(
  deps: ProviderDependencies,
  { day, actor }: { day: string; actor: Actor },
): Promise<void> {
  const today = deps.clock.now().toISOString().slice(0, 10)
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day
  if (!isDay || day < firstDay || day > today)
    throw new AppError('validation_failed', {
      errors: { day: `Day must be one from ${firstDay} on that has begun, like 2026-03-14` },
    })
  await deps.db.inTransaction(async (tx) => {
    const task = 'match_providers'
    // One that still waits is not asked for twice.
    await background.add(tx, { task, payload: { day }, key: `${task} ${day}`, queue: task })
    await record(deps, tx, { action: 'match.asked', object: day, actor })
  })
}

// A wallet is charged after the PIN, once.
import { AppError } from '../base/errors.ts'
import type { Payment, Payments } from '../payments/payments.ts'
import type { Origin } from '../users/users.ts'
import * as users from '../users/users.ts'
import * as customers from './customers.ts'
import type { Problem } from './view.ts'

interface PayingDeps extends customers.CustomerDeps {
  payments: Pick<Payments, 'payFromWallet'>
}

const guardTriesMax = 3

type Paid =
  | { outcome: 'paid' | 'decided' | 'declined' | 'limited' | 'unknown' }
  | { outcome: 'refused'; problem: Problem }

interface Paying {
  id: string
  pin: string
  origin: Origin
}

export async function payOnce(room: PayingDeps, payment: Payment, paying: Paying): Promise<Paid> {
  for (let tries = 0; tries < guardTriesMax; tries++) {
    const allowed = await customers.allowPayment(room, payment, paying).catch(refusedPin)
    if ('outcome' in allowed) return allowed
    const outcome = await room.payments.payFromWallet(payment, allowed).catch(unknownOutcome)
    if (outcome !== 'guard_changed') return { outcome }
    // Somebody tried a wrong PIN, or froze the account, in this very moment: all of it is looked at again.
    room.users.forget(paying.id)
  }
  throw new AppError('unavailable', { retryAfter: 1 })
}

function refusedPin(error: unknown): Paid {
  if (!(error instanceof AppError)) throw error
  const { code, attemptsLeft } = error
  switch (code) {
    case 'pin_incorrect':
      return { outcome: 'refused', problem: { code: 'pin_wrong', attemptsLeft } }
    case 'pin_locked':
      return { outcome: 'refused', problem: { code: users.isPinDisabled(error) ? 'pin_disabled' : code } }
    case 'pin_not_set':
      return { outcome: 'refused', problem: { code } }
    case 'account_frozen':
      return { outcome: 'refused', problem: { code: 'frozen' } }
    default:
      throw error
  }
}

/** The database went away while the money was on its way: nobody knows yet, and the page must not say otherwise. */
function unknownOutcome(error: unknown): 'unknown' {
  if (error instanceof AppError && error.code === 'unavailable') return 'unknown'
  throw error
}

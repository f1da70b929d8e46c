// What a page of the checkout shows, as values: the door decides it, the templates write it.
import type { Amount, Currency } from '../base/money.ts'
import type { Payment } from '../payments/payments.ts'
import type { ProblemCode, TroubleCode } from './words/words.ts'

/** A way to pay. A new one is a row of `methodsOf`, and a form in the templates for its kind. */
export interface Method {
  id: string
  kind: 'wallet'
}

export interface Problem {
  code: ProblemCode
  /** Of the PIN. */
  attemptsLeft?: number | undefined
}

/** The wallet that would pay. */
export interface Wallet {
  name: string
  handle: string
  currency: Currency
  /** `endless`: a customer of the sandbox. */
  spendable: Amount | 'endless'
}

export type Step =
  | {
      step: 'choose'
      methods: readonly Method[]
      open: string | undefined
      typed?: string
      problem?: Problem | undefined
    }
  | { step: 'confirm'; wallet: Wallet; mayPay: boolean; problem?: Problem | undefined }
  | { step: 'cancel' }
  /** `wallet`: of the one who looks, when it was this one that paid. */
  | { step: 'paid'; wallet: Wallet | undefined; loggedIn: boolean }
  | { step: 'failed'; code: string }
  | { step: 'waiting' }
  | { step: 'suspended' }

export interface View {
  payment: Payment
  step: Step
  /** Made for this page: see visit.ts. */
  forms: { anybody: string; customer: string }
  secondsLeft: number
  /** There is a page of the merchant to go back to. */
  hasReturn: boolean
}

export interface Trouble {
  code: TroubleCode
  /** Goes back to the payment, when there may be one. */
  token: string | undefined
}

// What a page of the checkout shows, as values: the door decides it, the templates write it.
import type { Amount, Currency } from '../base/money.ts'
import type { Became } from '../funding/funding.ts'
import type { Payment } from '../payments/payments.ts'
import type { ProblemCode, TroubleCode } from './words/words.ts'

/** A way to pay. All mobile money is one of them: the number says which network it is, and the customer may say otherwise. */
export type Method =
  | { id: 'wallet'; kind: 'wallet' }
  | { id: 'mobile'; kind: 'mobile_money'; networks: readonly Network[] }
  | { id: string; kind: 'card'; down: boolean }

export interface Network {
  id: string
  name: string
  down: boolean
  /** In the country of the payment: `+25677`. */
  prefixes: readonly string[]
}

/** A try by a provider, as the one who made it may see it. */
export interface Try {
  name: string
  kind: 'mobile_money' | 'card'
  /** A phone number or an e-mail address, in part. */
  contact: string
}

/** What the tries by providers say of the money. */
export interface Tries {
  made: boolean
  /** Nobody has answered it yet. */
  open: Try | undefined
  /** What became of the money of one, which came when the payment could not take it. */
  notTaken: Became | undefined
}

export interface Problem {
  code: ProblemCode
  /** Of a try by a provider that failed. */
  tried?: string | undefined
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
      /** What was in the fields. */
      typed?: Typed
      problem?: Problem | undefined
    }
  /** The customer is asked elsewhere: on the phone, or on the provider's own page. */
  | {
      step: 'asked'
      asked: Try
      /** The provider's own page. */
      page: string | undefined
      /** Where the phone is that was asked, if it is one of the simulator's. */
      virtualPhone: string | undefined
      /** Straight to that page. */
      forward: boolean
      mayTryOther: boolean
    }
  | { step: 'confirm'; wallet: Wallet; mayPay: boolean; problem?: Problem | undefined }
  | { step: 'cancel' }
  /** `wallet`: of the one who looks, when it was this one that paid. */
  | { step: 'paid'; wallet: Wallet | undefined; loggedIn: boolean; paid: PaidBy | undefined }
  | { step: 'failed'; code: string }
  | { step: 'waiting' }
  | { step: 'suspended' }

export interface Typed {
  name?: string
  phone?: string
  network?: string
  email?: string
}

export interface PaidBy extends Try {
  /** The provider's own number for it. */
  receipt: string | undefined
}

export interface View {
  payment: Payment
  /** Changes with what the page would show. */
  state: string
  step: Step
  tries: Tries
  /** Made for this page: see visit.ts. */
  forms: { anybody: string; customer: string }
  secondsLeft: number
  /** There is a page of the merchant to go back to. */
  hasReturn: boolean
  /** It can be paid in ways that are not ours. */
  hasOther: boolean
}

export interface Trouble {
  code: TroubleCode
  /** Goes back to the payment, when there may be one. */
  token: string | undefined
}

// What the checkout says, in the languages that people read. One shape: a language that lacks a sentence does not compile.
import type { Locale } from '../../base/money.ts'
import type { Became } from '../../funding/funding.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { kiswahili } from './kiswahili.ts'

/** What can be wrong with what somebody sent, or with the wallet they chose. */
export type ProblemCode =
  | 'login_wrong'
  | 'login_incomplete'
  | 'login_often'
  | 'login_over'
  | 'wallet_off'
  | 'pin_form'
  | 'pin_wrong'
  | 'pin_locked'
  | 'pin_disabled'
  | 'pin_not_set'
  | 'frozen'
  | 'too_little'
  | 'declined'
  | 'form_old'
  | 'phone_wrong'
  | 'phone_busy'
  | 'network_unknown'
  | 'email_wrong'
  | 'amount_refused'
  | 'method_off'
  /** A try by a provider failed: `tried` says why. */
  | 'tried'

/** Why a provider said no, as far as a customer can do something about it. */
export type TriedCode =
  | 'insufficient_balance'
  | 'cancelled_by_customer'
  | 'phone_unreachable'
  | 'expired'
  | 'wrong_pin'
  | 'payment_in_progress'
  | 'payer_not_found'
  | 'payer_limit_reached'
  | 'amount_out_of_bounds'
  | 'provider_unavailable'
  | 'other'

/** What was asked for and can't be shown. */
export type TroubleCode = 'missing' | 'often' | 'away' | 'unreadable' | 'broken'

/** Said in this order: what became of the money, why, and what to do. */
export interface Telling {
  title: string
  money?: string
  why?: string
  next?: string
}

export interface Words {
  language: string
  skip: string
  languages: string
  testMode: string
  testText: string
  pay: (merchant: string) => string
  order: string
  minutesLeft: { one: string; other: string }
  underAMinute: string
  orderNumber: string
  safety: (names: { merchant: string; brand: string }) => string

  how: string
  wallet: (brand: string) => string
  walletHint: string
  name: string
  nameHint: string
  password: string
  goOn: string
  goingOn: string
  testCustomers: string
  testPays: string
  testPoor: string

  mobile: string
  mobileHint: (names: string) => string
  phone: string
  phoneHint: (example: string) => string
  network: string
  networkByNumber: string
  troubled: string
  asking: string
  card: string
  cardHint: string
  email: string
  emailHint: string
  toCard: string
  opening: string
  testOutcomes: string
  outcomes: Record<'000' | '129' | '139' | '149' | '159' | '169' | '999', string>

  askedPhone: (asked: { name: string; phone: string; amount: string }) => Telling
  askedCard: Telling
  toPage: string
  virtualPhone: string
  otherWay: string
  /** What nobody has answered yet, as a part of the sentences below. */
  open: { phone: (asked: { name: string; contact: string }) => string; card: string }
  stillOpen: (open: string) => string

  confirm: string
  payingAs: string
  notYou: string
  payTo: string
  from: string
  walletIn: (currency: string) => string
  balance: string
  balanceAfter: string
  endless: string
  fee: string
  noFee: string
  pin: string
  pinHint: string
  payAmount: (amount: string) => string
  paying: string
  lookAgain: string
  otherWallet: string

  cancel: string
  cancelTitle: string
  /** Who hears of it. */
  cancelText: (merchant: string) => string
  /** Before it is cancelled while a try is open. */
  cancelOpen: string
  cancelYes: string
  cancelNo: string

  paidTitle: string
  paidOther: { title: string; mine: string; text: string }
  paidWith: string
  receiptOf: (name: string) => string
  late: string
  refundedTitle: string
  refundedText: string
  reference: string
  keep: string
  amount: string
  forWhat: string
  time: string
  balanceNow: string
  returnTo: (merchant: string) => string
  forward: { one: string; other: string }
  stay: string
  close: string
  print: string
  share: string
  shareText: (told: { amount: string; merchant: string; reference: string }) => string

  waiting: Telling
  suspended: (merchant: string) => Telling
  suspendedOpen: string
  /** Of a payment that failed; `other` for codes without words of their own. */
  failed: Record<'cancelled_by_customer' | 'expired' | 'declined' | 'insufficient_balance' | 'other', Telling>
  /** It failed while the provider had not answered yet. */
  failedOpen: {
    cancelled_by_customer: (open: string) => Telling
    other: (open: string) => Telling
  }
  /** Said instead of the wallet's words when it was tried by a provider. */
  noMoney: string
  noneLeft: string
  /** A try is open. */
  moneyOpen: (open: string) => string
  startAgain: (merchant: string) => string

  problems: Record<Exclude<ProblemCode, 'tried'>, string>
  tried: Record<TriedCode, string>
  /** Money that came when the payment could not take it. */
  notTaken: Record<Became, string>
  attemptsLeft: { one: string; other: string }
  troubles: Record<TroubleCode, Telling>
  backToPayment: string

  /** Said instead when it is a contribution to a campaign. */
  ofCampaign: Pick<
    Words,
    'pay' | 'safety' | 'cancelText' | 'suspended' | 'payTo' | 'returnTo' | 'startAgain' | 'shareText'
  >
}

export const words: Record<Locale, Words> = { en: english, sw: kiswahili, fr: french }
export const locales = Object.keys(words) as Locale[]

/** `{n}` is the number; which of the two it is, the language decides. */
export function counted(
  count: number,
  { locale, forms }: { locale: Locale; forms: { one: string; other: string } },
) {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? forms.one : forms.other
  return form.replace('{n}', String(count))
}

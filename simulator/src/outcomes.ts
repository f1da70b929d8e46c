// What becomes of an order: the last three digits of the phone number decide, unless a person does.

/** Why an order fails; each protocol has its own word for it. */
export const reasons = [
  'payer_limit_reached',
  'payer_not_found',
  'cancelled_by_customer',
  'insufficient_balance',
  'wrong_pin',
  'provider_error',
  'phone_unreachable',
  'recipient_not_found',
] as const
export type Reason = (typeof reasons)[number]

export type Kind = 'collect' | 'payout' | 'refund'

export interface Plan {
  end: 'paid' | Reason
  /** After a second; when the prompt's time is over; long after that; or when the person at the phone has decided. */
  when: 'soon' | 'silence' | 'late' | 'person'
  tell: 'once' | 'never' | 'twice' | 'forged_first'
  /** Broken: HTTP 500, and nothing was taken. */
  answer: 'accepted' | 'broken'
}

const paid: Plan = { end: 'paid', when: 'soon', tell: 'once', answer: 'accepted' }
const refused = (end: Reason): Plan => ({ ...paid, end })

const byDigits: Readonly<Record<string, Plan>> = {
  '019': refused('payer_limit_reached'),
  '029': refused('payer_not_found'),
  '039': refused('cancelled_by_customer'),
  '049': refused('insufficient_balance'),
  '059': refused('wrong_pin'),
  '069': refused('provider_error'),
  '079': { ...refused('phone_unreachable'), when: 'silence' },
  '089': refused('recipient_not_found'),
  '129': { ...paid, tell: 'never' },
  '139': { ...paid, tell: 'twice' },
  '149': { ...paid, when: 'late' },
  '159': { ...paid, answer: 'broken' },
  '169': { ...paid, tell: 'forged_first' },
  '999': { ...paid, when: 'person' },
}

/** `number`: of the phone, or of the account that a payout goes to. */
export function planOf({ number, kind }: { number: string | undefined; kind: Kind }): Plan {
  // What was paid goes back, whatever the number.
  if (number === undefined || kind === 'refund') return paid
  const plan = byDigits[number.slice(-3)] ?? paid
  return kind === 'collect' && plan.end === 'recipient_not_found' ? paid : plan
}

/** What a person at the phone decided. Two PINs stand for what can go wrong behind it. */
export function endOfPin(pin: string): 'paid' | Reason {
  if (pin === '0000') return 'wrong_pin'
  return pin === '1111' ? 'insufficient_balance' : 'paid'
}

// Payments on the card provider's own page. They wait for the person before it, as long as it takes.
import { randomBytes, randomInt } from 'node:crypto'
import type { Delays } from './delays.ts'
import type { Journal } from './journal.ts'
import type { Order, Orders } from './orders.ts'
import type { Plan, Reason } from './outcomes.ts'

const planTo = (end: 'paid' | Reason, changes: Partial<Plan> = {}): Plan => ({
  end,
  when: 'soon',
  tell: 'once',
  answer: 'accepted',
  ...changes,
})

/** What a person can let happen; nothing, when they leave the page. */
const plans = {
  paid: planTo('paid'),
  declined: planTo('provider_error'),
  insufficient_funds: planTo('insufficient_balance'),
  wrong_pin: planTo('wrong_pin'),
  limit_reached: planTo('payer_limit_reached'),
  cancelled: planTo('cancelled_by_customer'),
  silent: planTo('paid', { tell: 'never' }),
  twice: planTo('paid', { tell: 'twice' }),
  late: planTo('paid', { when: 'late' }),
  forged: planTo('paid', { tell: 'forged_first' }),
  abandoned: undefined,
} as const satisfies Record<string, Plan | undefined>

export type CardDecision = keyof typeof plans
export const cardDecisions = Object.keys(plans) as CardDecision[]

export interface NewCardPayment {
  reference: string
  email: string
  currency: string
  minor: bigint
  /** Where the browser goes afterwards. */
  callbackUrl: string | undefined
}

export interface Cards {
  /** The access code of its page. */
  open(payment: NewCardPayment): string
  find(accessCode: string): Order | undefined
  /** Where the browser goes then, with the reference in its query. */
  returnUrl(order: Order): string | undefined
  /** Nothing happens to one that has been decided. */
  decide(accessCode: string, decision: CardDecision): void
}

export interface CardsOptions {
  orders: Orders
  journal: Journal
  delays: Delays
  now: () => number
  /** Sends what somebody else would, before the truth. */
  forge: (order: Order) => void
}

export function openCards({ orders, journal, delays, now, forge }: CardsOptions): Cards {
  const references = journal.map<string>('paystack access codes')
  const find: Cards['find'] = (accessCode) => orders.find('paystack', references.get(accessCode) ?? '')
  return {
    open: ({ reference, email, currency, minor, callbackUrl }) => {
      const accessCode = randomBytes(8).toString('hex')
      journal.together(() => {
        references.set(accessCode, reference)
        orders.place({
          provider: 'paystack',
          id: reference,
          kind: 'collect',
          number: undefined,
          ...{ reference, minor, currency },
          callbackUrl: undefined,
          plan: planTo('paid', { when: 'person' }),
          details: {
            type: 'card',
            channel: 'card',
            number: String(randomInt(1_000_000_000, 9_999_999_999)),
            email,
            access_code: accessCode,
            ...(callbackUrl === undefined ? {} : { return_url: callbackUrl }),
          },
        })
      })
      return accessCode
    },
    find,
    returnUrl: ({ details, reference }) => {
      if (details.return_url === undefined) return undefined
      const url = new URL(details.return_url)
      url.searchParams.set('trxref', reference)
      url.searchParams.set('reference', reference)
      return url.href
    },
    decide: (accessCode, decision) => {
      const order = find(accessCode)
      const plan = plans[decision]
      if (order === undefined || order.dueAt !== undefined || plan === undefined) return
      const wait = { late: delays.late, forged: delays.pay }[decision as 'late' | 'forged'] ?? 0
      const decided = orders.change(order, { plan, dueAt: now() + wait })
      if (decision === 'forged') forge(decided)
      // The page shows the end at once.
      if (wait === 0) orders.end(decided, plan.end)
    },
  }
}

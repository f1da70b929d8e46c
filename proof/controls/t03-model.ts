// Bugs of the kind that makes money of nothing, or lets it go.
import type { Control } from '../scene.ts'

const proof = 'T3'

export const controls: Control[] = [
  {
    proof,
    name: 'fees are rounded down',
    file: 'server/src/base/money.ts',
    find: 'const share = (minor * rule.basisPoints + 5_000n) / 10_000n',
    put: 'const share = (minor * rule.basisPoints) / 10_000n',
    expect: /fee/,
  },
  {
    proof,
    name: 'a refund forgets those before it',
    file: 'server/src/payments/refunds.ts',
    find: 'const left = payment.amount.minor - payment.refunded.minor - payment.refunding.minor',
    put: 'const left = payment.amount.minor - payment.refunding.minor',
    expect: /the shortest sequence that shows it.*refund.*refund/,
    also: [
      {
        file: 'server/migrations/0010-payments.sql',
        find: 'check (refunded between 0 and amount)',
        put: 'check (refunded >= 0)',
      },
      {
        file: 'server/migrations/0015-attempts.sql',
        find: 'check (refunded + refunding <= amount)',
        put: 'check (refunded >= 0)',
      },
    ],
  },
  {
    proof,
    name: 'what a network refused stays held',
    file: 'server/src/funding/withdrawals.ts',
    find: "  await postSurely(options, tx, {\n    kind: 'withdrawal_released',",
    put: "  if (code === '') await postSurely(options, tx, {\n    kind: 'withdrawal_released',",
    expect: /other balances.*held.*the shortest sequence that shows it.*withdraw/,
  },
]

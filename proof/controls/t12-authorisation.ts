// Bugs of the kind that shows somebody what is not theirs.
import type { Control } from '../scene.ts'

const proof = 'T12'

export const controls: Control[] = [
  {
    proof,
    name: 'a payment is found whoever asks',
    file: 'server/src/payments/payments.ts',
    find: 'if (found?.merchant === merchant && (mode',
    put: 'if (found !== undefined && (mode',
    expect: /payments\/:reference, foreign/,
  },
  {
    proof,
    name: 'a transaction is found whoever asks',
    file: 'server/src/transactions/transactions.ts',
    find: "account.kind === 'user' && account.owner === userId && account.mode",
    put: "account.kind === 'user' && userId !== '' && account.mode",
    expect: /transactions\/:reference, foreign/,
  },
]

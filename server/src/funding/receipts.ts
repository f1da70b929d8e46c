// Letters about withdrawals, for who wants them; written down in the transaction that moves the money.
import { type Amount, toText } from '../base/money.ts'
import type { Tx } from '../db/db.ts'
import * as mail from '../mail/mail.ts'
import type { Person } from '../users/users.ts'
import * as users from '../users/users.ts'

export interface Receipt {
  person: Person | undefined
  amount: Amount
  fee: Amount
  /** The other side: `M-Pesa …5678`. */
  other: string
  reference: string
  /** What is in the wallet afterwards. */
  balance: bigint
  at: Date
}

export async function tellWithdrawal(tx: Tx, receipt: Receipt): Promise<void> {
  const { person, amount, fee, other, reference, balance, at } = receipt
  if (person === undefined || !users.wantsMail(person)) return
  const { locale } = person
  await mail.queue(tx, {
    to: users.mailboxOf(person),
    template: 'withdrawal_done',
    data: {
      amountText: toText(amount, locale),
      feeText: toText(fee, locale),
      to: other,
      balanceText: toText({ minor: balance, currency: amount.currency }, locale),
      reference,
      time: at,
    },
    about: { kind: 'withdrawal', id: reference },
  })
}

export async function tellWithdrawalFailed(tx: Tx, receipt: Omit<Receipt, 'fee' | 'balance'>): Promise<void> {
  const { person, amount, other, reference, at } = receipt
  if (person === undefined || !users.wantsMail(person)) return
  await mail.queue(tx, {
    to: users.mailboxOf(person),
    template: 'withdrawal_failed',
    data: { amountText: toText(amount, person.locale), to: other, reference, time: at },
    about: { kind: 'withdrawal', id: reference },
  })
}

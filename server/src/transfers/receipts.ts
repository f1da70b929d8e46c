// Receipts by mail, to each of the two who wants them; written down in the transaction that moves the money.
import { toText } from '../base/money.ts'
import type { Tx } from '../db/db.ts'
import type { Posted } from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import type { Person } from '../users/users.ts'
import * as users from '../users/users.ts'
import type { Terms } from './rules.ts'

export interface Receipt {
  sender: Person
  recipient: Person
  terms: Terms
  posted: Posted
  reference: string
}

export async function queueReceipts(tx: Tx, receipt: Receipt): Promise<void> {
  const { sender, recipient, terms, posted, reference } = receipt
  const { currency } = terms.amount
  const time = posted.createdAt
  const about = { kind: 'transfer', id: reference }
  const balanceAfter = (side: 0 | 1) => ({ minor: posted.entries[side]?.balanceAfter ?? 0n, currency })
  if (users.wantsMail(sender)) {
    const { locale } = sender
    const data = {
      amountText: toText(terms.amount, locale),
      feeText: toText(terms.fee, locale),
      to: `${recipient.name} (@${recipient.handle})`,
      balanceText: toText(balanceAfter(0), locale),
      reference,
      time,
    }
    await mail.queue(tx, { to: users.mailboxOf(sender), template: 'money_out', data, about })
  }
  if (users.wantsMail(recipient)) {
    const { locale } = recipient
    const data = {
      amountText: toText(terms.rest, locale),
      from: `${sender.name} (@${sender.handle})`,
      balanceText: toText(balanceAfter(1), locale),
      reference,
      time,
    }
    await mail.queue(tx, { to: users.mailboxOf(recipient), template: 'money_in', data, about })
  }
}

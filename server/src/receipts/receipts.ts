// Receipts by mail: money that came into a person's wallet or left it is told to who wants to hear of it, in the transaction
// that moves it. Who wants none costs nothing: their money goes the fast way, by `ledger.submit`.
import { check } from '../base/check.ts'
import { type Amount, toText } from '../base/money.ts'
import { type Db, type Tx, violatedConstraint } from '../db/db.ts'
import type { Ledger, Outcome, Posted, Posting } from '../ledger/ledger.ts'
import * as mail from '../mail/mail.ts'
import type { Person } from '../users/users.ts'
import * as users from '../users/users.ts'

/** To one of the people of a posting. How much it was, which way it went and what is left, the posting says. */
export interface Receipt {
  person: Person
  /** The other side, as people know it. */
  other: string
  reference: string
  about: { kind: string; id: string }
  /** Was taken from what left. */
  fee?: Amount
}

/** Of these one at least wants a receipt. */
export const wanted = (...people: readonly (Person | undefined)[]): boolean =>
  people.some((person) => person !== undefined && users.wantsMail(person))

interface Telling {
  posting: Posting
  receipts: (posted: Posted) => readonly Receipt[]
}

/** What happened, with its receipts, in one transaction. For who wants none it is slower than `ledger.submit`. */
export async function post(
  { db, ledger }: { db: Db; ledger: Pick<Ledger, 'post'> },
  { posting, receipts }: Telling,
): Promise<Outcome> {
  try {
    return await db.inTransaction(async (tx) => {
      const [outcome] = await ledger.post(tx, [posting])
      check(outcome !== undefined, 'one posting has one outcome')
      // What is repeated was told the first time.
      if (outcome.ok && !outcome.replayed) {
        const { posted } = outcome
        await queue(tx, { posting, posted, receipts: receipts(posted) })
      }
      return outcome
    })
  } catch (error) {
    // As `ledger.submit` says it.
    if (violatedConstraint(error) !== 'posting_also') throw error
    return { ok: false, refusal: 'state_changed' }
  }
}

interface Moved {
  posting: Pick<Posting, 'mode' | 'currency' | 'entries'>
  posted: Posted
  receipts: readonly Receipt[]
}

/** In the transaction of the posting, for who wants them. Nobody is told of test money. */
export async function queue(tx: Tx, { posting, posted, receipts }: Moved): Promise<void> {
  if (posting.mode !== 'live') return
  for (const receipt of receipts) {
    const { person, other, reference, about } = receipt
    if (!users.wantsMail(person)) continue
    const at = posting.entries.findIndex(({ kind, owner }) => kind === 'user' && owner === person.id)
    const entry = posted.entries[at]
    check(entry !== undefined, 'who gets a receipt has a side of the posting')
    const text = (minor: bigint) => toText({ minor, currency: posting.currency }, person.locale)
    const to = users.mailboxOf(person)
    const facts = { reference, balanceText: text(entry.balanceAfter), time: posted.createdAt }
    if (entry.amount < 0n) {
      const amountText = text(-entry.amount)
      const data = { ...facts, amountText, feeText: text(receipt.fee?.minor ?? 0n), to: other }
      await mail.queue(tx, { to, template: 'money_out', data, about })
    } else {
      const data = { ...facts, amountText: text(entry.amount), from: other }
      await mail.queue(tx, { to, template: 'money_in', data, about })
    }
  }
}

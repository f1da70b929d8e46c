// What a person's history shows of a payment from their wallet: the line is the ledger's, under the reference that the shop
// and the receipt have too, and that names the payment, not the posting.
import { decodeReference } from '../base/reference.ts'
import type { HistorySource } from '../transactions/transactions.ts'
import type { PaymentOptions } from './events.ts'
import * as sql from './sql.ts'

export const openHistory = ({ secrets }: Pick<PaymentOptions, 'secrets'>): HistorySource => ({
  name: 'payments',
  page: async () => [],
  find: async (db, { userId, reference }) => {
    const decoded = decodeReference(secrets.idem, reference)
    const row = decoded?.kind === 'PY' ? await sql.readPaidBy(db, { number: decoded.id, userId }) : undefined
    if (row === undefined) return undefined
    const steps = [
      { status: 'pending', at: row.created_at },
      { status: 'completed', at: row.completed_at },
    ] as const
    return { postingId: row.posting_id, steps: [...steps] }
  },
})

// What the receipts of a transfer say, to each of the two who wants one.
import { encodeReference } from '../base/reference.ts'
import type { Posted } from '../ledger/ledger.ts'
import type { Receipt } from '../receipts/receipts.ts'
import type { Parties, TransferDependencies } from './transfers.ts'

export function receiptsOf(
  { secrets }: Pick<TransferDependencies, 'secrets'>,
  { sender, recipient, terms, posted }: Parties & { posted: Posted },
): Receipt[] {
  const reference = encodeReference(secrets.idem, { kind: 'TR', id: posted.id })
  const both = { reference, about: { kind: 'transfer', id: reference } }
  const named = ({ name, handle }: Parties['sender']) => `${name} (@${handle})`
  return [
    { ...both, person: sender, other: named(recipient), fee: terms.fee },
    { ...both, person: recipient, other: named(sender) },
  ]
}

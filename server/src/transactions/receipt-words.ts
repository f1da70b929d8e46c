// The words of a receipt, in the languages that people read.
import type { Locale } from '../base/money.ts'
import type { Direction, TransactionStatus, TransactionType } from './rules.ts'

type Titles = Record<Exclude<TransactionType, 'transfer'>, string> & {
  transfer: Record<Direction, string>
}

export interface ReceiptWords {
  receipt: string
  titles: Titles
  statuses: Record<TransactionStatus, string>
  waiting: string
  nothingMoved: Record<Direction, string>
  reference: string
  amount: string
  fee: string
  recipientGets: string
  from: string
  to: string
  note: string
  date: string
  balanceAfter: string
  keep: string
}

const en: ReceiptWords = {
  receipt: 'Receipt',
  titles: {
    transfer: { in: 'Money received', out: 'Money sent' },
    deposit: 'Deposit',
    withdrawal: 'Withdrawal',
    payment: 'Payment',
    refund: 'Refund',
    group_contribution: 'Contribution to a group',
    group_payout: 'Payout of a group',
    campaign_contribution: 'Contribution to a campaign',
    campaign_payout: 'Money raised by a campaign',
  },
  statuses: { pending: 'Pending', completed: 'Completed', failed: 'Failed' },
  waiting: 'It waits for a confirmation.',
  nothingMoved: { in: 'No money came into your wallet.', out: 'No money left your wallet.' },
  reference: 'Reference',
  amount: 'Amount',
  fee: 'Fee',
  recipientGets: 'Recipient gets',
  from: 'From',
  to: 'To',
  note: 'Note',
  date: 'Date',
  balanceAfter: 'Balance afterwards',
  keep: 'Give this reference when you ask us about this transaction.',
}

const sw: ReceiptWords = {
  receipt: 'Risiti',
  titles: {
    transfer: { in: 'Umepokea pesa', out: 'Umetuma pesa' },
    deposit: 'Umeweka pesa',
    withdrawal: 'Umetoa pesa',
    payment: 'Malipo',
    refund: 'Umerudishiwa pesa',
    group_contribution: 'Mchango kwa kikundi',
    group_payout: 'Malipo kutoka kikundi',
    campaign_contribution: 'Mchango kwa harambee',
    campaign_payout: 'Pesa zilizochangwa',
  },
  statuses: { pending: 'Inasubiri', completed: 'Imekamilika', failed: 'Haikufaulu' },
  waiting: 'Inasubiri kuthibitishwa.',
  nothingMoved: {
    in: 'Hakuna pesa zilizoingia kwenye mfuko wako.',
    out: 'Hakuna pesa zilizotoka kwenye mfuko wako.',
  },
  reference: 'Kumbukumbu',
  amount: 'Kiasi',
  fee: 'Ada',
  recipientGets: 'Mpokeaji anapata',
  from: 'Kutoka kwa',
  to: 'Kwenda kwa',
  note: 'Maelezo',
  date: 'Tarehe',
  balanceAfter: 'Salio baada ya muamala',
  keep: 'Taja namba hii ukituuliza kuhusu muamala huu.',
}

const fr: ReceiptWords = {
  receipt: 'Reçu',
  titles: {
    transfer: { in: 'Argent reçu', out: 'Argent envoyé' },
    deposit: 'Dépôt',
    withdrawal: 'Retrait',
    payment: 'Paiement',
    refund: 'Remboursement',
    group_contribution: 'Cotisation à un groupe',
    group_payout: 'Versement d’un groupe',
    campaign_contribution: 'Don à une collecte',
    campaign_payout: 'Argent d’une collecte',
  },
  statuses: { pending: 'En attente', completed: 'Effectué', failed: 'Échoué' },
  waiting: 'En attente de confirmation.',
  nothingMoved: {
    in: 'Aucun argent n’est entré dans votre portefeuille.',
    out: 'Aucun argent n’a quitté votre portefeuille.',
  },
  reference: 'Référence',
  amount: 'Montant',
  fee: 'Frais',
  recipientGets: 'Le destinataire reçoit',
  from: 'De',
  to: 'À',
  note: 'Motif',
  date: 'Date',
  balanceAfter: 'Solde après l’opération',
  keep: 'Donnez cette référence pour toute question sur cette opération.',
}

export const receiptWords: Record<Locale, ReceiptWords> = { en, sw, fr }

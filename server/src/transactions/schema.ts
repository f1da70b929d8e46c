import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { currencyCodes, toJson } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyShown, OneOf, PageQuery, Time } from '../http/schema.ts'
import { directions, transactionStatuses, transactionTypes } from './rules.ts'
import type { Step, Transaction } from './transactions.ts'

const momentForm = String.raw`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}))?$`
export const momentProblem = 'must be a day like 2026-03-14 or a time like 2026-03-14T09:26:53Z'

const Moment = (description: string, examples: string[]) =>
  Type.Optional(
    Type.String({ pattern: momentForm, maxLength: 40, problem: momentProblem, description, examples }),
  )

const filters = {
  currency: Type.Optional(OneOf(currencyCodes, { description: 'Of this wallet only.', examples: ['UGX'] })),
  type: Type.Optional(OneOf(transactionTypes, { examples: ['transfer'] })),
  direction: Type.Optional(
    OneOf(directions, { description: '`in`: what came in. `out`: what left.', examples: ['out'] }),
  ),
  status: Type.Optional(OneOf(transactionStatuses, { examples: ['completed'] })),
  from: Moment('From this moment on. A day begins at 00:00 UTC.', ['2026-03-01']),
  to: Moment('Before this moment. A day is taken whole, up to 24:00 UTC.', ['2026-03-31']),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction.',
      examples: ['rent'],
    }),
  ),
}

export const SelectionQuery = Type.Object(filters)
export type SelectionQuery = Static<typeof SelectionQuery>
export const ListQuery = Type.Object({ ...filters, ...PageQuery.properties })

export const PersonPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) })

export const ReferencePath = Type.Object({
  reference: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'As shown. Small letters, missing dashes, O for 0 and I or L for 1 are understood.',
    examples: ['TR-7K3MQ-9WD2X-PB4'],
  }),
})

const example = {
  reference: 'TR-7K3MQ-9WD2X-PB4',
  type: 'transfer',
  direction: 'out',
  amount: 10000,
  fee: 100,
  currency: 'UGX',
  status: 'completed',
  counterparty: { handle: 'juma', name: 'Juma Okello' },
  note: 'Rent for March',
  balance_after: 175000,
  created_at: '2026-03-14T09:26:53.000Z',
}

const line = {
  reference: Type.String({ description: 'Short enough to read aloud.', examples: [example.reference] }),
  type: OneOf(transactionTypes, { examples: ['transfer'] }),
  direction: OneOf(directions, { description: 'Seen from your wallet.', examples: ['out'] }),
  amount: MoneyShown({
    description:
      'What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived.',
    examples: [10000],
  }),
  fee: MoneyShown({
    description:
      'What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none.',
    examples: [100],
  }),
  currency: OneOf(currencyCodes, { examples: ['UGX'] }),
  status: OneOf(transactionStatuses, { examples: ['completed'] }),
  counterparty: Type.Object(
    {
      handle: Type.Optional(Type.String({ description: 'When it is a person.', examples: ['juma'] })),
      name: Type.String({ examples: ['Juma Okello'] }),
    },
    { description: 'The other side, as it was called at the time.' },
  ),
  note: Type.Union([Type.String(), Type.Null()], { examples: [example.note] }),
  balance_after: Type.Union([MoneyShown(), Type.Null()], {
    description: 'What was in the wallet afterwards; null while no money has moved.',
    examples: [example.balance_after],
  }),
  created_at: Time(),
}

const TransactionLine = Type.Object(line, { description: 'A transaction', examples: [example] })

const steps = [{ status: 'completed', at: example.created_at }]
const TransactionWhole = Type.Object(
  {
    ...line,
    steps: Type.Array(Type.Object({ status: OneOf(transactionStatuses), at: Time() }), {
      description: 'What became of it, the oldest first.',
      examples: [steps],
    }),
    failure_code: Type.Optional(
      Type.String({
        description: 'Why a deposit or a withdrawal failed; `note` says it in words.',
        examples: ['cancelled_by_customer'],
      }),
    ),
  },
  { description: 'A transaction and its steps', examples: [{ ...example, steps }] },
)

export const TransactionList = ListEnvelope(TransactionLine)
export const TransactionReply = Envelope(TransactionWhole)

/** Not JSON, so nothing turns it into another text on its way out. */
const text = (type: string, { description, sample }: { description: string; sample: string }) => ({
  description,
  content: { [type]: { schema: Type.Unsafe<string | Readable>({ type: 'string', examples: [sample] }) } },
})
export const CsvReply = text('text/csv', {
  description:
    'The table. The first line has the names of the columns: the fields of the list, with `counterparty_handle` and `counterparty_name`. UTF-8 with a byte order mark, RFC 4180. A cell that a spreadsheet would take for a formula has an apostrophe in front.',
  sample: 'reference,type,direction,amount,…\r\nTR-7K3MQ-9WD2X-PB4,transfer,out,10000,…\r\n',
})
export const ReceiptReply = text('text/html', {
  description: 'A page that prints on one sheet. It runs no script.',
  sample: '<!doctype html>…',
})

export const shownLine = (shown: Transaction) => {
  const { currency, balanceAfter, counterparty } = shown
  return {
    reference: shown.reference,
    type: shown.type,
    direction: shown.direction,
    amount: toJson({ minor: shown.amount, currency }),
    fee: toJson({ minor: shown.fee, currency }),
    currency,
    status: shown.status,
    counterparty,
    note: shown.note ?? null,
    balance_after: balanceAfter === undefined ? null : toJson({ minor: balanceAfter, currency }),
    created_at: shown.createdAt.toISOString(),
  }
}

export const shownWhole = ({ transaction, steps: taken }: { transaction: Transaction; steps: Step[] }) => ({
  ...shownLine(transaction),
  ...(transaction.failureCode === undefined ? {} : { failure_code: transaction.failureCode }),
  steps: taken.map(({ status, at }) => ({ status, at: at.toISOString() })),
})

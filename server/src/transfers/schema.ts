import { type Static, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyField, MoneyShown, OneOf, PageQuery, Time } from '../http/schema.ts'

const CurrencyField = () => OneOf(currencyCodes, { description: 'Three-letter code.', examples: ['UGX'] })

export const HandleField = (description: string) =>
  Type.String({
    // With the @ that people write.
    pattern: '^@?[A-Za-z][A-Za-z0-9_]{2,19}$',
    problem: 'must be a handle, like amina or @amina',
    description,
    examples: ['juma'],
  })

const NoteField = () =>
  Type.Optional(
    Type.String({
      maxLength: 140,
      pattern: '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$',
      problem: 'must have at most 140 characters, and none that can not be shown',
      description: 'For both to see.',
      examples: ['Rent for March'],
    }),
  )

export const PinField = () =>
  Type.String({
    pattern: '^[0-9]{4,6}$',
    problem: 'must be 4 to 6 digits',
    description: 'The transaction PIN, as text.',
    examples: ['4827'],
  })

const order = {
  recipient: HandleField("The recipient's handle."),
  amount: MoneyField({ description: 'What leaves your wallet. The fee is taken from it.' }),
  currency: CurrencyField(),
  note: NoteField(),
}

export const PreviewBody = Type.Object(order)
export type PreviewBody = Static<typeof PreviewBody>
export const SendBody = Type.Object({ ...order, pin: PinField() })
export type SendBody = Static<typeof SendBody>

const Party = Type.Object({
  handle: Type.String({ examples: ['juma'] }),
  name: Type.String({ examples: ['Juma Otieno'] }),
})

export const PreviewReply = Envelope(
  Type.Object({
    amount: MoneyShown({ description: 'What leaves your wallet.' }),
    currency: CurrencyField(),
    fee: MoneyShown({ description: 'What is taken from it.', examples: [100] }),
    recipient_gets: MoneyShown({ examples: [9_900] }),
    recipient: Party,
    balance_after: MoneyShown({
      description: 'What you could still spend; negative when it does not suffice.',
      examples: [40_000],
    }),
    sufficient: Type.Boolean({ description: 'Is there enough in the wallet now?' }),
  }),
)

export const SendReply = Envelope(
  Type.Object({
    reference: Type.String({ description: 'Short enough to read aloud.', examples: ['TR-7K3MQ-9WD2X-PB4'] }),
    amount: MoneyShown({ description: 'What left your wallet.' }),
    currency: CurrencyField(),
    fee: MoneyShown({ examples: [100] }),
    recipient_gets: MoneyShown({ examples: [9_900] }),
  }),
)

export const PersonReply = Envelope(Party)
export const RecentReply = ListEnvelope(Type.Object({ ...Party.properties, last_sent_at: Time() }))

export const HandleParams = Type.Object({ handle: Type.String({ maxLength: 40 }) })

export const RequestBody = Type.Object({
  from: HandleField('Who should pay.'),
  amount: MoneyField({ description: 'What leaves their wallet. The fee is taken from it.' }),
  currency: CurrencyField(),
  note: NoteField(),
})
export type RequestBody = Static<typeof RequestBody>

export const requestStatuses = ['pending', 'paid', 'declined', 'cancelled', 'expired'] as const

export const MoneyRequest = Type.Object({
  id: Type.String({ examples: ['mrq_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
  direction: OneOf(['in', 'out'], { description: '`in`: you are asked to pay. `out`: you asked.' }),
  counterparty: Party,
  amount: MoneyShown({ description: 'What leaves the wallet of the one who pays.' }),
  fee: MoneyShown({ description: 'What is taken from it when it is paid.', examples: [100] }),
  currency: CurrencyField(),
  note: Type.Union([Type.String(), Type.Null()]),
  status: OneOf(requestStatuses),
  reference: Type.Union([Type.String(), Type.Null()], { description: 'Of the transfer that paid it.' }),
  created_at: Time(),
  expires_at: Time({ description: 'It can be paid until then.' }),
  decided_at: Type.Union([Time(), Type.Null()]),
})

export const RequestReply = Envelope(MoneyRequest)
export const RequestsReply = ListEnvelope(MoneyRequest)

export const RequestsQuery = Type.Object({
  ...PageQuery.properties,
  direction: Type.Optional(
    OneOf(['in', 'out'], { description: 'Only those you are asked for, or you asked for.' }),
  ),
  status: Type.Optional(OneOf(requestStatuses)),
})
export type RequestsQuery = Static<typeof RequestsQuery>

export const RequestParams = Type.Object({ id: Type.String({ pattern: '^mrq_[0-9A-Za-z]{22}$' }) })
export const PayBody = Type.Object({ pin: PinField() })

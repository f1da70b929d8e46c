import { type Static, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyShown, OneOf, PageQuery, Time } from '../http/schema.ts'

export const Text = (example?: string) => Type.String(example === undefined ? {} : { examples: [example] })
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const merchantStatuses = ['pending', 'approved', 'rejected', 'suspended'] as const

export const MerchantParams = Type.Object({ merchant_id: Type.String({ pattern: '^[1-9][0-9]{7,8}$' }) })
export const UserParams = Type.Object({ id: Type.String({ pattern: '^usr_[0-9A-Za-z]{22}$' }) })
export const MailParams = Type.Object({ id: Type.String({ pattern: '^mai_[0-9A-Za-z]{22}$' }) })

export const Reason = (description: string) =>
  Type.String({
    minLength: 3,
    maxLength: 500,
    pattern: '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$',
    problem: 'must have 3 to 500 characters, and none that can not be shown',
    description,
    examples: ['The website can not be reached.'],
  })

export const ReasonBody = Type.Object({ reason: Reason('Told to the owner by mail.') })
export const FreezeBody = Type.Object({ reason: Reason('For the audit log; it is not told to the person.') })

const Owner = Type.Object({
  id: Text('usr_5Hh2mC0Zr3qXw8Vb1KtYpe'),
  handle: Text('amina'),
  name: Text('Amina Nakato'),
  email: orNull(Text('amina@example.com')),
  email_confirmed: Type.Boolean(),
  phone: orNull(Text('+256700123456')),
  country: Text('UG'),
  frozen: Type.Boolean(),
})

export const Reviewed = Type.Object({
  merchant_id: Type.Integer({ examples: [48_201_573] }),
  business_name: Text('Duka la Amina'),
  category: Text('Groceries'),
  website_url: Text('https://duka.example'),
  ipn_url: orNull(Text()),
  callback_url: orNull(Text()),
  settlement_currency: OneOf(currencyCodes),
  redirect_hosts: Type.Array(Text()),
  status: OneOf(merchantStatuses),
  owner: orNull(Owner),
  applied_at: Time({ description: 'When the present application was made.' }),
  review_due_at: Time({ description: '24 hours later.' }),
  overdue: Type.Boolean({ description: 'It waits for longer than that.' }),
  reviewed_at: orNull(Time()),
  rejection_reason: orNull(Text()),
  suspension_reason: orNull(Text()),
  created_at: Time(),
})
export type Reviewed = Static<typeof Reviewed>

export const ReviewedReply = Envelope(Reviewed)
export const ReviewedList = ListEnvelope(Reviewed)

export const MerchantsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(merchantStatuses)),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A part of the name or of the website, or the whole Merchant ID.',
    }),
  ),
})
export type MerchantsQuery = Static<typeof MerchantsQuery>

const Person = Type.Object({
  ...Owner.properties,
  locale: OneOf(['en', 'sw', 'fr']),
  roles: Type.Array(Text()),
  has_pin: Type.Boolean(),
  created_at: Time(),
})
export type Person = Static<typeof Person>

export const PeopleQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'The whole id, handle, e-mail address or phone number.',
    examples: ['amina'],
  }),
})
export const PeopleList = ListEnvelope(Person)

export const PersonReply = Envelope(
  Type.Object({
    ...Person.properties,
    wallets: Type.Array(
      Type.Object({
        currency: OneOf(currencyCodes),
        balance: MoneyShown(),
        held: MoneyShown({ examples: [0] }),
      }),
    ),
    merchant_id: orNull(Type.Integer()),
  }),
)

export const mailStates = ['queued', 'sent', 'kept', 'failed'] as const

export const MailsQuery = Type.Object({
  ...PageQuery.properties,
  to: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'The whole address.' })),
  state: Type.Optional(
    OneOf(mailStates, { description: '`kept`: there is no mail server, so it is only here.' }),
  ),
})
export type MailsQuery = Static<typeof MailsQuery>

const mailFields = {
  id: Text('mai_5Hh2mC0Zr3qXw8Vb1KtYpe'),
  to: Text('amina@example.com'),
  name: Text('Amina Nakato'),
  locale: OneOf(['en', 'sw', 'fr']),
  template: Text('merchant_approved'),
  subject: orNull(Type.String({ description: 'Null until the first attempt to send it.' })),
  state: OneOf(mailStates),
  attempts: Type.Integer(),
  problem: orNull(Text()),
  about: orNull(Type.Object({ kind: Text('merchant'), id: Text('48201573') })),
  queued_at: Time(),
  done_at: orNull(Time()),
}

export const MailList = ListEnvelope(Type.Object(mailFields))
export const MailReply = Envelope(
  Type.Object({
    ...mailFields,
    text: orNull(
      Type.String({ description: 'Null before the first attempt, and after a code in it was wiped.' }),
    ),
    html: orNull(Text()),
  }),
)

export const AuditQuery = Type.Object({
  ...PageQuery.properties,
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The id of who did it.' })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['merchant.approved'] })),
  object: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What it was done to.' })),
  from: Type.Optional(Time()),
  to: Type.Optional(Time({ description: 'Excluded.' })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditList = ListEnvelope(
  Type.Object({
    id: Text('4711'),
    at: Time(),
    actor: Type.Object({ kind: Text('operator'), id: Text('usr_5Hh2mC0Zr3qXw8Vb1KtYpe') }),
    action: Text('merchant.approved'),
    object: orNull(Text('48201573')),
    result: OneOf(['ok', 'refused']),
    address: orNull(Text('203.0.113.7')),
    session: orNull(Text()),
    request_id: orNull(Text()),
    details: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
    sealed: Type.Boolean({ description: 'It has its place in the chain.' }),
  }),
)

export const LedgerReply = Envelope(
  Type.Object({
    last_check: orNull(
      Type.Object({
        started_at: Time(),
        seconds: Type.Number(),
        ok: Type.Boolean({ description: 'False: the books are wrong, and money stands still.' }),
        accounts: Type.Integer(),
        entries: Type.Integer(),
        postings: Type.Integer(),
        problems: Type.Array(Type.String()),
      }),
    ),
    trial_balance: Type.Array(
      Type.Object({
        mode: OneOf(['live', 'test']),
        currency: OneOf(currencyCodes),
        kind: Text('user'),
        accounts: Type.Integer(),
        balance: MoneyShown({ description: 'Of a mode and a currency they add up to 0.' }),
      }),
      { description: 'What is in all accounts of a kind, as of the last check.' },
    ),
  }),
)

export const AskedReply = Envelope(Type.Object({ queued: Type.Literal(true, { examples: [true] }) }))

export { PageQuery }

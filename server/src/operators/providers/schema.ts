import { Type } from 'typebox'
import { currencyCodes } from '../../base/money.ts'
import * as funding from '../../funding/funding.ts'
import { Envelope, ListEnvelope, MoneyShown, OneOf, PageQuery, Time } from '../../http/schema.ts'
import * as operations from '../../operations/operations.ts'
import * as providers from '../../providers/providers.ts'
import { orNull, Reason, Text } from '../schema.ts'

const modes = ['live', 'test'] as const
const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

export const OperationParams = Type.Object({ id: Type.String({ pattern: uuid }) })
export const UnmatchedParams = Type.Object({ id: Type.String({ pattern: '^unm_[0-9A-Za-z]{22}$' }) })
export const MatchParams = Type.Object({ id: Type.String({ pattern: '^mat_[0-9A-Za-z]{22}$' }) })

const Provider = () => OneOf(providers.providerIds, { examples: ['mpesa'] })
const Mode = () => OneOf(modes, { examples: ['live'] })

export const OperationsQuery = Type.Object({
  ...PageQuery.properties,
  stuck: Type.Optional(
    Type.Boolean({ description: 'Only those that nobody but an operator can help.', examples: [true] }),
  ),
  state: Type.Optional(OneOf(operations.states)),
  provider: Type.Optional(Provider()),
  mode: Type.Optional(Mode()),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "A whole id, reference, receipt, phone number, or the provider's own name for it.",
    }),
  ),
})

const operation = {
  id: Text('6f1c2a3e-5b7d-4c8e-9f10-112233445566'),
  provider: Provider(),
  mode: Mode(),
  kind: OneOf(['collect', 'payout', 'refund'], { description: 'Money comes in, goes out, or goes back.' }),
  purpose: OneOf(operations.purposes, { description: 'What it is for.', examples: ['deposit'] }),
  reference: Text('DP-7K3MQ-9WD2X-PB4'),
  amount: MoneyShown(),
  currency: OneOf(currencyCodes),
  phone: orNull(Text('+254712345678')),
  account: orNull(Text('058-0123456789')),
  state: OneOf(operations.states, {
    description: '`unknown`: it may have reached the provider or not.',
    examples: ['unknown'],
  }),
  failure: orNull(
    Type.Object({ code: OneOf(providers.failureCodes), detail: Text("In the provider's words") }),
  ),
  provider_reference: orNull(Text('ws_CO_191220191020363925')),
  receipt: orNull(Text('LHG31AA5TX')),
  confirmed_amount: orNull(MoneyShown({ description: 'What the provider says has moved.' })),
  late_of: orNull(
    Type.String({ description: 'It came although the provider had said no: the id of what had failed.' }),
  ),
  trouble: orNull(Type.String({ description: 'What does not fit together.' })),
  asks: Type.Integer({ description: 'How often the provider was asked.', examples: [4] }),
  stuck_since: orNull(Time({ description: 'Since then only an operator can help.' })),
  created_at: Time(),
  sent_at: orNull(Time()),
  ended_at: orNull(Time()),
}

export const OperationList = ListEnvelope(Type.Object(operation))
export const OperationReply = Envelope(
  Type.Object({
    ...operation,
    exchanges: Type.Array(
      Type.Object({
        what: OneOf(['start', 'ask', 'token']),
        method: Text('POST'),
        path: Text('/mpesa/stkpush/v1/processrequest'),
        request: Type.String({ description: 'Headers and body, without secrets.' }),
        status: orNull(Type.Integer()),
        answer: orNull(Text()),
        problem: orNull(Type.String({ description: 'Why there was no answer.' })),
        duration_ms: Type.Number(),
        at: Time(),
      }),
      { description: 'What was said to the provider, the newest first. Kept for 90 days.' },
    ),
    deliveries: Type.Array(
      Type.Object({
        what: OneOf(['callback', 'answer'], { description: '`answer`: to our own question.' }),
        body: Text(),
        result: orNull(Type.String({ description: 'What became of it.' })),
        at: Time(),
      }),
      { description: 'What came to its callback addresses.' },
    ),
  }),
)

const ReasonField = () => Reason('For the audit log.')

export const ResolveBody = Type.Object({
  outcome: OneOf(['completed', 'failed'], {
    description: 'What the provider did, as you know it: from its portal, or from its staff.',
  }),
  receipt: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[\\x21-\\x7e]+$',
      problem: 'must have 1 to 100 visible characters, and no spaces',
      description: "The provider's receipt, when it was completed.",
      examples: ['LHG31AA5TX'],
    }),
  ),
  reason: ReasonField(),
})
export const ReasonOnly = Type.Object({ reason: ReasonField() })

export const UnmatchedQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(funding.unmatchedStatuses)),
  provider: Type.Optional(Provider()),
})

const Unmatched = Type.Object({
  id: Text('unm_5Hh2mC0Zr3qXw8Vb1KtYpe'),
  provider: Provider(),
  mode: Mode(),
  amount: MoneyShown(),
  currency: OneOf(currencyCodes),
  why: OneOf(funding.whys, { description: 'Why nothing could take it.', examples: ['paid_already'] }),
  meant_for: orNull(Type.String({ description: 'The reference of what it was meant for.' })),
  phone: orNull(Text('+254712345678')),
  status: OneOf(funding.unmatchedStatuses, { examples: ['open'] }),
  operation_id: Type.String({ description: 'What brought it.' }),
  return_due_at: orNull(Time({ description: 'It goes back then. Null: only an operator can say.' })),
  returns_failed: Type.Integer({ description: 'How often it could not be given back.', examples: [0] }),
  problem: orNull(Type.String({ description: 'Why it could not, the last time.' })),
  return_operation_id: orNull(Text()),
  matched_to: orNull(
    Type.Object({ kind: OneOf(['wallet', 'payment']), id: Text('usr_5Hh2mC0Zr3qXw8Vb1KtYpe') }),
  ),
  created_at: Time(),
  ended_at: orNull(Time()),
})
export const UnmatchedList = ListEnvelope(Unmatched)
export const UnmatchedReply = Envelope(Unmatched)

export const MatchBody = Type.Object({
  user_id: Type.Optional(
    Type.String({
      pattern: '^usr_[0-9A-Za-z]{22}$',
      problem: 'must be the id of a person',
      description: 'Whose wallet gets it. Either this or `payment`.',
    }),
  ),
  payment: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The reference of the payment that it pays: of the same amount, pending or expired.',
      examples: ['PY-7K3MQ-9WD2X-PB4'],
    }),
  ),
  reason: ReasonField(),
})

export const MatchesQuery = Type.Object({
  ...PageQuery.properties,
  provider: Type.Optional(Provider()),
  mode: Type.Optional(Mode()),
  differing: Type.Optional(Type.Boolean({ description: 'Only those with differences.' })),
})

const Sums = () => Type.Object({ in: MoneyShown(), out: MoneyShown() })
const match = {
  id: Text('mat_5Hh2mC0Zr3qXw8Vb1KtYpe'),
  provider: Provider(),
  mode: Mode(),
  day: Text('2026-03-14'),
  has_records: Type.Boolean({
    description: 'Does the provider tell what it did? If not, only our own two are compared.',
  }),
  operations: Type.Integer({ description: 'Orders that ended on the day.' }),
  postings: Type.Integer({ description: "Postings of the ledger in the provider's account." }),
  records: Type.Integer({ description: "Movements in the provider's own books." }),
  repaired: Type.Integer({ description: 'What was sure, and was mended at once.' }),
  differences: Type.Integer({ description: 'What is left for an operator.', examples: [0] }),
  totals: Type.Array(
    Type.Object({ currency: OneOf(currencyCodes), operations: Sums(), ledger: Sums(), provider: Sums() }),
    { description: 'What came in and what left, as each of the three has it.' },
  ),
  compared_at: Time(),
}
export const MatchList = ListEnvelope(Type.Object(match))
export const MatchReply = Envelope(
  Type.Object({
    ...match,
    found: Type.Array(
      Type.Object({
        kind: OneOf(funding.differenceKinds, { examples: ['not_at_provider'] }),
        detail: Text('We took KES 1,200.00 for moved. The provider does not have it.'),
        repaired: Type.Boolean({ description: 'It was mended at once.' }),
        operation_id: orNull(Text()),
        posting: orNull(Type.String({ description: 'The number of the posting.' })),
        provider_reference: orNull(Text()),
        amount: orNull(MoneyShown()),
        currency: orNull(OneOf(currencyCodes)),
      }),
      { description: 'Everything that differs, or did.' },
    ),
  }),
)

export const DayBody = Type.Object({
  day: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    problem: 'must be a day, like 2026-03-14',
    description: 'In UTC.',
    examples: ['2026-03-14'],
  }),
})

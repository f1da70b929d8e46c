import { type Static, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyField, MoneyShown, OneOf, PageQuery, Time } from '../http/schema.ts'
import * as notifications from '../notifications/notifications.ts'
import { failures, statuses } from './rules.ts'

const CurrencyField = () => OneOf(currencyCodes, { description: 'Three-letter code.', examples: ['UGX'] })
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** Absolute, http or https, without user info; what else is asked of it depends on the mode and the merchant. */
export const UrlField = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 2_048,
      pattern: '^https?://[!-~]+$',
      problem: 'must be an absolute http or https address of at most 2048 characters',
      description,
      examples: ['https://shop.example/thanks'],
    }),
  )

const printable = '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$'

const DescriptionField = () =>
  Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: printable,
      problem: 'must have at most 500 characters, and none that can not be shown',
      description: 'Shown to the customer.',
      examples: ['Order 1042'],
    }),
  )

const NameField = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    problem: 'must have 1 to 100 characters, and none that can not be shown',
    description,
    examples: ['ORDER-1042'],
  })

export const InitiateBody = Type.Object({
  payment_amount: MoneyField({ description: 'What the customer pays.' }),
  currency_code: CurrencyField(),
  ref_trx: NameField('Your own reference; the same one again, while pending, is the same payment.'),
  description: DescriptionField(),
  success_redirect: UrlField('Where the customer goes after paying.'),
  failure_url: UrlField('Where the customer goes when it failed.'),
  cancel_redirect: UrlField('Where the customer goes after cancelling.'),
  ipn_url: UrlField('Where the outcome is posted. Default: the one of your profile.'),
})
export type InitiateBody = Static<typeof InitiateBody>

export const InitiateReply = Type.Object(
  {
    payment_url: Type.String({
      description: 'Send the customer there.',
      examples: ['https://pay.example/checkout?token=…'],
    }),
    info: Type.Object({
      ref_trx: Type.String(),
      description: Nullable(Type.String()),
      ipn_url: Nullable(Type.String()),
      cancel_redirect: Nullable(Type.String()),
      success_redirect: Nullable(Type.String()),
      merchant_id: Type.Integer(),
      merchant_name: Type.String(),
      amount: MoneyShown(),
      currency_code: CurrencyField(),
    }),
  },
  { description: 'The payment waits for the customer.' },
)

const FailureShown = Nullable(
  Type.Object({
    code: Type.String({ examples: ['expired'] }),
    message: Type.String({ examples: ['The payment was not made in time.'] }),
  }),
)

export const VerifyReply = Type.Object(
  {
    status: OneOf(statuses),
    reference: Type.String({ examples: ['PY-7K3MQ-9WD2X-PB4'] }),
    ref_trx: Nullable(Type.String()),
    amount: MoneyShown(),
    currency_code: CurrencyField(),
    failure: FailureShown,
    completed_at: Nullable(Time()),
    mode: OneOf(['live', 'test']),
  },
  { description: 'What became of the payment.' },
)

export const PayBody = Type.Object({
  amount: MoneyField({ description: 'What the customer pays.' }),
  currency: CurrencyField(),
  description: DescriptionField(),
  callback_url: UrlField('Where status changes are posted. Default: the one of your profile.'),
  reference: Type.Optional(NameField('Your own reference.')),
  success_redirect: UrlField('Where the customer goes after paying.'),
  cancel_redirect: UrlField('Where the customer goes after cancelling.'),
})
export type PayBody = Static<typeof PayBody>

const PayRecord = Type.Object({
  reference: Type.String({ examples: ['PY-7K3MQ-9WD2X-PB4'] }),
  status: OneOf(statuses),
  amount: MoneyShown(),
  currency: CurrencyField(),
  description: Nullable(Type.String()),
  payment_url: Type.String({ description: 'Send the customer there.' }),
  mode: OneOf(['live', 'test']),
  created_at: Time(),
})
export const PayReply = Envelope(PayRecord)
export const PayShown = Envelope(
  Type.Object({
    ...PayRecord.properties,
    failure: FailureShown,
    completed_at: Nullable(Time()),
    refunded_amount: MoneyShown(),
  }),
)

export const MerchantPayment = Type.Object({
  reference: Type.String({ examples: ['PY-7K3MQ-9WD2X-PB4'] }),
  ref_trx: Nullable(Type.String()),
  amount: MoneyShown({ description: 'What the customer paid, or is to pay.' }),
  fee: MoneyShown({ description: 'What was taken from it.', examples: [200] }),
  net: MoneyShown({ description: 'What you got of it.', examples: [9_800] }),
  currency: CurrencyField(),
  status: OneOf(statuses),
  failure: FailureShown,
  late: Type.Boolean({ description: 'The provider confirmed it after it had expired.' }),
  method: Nullable(Type.String({ description: '`wallet`, or the id of a provider.', examples: ['wallet'] })),
  description: Nullable(Type.String()),
  mode: OneOf(['live', 'test']),
  customer: Nullable(Type.String({ description: 'As much as you may know.', examples: ['@amina'] })),
  created_at: Time(),
  completed_at: Nullable(Time()),
  refunded_amount: MoneyShown({ description: 'What has gone back already.', examples: [0] }),
})
export const PaymentList = ListEnvelope(MerchantPayment)

const Attempt = Type.Object({
  method: Type.String({ description: '`wallet`, or the id of a provider.', examples: ['mtn'] }),
  status: OneOf(['pending', 'succeeded', 'failed'], {
    description: 'Pending: the customer, or the provider, has not answered yet.',
  }),
  failure: FailureShown,
  customer: Nullable(Type.String()),
  created_at: Time(),
  ended_at: Nullable(Time()),
})
const RefundShown = Type.Object({
  id: Type.String(),
  amount: MoneyShown(),
  reason: Nullable(Type.String()),
  status: OneOf(['pending', 'completed', 'failed'], {
    description:
      'Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again.',
  }),
  failure: FailureShown,
  created_at: Time(),
  ended_at: Nullable(Time()),
})
export const PaymentDetail = Envelope(
  Type.Object({
    ...MerchantPayment.properties,
    attempts: Type.Array(Attempt),
    refunds: Type.Array(RefundShown),
    payment_url: Nullable(Type.String({ description: 'While it is pending.' })),
  }),
)

/** The answer to a refund is kept as it was, and what is sent later can not be in it. */
export const PaymentShown = Envelope(
  Type.Object({
    ...PaymentDetail.properties.data.properties,
    notifications: Type.Optional(
      Type.Array(notifications.Notification, {
        description:
          'That were sent about it, or will be; the newest first, 100 at most. Not in the answer to a refund.',
      }),
    ),
  }),
)

export const PaymentsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(statuses)),
  mode: Type.Optional(OneOf(['live', 'test'], { description: 'With a key, only its own mode.' })),
  from: Type.Optional(Time({ description: 'Made at or after this time.' })),
  to: Type.Optional(Time({ description: 'Made before this time.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[^\\u0000]*$',
      description: 'Part of ref_trx, description or customer; or a reference.',
    }),
  ),
})
export type PaymentsQuery = Static<typeof PaymentsQuery>

export const RefParams = Type.Object({ ref: Type.String({ minLength: 1, maxLength: 100 }) })
export const ReferenceParams = Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) })

export const RefundBody = Type.Object({
  amount: Type.Optional(MoneyField({ description: 'Default: all that is not yet refunded.' })),
  reason: Type.Optional(
    Type.String({
      maxLength: 140,
      pattern: printable,
      problem: 'must have at most 140 characters',
      examples: ['Sold out'],
    }),
  ),
})
export type RefundBody = Static<typeof RefundBody>

const seconds = (description: string) => Type.Integer({ description, examples: [1_773_480_413] })

/** What is posted to an `ipn_url`. */
export const GatewayNotification = Type.Object({
  data: Type.Object(
    {
      ref_trx: Type.String({ description: 'Your own reference, as you sent it.', examples: ['ORDER-1001'] }),
      description: Nullable(Type.String({ description: 'As you sent it.' })),
      ipn_url: Nullable(Type.String({ description: 'As you sent it, or the one of your profile.' })),
      cancel_redirect: Nullable(Type.String({ description: 'As you sent it.' })),
      success_redirect: Nullable(Type.String({ description: 'As you sent it.' })),
      merchant_name: Type.String({ description: 'Yours.', examples: ['Duka la Amina'] }),
      amount: MoneyShown({ description: 'What the customer was to pay. Compare it with the order.' }),
      currency_code: CurrencyField(),
    },
    { description: 'The payment.' },
  ),
  message: OneOf(['Payment Completed', 'Payment Failed'], { description: 'For people.' }),
  status: OneOf(['completed', 'failed'], { description: 'What became of the payment.' }),
  timestamp: seconds('When it happened, in Unix seconds. It stays the same over all attempts.'),
})

const PaymentError = Type.Object(
  {
    code: OneOf(Object.keys(failures), {
      description: 'Stable and machine-readable.',
      examples: ['expired'],
    }),
    message: Type.String({ description: 'For people.', examples: ['The payment was not made in time.'] }),
    retryable: Type.Boolean({ description: 'May the customer succeed with a new payment?' }),
  },
  { description: 'Of `payment.failed` only: why.' },
)

/** What is posted to a `callback_url`. */
export const CallbackNotification = Type.Object({
  event: OneOf(['payment.pending', 'payment.completed', 'payment.failed', 'payment.refunded'], {
    description: 'What happened.',
  }),
  data: Type.Object(
    {
      reference: Type.String({
        description: 'Of the payment, as `POST /api/pay` answered it.',
        examples: ['PY-7K3MQ-9WD2X-PB4'],
      }),
      amount: MoneyShown({ description: 'Of the payment. Compare it with the order.' }),
      currency: CurrencyField(),
      merchant_id: Type.String({ description: 'Yours.', examples: ['48210937'] }),
      timestamp: seconds('When it happened, in Unix seconds.'),
      refund_amount: Type.Optional(
        MoneyShown({
          description: 'Of `payment.refunded` only: what went back this time.',
          examples: [2_500],
        }),
      ),
      error: Type.Optional(PaymentError),
    },
    { description: 'The payment, and what happened to it.' },
  ),
  error: Type.Optional(Type.Object(PaymentError.properties, { description: 'The same once more.' })),
})

import { type Static, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, OneOf, Time } from '../http/schema.ts'
import * as notifications from '../notifications/notifications.ts'
import { rotated } from './credentials.ts'
import { exampleEvents, exampleKinds } from './notices.ts'
import { graceHoursDefault, graceHoursMax, hostsMax, modes, networksMax, statuses } from './rules.ts'

const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

const Mode = (description: string) => OneOf(modes, { description, examples: ['live'] })

const AddressField = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2_048, description, examples: [example] })

/** Null takes it away. */
const OptionalAddress = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2_048, description, examples: [example] })

const website = 'Of the business. In live mode customers are sent back to it, or below it, only.'
const ipn = 'Where outcomes of gateway payments are posted, when a payment names no address of its own.'
const callback = 'Where events of `/api/pay` payments are posted, when a payment names no address of its own.'
const Currency = () =>
  OneOf(currencyCodes, {
    description: 'What the business reckons in. Default: the currency of your country.',
    examples: ['UGX'],
  })

export const Application = Type.Object({
  business_name: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'As customers see it.',
    examples: ['Duka la Amina'],
  }),
  category: Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'What it sells, in a word or two.',
    examples: ['Groceries'],
  }),
  website_url: AddressField(website, 'https://duka.example'),
  ipn_url: Type.Optional(AddressField(ipn, 'https://duka.example/ipn')),
  callback_url: Type.Optional(AddressField(callback, 'https://duka.example/callback')),
  settlement_currency: Type.Optional(Currency()),
})

const Password = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Your own, asked for again.',
  examples: ['kahawa tatu za asubuhi'],
})

export const ProfileChange = Type.Object({
  website_url: Type.Optional(
    AddressField(`${website} Another host needs \`password\`.`, 'https://duka.example'),
  ),
  ipn_url: Type.Optional(OptionalAddress(`${ipn} Null: none.`, 'https://duka.example/ipn')),
  callback_url: Type.Optional(OptionalAddress(`${callback} Null: none.`, 'https://duka.example/callback')),
  settlement_currency: Type.Optional(Currency()),
  redirect_hosts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      maxItems: hostsMax,
      description:
        'Hosts besides the website that customers may be sent back to in live mode, each with what is below it. Adding one needs `password`.',
      examples: [['pay.duka.example']],
    }),
  ),
  allowed_addresses: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: networksMax,
      description:
        'Addresses or networks (CIDR) that the API keys may be used from. Empty: everywhere. Needs `password`.',
      examples: [['203.0.113.7', '198.51.100.0/24']],
    }),
  ),
  password: Type.Optional(Password),
})

const ModeCredentials = Type.Object({
  api_key_prefix: orNull(
    Type.String({
      description: 'Names the key; null when there is none yet.',
      examples: ['svc_live_7Kd93mQzWb1x'],
    }),
  ),
  api_key_last_used_at: Type.Union([Time({ description: 'To the minute.' }), Type.Null()]),
  api_key_previous_valid_until: Type.Union([
    Time({ description: 'After a rotation: until then the key before works too.' }),
    Type.Null(),
  ]),
  client_secret_set: Type.Boolean(),
  client_secret_previous_valid_until: Type.Union([Time(), Type.Null()]),
  api_key: Type.Optional(
    Type.String({
      description:
        'Only when it is made. A live key also in further looks of the owner for ten minutes, until it is used.',
      examples: ['svc_test_<API_KEY>'],
    }),
  ),
  client_secret: Type.Optional(
    Type.String({
      description: 'Only when it is made, with the API key.',
      examples: ['whsec_<CLIENT_SECRET>'],
    }),
  ),
})

export const MerchantShown = Type.Object({
  merchant_id: Type.Integer({ description: 'The Merchant ID of the gateway.', examples: [48_201_573] }),
  business_name: Type.String({ examples: ['Duka la Amina'] }),
  category: Type.String({ examples: ['Groceries'] }),
  website_url: Type.String({ examples: ['https://duka.example'] }),
  status: OneOf(statuses, { description: 'Live payments need `approved`; test mode works from the start.' }),
  review_due_at: Time({ description: 'When the application is to be reviewed at the latest.' }),
  reviewed_at: Type.Union([Time(), Type.Null()]),
  rejection_reason: orNull(Type.String({ description: 'Why it was rejected. It may apply again.' })),
  suspension_reason: orNull(Type.String()),
  ipn_url: orNull(Type.String({ examples: ['https://duka.example/ipn'] })),
  callback_url: orNull(Type.String({ examples: ['https://duka.example/callback'] })),
  settlement_currency: OneOf(currencyCodes, { examples: ['UGX'] }),
  redirect_hosts: Type.Array(Type.String()),
  allowed_addresses: Type.Array(Type.String()),
  credentials: Type.Object({ live: ModeCredentials, test: ModeCredentials }),
  header_prefix: Type.String({
    description:
      'What header names begin with at this service, in your requests (`SVC-API-Key`) and in notifications (`SVC-Signature`).',
    examples: ['SVC'],
  }),
  created_at: Time(),
})
export type MerchantShown = Static<typeof MerchantShown>

export const MerchantReply = Envelope(MerchantShown)

export const RevealBody = Type.Object({ mode: Mode('Of which mode.'), password: Password })

export const RevealReply = Envelope(
  Type.Object({
    mode: Mode('Of this mode.'),
    client_secret: Type.String({ examples: ['whsec_<CLIENT_SECRET>'] }),
  }),
)

export const RotateBody = Type.Object({
  password: Password,
  mode: Type.Optional(OneOf(modes, { description: 'Default: live.', examples: ['live'] })),
  what: Type.Optional(OneOf(rotated, { description: 'Default: api_key.', examples: ['api_key'] })),
  grace_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: graceHoursMax,
      description: `How long the old one still works. Default: ${graceHoursDefault}. 0: it ends now.`,
      examples: [24],
    }),
  ),
})
export type RotateBody = Static<typeof RotateBody>

export const RotateReply = Envelope(
  Type.Object({
    mode: Mode('Of this mode.'),
    what: OneOf(rotated),
    value: Type.String({ description: 'The new one. Keep it: an API key is not shown again.' }),
    previous_valid_until: Type.Union([Time(), Type.Null()], {
      description: 'Until then the old one works too; null when there was none.',
    }),
  }),
)

export const ExampleBody = Type.Object({
  url: Type.Optional(
    AddressField(
      'Where to. Default: your own `callback_url`, for `gateway` your `ipn_url`.',
      'https://duka.example/callback',
    ),
  ),
  event: Type.Optional(
    OneOf(exampleEvents, {
      description: 'Default: payment.completed. The gateway has only completed and failed.',
    }),
  ),
  kind: Type.Optional(
    OneOf(exampleKinds, { description: 'Which of the two shapes of notifications. Default: callback.' }),
  ),
})

export const NotificationList = ListEnvelope(notifications.Notification)
export const NotificationReply = Envelope(notifications.NotificationShown)
export const { FedQuery, NotificationParams, NotificationQuery } = notifications

export const EventFeed = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String({ description: 'For people; never parse it.' }),
    data: Type.Array(notifications.FedEvent),
    meta: Type.Object({
      next_after: Type.String({
        description: 'Send it as `after` to get what comes next; it is there even when nothing has come.',
      }),
    }),
  },
  { description: 'Events, the oldest first' },
)

export const RangeBody = Type.Object({
  from: Time({ description: 'From this time on.' }),
  to: Time({
    description: 'Up to this time, excluded; at most 30 days later.',
    examples: ['2026-03-15T09:26:53.000Z'],
  }),
  mode: Type.Optional(OneOf(modes, { description: 'Default: both.' })),
})

export const RangeReply = Envelope(
  Type.Object({
    replayed: Type.Integer({ description: 'They are sent ten a second.', examples: [12] }),
    more: Type.Boolean({ description: 'There are more than one request takes: ask again.' }),
  }),
)

export const EndpointList = ListEnvelope(notifications.Endpoint)

export const ResumeBody = Type.Object({
  mode: Mode('Of which mode.'),
  origin: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: 'Scheme, host and port, as the list of endpoints shows it.',
    examples: ['https://duka.example'],
  }),
})
export const ResumeReply = Envelope(
  Type.Null({ description: 'Done; there is nothing more to say.', examples: [null] }),
)

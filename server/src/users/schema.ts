// The shapes of accounts, as they come and go over HTTP. What a value must be beyond its form is in rules.ts.
import { type Static, Type } from 'typebox'
import { type Currency, currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyShown, OneOf, Time } from '../http/schema.ts'
import { locales, nameMax, passwordMax, passwordMin } from './rules.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: nameMax,
  description: 'As it is shown to others. Any script.',
  examples: ['Amina Nakato'],
})
const Email = Type.String({
  minLength: 1,
  maxLength: 254,
  description: 'Small and capital letters are the same.',
  examples: ['amina@example.com'],
})
const Phone = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'In international form (E.164).',
  examples: ['+256700123456'],
})
const Handle = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    '3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.',
  examples: ['amina'],
})
const NewPassword = Type.String({
  minLength: passwordMin,
  maxLength: passwordMax,
  description: 'Any characters. What is guessed first (common words, own names, rows of keys) is refused.',
  examples: ['kahawa tatu za asubuhi'],
})
const Password = Type.String({
  minLength: 1,
  maxLength: passwordMax,
  description: 'The present password.',
  examples: ['kahawa tatu za asubuhi'],
})
const Pin = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '4 to 6 digits, as text. Runs, repeats, years and the like are refused.',
  examples: ['4821'],
})
const Locale = OneOf(locales, { description: 'The language of mails and pages.', examples: ['sw'] })
const Country = Type.String({
  minLength: 1,
  maxLength: 8,
  description:
    'ISO 3166, two capitals. Decides the currency of the first wallet. Without it the phone number tells.',
  examples: ['UG'],
})
const Code = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'From the mail. Small letters are fine, and so is leaving out the hyphen.',
  examples: ['7K3M-Q9WD'],
})

const Keeping = OneOf(['token', 'cookie'], {
  description:
    'Where the session is kept. `cookie`: for pages of this service; a cookie that no script can read is set too, and `refresh` takes it. Default: token.',
  examples: ['token'],
})

const example = {
  id: 'usr_5Hh2mC0Zr3qXw8Vb1KtYpe',
  handle: 'amina',
  name: 'Amina Nakato',
  email: 'amina@example.com',
  email_confirmed: true,
  phone: '+256700123456',
  country: 'UG',
  locale: 'en',
  default_currency: 'UGX',
  has_pin: true,
  email_receipts: false,
  frozen: false,
  roles: [],
  created_at: '2026-03-14T09:26:53.000Z',
}

const userFields = {
  id: Type.String({ description: 'Opaque; never changes.', examples: [example.id] }),
  handle: Type.String({ description: 'What others send money to.', examples: [example.handle] }),
  name: Type.String({ examples: [example.name] }),
  email: Type.Union([Type.String(), Type.Null()], { examples: [example.email] }),
  email_confirmed: Type.Boolean({
    description:
      'Mails about the account go to a confirmed address only, the code that confirms it excepted.',
  }),
  phone: Type.Union([Type.String(), Type.Null()], { examples: [example.phone] }),
  country: Type.Union([Type.String(), Type.Null()], { examples: [example.country] }),
  locale: OneOf(locales),
  default_currency: OneOf(currencyCodes, { description: 'Of the first wallet.' }),
  has_pin: Type.Boolean({ description: 'Moving money needs one.' }),
  email_receipts: Type.Boolean({ description: 'A mail for money in and out.' }),
  frozen: Type.Boolean({ description: 'No money can be moved.' }),
  roles: Type.Array(Type.String()),
  created_at: Time(),
}

export const User = Type.Object(userFields, { description: 'A person', examples: [example] })
export type UserShown = Static<typeof User>

const Limits = Type.Object(
  {
    least: MoneyShown({ description: 'Of a single transfer, withdrawal or contribution.' }),
    most: MoneyShown({ description: 'Of a single one.' }),
    daily_most: MoneyShown({ description: 'Of all that leave one wallet in any 24 hours.' }),
  },
  { examples: [{ least: 500, most: 5000000, daily_most: 20000000 }] },
)

export const MeReply = Envelope(
  Type.Object(
    {
      ...userFields,
      limits: Type.Object(
        Object.fromEntries(currencyCodes.map((currency) => [currency, Limits])) as Record<
          Currency,
          typeof Limits
        >,
        { description: 'By currency.' },
      ),
    },
    { description: 'You' },
  ),
)

export const UserReply = Envelope(User)

const SignedIn = Type.Object(
  {
    token: Type.String({
      description: 'A JWT. Send it as `Authorization: Bearer …`.',
      examples: [
        'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6Ii4uLiJ9.eyJzdWIiOiJ1c3JfLi4uIn0.c2lnbmF0dXJl',
      ],
    }),
    token_type: OneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [86400] }),
    user: User,
  },
  { description: 'Who you are, and what shows it' },
)
export const SignedInReply = Envelope(SignedIn)

export const DoneReply = Envelope(
  Type.Null({ description: 'Done; there is nothing more to say.', examples: [null] }),
)

export const Registration = Type.Object(
  {
    name: Name,
    password: NewPassword,
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    handle: Type.Optional(Handle),
    country: Type.Optional(Country),
    locale: Type.Optional(Locale),
    pin: Type.Optional(Pin),
    session: Type.Optional(Keeping),
  },
  {
    description: '`email` or `phone` is needed. Without `handle` one is made from the name.',
    examples: [
      {
        name: 'Amina Nakato',
        phone: '+256700123456',
        password: 'kahawa tatu za asubuhi',
        country: 'UG',
        pin: '4821',
      },
    ],
  },
)

const loginNames = {
  email: Type.Optional(Email),
  phone: Type.Optional(Phone),
  handle: Type.Optional(Handle),
}

export const Login = Type.Object(
  { ...loginNames, password: Password, session: Type.Optional(Keeping) },
  {
    description: 'Exactly one of `email`, `phone` and `handle`.',
    examples: [{ handle: 'amina', password: 'kahawa tatu za asubuhi' }],
  },
)

export const Refresh = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'The JWT, when it is not sent as `Authorization: Bearer`.',
      }),
    ),
  },
  { examples: [{}] },
)

export const ForgotPassword = Type.Object(loginNames, {
  description: 'Exactly one of `email`, `phone` and `handle`.',
  examples: [{ email: 'amina@example.com' }],
})

export const ResetPassword = Type.Object(
  { ...loginNames, code: Code, password: NewPassword },
  {
    description: 'The name that the code was asked for with, the code, and the new password.',
    examples: [{ email: 'amina@example.com', code: '7K3M-Q9WD', password: 'chai mbili za jioni' }],
  },
)

export const ConfirmEmail = Type.Object({ code: Code }, { examples: [{ code: '7K3M-Q9WD' }] })

export const ProfileChange = Type.Object(
  {
    name: Type.Optional(Name),
    locale: Type.Optional(Locale),
    email_receipts: Type.Optional(Type.Boolean({ description: 'A mail for money in and out.' })),
  },
  { description: 'What is left out stays as it is.', examples: [{ locale: 'sw', email_receipts: true }] },
)

export const PinChange = Type.Object(
  { pin: Pin, password: Password },
  { examples: [{ pin: '4821', password: 'kahawa tatu za asubuhi' }] },
)

export const PasswordChange = Type.Object(
  { password: Password, new_password: NewPassword },
  { examples: [{ password: 'kahawa tatu za asubuhi', new_password: 'chai mbili za jioni' }] },
)

export const EmailChange = Type.Object(
  { email: Email, password: Password },
  { examples: [{ email: 'amina@example.org', password: 'kahawa tatu za asubuhi' }] },
)

export const PhoneChange = Type.Object(
  { phone: Phone, password: Password },
  { examples: [{ phone: '+256700654321', password: 'kahawa tatu za asubuhi' }] },
)

export const SessionList = ListEnvelope(
  Type.Object(
    {
      id: Type.String({ examples: ['ses_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
      device: Type.String({
        description: 'What the program calls itself.',
        examples: ['Mozilla/5.0 (Linux; Android 15)'],
      }),
      address: Type.String({ description: 'Where it logged in from.', examples: ['102.85.14.7'] }),
      created_at: Time({ description: 'The login; ISO 8601, UTC.' }),
      last_used_at: Time({ description: 'The latest login or refresh; ISO 8601, UTC.' }),
      current: Type.Boolean({ description: 'The one this request belongs to.' }),
    },
    { description: 'A login that is still good' },
  ),
)

export const SessionPath = Type.Object({
  id: Type.String({ description: 'Of a session of yours.', pattern: '^ses_[0-9A-Za-z]{22}$' }),
})

import { type Static, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyField, MoneyShown, OneOf } from '../http/schema.ts'
import * as providers from '../providers/providers.ts'
import { orderStatuses } from './rules.ts'

const CurrencyField = () => OneOf(currencyCodes, { description: 'Three-letter code.', examples: ['UGX'] })
const MethodField = () =>
  OneOf(providers.providerIds, { description: 'One of `GET /api/methods`.', examples: ['mtn'] })

const PhoneField = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\+[1-9][0-9]{6,14}$',
      problem: 'must be in international form, like +256772123456',
      description,
      examples: ['+256772123456'],
    }),
  )

export const DepositBody = Type.Object({
  amount: MoneyField({ description: 'What arrives in your wallet. A deposit costs nothing.' }),
  currency: CurrencyField(),
  method: MethodField(),
  phone: PhoneField('The phone that pays. Without it yours is taken.'),
  email: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$',
      problem: 'must be an e-mail address',
      description: 'For cards: where the provider sends its receipt. Without it yours is taken.',
      examples: ['amina@example.com'],
    }),
  ),
})
export type DepositBody = Static<typeof DepositBody>

export const WithdrawBody = Type.Object({
  amount: MoneyField({ description: 'What arrives at the provider. The fee leaves your wallet beside it.' }),
  currency: CurrencyField(),
  method: MethodField(),
  phone: PhoneField('The phone that gets the money.'),
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[0-9A-Za-z /.-]+$',
      problem: 'must have 1 to 64 letters, digits, spaces, slashes, points or hyphens',
      description: 'For methods that pay to a bank account: the code of the bank and the number.',
      examples: ['058-0123456789'],
    }),
  ),
  pin: Type.String({
    pattern: '^[0-9]{4,6}$',
    problem: 'must be 4 to 6 digits',
    description: 'The transaction PIN, as text.',
    examples: ['4827'],
  }),
})
export type WithdrawBody = Static<typeof WithdrawBody>

const started = {
  reference: Type.String({ description: 'Short enough to read aloud.', examples: ['DP-7K3MQ-9WD2X-PB4'] }),
  status: OneOf(orderStatuses, {
    description: 'What becomes of it is in your history, under the reference.',
    examples: ['pending'],
  }),
  method: MethodField(),
  amount: MoneyShown(),
  currency: CurrencyField(),
  instructions: Type.String({
    description: 'What to do next, in your language.',
    examples: ['Approve the request of MTN MoMo on the phone +256772123456 with its PIN.'],
  }),
}

export const DepositReply = Envelope(
  Type.Object({
    ...started,
    redirect_url: Type.Optional(
      Type.String({ description: "The provider's own page, where you pay: for cards." }),
    ),
    failure: Type.Optional(
      Type.Object(
        {
          code: OneOf([...providers.failureCodes, 'another_amount'], { examples: ['payer_not_found'] }),
          message: Type.String(),
        },
        { description: 'When the provider refused it at once.' },
      ),
    ),
  }),
)

export const WithdrawReply = Envelope(
  Type.Object({
    reference: Type.String({ description: 'Short enough to read aloud.', examples: ['WD-7K3MQ-9WD2X-PB4'] }),
    status: started.status,
    method: started.method,
    amount: MoneyShown({ description: 'What arrives.' }),
    fee: MoneyShown({ description: 'What leaves your wallet beside it.', examples: [100] }),
    currency: started.currency,
    instructions: started.instructions,
  }),
)

export const WithdrawPreviewBody = Type.Object({
  amount: WithdrawBody.properties.amount,
  currency: CurrencyField(),
  method: MethodField(),
  phone: WithdrawBody.properties.phone,
  account: WithdrawBody.properties.account,
})
export type WithdrawPreviewBody = Static<typeof WithdrawPreviewBody>

export const WithdrawPreviewReply = Envelope(
  Type.Object({
    amount: MoneyShown({ description: 'What arrives.' }),
    fee: MoneyShown({ description: 'What leaves your wallet beside it.', examples: [100] }),
    total: MoneyShown({ description: 'What is held at once: both together.', examples: [10_100] }),
    currency: CurrencyField(),
    balance_after: MoneyShown({
      description: 'What you could still spend; negative when it does not suffice.',
      examples: [39_900],
    }),
    sufficient: Type.Boolean({ description: 'Is there enough in the wallet now?' }),
  }),
)

export const purposes = ['deposit', 'withdrawal', 'payment'] as const

export const MethodsQuery = Type.Object({
  currency: CurrencyField(),
  purpose: OneOf(purposes, { description: 'What it is for.', examples: ['deposit'] }),
})

export const MethodsReply = ListEnvelope(
  Type.Object({
    id: OneOf(['wallet', ...providers.providerIds], { examples: ['mtn'] }),
    name: Type.String({ description: 'As people know it.', examples: ['MTN MoMo'] }),
    kind: OneOf(['wallet', 'mobile_money', 'card', 'bank'], { examples: ['mobile_money'] }),
    fields: Type.Array(OneOf(['phone', 'email', 'account']), {
      description: 'What must be given with it. Your own phone and e-mail address are taken for a deposit.',
      examples: [['phone']],
    }),
    health: OneOf(['up', 'degraded', 'down'], {
      description:
        'How it did in the last five minutes. One that is down still takes orders, but may take long.',
      examples: ['up'],
    }),
    prefixes: Type.Array(Type.String(), {
      description: 'Phone numbers that begin so are probably of this provider.',
      examples: [['+25677', '+25678']],
    }),
  }),
)

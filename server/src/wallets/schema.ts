import { Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { Envelope, ListEnvelope, MoneyShown, OneOf, Time } from '../http/schema.ts'

const example = {
  id: 'wal_5Hh2mC0Zr3qXw8Vb1KtYpe',
  currency: 'UGX',
  name: 'Ugandan Shilling wallet',
  balance: 185000,
  held: 25000,
  available: 160000,
  is_default: true,
  created_at: '2026-03-14T09:26:53.000Z',
}

const Wallet = Type.Object(
  {
    id: Type.String({ description: 'Opaque; never changes.', examples: [example.id] }),
    currency: OneOf(currencyCodes, { description: 'One wallet a currency.', examples: ['UGX'] }),
    name: Type.String({ examples: [example.name] }),
    balance: MoneyShown({ description: 'All that is in it.', examples: [185000] }),
    held: MoneyShown({
      description: 'What of it is set aside for something on its way, a withdrawal for example.',
      examples: [25000],
    }),
    available: MoneyShown({ description: '`balance` less `held`: what can be used.', examples: [160000] }),
    is_default: Type.Boolean({ description: 'The wallet in the currency of your country.' }),
    created_at: Time({ description: 'When it was opened; ISO 8601, UTC.' }),
  },
  { description: 'A wallet', examples: [example] },
)

export const WalletReply = Envelope(Wallet)
export const WalletList = ListEnvelope(Wallet)

export const NewWallet = Type.Object(
  {
    currency: OneOf(currencyCodes, {
      description: 'A currency you have no wallet in yet.',
      examples: ['KES'],
    }),
  },
  { examples: [{ currency: 'KES' }] },
)

import { type Static, Type } from 'typebox'
import { Envelope, ListEnvelope, MoneyShown, OneOf, PageQuery } from '../../http/schema.ts'
import { Campaign } from '../schema.ts'

export const campaignStates = ['active', 'ended', 'paused', 'returning', 'returned'] as const

const Seen = Type.Object({
  ...Campaign.properties,
  state: OneOf(campaignStates),
  owner_id: Type.String({ examples: ['usr_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
  balance: MoneyShown({ description: 'What is in its account.' }),
  withdrawn_amount: MoneyShown({ description: 'What its owner has taken out, with the fees.' }),
})
export const SeenList = ListEnvelope(Seen)

export const SeenReply = Envelope(
  Type.Object({
    ...Seen.properties,
    returns: Type.Array(
      Type.Object({
        state: OneOf(['open', 'sent', 'done', 'failed'], {
          description:
            '`sent`: a provider has it. `failed`: a provider refused; ask for the return again to retry.',
        }),
        count: Type.Integer({ examples: [12] }),
        amount: MoneyShown(),
      }),
      { description: 'How far giving back has come.' },
    ),
  }),
)

export const SeenQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Type.String({ maxLength: 100, description: 'Words of the title or the story.' })),
  state: Type.Optional(OneOf(campaignStates)),
})
export type SeenQuery = Static<typeof SeenQuery>

export const ReasonBody = Type.Object({
  reason: Type.String({
    maxLength: 300,
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
    problem: 'must have 1 to 300 characters on one line',
    description: 'Everybody who looks at the campaign sees it.',
    examples: ['The pictures are of another well.'],
  }),
})

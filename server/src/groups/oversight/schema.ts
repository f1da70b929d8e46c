import { Type } from 'typebox'
import { Envelope, ListEnvelope, PageQuery, Time } from '../../http/schema.ts'
import { Debt, Event, Group, Member } from '../schema.ts'

const Seen = Type.Object({
  ...Group.properties,
  closed_at: Type.Union([Time(), Type.Null()], { description: 'When the last member left.' }),
})

export const SeenList = ListEnvelope(Seen)
export const SeenReply = Envelope(
  Type.Object({
    ...Seen.properties,
    members: Type.Array(Member),
    debts: Type.Array(Debt),
    feed: Type.Array(Event),
  }),
)

export const SeenQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000]*$',
      description: 'A part of the name, or the whole id.',
    }),
  ),
})

import { type Static, type TSchema, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { decodeCursor } from '../http/cursor.ts'
import {
  Envelope,
  ListEnvelope,
  MoneyField,
  MoneyOrNoneField,
  MoneyShown,
  OneOf,
  PageQuery,
  Time,
} from '../http/schema.ts'
import { frequencies, kinds, membersMost, membersUsually, orderings, roles, visibilities } from './rules.ts'

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Currency = () => OneOf(currencyCodes, { description: 'Three-letter code.', examples: ['UGX'] })
const shownText = '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$'
/** Marks of direction would let one name look like another. */
const turning = '\\u202a-\\u202e\\u2066-\\u2069'
const unseen = '\\s\\u0000-\\u001f\\u007f\\u200b-\\u200f\\u2060-\\u2064\\ufeff'
const saysSomething = `^[ \\t\\u200e\\u200f]*[^${unseen}${turning}][^\\u0000-\\u0008\\u000b-\\u001f\\u007f${turning}]*$`

const Handle = (description: string) =>
  Type.String({
    pattern: '^@?[A-Za-z][A-Za-z0-9_]{2,19}$',
    problem: 'must be a handle, like amina or @amina',
    description,
    examples: ['juma'],
  })

const Text = (rules: { most: number; least?: number; description: string; examples: string[] }) =>
  Type.String({
    minLength: rules.least ?? 0,
    maxLength: rules.most,
    pattern: rules.least === undefined ? shownText : saysSomething,
    problem: `must have ${rules.least === undefined ? 'at most' : `${rules.least} to`} ${rules.most} characters, and none that can not be shown`,
    description: rules.description,
    examples: rules.examples,
  })

const Name = () =>
  Text({ least: 2, most: 80, description: 'What members call it.', examples: ['Umoja wa Kina Mama'] })
const Description = () =>
  Text({ most: 1_000, description: 'What it is for.', examples: ['Every Friday, one of us'] })
const Pin = () =>
  Type.String({
    pattern: '^[0-9]{4,6}$',
    problem: 'must be 4 to 6 digits',
    description: 'The transaction PIN, as text.',
    examples: ['4827'],
  })
const Note = () => Text({ most: 140, description: 'For all members to see.', examples: ['For March'] })

const MaxMembers = () =>
  Type.Integer({
    minimum: 2,
    maximum: membersMost,
    description: `${membersUsually} if not said otherwise.`,
    examples: [12],
  })

export const CreateBody = Type.Object({
  name: Name(),
  description: Type.Optional(Description()),
  currency: Currency(),
  kind: OneOf(kinds, {
    description:
      '`rotating`: each cycle everybody pays the same and one gets the pot. `goal`: everybody gives what they can, and members decide together what it is spent on.',
  }),
  contribution_amount: Type.Optional(
    MoneyField({
      description: 'Rotating: what each pays in a cycle. Goal: the least that may be given at once.',
    }),
  ),
  frequency: Type.Optional(OneOf(frequencies, { description: 'Of the cycles of a rotating group.' })),
  goal_amount: Type.Optional(MoneyField({ description: 'Of a goal group.', examples: [1_000_000] })),
  late_fine: Type.Optional(
    MoneyField({
      description:
        'What who pays late pays beside the contribution. It is kept in the pot: who waited for it gets it.',
      examples: [1_000],
    }),
  ),
  max_members: Type.Optional(MaxMembers()),
  visibility: OneOf(visibilities, {
    description: '`public`: everybody can find it and join. `private`: only with the invitation code.',
  }),
  time_zone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'Where its days end; if not said, where its currency is at home.',
      examples: ['Africa/Kampala'],
    }),
  ),
})
export type CreateBody = Static<typeof CreateBody>

export const EditBody = Type.Object({
  name: Type.Optional(Name()),
  description: Type.Optional(Description()),
  visibility: Type.Optional(OneOf(visibilities)),
  max_members: Type.Optional(MaxMembers()),
  late_fine: Type.Optional(
    MoneyOrNoneField({ description: 'From the next round on; 0 for none.', examples: [1_000] }),
  ),
})

export const Party = Type.Object({
  handle: Type.String({ examples: ['juma'] }),
  name: Type.String({ examples: ['Juma Otieno'] }),
})

const Cycle = Type.Object({
  number: Type.Integer({ examples: [2] }),
  round: Type.Integer({ examples: [1] }),
  of: Type.Integer({
    description: 'How many cycles the round has: one for each who takes part.',
    examples: [5],
  }),
  due_at: Time({ description: 'The end of the day in the time zone of the group.' }),
  late: Type.Boolean({ description: 'Is that over?' }),
  paid_by: Type.Array(Party, { description: 'For whom it is paid, the first first.' }),
  next_payout_to: orNull(Party),
  your_due: orNull(
    MoneyShown({ description: 'What you have to pay now, a fine included; null when it is nothing.' }),
  ),
})

const record = {
  id: Type.String({ examples: ['grp_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
  name: Type.String({ examples: ['Umoja wa Kina Mama'] }),
  description: orNull(Type.String()),
  currency: Currency(),
  kind: OneOf(kinds),
  contribution_amount: orNull(MoneyShown({ examples: [20_000] })),
  frequency: orNull(OneOf(frequencies)),
  goal_amount: orNull(MoneyShown({ examples: [1_000_000] })),
  late_fine: orNull(MoneyShown({ examples: [1_000] })),
  time_zone: Type.String({ examples: ['Africa/Kampala'] }),
  balance: MoneyShown({ description: 'What is in the pot, as the ledger has it.' }),
  member_count: Type.Integer({ examples: [5] }),
  max_members: Type.Integer({ examples: [12] }),
  visibility: OneOf(visibilities),
  role: orNull(OneOf(roles, { description: 'Yours; null when you are not a member.' })),
  cycle: orNull(Cycle),
  invite_code: Type.Optional(Type.String({ description: 'For members.', examples: ['4F7K2-9QXWD'] })),
  invite_url: Type.Optional(Type.String({ description: 'For members: the code as a link.' })),
  created_at: Time(),
}

export const Group = Type.Object(record)

export const Member = Type.Object({
  ...Party.properties,
  role: OneOf(roles),
  joined_at: Time(),
  turn: orNull(Type.Integer({ description: 'Place in the order of the open round.', examples: [3] })),
  has_received: orNull(Type.Boolean({ description: 'The pot, in this round.' })),
  has_paid: orNull(Type.Boolean({ description: 'In this cycle.' })),
  late: Type.Boolean(),
})

export const Round = Type.Object({
  number: Type.Integer({ examples: [1] }),
  status: OneOf(['announced', 'open', 'done', 'dissolved']),
  order: orNull(OneOf(orderings, { description: 'How the order was made; null before the start.' })),
  cycle: orNull(Type.Integer({ examples: [2] })),
  due_at: orNull(Time()),
  seats: Type.Array(
    Type.Object({
      turn: Type.Integer({ examples: [1] }),
      member: Party,
      status: OneOf(['waiting', 'received', 'left']),
      received_in_cycle: orNull(Type.Integer()),
      offered_to: orNull(
        Type.Object(Party.properties, {
          description: 'The member who may take it over; null when nobody may.',
        }),
      ),
    }),
    { description: 'In the order in which they receive.' },
  ),
  draw: orNull(
    Type.Object({
      commitment: Type.String({ description: 'SHA-256 of the seed, published before the start.' }),
      seed: orNull(Type.String({ description: 'Shown from the start on.' })),
      words: Type.Array(Type.Object({ handle: Type.String(), word: Type.String() })),
    }),
  ),
  announced_at: orNull(Time()),
  started_at: orNull(Time()),
  ended_at: orNull(Time()),
})

export const Event = Type.Object({
  type: Type.String({
    description: 'What happened: `contributed`, `pot`, `joined`, …',
    examples: ['contributed'],
  }),
  by: orNull(Party),
  member: orNull(Party),
  amount: orNull(MoneyShown()),
  fine: orNull(MoneyShown({ description: 'Of the amount.' })),
  round: orNull(Type.Integer()),
  cycle: orNull(Type.Integer()),
  note: orNull(Type.String()),
  reference: orNull(Type.String({ examples: ['GC-7K3MQ-9WD2X-PB4'] })),
  entry: orNull(
    Type.Integer({ description: 'The number of the entry in the account: ask for its receipt.' }),
  ),
  created_at: Time(),
})

export const Debt = Type.Object({
  from: Party,
  to: Party,
  amount: MoneyShown({ description: 'What is left of it.' }),
  why: OneOf(['missed', 'left'], {
    description:
      '`missed`: a contribution that did not come. `left`: what is given back to who left before their turn.',
  }),
  round: Type.Integer({ examples: [1] }),
})

export const GroupReply = Envelope(Group)
export const WholeReply = Envelope(
  Type.Object({
    ...record,
    members: Type.Optional(Type.Array(Member, { description: 'For members, in the order of joining.' })),
    round: Type.Optional(orNull(Round)),
    debts: Type.Optional(Type.Array(Debt, { description: 'What members owe each other.' })),
    feed: Type.Optional(Type.Array(Event, { description: 'What happened lately, the newest first.' })),
  }),
)
export const GroupsReply = ListEnvelope(Group)
export const RoundReply = Envelope(Round)
export const FeedReply = ListEnvelope(Event)

export const GroupsQuery = Type.Object({
  ...PageQuery.properties,
  scope: Type.Optional(
    OneOf(['mine', 'discover'], {
      description: '`mine` (if not said otherwise), or public ones that you could join.',
    }),
  ),
  currency: Type.Optional(Currency()),
  kind: Type.Optional(OneOf(kinds)),
})

const id = { id: Type.String({ pattern: '^grp_[0-9A-Za-z]{22}$' }) }
export const GroupParams = Type.Object(id)
export const MemberParams = Type.Object({ ...id, handle: Type.String({ maxLength: 40 }) })
export const RoundParams = Type.Object({ ...id, number: Type.Integer({ minimum: 1, maximum: 1_000_000 }) })
export const ProposalParams = Type.Object({
  ...id,
  payout_id: Type.String({ pattern: '^pro_[0-9A-Za-z]{22}$' }),
})
export const EntryParams = Type.Object({ ...id, seq: Type.String({ pattern: '^[1-9][0-9]{0,15}$' }) })
export const ReceiptQuery = Type.Object({
  to: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,15}$',
      description: 'Up to this entry; if not said, up to the latest.',
    }),
  ),
})

const Code = () =>
  Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'As it was told; dashes, spaces and case do not matter.',
    examples: ['4F7K2-9QXWD'],
  })
export const JoinBody = Type.Object({ invite_code: Type.Optional(Code()) })
export const CodeBody = Type.Object({ invite_code: Code() })

export const ContributeBody = Type.Object({
  amount: MoneyField({ description: 'Rotating: exactly what is due. Goal: what you like to give.' }),
  pin: Pin(),
  note: Type.Optional(Note()),
  on_behalf_of: Type.Optional(Handle('Of the member you pay for.')),
  toward: Type.Optional(
    OneOf(['cycle', 'debts'], {
      description:
        'Rotating: the open cycle, or what is owed from before. If not said, the cycle when that is due.',
    }),
  ),
})

export const ContributeReply = Envelope(
  Type.Object({
    reference: Type.String({ examples: ['GC-7K3MQ-9WD2X-PB4'] }),
    amount: MoneyShown({ description: 'What left your wallet.' }),
    fine: MoneyShown({ description: 'Of it, for being late.', examples: [0] }),
    currency: Currency(),
    group: Type.Object({ id: Type.String(), name: Type.String() }),
    member: Party,
    toward: OneOf(['cycle', 'debts', 'goal']),
    cycle: orNull(Type.Integer()),
    balance: MoneyShown({ description: 'What is in the pot afterwards.' }),
    payout: orNull(
      Type.Object(
        { to: Party, amount: MoneyShown() },
        { description: 'It was the last one: the pot went out.' },
      ),
    ),
  }),
)

export const StartBody = Type.Object({
  order: OneOf(orderings, { description: 'Of joining, drawn (announce the draw first), or by hand.' }),
  members: Type.Optional(
    Type.Array(Handle('Who takes part.'), {
      maxItems: membersMost,
      description: 'By hand: all, the first to receive first.',
    }),
  ),
})
export const WordBody = Type.Object({
  word: Type.String({
    pattern: '^[\\p{L}\\p{N}_.-]{1,40}$',
    problem: 'must be one word of at most 40 letters, digits, dots and dashes',
    description: 'Anything: it goes into the draw.',
    examples: ['mango'],
  }),
})
export const OfferBody = Type.Object({ to: Handle('A member who has no seat in this round.') })
export const RoleBody = Type.Object({ role: OneOf(roles) })

export const ProposalBody = Type.Object({
  to: Handle('The member who gets it.'),
  amount: MoneyField(),
  reason: Text({
    least: 2,
    most: 280,
    description: 'For the others, who decide.',
    examples: ['Iron sheets for the roof'],
  }),
})

export const Proposal = Type.Object({
  id: Type.String({ examples: ['pro_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
  proposed_by: Party,
  to: Party,
  amount: MoneyShown(),
  currency: Currency(),
  reason: Type.String(),
  status: OneOf(['open', 'paid', 'cancelled', 'expired']),
  approvals: Type.Integer({ description: 'Of those who are members now.', examples: [2] }),
  approvals_needed: Type.Integer({
    description:
      'More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed.',
    examples: [3],
  }),
  approved_by: Type.Array(Party),
  approved_by_you: Type.Boolean(),
  waiting_for: orNull(
    OneOf(['approvals', 'money'], { description: '`money`: there is too little in the pot.' }),
  ),
  reference: orNull(Type.String({ examples: ['GP-7K3MQ-9WD2X-PB4'] })),
  created_at: Time(),
  expires_at: Time(),
  decided_at: orNull(Time()),
})
export const ProposalReply = Envelope(Proposal)
export const ProposalsReply = ListEnvelope(Proposal)
export const ProposalsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(['open', 'paid', 'cancelled', 'expired'])),
})

export const StatementQuery = Type.Object({
  ...PageQuery.properties,
  member: Type.Optional(Handle('Another member; your own if not said.')),
})
const total = (description: string) => MoneyShown({ description })
export const StatementReply = Type.Object(
  {
    ...Envelope(
      Type.Object({
        member: Party,
        currency: Currency(),
        paid: total('Into the pot, fines and what was paid for others included.'),
        fines: total('Of that, for being late.'),
        paid_for_others: total('Of that, for other members.'),
        returned: total('Contributions that came back.'),
        received: total('Pots, payouts, and what was owed.'),
        owes: total('To other members, still.'),
        is_owed: total('By other members, still.'),
        movements: Type.Array(Event),
      }),
    ).properties,
    meta: Type.Object({ next_cursor: orNull(Type.String()) }),
  },
  { description: 'What a member has paid and received.' },
)

const Digits = (description: string) => Type.String({ description, examples: ['140000'] })
const Hash = (description: string) =>
  Type.String({ description, examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] })
const Head = Type.Object({
  format: Type.Literal('mfuko-head-1'),
  group: Type.String(),
  currency: Currency(),
  account: Digits('Of the ledger.'),
  seq: Digits('How many entries the account has.'),
  hash: Hash('Of the latest entry: it covers all before it.'),
  balance: Digits('In minor units.'),
  at: orNull(Time()),
})
export const HeadReply = Envelope(Head)
const sums = {
  seq: Digits('Without gaps, from 1 on.'),
  amount: Digits('In minor units; negative when it left the pot.'),
  balance_after: Digits('In minor units.'),
  held_after: Digits('In minor units.'),
}
export const ReceiptReply = Envelope(
  Type.Object({
    format: Type.Literal('mfuko-receipt-1'),
    entry: Type.Object({
      ...sums,
      before: Hash('Of the entry before it.'),
      balance_before: Digits('In minor units.'),
      posting: Type.Object({
        id: Digits('Of the ledger.'),
        time_ms: Digits('Since 1970, in milliseconds.'),
        kind: Type.String({ examples: ['group_contribution'] }),
        details: Type.String({ description: 'The exact text that was hashed.' }),
      }),
    }),
    later: Type.Array(Type.Object({ ...sums, digest: Hash('Of its posting.') })),
    head: Head,
  }),
)

export { PageQuery } from '../http/schema.ts'
export const DoneReply = Envelope(Type.Null({ examples: [null] }))

/** Of a list that is sorted by numbers. */
export function readPlace(cursor: string | undefined): bigint | null {
  if (cursor === undefined) return null
  const [text = ''] = decodeCursor(cursor, 1)
  // One that is none of ours begins where nothing is.
  return /^[1-9][0-9]{0,17}$/.test(text) ? BigInt(text) : 0n
}

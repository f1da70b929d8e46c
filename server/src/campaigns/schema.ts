import { type Static, Type } from 'typebox'
import { currencyCodes } from '../base/money.ts'
import { decodeCursor, isCursorTime, timeCursor } from '../http/cursor.ts'
import { Envelope, ListEnvelope, MoneyField, MoneyShown, OneOf, PageQuery, Time } from '../http/schema.ts'
import type * as rules from './rules.ts'
import { categories, messageMax, type Sort, sorts, storyMax, titleMax, updateMax } from './rules.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const CurrencyField = () => OneOf(currencyCodes, { description: 'Three-letter code.', examples: ['UGX'] })

/** Of one line. Marks of direction would let a title look like another, on pages where people pay. */
const unfit = '\\u0000-\\u001f\\u007f\\u2028-\\u202e\\u2066-\\u2069'
const unseen = '\\s\\u200b-\\u200f\\u2060-\\u2064\\ufeff'

const LineField = (most: number, rules: { description: string; examples: string[] }) =>
  Type.String({
    maxLength: most,
    // Something that can be seen.
    pattern: `^[^${unfit}]*[^${unseen}${unfit}][^${unfit}]*$`,
    problem: `must have 1 to ${most} characters on one line`,
    ...rules,
  })

/** With lines. */
const TextField = (most: number, rules: { description: string; examples: string[] }) =>
  Type.String({
    maxLength: most,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    problem: `must have 1 to ${most} characters, and none that can not be shown`,
    ...rules,
  })

const PinField = () =>
  Type.String({
    pattern: '^[0-9]{4,6}$',
    problem: 'must be 4 to 6 digits',
    description: 'The transaction PIN, as text.',
    examples: ['4827'],
  })

const TitleField = () =>
  LineField(titleMax, {
    description: 'Fixed once somebody has contributed.',
    examples: ['A well for Kasese primary school'],
  })
const StoryField = () =>
  TextField(storyMax, {
    description: 'What the money is for. Plain text; empty lines part paragraphs.',
    examples: ['Our pupils walk two kilometres for water.'],
  })
const CategoryField = () => OneOf(categories, { description: 'Default: `other`.', examples: ['education'] })
const CoverField = () =>
  Type.String({
    maxLength: 2_048,
    pattern: '^https?://[!-~]+$',
    problem: 'must be an absolute address of at most 2048 characters that starts with https://',
    description: 'A picture, by https. It is shown from where it is.',
    examples: ['https://pictures.example/well.jpg'],
  })
const EndField = () => Time({ description: 'Nobody can contribute from then on; within a year. ISO 8601.' })

export const CampaignBody = Type.Object({
  title: TitleField(),
  story: StoryField(),
  currency: CurrencyField(),
  goal_amount: MoneyField({
    description: 'What is to be raised. It may become more.',
    examples: [5_000_000],
  }),
  ends_at: Type.Optional(EndField()),
  category: Type.Optional(CategoryField()),
  cover_url: Type.Optional(CoverField()),
})
export type CampaignBody = Static<typeof CampaignBody>

export const ChangeBody = Type.Object({
  title: Type.Optional(TitleField()),
  story: Type.Optional(StoryField()),
  goal_amount: Type.Optional(MoneyField({ examples: [6_000_000] })),
  ends_at: Type.Optional(Nullable(EndField())),
  category: Type.Optional(CategoryField()),
  cover_url: Type.Optional(Nullable(CoverField())),
})
export type ChangeBody = Static<typeof ChangeBody>

export const ContributeBody = Type.Object({
  amount: MoneyField({ description: "In the campaign's currency. All of it arrives." }),
  pin: PinField(),
  message: Type.Optional(
    TextField(messageMax, { description: 'For everybody to see.', examples: ['Courage to all of you'] }),
  ),
  anonymous: Type.Optional(
    Type.Boolean({
      description: 'Your name is shown to nobody but operators. The amount is.',
      examples: [false],
    }),
  ),
})
export type ContributeBody = Static<typeof ContributeBody>

export const WithdrawBody = Type.Object({
  amount: Type.Optional(MoneyField({ description: 'The fee is taken from it. Default: all there is.' })),
  pin: PinField(),
})
export type WithdrawBody = Static<typeof WithdrawBody>

export const PreviewBody = Type.Object({ amount: WithdrawBody.properties.amount })

export const UpdateBody = Type.Object({
  text: TextField(updateMax, {
    description: 'News for everybody who looks at the campaign.',
    examples: ['The drilling has begun.'],
  }),
})
export type UpdateBody = Static<typeof UpdateBody>

const Stopped = (description: string) =>
  Nullable(
    Type.Object(
      { reason: Type.String({ examples: ['The pictures are of another well.'] }), since: Time() },
      {
        description,
      },
    ),
  )

export const Campaign = Type.Object({
  id: Type.String({ examples: ['cmp_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
  title: Type.String({ examples: ['A well for Kasese primary school'] }),
  story: Type.String({ examples: ['Our pupils walk two kilometres for water.'] }),
  category: OneOf(categories),
  cover_url: Nullable(Type.String()),
  currency: CurrencyField(),
  goal_amount: MoneyShown({ examples: [5_000_000] }),
  raised_amount: MoneyShown({
    description: 'What came in, less what went back. What the owner has taken out still counts.',
    examples: [1_250_000],
  }),
  contributor_count: Type.Integer({ description: 'Everybody once.', examples: [37] }),
  progress: Type.Integer({ description: 'Whole percent of the goal; may be more than 100.', examples: [25] }),
  status: OneOf(['active', 'ended'], { description: 'Also a paused one is `active`: see `paused`.' }),
  paused: Stopped('By an operator: nobody can contribute, and nothing can be taken out.'),
  returned: Stopped('By an operator: its money goes back to who gave it.'),
  owner: Type.Object({
    handle: Type.String({ examples: ['amina'] }),
    name: Type.String({ examples: ['Amina Nakato'] }),
  }),
  url: Type.String({ description: 'Its public page.', examples: ['https://mfuko.example/c/cmp_5Hh2…'] }),
  ends_at: Nullable(Time()),
  created_at: Time(),
})

/** As its owner sees it. */
const OwnCampaign = Type.Object({
  ...Campaign.properties,
  balance: Type.Optional(MoneyShown({ description: 'What can be taken out. Shown to its owner.' })),
  withdrawn_amount: Type.Optional(MoneyShown({ description: 'With the fees. Shown to its owner.' })),
})

export const CampaignReply = Envelope(OwnCampaign)
export const CampaignList = ListEnvelope(Campaign)
export const OwnList = ListEnvelope(OwnCampaign)

export const BrowseQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Words of the title or the story: all of them; the last one may go on.',
      examples: ['well school'],
    }),
  ),
  category: Type.Optional(OneOf(categories)),
  currency: Type.Optional(CurrencyField()),
  sort: Type.Optional(
    OneOf(sorts, {
      description: '`ending`: soonest first. `most_funded`: by the part of the goal. Default: `newest`.',
    }),
  ),
})
export type BrowseQuery = Static<typeof BrowseQuery>

export const CampaignParams = Type.Object({ id: Type.String({ pattern: '^cmp_[0-9A-Za-z]{22}$' }) })

export const ContributeReply = Envelope(
  Type.Object({
    reference: Type.String({ examples: ['CC-7K3MQ-9WD2X-PB4'] }),
    campaign: Type.Object({ id: Type.String(), title: Type.String() }),
    amount: MoneyShown({ description: 'What left your wallet and has arrived.' }),
    currency: CurrencyField(),
    fee: MoneyShown({ description: 'Contributions are free.', examples: [0] }),
    message: Nullable(Type.String()),
    anonymous: Type.Boolean(),
    created_at: Time(),
  }),
)

export const WithdrawReply = Envelope(
  Type.Object({
    reference: Type.String({ examples: ['CP-7K3MQ-9WD2X-PB4'] }),
    amount: MoneyShown({ description: 'What left the campaign.' }),
    currency: CurrencyField(),
    fee: MoneyShown({ examples: [100] }),
    owner_gets: MoneyShown({ examples: [9_900] }),
  }),
)

export const PreviewReply = Envelope(
  Type.Object({
    amount: MoneyShown({ description: 'What would leave the campaign.' }),
    currency: CurrencyField(),
    fee: MoneyShown({ examples: [100] }),
    owner_gets: MoneyShown({ examples: [9_900] }),
  }),
)

export const ContributionList = ListEnvelope(
  Type.Object({
    name: Nullable(Type.String({ description: 'Null: anonymous, or not told.', examples: ['Juma Otieno'] })),
    amount: MoneyShown(),
    currency: CurrencyField(),
    message: Nullable(Type.String()),
    anonymous: Type.Boolean(),
    returned_amount: MoneyShown({ description: 'What went back of it.', examples: [0] }),
    created_at: Time(),
  }),
)

const Update = Type.Object({
  id: Type.String({ examples: ['cup_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
  text: Type.String(),
  created_at: Time(),
})
export const UpdateReply = Envelope(Update)
export const UpdateList = ListEnvelope(Update)
export { PageQuery }

const idForm = /^cmp_[0-9A-Za-z]{22}$/
/** Of the lists that are sorted by time. */
export const ownPlace = timeCursor(idForm)

/** What each order is sorted by. */
const sortedBy: Record<
  Sort,
  { valueOf: (campaign: rules.Campaign) => string; fits: (value: string) => boolean }
> = {
  newest: { valueOf: ({ createdAt }) => createdAt.toISOString(), fits: isCursorTime },
  ending: {
    valueOf: ({ endsAt }) => endsAt?.toISOString() ?? 'infinity',
    fits: (value) => value === 'infinity' || isCursorTime(value),
  },
  most_funded: { valueOf: ({ percent }) => String(percent), fits: (value) => /^\d{1,18}$/.test(value) },
}

const isSort = (text: unknown): text is Sort => typeof text === 'string' && Object.hasOwn(sortedBy, text)

/** Of an order that there is not, it can only be said whether one of the others gave it out. */
export function placeIn(
  cursor: string,
  { sort = 'newest' }: { sort?: unknown },
): { value: string; id: string } {
  const [order, value = '', id = ''] = decodeCursor(cursor, 3)
  const isOf = isSort(order) && (order === sort || !isSort(sort))
  const fits = isOf && sortedBy[order].fits(value) && idForm.test(id)
  // One that this list never gave out is refused like any other.
  if (!fits) decodeCursor('', 3)
  return { value, id }
}

export const placeOf = (campaign: rules.Campaign, sort: Sort): readonly string[] => [
  sort,
  sortedBy[sort].valueOf(campaign),
  campaign.id,
]

import { type Static, Type } from 'typebox'
import { currencyCodes } from '../../base/money.ts'
import { Envelope, MoneyShown, OneOf } from '../../http/schema.ts'
import { daysMax, steps } from './volume.ts'

const Mode = (description: string) => OneOf(['live', 'test'], { description, examples: ['live'] })
const Step = (description: string) => OneOf(steps, { description, examples: ['day'] })
const Currency = () => OneOf(currencyCodes, { description: 'Three-letter code.', examples: ['UGX'] })

const DayField = (description: string) =>
  Type.String({
    maxLength: 10,
    pattern: '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$',
    problem: 'must be a day, like 2026-03-14',
    description,
    examples: ['2026-03-14'],
  })

export const VolumeQuery = Type.Object({
  currency: Currency(),
  mode: Type.Optional(Mode('With a key, only its own. Default: live.')),
  from: Type.Optional(DayField('The first day. Default: 30 days in all.')),
  to: Type.Optional(DayField(`The last day, included. Default: today. At most ${daysMax} days in all.`)),
  by: Type.Optional(
    Step('Default: day. Weeks begin on Monday; the first and the last are whole weeks, too.'),
  ),
  time_zone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_+:/-]+$',
      problem: 'must be the name of a time zone, like Africa/Kampala',
      description: 'Where the days are. Default: UTC.',
      examples: ['Africa/Kampala'],
    }),
  ),
})
export type VolumeQuery = Static<typeof VolumeQuery>

const Figure = (description: string, count: number, amount: number) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'How many.', examples: [count] }),
      amount: MoneyShown({ description: 'What they come to.', examples: [amount] }),
    },
    { description },
  )

const figures = {
  accepted: Figure(
    'Payments completed in that time, those that were refunded later among them.',
    12,
    480_000,
  ),
  failed: Figure('Payments that failed in that time: cancelled, expired, declined.', 2, 60_000),
  refunded: Figure('Refunds that arrived in that time, whenever the payment was.', 1, 20_000),
}

const Day = (description: string) => Type.String({ description, examples: ['2026-03-14'] })

export const VolumeReply = Envelope(
  Type.Object({
    mode: Mode('Of this mode.'),
    currency: Currency(),
    by: Step('How long a period is.'),
    time_zone: Type.String({ description: 'Where the days are.', examples: ['Africa/Kampala'] }),
    totals: Type.Object(figures, { description: 'Of all periods together.' }),
    periods: Type.Array(
      Type.Object({ from: Day('The first day.'), to: Day('The last day, included.'), ...figures }),
      { description: 'The oldest first, those in which nothing happened too.' },
    ),
  }),
)

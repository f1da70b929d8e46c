// The schemas every room shares: the envelope, lists, errors, and fields with rules of their own.
import { type Static, type TSchema, Type } from 'typebox'
import type { RawJson } from '../base/money.ts'
import { catalogue } from './error-reply.ts'
import { zeroMeansNone } from './validation.ts'

/** A field in a body, in the words a person may read: `problem` is the end of the sentence "Amount …". */
export interface FieldRules {
  problem?: string
  description?: string
  examples?: unknown[]
}

/**
 * An amount: a JSON number or a decimal string. The handler gets its decimal text, exactly as it was sent; the
 * currency decides what it is worth (and whether it is too fine).
 */
export const MoneyField = (rules: FieldRules = {}) =>
  Type.Unsafe<string>({ type: ['number', 'string'], 'x-money': true, examples: [10000], ...rules })

/** An amount that may be 0, which means none. */
export const MoneyOrNoneField = (rules: FieldRules = {}) =>
  Type.Unsafe<string>({ ...MoneyField(rules), 'x-money': zeroMeansNone })

/** An amount in an answer: a JSON number with exactly the decimal text of the amount (`toJson`). */
export const MoneyShown = (rules: FieldRules = {}) =>
  Type.Unsafe<RawJson>({ type: 'number', examples: [10000], ...rules })

/** In the schema of a route that is content without a body. */
export const bodyOptional = 'x-body-optional'

/** One of a closed set of words. */
export const OneOf = <const T extends string>(words: readonly T[], rules: FieldRules = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words], ...rules })

export const Time = (rules: FieldRules = {}) =>
  Type.String({
    format: 'date-time',
    description: 'ISO 8601, UTC',
    examples: ['2026-03-14T09:26:53.000Z'],
    ...rules,
  })

/** What every platform endpoint answers when it succeeds. */
export const Envelope = <T extends TSchema>(data: T) =>
  Type.Object(
    {
      success: Type.Literal(true),
      message: Type.String({ description: 'For people; never parse it.' }),
      data,
    },
    described(data),
  )

export const ListEnvelope = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      success: Type.Literal(true),
      message: Type.String({ description: 'For people; never parse it.' }),
      data: Type.Array(item),
      meta: Type.Object({
        next_cursor: Type.Union([Type.String(), Type.Null()], {
          description: 'Send it as `cursor` for the next page; null on the last page.',
        }),
      }),
    },
    described(item),
  )

/** What an answer is, is what its data are. */
const described = (data: TSchema) => ({
  description: (data as { description?: string }).description ?? 'Done.',
})

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many a page holds.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: '`meta.next_cursor` of the page before.' }),
  ),
})
export type PageQuery = Static<typeof PageQuery>

export const ErrorReply = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: 'What happened and what to do, for people.' }),
    code: OneOf(Object.keys(catalogue), {
      description: 'Stable and machine-readable.',
      examples: ['validation_failed'],
    }),
    request_id: Type.String({ examples: ['req_5Hh2mC0Zr3qXw8Vb1KtYpe'] }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Field name → what is wrong with it. Present when fields are wrong.',
        examples: [{ amount: 'Amount must be greater than 0', currency: 'Currency is required' }],
      }),
    ),
    attempts_left: Type.Optional(
      Type.Integer({ description: 'After a wrong PIN: how many more lock it.', examples: [4] }),
    ),
  },
  { $id: 'ErrorReply', title: 'ErrorReply' },
)

export const ok = <T>(message: string, data: T) => ({ success: true as const, message, data })

export const listOf = <T>(message: string, page: { items: T[]; nextCursor: string | null }) => ({
  success: true as const,
  message,
  data: page.items,
  meta: { next_cursor: page.nextCursor },
})

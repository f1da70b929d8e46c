import { type Static, Type } from 'typebox'
import { OneOf, PageQuery, Time } from '../http/schema.ts'
import { statuses } from './log/sql.ts'
import { problems } from './rules.ts'

const Problem = () =>
  OneOf(problems, {
    description: 'Why it did not count; stable and machine-readable.',
    examples: ['timed_out'],
  })

const LastAttempt = Type.Object({
  at: Time(),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Of the answer, if there was one.',
    examples: [500],
  }),
  problem: Type.Union([Problem(), Type.Null()]),
})

const notification = {
  id: Type.String({
    description: 'The `webhook-id`: the same over all attempts.',
    examples: ['msg_5Hh2mC0Zr3qXw8Vb1KtYpe'],
  }),
  event: Type.String({ examples: ['payment.completed'] }),
  kind: OneOf(['gateway', 'callback'], {
    description: '`gateway`: to an ipn_url. `callback`: to a callback_url.',
  }),
  reference: Type.String({ description: 'Of the payment.', examples: ['PY-7K3MQ-9WD2X-PB4'] }),
  sequence: Type.Integer({
    description: 'Its place among the events of the payment, from 1 on.',
    examples: [1],
  }),
  mode: OneOf(['live', 'test']),
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Null: the payment names no address. In test mode only.',
    examples: ['https://shop.example/ipn'],
  }),
  status: OneOf(statuses, {
    description:
      '`pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.',
  }),
  attempts: Type.Integer({ description: 'How many were begun.', examples: [1] }),
  next_attempt_at: Type.Union([Time(), Type.Null()]),
  last_attempt: Type.Union([LastAttempt, Type.Null()]),
  created_at: Time(),
  done_at: Type.Union([Time(), Type.Null()], { description: 'When it was delivered, given up or held.' }),
}

/** A line of the list. */
export const Notification = Type.Object(notification)
export type Notification = Static<typeof Notification>

const attempt = {
  number: Type.Integer({ examples: [1] }),
  at: Time(),
  status: Type.Union([Type.Integer(), Type.Null()], { examples: [200] }),
  duration_ms: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Until the answer was read; absent without one.',
    examples: [84],
  }),
  problem: Type.Union([Problem(), Type.Null()]),
  message: Type.Union([Type.String(), Type.Null()], { description: 'The problem in words.' }),
  response: Type.Union([Type.String(), Type.Null()], {
    description: 'The first 2 KB of the answer. What can not be shown is written as `\\u001b`.',
  }),
}

const shown = {
  ...notification,
  body: Type.Union([Type.String(), Type.Null()], {
    description: 'What is sent, byte for byte. Kept for 90 days.',
  }),
  body_sha256: Type.Union([Type.String(), Type.Null()], {
    description: 'What is left of the body after that.',
  }),
}

/** One, with every attempt of the last 30 days, the newest first. */
export const NotificationShown = Type.Object({ ...shown, log: Type.Array(Type.Object(attempt)) })
export type NotificationShown = Static<typeof NotificationShown>

/** The same for operators, who may also know where it went and what the system said. */
export const NotificationForOperator = Type.Object({
  ...shown,
  merchant_id: Type.Integer(),
  log: Type.Array(
    Type.Object({
      ...attempt,
      address: Type.Union([Type.String(), Type.Null()]),
      cause: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})
export type NotificationForOperator = Static<typeof NotificationForOperator>

/** An event of test mode, as it would be sent. */
export const FedEvent = Type.Object({
  id: notification.id,
  event: notification.event,
  kind: notification.kind,
  reference: notification.reference,
  sequence: notification.sequence,
  url: notification.url,
  created_at: Time(),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'To be sent with the body: what it is, and its signatures of this moment.',
    examples: [{ 'Content-Type': 'application/json', 'webhook-id': 'msg_5Hh2mC0Zr3qXw8Vb1KtYpe' }],
  }),
  body: Type.String({ description: 'Byte for byte.' }),
})
export type FedEvent = Static<typeof FedEvent>

export const FedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: '`meta.next_after` of the answer before. Without it: the latest ones.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many at most.' }),
  ),
})

/** An endpoint that has trouble. */
export const Endpoint = Type.Object({
  mode: OneOf(['live', 'test']),
  origin: Type.String({ examples: ['https://shop.example'] }),
  status: OneOf(['failing', 'suspended']),
  reason: Type.Union([OneOf(['gone', 'failing']), Type.Null()], {
    description: 'Of a suspension: it answered 410, or with nothing but failures for 120 hours.',
  }),
  since: Time(),
})
export type Endpoint = Static<typeof Endpoint>

export const NotificationQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(statuses)),
  mode: Type.Optional(OneOf(['live', 'test'])),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of the payment.' })),
})
export type NotificationQuery = Static<typeof NotificationQuery>

export const NotificationParams = Type.Object({ id: Type.String({ pattern: '^msg_[0-9A-Za-z]{22}$' }) })

import { Type } from 'typebox'
import { Envelope, ListEnvelope, OneOf, Time } from '../../http/schema.ts'
import * as notifications from '../../notifications/notifications.ts'
import * as providers from '../../providers/providers.ts'
import { orNull } from '../schema.ts'

const count = (description: string) => Type.Integer({ description, examples: [0] })

export const SystemReply = Envelope(
  Type.Object({
    version: Type.String({ examples: ['0.1.0'] }),
    time: Time(),
    ready: Type.Boolean(),
    reasons: Type.Array(Type.String(), { description: 'Why it is not ready; empty when it is.' }),
    jobs: Type.Object({
      waiting: count('Background jobs that wait or run.'),
      failed: count('Background jobs that used up their attempts.'),
      oldest_seconds: count('How long the longest-waiting due job has waited.'),
      workers: count('Processes that work on them.'),
    }),
    notifications: Type.Object({
      waiting: count('To be sent, counted up to a hundred thousand.'),
      oldest_seconds: count('How long the longest-waiting first attempt is due.'),
      endpoints_in_trouble: count('Addresses that fail or were given up; 100 at most.'),
    }),
    mails: Type.Object({
      queued: count('To be sent.'),
      failed: count('Given up in the last seven days.'),
    }),
    providers: Type.Array(
      Type.Object({
        provider: OneOf(providers.providerIds),
        mode: OneOf(['live', 'test']),
        health: OneOf(['up', 'degraded', 'down'], { description: 'Of the last five minutes.' }),
      }),
    ),
    books: orNull(Type.Object({ ok: Type.Boolean(), checked_at: Time() })),
  }),
)

const Troubled = Type.Object({
  ...notifications.Endpoint.properties,
  merchant_id: Type.Integer({ examples: [48_201_573] }),
})
export const EndpointList = ListEnvelope(Troubled)
export const NotificationList = ListEnvelope(notifications.Notification)
export const NotificationReply = Envelope(notifications.NotificationForOperator)

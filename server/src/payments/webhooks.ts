// What merchants are sent, described: the bodies of notifications, their headers, and what to answer. Part of the OpenAPI
// document as `webhooks`, and docs/reference/notifications.md. A test holds real notifications against it.
import { brandHeaders } from '../base/brand-headers.ts'
import { failures } from './rules.ts'
import { CallbackNotification, GatewayNotification } from './schema.ts'

const headersOf = (prefix: string) => {
  const names = brandHeaders(prefix)
  return [
    [
      names.signature,
      'Lower-case hex HMAC-SHA256 of the exact bytes of the body; the key is the Client Secret as written.',
    ],
    [
      names.signatureAll,
      'Only while a Client Secret is being replaced: one signature for each, comma separated.',
    ],
    [names.apiVersion, '`v1`'],
    [names.webhookId, 'The event. The same over all attempts and replays.'],
    [names.webhookAttempt, '1 for the first attempt.'],
    [names.eventSequence, 'The place of the event among those of the payment, from 1 on.'],
    ['webhook-id', 'The event, as Standard Webhooks names it.'],
    [
      'webhook-timestamp',
      'When this attempt was signed, in Unix seconds. Refuse what is more than 300 seconds off.',
    ],
    ['webhook-signature', '`v1,` and base64: HMAC-SHA256 of id, timestamp and body, with dots between.'],
  ] as const
}

const kinds = [
  {
    name: 'gatewayNotification',
    title: 'To an ipn_url',
    summary: 'A payment of initiate-payment was completed or failed',
    about: 'Sent to the `ipn_url` of a payment that `POST /api/v1/initiate-payment` asked for.',
    schema: GatewayNotification,
  },
  {
    name: 'paymentEvent',
    title: 'To a callback_url',
    summary: 'The status of a payment of pay has changed',
    about:
      'Sent to the `callback_url` of a payment that `POST /api/pay` asked for, at every change of its status.',
    schema: CallbackNotification,
  },
] as const

/** For the OpenAPI document. */
export const paymentWebhooks = (prefix: string): Record<string, object> =>
  Object.fromEntries(
    kinds.map(({ name, summary, about, schema }) => [
      name,
      {
        post: {
          operationId: name,
          tags: ['Payment gateway'],
          summary,
          description: `${about} At least once: remember the id, and do nothing the second time.`,
          parameters: headersOf(prefix).map(([header, description]) => ({
            name: header,
            in: 'header',
            required: !header.endsWith('-All'),
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            200: { description: 'Any status from 200 to 299: taken. What the body says is ignored.' },
            403: { description: 'The signature is not good. It comes again, like after every other status.' },
            410: {
              description: 'There is nobody here any more: no further attempts, the endpoint is suspended.',
            },
          },
        },
      },
    ]),
  )

/** docs/reference/notifications.md, whole. */
export function notificationsPage(): string {
  const headers = headersOf('SVC').map(([name, about]) => `| \`${name}\` | ${about} |`)
  const bodies = kinds.flatMap(({ title, about, schema }) => [
    `## ${title}`,
    '',
    about,
    '',
    '| Field | Type | Meaning |',
    '|---|---|---|',
    ...fieldRows(asWritten(schema), ''),
    '',
  ])
  const codes = Object.entries(failures).map(
    ([code, { message, retryable }]) => `| \`${code}\` | ${message} | ${retryable ? 'yes' : 'no'} |`,
  )
  return [
    '# Notification bodies',
    '',
    'What a shop is sent, field by field: a `POST` with `Content-Type: application/json`. How to receive it is told in',
    '[Receive notifications](../guides/receive-notifications.md), what is promised in',
    '[What notifications promise](../guides/notifications.md). This page is generated from',
    '`server/src/payments/webhooks.ts` by `npm run docs`; the same is in the OpenAPI file under `webhooks`.',
    '',
    '## Headers',
    '',
    '| Header | Meaning |',
    '|---|---|',
    ...headers,
    '',
    ...bodies,
    '## Why a payment failed',
    '',
    'The `code` of `error`, and of `failure` wherever a payment is shown. *Again*: a new payment may succeed.',
    '',
    '| Code | Meaning | Again |',
    '|---|---|---|',
    ...codes,
    '',
  ].join('\n')
}

interface Field {
  type?: string
  description?: string
  enum?: readonly string[]
  anyOf?: readonly Field[]
  properties?: Record<string, Field>
}

/** As a reader of the OpenAPI document sees it. */
const asWritten = (schema: object): Field => JSON.parse(JSON.stringify(schema))

function fieldRows({ properties = {} }: Field, above: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = above === '' ? name : `${above}.${name}`
    const row = `| \`${path}\` | ${typeOf(field)} | ${meaningOf(field)} |`
    return [row, ...fieldRows(field, path)]
  })
}

const typeOf = ({ type, anyOf }: Field): string =>
  anyOf === undefined ? (type ?? '') : anyOf.map((one) => one.type).join(' or ')

const describedOf = ({ description, anyOf = [] }: Field): string =>
  description ?? anyOf.find((one) => one.description !== undefined)?.description ?? ''

/** Codes have a table of their own. */
const listedMost = 4

function meaningOf(field: Field): string {
  const { enum: words = [] } = field
  const description = describedOf(field)
  const listed =
    words.length > 0 && words.length <= listedMost ? `: ${words.map((word) => `\`${word}\``).join(', ')}` : ''
  return listed === '' ? description : `${description.replace(/\.$/, '')}${listed}`
}

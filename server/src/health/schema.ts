import { Type } from 'typebox'
import { OneOf, Time } from '../http/schema.ts'

const example = { status: 'ok', version: '0.1.0', time: '2026-03-14T09:26:53.000Z' }
const fields = {
  version: Type.String({ description: 'Semantic version of the service.', examples: ['0.1.0'] }),
  time: Time(),
}

export const Alive = Type.Object(
  { status: OneOf(['ok']), ...fields },
  { description: 'The process answers.', examples: [example] },
)

export const Ready = Type.Object(
  { status: OneOf(['ok']), ...fields },
  { description: 'It can do its work.', examples: [example] },
)

export const NotReady = Type.Object(
  { status: OneOf(['unavailable']), ...fields },
  {
    description: 'It can not do its work just now. Send requests elsewhere.',
    examples: [{ ...example, status: 'unavailable' }],
  },
)

import { Type } from 'typebox'
import { OneOf, Time } from '../http/schema.ts'

const example = { status: 'ok', version: '0.1.0', time: '2026-03-14T09:26:53.000Z' }

export const Alive = Type.Object(
  {
    status: OneOf(['ok'], { description: 'ok: the process answers.' }),
    version: Type.String({ description: 'Semantic version of the service.', examples: ['0.1.0'] }),
    time: Time(),
  },
  { examples: [example] },
)

export const Ready = Type.Object(
  {
    status: OneOf(['ok', 'unavailable'], { description: 'unavailable: send requests elsewhere for now.' }),
    version: Type.String({ description: 'Semantic version of the service.', examples: ['0.1.0'] }),
    time: Time(),
  },
  { examples: [example] },
)

// Would the fuzzer find a bug? Each row plants one of those that people make, and it is found within the inputs that a
// route gets; each way in which an answer can be wrong is seen; and so is a run in which nothing could be found.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TObject, Type } from 'typebox'
import { AppError } from '../src/base/errors.ts'
import type { Http } from '../src/http/http.ts'
import { Envelope, MoneyField, ok } from '../src/http/schema.ts'
import { openScope } from '../src/http/scope.ts'
import { openStage } from './fuzz/callers.ts'
import { appHands } from './fuzz/hands.ts'
import { tryRoute } from './fuzz/run.ts'
import { type Outcome, openTally } from './fuzz/tally.ts'
import { type Answer, verdict } from './fuzz/verdict.ts'
import { testApp } from './helpers.ts'
import { nameOf, type Route, routeTable } from './route-table.ts'

interface Planted {
  bug: string
  body: TObject
  /** Throws for some bodies. */
  handle: (body: Record<string, string>) => unknown
  /** The route hears what the schema has against the body, and answers by itself. */
  attachValidation?: boolean
  found: RegExp
}

const text = Type.Object({ text: Type.String({ maxLength: 100 }) })
const both = Type.Object({ text: Type.String(), more: Type.Optional(Type.String()) })

const planted: Planted[] = [
  {
    bug: 'a time is read as if it were one',
    body: text,
    handle: (body) => new Date(body.text ?? '').toISOString(),
    found: /status 500/,
  },
  {
    bug: 'text becomes a pattern',
    body: text,
    handle: (body) => new RegExp(body.text ?? ''),
    found: /status 500/,
  },
  {
    bug: 'text is decoded once more',
    body: text,
    handle: (body) => decodeURIComponent(body.text ?? ''),
    found: /status 500/,
  },
  {
    bug: 'an amount is taken for a whole number',
    body: Type.Object({ amount: MoneyField() }),
    handle: (body) => BigInt(body.amount ?? ''),
    found: /status 500/,
  },
  {
    bug: 'what is optional is taken for granted',
    body: both,
    handle: (body) => (body.more as string).length,
    found: /status 500/,
  },
  {
    bug: 'a name is looked up in an object',
    body: text,
    handle: (body) => (body.text as string) in { a: 1 } && assert.equal(body.text, 'a'),
    found: /status 500/,
  },
  {
    bug: 'a refusal that nobody documented',
    body: text,
    handle: (body) => {
      if (body.text === '') throw new AppError('not_found')
    },
    found: /status 404 is not documented/,
  },
  {
    bug: 'a field that was never sent is blamed',
    body: both,
    handle: (body) => {
      const errors = { txt: 'Text must not be long' }
      if ((body.text ?? '').length > 50) throw new AppError('validation_failed', { errors })
    },
    found: /no field of the request/,
  },
  {
    bug: 'a wrong field hides another',
    body: both,
    handle: ({ text: given, more }) => {
      const refuse = (field: string) =>
        new AppError('validation_failed', { errors: { [field]: 'It is wrong' } })
      if (typeof given !== 'string') throw refuse('text')
      if (typeof (more ?? '') !== 'string') throw refuse('more')
    },
    attachValidation: true,
    found: /it does not name more/,
  },
  {
    bug: 'wrong fields are taken',
    body: both,
    handle: () => undefined,
    attachValidation: true,
    found: /it was taken with a wrong text, more/,
  },
]

const plant = (http: Http) =>
  openScope(http, {
    limit: 'anonymous',
    routes: (scope) => {
      planted.forEach(({ body, handle, attachValidation = false }, at) => {
        const schema = { body, response: { 200: Envelope(Type.Null()) } }
        scope.post(`/probe/planted/${at}`, { schema, attachValidation }, async (request) => {
          const { validationError: problem } = request
          if (problem !== undefined && !('errors' in problem)) throw problem
          handle(request.body as Record<string, string>)
          return ok('Done', null)
        })
      })
    },
  })

/** The same each time: whether a bug is found must not depend on luck here. */
const chance = { seed: 1, numRuns: 300 }

const table = routeTable()
const server = await testApp({ watch: table.watch, more: plant })
const stage = await openStage(appHands(server))

describe('a planted bug is found', () => {
  planted.forEach(({ bug, found }, at) => {
    test(bug, async () => {
      const route = table.routes().find((one) => nameOf(one) === `POST /probe/planted/${at}`)
      assert.ok(route)
      const outcome = await tryRoute({ server, table, stage }, route, chance).catch((error: Error) => error)
      assert.ok(outcome instanceof Error, 'nothing was found')
      assert.match(String(outcome.cause ?? outcome), found)
    })
  })
})

const error = {
  success: false,
  message: 'Some fields need another value.',
  code: 'validation_failed',
  request_id: 'req_1',
  errors: { text: 'Text is required' },
}
const route = {
  method: 'POST',
  path: '/a',
  schema: { body: text, response: { 200: Envelope(Type.Null()), 422: { $ref: 'ErrorReply#' } } },
} as unknown as Answer['route']
const json = (body: object): Pick<Answer, 'text' | 'headers'> => ({
  text: JSON.stringify(body),
  headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
})
const html = { headers: { 'content-type': 'text/html' } }

const rows: { is: string; answer: Partial<Answer>; spoilt?: string[]; says: RegExp | undefined }[] = [
  { is: 'right', answer: json(error), says: undefined },
  { is: 'right, and all that was wrong was named', answer: json(error), spoilt: ['text'], says: undefined },
  { is: 'silent about a field', answer: json(error), spoilt: ['text', 'more'], says: /does not name more/ },
  {
    is: 'about the state of things, where fields are wrong',
    answer: json({ ...error, code: 'invalid_state', errors: undefined }),
    spoilt: ['text'],
    says: /does not name text/,
  },
  { is: 'a bug', answer: { status: 500 }, says: /status 500/ },
  { is: 'away', answer: { status: 503 }, says: /status 503/ },
  { is: 'of another status', answer: { status: 401 }, says: /not documented/ },
  { is: 'without a code', answer: json({ ...error, code: undefined }), says: /schema/ },
  { is: 'of an unknown code', answer: json({ ...error, code: 'oops' }), says: /schema/ },
  {
    is: 'of a code with another status',
    answer: json({ ...error, code: 'not_found' }),
    says: /not_found with/,
  },
  { is: 'with a field too many', answer: json({ ...error, stack: 'a' }), says: /schema/ },
  { is: 'of another request', answer: json({ ...error, request_id: 'req_2' }), says: /ids differ/ },
  { is: 'without errors', answer: json({ ...error, errors: undefined }), says: /names no field/ },
  { is: 'about no field', answer: json({ ...error, errors: { '': 'It is wrong' } }), says: /no field of/ },
  {
    is: 'about a part of a text',
    answer: json({ ...error, errors: { 'text.0': 'It is wrong' } }),
    says: /no field of/,
  },
  { is: 'not a sentence', answer: json({ ...error, errors: { text: 'bad' } }), says: /no sentence/ },
  {
    is: 'telling what is inside',
    answer: json({ ...error, message: 'Error at a (b.ts:1)' }),
    says: /inside/,
  },
  { is: 'a page', answer: { ...html, text: '<p>' }, says: /not documented/ },
  {
    is: 'a page with a script',
    answer: { ...html, text: '<script>alert(1)</script>' },
    says: /HTML that was sent/,
  },
]

describe('an answer', () => {
  for (const { is, answer, spoilt, says } of rows) {
    test(is, () => {
      const found = verdict({ status: 422, route, ...json(error), ...answer }, spoilt)
      if (says === undefined) assert.equal(found, undefined)
      else assert.match(found ?? '', says)
    })
  }
})

const needsNothing = { method: 'POST', path: '/a', schema: {} }
const needsUser = { ...needsNothing, schema: { security: [{ user: [] }] } }
const callers = { kind: 'good', as: 'caller', status: 200, code: undefined } as const
const refused = { ...callers, status: 401, code: 'unauthenticated' }

/** What was answered, how often, and whether that was worth a run. */
const runs: [of: string, route: Route, outcomes: [times: number, outcome: Outcome][], isEnough: boolean][] = [
  ['all done', needsUser, [[20, callers]], true],
  ['refused by the rules', needsUser, [[20, { ...callers, status: 422, code: 'limit_exceeded' }]], true],
  [
    'a session that ended halfway',
    needsUser,
    [
      [8, callers],
      [12, refused],
    ],
    false,
  ],
  [
    'one that was renewed',
    needsUser,
    [
      [14, callers],
      [6, refused],
    ],
    true,
  ],
  [
    'over a limit',
    needsUser,
    [
      [5, callers],
      [15, { ...callers, status: 429, code: 'rate_limited' }],
    ],
    false,
  ],
  ['a PIN that is locked', needsUser, [[20, { ...callers, status: 403, code: 'pin_locked' }]], false],
  ['wrong passwords', needsNothing, [[20, { ...refused, as: 'nobody' }]], true],
  [
    'inputs that are no good ones',
    needsUser,
    [
      [20, callers],
      [200, { ...refused, kind: 'cut' }],
    ],
    true,
  ],
  [
    'callers who are refused as they should be',
    needsUser,
    [
      [20, callers],
      [200, { ...refused, as: 'ended' }],
    ],
    true,
  ],
  ['too few to tell', needsUser, [[9, refused]], true],
]

describe('a run', () => {
  for (const [of, route, outcomes, isEnough] of runs)
    test(`of ${of}`, () => {
      const tally = openTally(route)
      for (const [times, outcome] of outcomes) for (let at = 0; at < times; at++) tally.count(outcome)
      if (isEnough) tally.judge()
      else assert.throws(() => tally.judge(), /were judged by the rules/)
    })
})

// People in tests, over HTTP: to register them, to log them in, to read the mail they got.
import assert from 'node:assert/strict'
import type { InjectOptions } from 'fastify'
import { openSeal, placeIn } from '../src/base/seal.ts'
import type { Db } from '../src/db/db.ts'
import type { App } from '../src/http/instance.ts'
import * as mail from '../src/mail/mail.ts'
import { testSecrets } from './helpers.ts'

export interface Answer {
  status: number
  /** The whole body. */
  body: Record<string, unknown> & { code?: string; errors?: Record<string, string>; attempts_left?: number }
  data: Record<string, unknown> & { token: string; user: { id: string; handle: string } }
  headers: Record<string, unknown>
}

export interface Ask {
  token?: string
  address?: string
  device?: string
}

/** `ask('POST /api/auth/login', { … }, { token })` */
export function openAsk(app: App) {
  return async (what: string, payload?: object, { token, address, device }: Ask = {}): Promise<Answer> => {
    const [method, url] = what.split(' ') as [InjectOptions['method'] & string, string]
    const answer = await app.inject({
      method,
      url,
      ...(payload === undefined ? {} : { payload }),
      ...(address === undefined ? {} : { remoteAddress: address }),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(device === undefined ? {} : { 'user-agent': device }),
      },
    })
    const body = answer.json()
    return { status: answer.statusCode, body, data: body.data, headers: answer.headers }
  }
}

export const goodPassword = 'kahawa tatu za asubuhi'

let count = 0

/** Somebody new, with what is asked for and good values for the rest. */
export async function newAccount(app: App, given: Record<string, unknown> = {}) {
  count += 1
  const letters = [...String(count)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  const handle = `person_${letters}`
  const payload = {
    name: 'Amina Nakato',
    handle,
    email: `${handle}@example.com`,
    password: goodPassword,
    ...given,
  }
  const { status, body, data } = await openAsk(app)('POST /api/auth/register', payload)
  assert.equal(status, 201, JSON.stringify(body))
  return { id: data.user.id, handle, email: payload.email, password: payload.password, token: data.token }
}

interface TestMail {
  id: string
  template: string
  data: { code?: string } | null
  sealed: Buffer | null
}

/** The latest mails to an address, the newest first. */
export const mailsTo = (db: Db, address: string) =>
  db.rows<TestMail>(
    'select id, template, data, sealed from mail.messages where to_address = $1 order by number desc',
    [address],
  )

/** The latest code that was mailed to an address. */
export async function codeSentTo(db: Db, address: string): Promise<string> {
  const found = (await mailsTo(db, address)).find(({ sealed }) => sealed !== null)
  assert.ok(found?.sealed, `a code was mailed to ${address}`)
  const place = placeIn(mail.codeContents, found.id)
  return JSON.parse(openSeal(testSecrets.enc).open(found.sealed, place)).data.code
}

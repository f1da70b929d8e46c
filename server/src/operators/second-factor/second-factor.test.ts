// The second factor of operators: without a code of the app nothing of theirs opens; a code opens one login, once.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { theOperator } from '../../../test/businesses.ts'
import { testApp, testDatabase, testSecrets } from '../../../test/helpers.ts'
import { call, register, testPassword } from '../../../test/people.ts'
import { enrol, enrolmentUri } from '../operators.ts'
import { requirePass } from './second-factor.ts'
import { codeAt, stepAt, toBase32 } from './totp.ts'

const server = await testApp({ database: await testDatabase() })
const { db, clock } = server
const secrets = testSecrets
const operator = await theOperator(server)
const secret = await enrol(
  { db, secrets },
  { user: operator.id, by: { kind: 'command', id: 'tests' }, at: clock.now() },
)
const codeNow = (off = 0) => codeAt(secret, stepAt(clock.now()) + off)
const show = (code: unknown, who: Pick<typeof operator, 'call'> = operator) =>
  who.call('POST', '/api/operator/second-factor', { code })
const look = (who: Pick<typeof operator, 'call'> = operator) => who.call('GET', '/api/operator/applications')

afterEach(() => clock.advance(3_600))

/** Somewhere else, as the same person. */
async function anotherLogin() {
  const body = { handle: operator.handle, password: testPassword }
  const { body: answer } = await call(server, { method: 'POST', url: '/api/auth/login', body })
  const headers = { authorization: `Bearer ${answer.data.token}` }
  return {
    call: (method: 'GET' | 'POST', url: string, sent?: object) =>
      call(server, { method, url, headers, ...(sent === undefined ? {} : { body: sent }) }),
  } as Pick<typeof operator, 'call'>
}

describe('codes', () => {
  test('are those of RFC 6238', () => {
    const key = Buffer.from('12345678901234567890')
    const rows: [seconds: number, code: string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ]
    for (const [seconds, code] of rows) assert.equal(codeAt(key, stepAt(new Date(seconds * 1_000))), code)
    assert.equal(toBase32(key), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    assert.equal(
      enrolmentUri({ brand: 'Pesa Yetu', handle: 'olive', secret: key }),
      'otpauth://totp/Pesa%20Yetu:olive?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pesa%20Yetu',
    )
  })
})

test('without a code nothing opens; with one this login does, for 12 hours', async () => {
  assert.equal((await look()).body.code, 'second_factor_required')
  const reply = await show(codeNow())
  assert.equal(reply.status, 200, reply.text)
  assert.equal((await look()).status, 200)
  assert.equal((await look(await anotherLogin())).body.code, 'second_factor_required')
  clock.advance(12 * 3_600 - 1)
  assert.equal((await look()).status, 200)
  clock.advance(2)
  assert.equal((await look()).body.code, 'second_factor_required')
})

test('a code opens once, also when two show it at once', async () => {
  const logins = await Promise.all([anotherLogin(), anotherLogin(), anotherLogin()])
  const code = codeNow()
  const replies = await Promise.all(logins.map((login) => show(code, login)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422])
})

test('a clock that goes half a minute wrong is fine, more is not', async () => {
  for (const [off, status] of [
    [-2, 422],
    [2, 422],
    [-1, 200],
    [1, 200],
  ] as const) {
    assert.equal((await show(codeNow(off))).status, status, `${off} steps off`)
  }
})

test('who is no operator, sends no code or guesses is refused, and it is written down', async () => {
  const other = await register(server)
  assert.equal((await show(codeNow(), other)).body.code, 'forbidden')
  for (const code of ['12345', '1234567', 'abcdef', 123456, undefined])
    assert.equal((await show(code)).status, 422)
  const wrong = codeNow() === '000000' ? '000001' : '000000'
  assert.equal(
    (await show(wrong)).body.errors.code,
    'Code is wrong, or was used already. Wait for the next one.',
  )
  const told = await db.rows<{ result: string }>(
    `select result from audit.events where action = 'operator.second_factor' and object = $1 order by id desc limit 1`,
    [operator.id],
  )
  assert.deepEqual(told, [{ result: 'refused' }])
})

test('a new app makes the old one useless, and closes what it opened', async () => {
  assert.equal((await show(codeNow())).status, 200)
  clock.advance(60)
  await enrol({ db, secrets }, { user: operator.id, by: { kind: 'command', id: 'tests' }, at: clock.now() })
  assert.equal((await look()).body.code, 'second_factor_required')
  assert.equal((await show(codeNow())).status, 422)
})

test('in production an operator without an app is not let in', async () => {
  const { id } = await register(server)
  const principal = { kind: 'user', id, session: 'ses_none' } as const
  await requirePass({ db, clock, config: { production: false } }, principal)
  await assert.rejects(requirePass({ db, clock, config: { production: true } }, principal), {
    code: 'second_factor_required',
  })
})

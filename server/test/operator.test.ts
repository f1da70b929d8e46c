// The command `npm run operator`: who is an operator is changed at a terminal, and nowhere else.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { goodPassword, newAccount, openAsk } from './accounts.ts'
import { testApp, testDatabase } from './helpers.ts'

const command = fileURLToPath(new URL('../src/operator.ts', import.meta.url))
const database = await testDatabase()
const { app, db } = await testApp({ database })
const ask = openAsk(app)

const dataDir = mkdtempSync(join(tmpdir(), 'mfuko-operator-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

function run(words: string[], url = database.url): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [command, ...words], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

const account = await newAccount(app, {
  handle: 'okello',
  email: 'okello@example.com',
  phone: '+256700777666',
})
const rolesNow = async () => {
  const { data } = await ask('POST /api/auth/login', { handle: 'okello', password: goodPassword })
  return (await ask('GET /api/me', undefined, { token: data.token })).data.roles
}

test('add, list and remove, by handle, e-mail or phone; said when it was so already', async () => {
  const rows: [words: string[], said: RegExp, roles: string[]][] = [
    [['list'], /^There are no operators/, []],
    [['add', '@Okello'], /^@okello \(Amina Nakato\) is an operator now/, ['operator']],
    [['add', 'okello@example.com'], /was an operator already/, ['operator']],
    [['list'], /^@okello {2}Amina Nakato {2}okello@example\.com {2}\+256700777666\n$/, ['operator']],
    [['remove', '+256700777666'], /is no operator any more/, []],
    [['remove', 'okello'], /was no operator/, []],
  ]
  for (const [words, said, roles] of rows) {
    const ended = await run(words)
    assert.equal(ended.code, 0, ended.said)
    assert.match(ended.said, said)
    assert.deepEqual(await rolesNow(), roles)
  }
})

test('it is in the audit log, and the sessions of before have ended', async () => {
  const told = await db.rows<{ action: string; actor_kind: string }>(
    'select action, actor_kind from audit.events where object = $1 order by id',
    [account.id],
  )
  assert.deepEqual(told, [
    { action: 'role.given', actor_kind: 'command' },
    { action: 'role.taken', actor_kind: 'command' },
  ])
  const ended = await db.rows(`select id from users.sessions where user_id = $1 and end_reason = 'role'`, [
    account.id,
  ])
  assert.ok(ended.length > 0)
})

test('what can not be done is said in a sentence, with code 1', async () => {
  const rows: [words: string[], said: RegExp, url?: string][] = [
    [[], /^Use: npm run operator -- list/],
    [['list', 'okello'], /^Use:/],
    [['add'], /^Use:/],
    [['make', 'okello'], /^Use:/],
    [['add', 'okello', 'amina'], /^Use:/],
    [['add', 'nobody_known'], /^Nobody is called nobody_known\./],
    [['list'], /^The database went away or can't be reached/, 'postgres://x:y@127.0.0.1:1/z'],
    [['list'], /^There are no accounts in the database/, (await testDatabase({ empty: true })).url],
  ]
  for (const [words, said, url] of rows) {
    const ended = await run(words, url)
    assert.deepEqual([ended.code, said.test(ended.said)], [1, true], `${words.join(' ')}: ${ended.said}`)
  }
})

test('totp makes an authenticator app, for operators only', async () => {
  const refused = await run(['totp', 'okello'])
  assert.equal(refused.code, 1)
  assert.match(refused.said, /@okello is no operator\. First: npm run operator -- add okello/)
  await run(['add', 'okello'])
  const made = await run(['totp', '@okello'])
  assert.equal(made.code, 0, made.said)
  assert.match(made.said, /secret {2}[A-Z2-7]{32}\n {2}link {4}otpauth:\/\/totp\/Mfuko:okello\?secret=/)
  const { data } = await ask('POST /api/auth/login', { handle: 'okello', password: goodPassword })
  const { status, body } = await ask('GET /api/operator/applications', undefined, { token: data.token })
  assert.deepEqual([status, body.code], [403, 'second_factor_required'])
})

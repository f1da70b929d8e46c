// What the audit log keeps of a change that people make to their account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goodPassword, newAccount, openAsk } from '../../test/accounts.ts'
import { testApp } from '../../test/helpers.ts'

const { app, db } = await testApp()
const ask = openAsk(app)

const detailsOf = async (id: string, action: string) =>
  (
    await db.rows<{ details: object }>(
      'select details from audit.events where actor_id = $1 and action = $2 order by id',
      [id, action],
    )
  ).map(({ details }) => details)

test('keeps what a profile was before and is after, of what was given', async () => {
  const { token, id } = await newAccount(app)
  await ask('PATCH /api/me', { name: ' Amina N. ', email_receipts: true }, { token })
  await ask('PATCH /api/me', { locale: 'sw', email_receipts: true }, { token })
  await ask('PATCH /api/me', {}, { token })
  assert.deepEqual(await detailsOf(id, 'profile.changed'), [
    {
      before: { name: 'Amina Nakato', email_receipts: false },
      after: { name: 'Amina N.', email_receipts: true },
    },
    {
      before: { locale: 'en', email_receipts: true },
      after: { locale: 'sw', email_receipts: true },
    },
  ])
})

test('of an address or a phone number only what its owner knows it by', async () => {
  const { token, id, email } = await newAccount(app)
  const password = goodPassword
  await ask('PUT /api/me/email', { email: 'Grace@Other.example', password }, { token })
  await ask('PUT /api/me/phone', { phone: '+256700123456', password }, { token })
  await ask('PUT /api/me/phone', { phone: '+254700123999', password }, { token })
  assert.deepEqual(
    [await detailsOf(id, 'email.changed'), await detailsOf(id, 'phone.changed')],
    [
      [{ before: { email: 'p•••@example.com' }, after: { email: 'g•••@other.example' } }],
      [
        { before: { phone: null }, after: { phone: '+256700•••456' } },
        { before: { phone: '+256700•••456' }, after: { phone: '+254700•••999' } },
      ],
    ],
  )
  const row = await db.row<{ all: string }>(
    `select string_agg(e::text, ' ') as all from audit.events e where actor_id = $1`,
    [id],
  )
  assert.doesNotMatch(row?.all ?? '', new RegExp(`${email}|grace@|123456|123999`))
})

// A hash that is made anew with larger parameters is the same password: whoever gives it at that moment, to log in or to
// prove again who they are, is let in. One that was really changed in that moment lets nobody in.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { goodPassword, newAccount } from '../../test/accounts.ts'
import { cheapHashes, testApp, testConfig, testDatabase, testLog, testSecrets } from '../../test/helpers.ts'
import type { Db } from '../db/db.ts'
import { openUsers, type Users } from './users.ts'

const database = await testDatabase()
const { app, db, ledger, clock, users: before } = await testApp({ database })
const grown = { ...cheapHashes, passes: 2 }

/** What happens between the comparison and the transaction that rests on it. */
let meanwhile: (() => Promise<unknown>) | undefined
const racing: Db = {
  ...db,
  inTransaction: async (work) => {
    const first = meanwhile
    meanwhile = undefined
    await first?.()
    return db.inTransaction(work)
  },
}

const open = async (used: Db): Promise<Users> => {
  const users = await openUsers({
    db: used,
    url: database.url,
    ledger,
    clock,
    log: testLog().log,
    secrets: testSecrets,
    baseUrl: 'http://localhost:8080',
    config: testConfig(),
    passwordCost: grown,
  })
  after(() => users.close())
  return users
}
const [users, elsewhere] = [await open(racing), await open(db)]

const origin = { address: '10.9.8.7' }
const storedOf = async (id: string) =>
  (await db.row<{ password: string }>('select password from users.people where id = $1', [id]))?.password ??
  ''
const login = (by: Users, handle: string) => by.login({ name: { handle }, password: goodPassword, origin })

/** Each does something with the password, of somebody whose hash is an old one. */
const acts: Record<string, (caller: { user: string; session: string; handle: string }) => Promise<unknown>> =
  {
    'logging in': ({ handle }) => login(users, handle),
    'logging in at the checkout': ({ handle }) =>
      users.identify({ name: { handle }, password: goodPassword, origin }),
    'a PIN': (caller) => users.setPin({ pin: '4827', password: goodPassword, caller }),
    'a new password': (caller) =>
      users.changePassword({ password: goodPassword, newPassword: 'chai mbili za jioni', caller }),
    'a new address': (caller) =>
      users.changeContact({ password: goodPassword, email: `${caller.handle}@elsewhere.example`, caller }),
    'the password alone': (caller) => users.checkPassword({ caller, password: goodPassword }),
  }

for (const [what, act] of Object.entries(acts)) {
  describe(what, () => {
    test('while another login makes the hash anew', async () => {
      const { id: user, handle, token } = await newAccount(app)
      const { session } = before.authenticate(token)
      const old = await storedOf(user)
      let made = ''
      meanwhile = async () => {
        await login(elsewhere, handle)
        made = await storedOf(user)
      }
      await act({ user, session, handle })
      if (meanwhile === undefined) assert.notEqual(made, old, 'it was made anew in between')
      meanwhile = undefined
    })
  })
}

test('many logins at once, all of the old hash: all are let in, and it is made anew', async () => {
  const { id, handle } = await newAccount(app)
  const old = await storedOf(id)
  await Promise.all(Array.from({ length: 4 }, () => login(elsewhere, handle)))
  assert.match(await storedOf(id), /,t=2,/)
  assert.match(old, /,t=1,/)
})

for (const what of ['logging in', 'a PIN', 'a new address']) {
  test(`${what} while the password is changed: refused`, async () => {
    const { id: user, handle, token } = await newAccount(app)
    const { session } = before.authenticate(token)
    meanwhile = () =>
      elsewhere.changePassword({
        password: goodPassword,
        newPassword: 'chai mbili za jioni',
        caller: { user, session },
      })
    await assert.rejects(async () => acts[what]?.({ user, session, handle }), {
      code: what === 'logging in' ? 'unauthenticated' : 'validation_failed',
    })
  })
}

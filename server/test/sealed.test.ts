// What is sealed in the database: after SECRET_ENC was replaced one night seals all of it anew, wherever the code seals
// something; and no code that was mailed can be read in a copy of the database. A new sealed column can't be forgotten:
// they are found by the labels in the sources, by the names of columns, and by what is stored.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { buildTasks } from '../src/app.ts'
import { openSeal, placeIn } from '../src/base/seal.ts'
import { Secret } from '../src/base/secret.ts'
import { openDb } from '../src/db/db.ts'
import * as operators from '../src/operators/operators.ts'
import { sealedColumns } from '../src/sealing.ts'
import { codeSentTo } from './accounts.ts'
import { newBusiness, theOperator } from './businesses.ts'
import { replaced, testApp, testDatabase, testSecrets } from './helpers.ts'
import { call, register, testPassword } from './people.ts'

const database = await testDatabase()
const server = await testApp({ database })
const { db, clock } = server
const admin = openDb({ url: database.adminUrl, connectionsMax: 1, name: 'mfuko tests' })
after(() => admin.close())

const nameOf = ({ table, column }: { table: string; column: string }) => `${table}.${column}`
const named = sealedColumns.map(nameOf).toSorted()
const context = { signal: undefined, attempt: 1 }

interface Column {
  table: string
  column: string
  type: string
}

/** Of all tables that are ours or a job's. */
const columns = () =>
  admin.rows<Column>(
    `select format('%I.%I', table_schema, table_name) as table, column_name as column, data_type as type
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )

/** Where something is stored that the key with this head has sealed, whatever the column is called. */
async function sealedWith(head: Buffer): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of (await columns()).filter(({ type }) => type === 'bytea')) {
    const rows = await admin.rows(
      `select 1 from ${table} where substring(${column} from 1 for length($1::bytea)) = $1 limit 1`,
      [head],
    )
    if (rows.length > 0) found.push(nameOf({ table, column }))
  }
  return found.toSorted()
}

/** One of each: credentials with a kept answer, an authenticator app, a mailed code. */
async function sealOneOfEach() {
  const { owner } = await newBusiness(server)
  const rotation = { password: testPassword, what: 'client_secret' }
  const key = { 'idempotency-key': 'rotate-once' }
  const rotated = await owner.call('POST', '/api/merchant/rotate-key', rotation, key)
  assert.equal(rotated.status, 200, rotated.text)
  const { id: user } = await register(server)
  await operators.enrol(
    { db, secrets: testSecrets },
    { user, by: { kind: 'test', id: 'test' }, at: clock.now() },
  )
  return { owner, rotation, key, rotated }
}

describe('all that is sealed', () => {
  test('is in the list, by the labels in the sources', () => {
    const source = join(import.meta.dirname, '../src')
    const labels = globSync('**/*.ts', { cwd: source }).flatMap((path) => {
      if (path.endsWith('.test.ts')) return []
      const text = readFileSync(join(source, path), 'utf8')
      const found = text.matchAll(/\btable: '([a-z_]+\.[a-z_]+)',[^{}]*?\bcolumn: '([a-z_]+)'/g)
      return [...found].map(([, table = '', column = '']) => nameOf({ table, column }))
    })
    assert.deepEqual([...new Set(labels)].toSorted(), named)
  })

  test('is in the list, by the names of columns', async () => {
    const found = (await columns()).filter(
      ({ type, column }) => type === 'bytea' && /(^|_)sealed$/.test(column),
    )
    assert.deepEqual(found.map(nameOf).toSorted(), named)
  })

  test('is sealed anew in one night, and opens without the old secret', async () => {
    const { owner, rotation, key, rotated } = await sealOneOfEach()
    const oldHead = openSeal(testSecrets.enc).head
    assert.deepEqual(await sealedWith(oldHead), named, 'there is one of each')
    const secrets = replaced('enc')
    const enc = secrets.enc ?? assert.fail()
    const night = await testApp({ database, secrets })
    const { tasks } = buildTasks(night.dependencies)
    await tasks.seal_anew?.({}, context)
    assert.deepEqual(await sealedWith(oldHead), [])
    assert.deepEqual(await sealedWith(openSeal(enc).head), named)
    const onlyNew = openSeal(new Secret(enc.reveal()))
    for (const column of sealedColumns) {
      const rows = await admin.rows<{ row: string; value: Buffer }>(
        `select ${column.key}::text as row, ${column.column} as value from ${column.table}
         where ${column.column} is not null`,
      )
      assert.ok(rows.length > 0, nameOf(column))
      for (const { row, value } of rows) assert.notEqual(onlyNew.open(value, placeIn(column, row)), '')
    }
    const morning = await testApp({ database, secrets: { enc: new Secret(enc.reveal()) } })
    const again = await call(morning, {
      method: 'POST',
      url: '/api/merchant/rotate-key',
      body: rotation,
      headers: { authorization: `Bearer ${owner.token}`, ...key },
    })
    assert.deepEqual([again.status, again.text], [200, rotated.text], 'the kept answer is the first one')
  })

  test('but for a row that no key opens: it is named in the log, and the others do not wait for it', async () => {
    const [other, broken] = [await newBusiness(server), await newBusiness(server)]
    const secretsOf = (id: number) =>
      admin.rows<{ id: string; sealed: Buffer }>(
        `select id::text, sealed from merchants.client_secrets where merchant_id = $1 and mode = 'live'`,
        [id],
      )
    const [row] = await secretsOf(broken.id)
    assert.ok(row)
    const damaged = Buffer.from(row.sealed)
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
    await admin.rows('update merchants.client_secrets set sealed = $2 where id::text = $1', [row.id, damaged])
    const secrets = replaced('enc')
    const night = await testApp({ database, secrets })
    await buildTasks(night.dependencies).tasks.seal_anew?.({}, context)
    const { head } = openSeal(secrets.enc ?? assert.fail())
    const heads = async (id: number) =>
      (await secretsOf(id)).map(({ sealed }) => sealed.subarray(0, head.length).equals(head))
    assert.deepEqual([await heads(broken.id), await heads(other.id)], [[false], [true]])
    const told = night.log.lines.find(({ msg }) => String(msg).includes('can not be opened'))
    assert.deepEqual([told?.table, told?.rows], ['merchants.client_secrets', [row.id]])
    await admin.rows('update merchants.client_secrets set sealed = $2 where id::text = $1', [
      row.id,
      row.sealed,
    ])
  })
})

test('a mailed code is in no table, whether it waits, is kept, or was looked at by an operator', async () => {
  const email = 'amina@dump.example'
  const person = await register(server, { email })
  const codes = [await codeSentTo(db, email)]
  await person.call('POST', '/api/auth/email/confirm', { code: codes[0] })
  await person.call('POST', '/api/auth/password/forgot', { email })
  await server.users.mailResetCode({ email })
  codes.push(await codeSentTo(db, email))
  const dumped = async (): Promise<string> => {
    const tables = new Set((await columns()).map(({ table }) => table))
    const texts: string[] = []
    for (const table of tables)
      for (const { row } of await admin.rows<{ row: string }>(`select t::text as row from ${table} t`))
        texts.push(row)
    return texts.join('\n')
  }
  const findIn = (text: string) =>
    codes
      .flatMap((code) => [code, code.replace('-', '')])
      .flatMap((code) => [code, Buffer.from(code).toString('hex')])
      .filter((form) => text.includes(form))
  const waiting = await dumped()
  assert.ok(waiting.includes(email), 'it is the whole database that is looked at')
  assert.deepEqual(findIn(waiting), [])
  const operator = await theOperator(server)
  const { tasks } = buildTasks(server.dependencies)
  const mails = await operator.call('GET', `/api/operator/mails?to=${email}`)
  for (const { id } of mails.body.data) await tasks.send_mail?.({ id }, context)
  const shown: string[] = []
  for (const { id } of mails.body.data)
    shown.push((await operator.call('GET', `/api/operator/mails/${id}`)).text)
  for (const code of codes) assert.ok(shown.join().includes(code), 'the operator reads it')
  assert.deepEqual(findIn(await dumped()), [])
})

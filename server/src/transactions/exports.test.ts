// The table: the same lines as the list, in a form that spreadsheets read and can't be tricked by; one at a time; and
// no more in memory than the reader takes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile, testSecrets } from '../../test/helpers.ts'
import { amina, fundAll, live } from '../../test/history-model.ts'
import { openProbe, type Probe } from '../../test/probe-scope.ts'
import { AppError } from '../base/errors.ts'
import { csvRows } from './csv.ts'
import { openExports } from './exports.ts'
import { transactionRoutes } from './routes.ts'
import type { Transaction } from './transactions.ts'

let windows = 0
const depsOf = ({ db, ledger, clock }: Pick<Probe, 'db' | 'ledger' | 'clock'>) => ({
  db,
  clock,
  ledger: {
    ...ledger,
    windows: (...asked: Parameters<typeof ledger.windows>) => {
      windows += 1
      return ledger.windows(...asked)
    },
  },
  config: { BRAND_NAME: 'Mfuko' },
  personOf: async () => undefined,
  secrets: testSecrets,
})
const probe = await openProbe({ routes: (scope, parts) => transactionRoutes(scope, depsOf(parts)) })
const deps = depsOf(probe)
const { get, app, url } = probe
await fundAll(probe)
await live(probe, { moves: 4_000, salt: 7 })

/** RFC 4180, read by the letter. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const quotedCell = /^"((?:[^"]|"")*)"(,|\r\n)/.exec(text.slice(at, at + 2_000))
    const found = quotedCell ?? /^([^",\r\n]*)(,|\r\n)/.exec(text.slice(at, at + 2_000))
    assert.ok(found, `a cell begins at ${text.slice(at, at + 40)}`)
    const [whole, cell = '', end] = found
    row.push(quotedCell ? cell.replaceAll('""', '"') : cell)
    at += whole.length
    if (end === '\r\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

async function allLines(query: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { data, meta } = (await get(amina.id, `/transactions?limit=100&${query}${more}`)).json()
    all.push(...data)
    cursor = meta.next_cursor
  }
  return all
}

const header =
  'reference,type,direction,amount,fee,currency,status,counterparty_handle,counterparty_name,note,balance_after,created_at'

describe('the same as the list', () => {
  for (const query of [
    '',
    'currency=KES',
    'direction=out&type=transfer',
    'q=caf%C3%A9',
    'from=2026-03-15&to=2026-03-16',
  ]) {
    test(query === '' ? 'everything' : query, async () => {
      const answer = await get(amina.id, `/transactions.csv?${query}`)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present')
      assert.match(
        String(answer.headers['content-disposition']),
        /^attachment; filename="transactions-2026-\d\d-\d\d\.csv"$/,
      )
      assert.ok(answer.body.startsWith(`\uFEFF${header}\r\n`))
      const [, ...rows] = readCsv(answer.body.slice(1))
      const lines = await allLines(query)
      assert.ok(lines.length > 5)
      const cells = (value: unknown) => (value === null || value === undefined ? '' : String(value))
      assert.deepEqual(
        rows.map((row) => row.map((cell) => cell.replace(/^'(?=\s*[=+\-@])/, ''))),
        lines.map(({ counterparty, ...line }) => {
          const { handle, name } = counterparty as { handle?: string; name: string }
          const shown = { ...line, counterparty_handle: handle, counterparty_name: name } as Record<
            string,
            unknown
          >
          return header.split(',').map((column) => cells(shown[column]))
        }),
      )
    })
  }

  test('nothing fits: the header alone', async () => {
    assert.equal((await get(amina.id, '/transactions.csv?currency=ZAR')).body, `\uFEFF${header}\r\n`)
  })
})

describe('cells', () => {
  const line: Transaction = {
    postingId: 1n,
    reference: 'TR-1',
    type: 'transfer',
    direction: 'out',
    currency: 'KES',
    amount: 125_050n,
    fee: 1n,
    status: 'completed',
    counterparty: { handle: 'juma', name: 'Juma' },
    note: undefined,
    balanceAfter: 0n,
    createdAt: new Date('2026-03-14T09:26:53.000Z'),
  }
  const rows: [note: string, cell: string][] = [
    ['plain words', 'plain words'],
    ['a, b', '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+256 770', "'+256 770"],
    ['-5', "'-5"],
    ['@juma', "'@juma"],
    ['  =1+1', "'  =1+1"],
    ['\t=1+1', `"'\t'=1+1"`],
    ["rent;=cmd|'/c calc'!A0", `"rent;'=cmd|'/c calc'!A0"`],
    ['rent\t @SUM(1)', `"rent\t '@SUM(1)"`],
    ['two; three', '"two; three"'],
    ['\r\nx', '"\'\r\nx"'],
    ['=cmd|" /C calc"!A0', '"\'=cmd|"" /C calc""!A0"'],
    ['＝1+1', "'＝1+1"],
    ['5 = 5', '5 = 5'],
    ['Zoë 😀', 'Zoë 😀'],
  ]
  for (const [note, cell] of rows) {
    test(JSON.stringify(note), () => {
      const start = 'TR-1,transfer,out,1250.5,0.01,KES,completed,juma,Juma,'
      assert.equal(csvRows([{ ...line, note }]), `${start}${cell},0,2026-03-14T09:26:53.000Z\r\n`)
    })
  }
})

test('a wrong selection is refused before anything is sent; HEAD is not offered', async () => {
  const answer = await get(amina.id, '/transactions.csv?from=never')
  assert.equal(answer.statusCode, 422)
  assert.ok(answer.json().errors.from)
  const headers = { authorization: `Bearer ${amina.id}` }
  assert.equal(
    (await app.inject({ method: 'HEAD', url: '/probe/api/transactions.csv', headers })).statusCode,
    404,
  )
})

describe('one at a time for each person', () => {
  const asked = { userId: amina.id, selection: {} }
  const refusal = { code: 'rate_limited', retryAfter: 10 }

  test('who does not read keeps little in memory, and nobody else waiting', async () => {
    const exports = openExports(deps)
    windows = 0
    const stream = await exports.begin(asked)
    await sleep(200)
    const read = windows
    assert.ok(read <= 4, `${read} windows were read ahead`)
    await assert.rejects(exports.begin(asked), refusal)
    const another = await exports.begin({ ...asked, userId: 'usr_juma' })
    let bytes = 0
    for await (const chunk of another) bytes += (chunk as Buffer).length
    assert.ok(bytes > 10_000, `${bytes} bytes`)
    stream.destroy()
    await once(stream, 'close')
    const next = await exports.begin(asked)
    next.resume()
    await once(next, 'close')
  })

  test('a database that is away is told, and makes room', async () => {
    const away = new AppError('unavailable', { retryAfter: 1 })
    const ledger = { ...deps.ledger, windows: async () => Promise.reject(away) }
    const exports = openExports({ ...deps, ledger })
    for (let tries = 0; tries < 2; tries++) await assert.rejects(exports.begin(asked), away)
  })

  test('over HTTP: the second of two at once gets 429, and who leaves may come again', async () => {
    const both = await Promise.all([get(amina.id, '/transactions.csv'), get(amina.id, '/transactions.csv')])
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 429])
    assert.equal(both.find(({ statusCode }) => statusCode === 429)?.headers['retry-after'], '10')
    const origin = await probe.listen()
    const leaving = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${amina.id}` }
      httpGet(`${origin}/probe/api/transactions.csv`, { headers }, resolve).on('error', reject)
    })
    leaving.destroy()
    for (let tries = 0; tries < 50; tries++) {
      if ((await get(amina.id, '/transactions.csv')).statusCode === 200) return
      await sleep(50)
    }
    assert.fail('the place of who left is free again')
  })
})

test('the books are right', async () => {
  await reconcile({ url })
})

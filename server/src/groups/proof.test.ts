// Provable pots: a member fetches the head and a receipt of any entry, and two verifiers that know nothing of the server
// (the command's and the page's) agree with it. Each way to tamper with a receipt, a head or a draw is refused by both.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Circle, goal, openCircle } from '../../test/circles.ts'
import { reconcile, testApp } from '../../test/helpers.ts'
import type { Loose } from '../../test/people.ts'

const server = await testApp()
const script = fileURLToPath(new URL('../../../scripts/verify-receipt.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mfuko-proof-'))
after(() => rmSync(folder, { recursive: true }))

interface Verifier {
  verifyReceipt(receipt: Loose, head?: Loose): Loose
  verifyDraw(round: Loose): Loose
}
const command = (await import(pathToFileURL(script).href)) as Verifier
const page = (await import(new URL('./verify/checks.js', import.meta.url).href)) as Verifier
const verifiers: [name: string, verifier: Verifier][] = [
  ['the command', command],
  ['the page', page],
]

let circle: Circle
let head: Loose
let receipt: Loose
let round: Loose

const get = async (path: string, by = 1) =>
  (await circle.as(by).call('GET', `/api/groups/${circle.id}/${path}`)).body.data

before(async () => {
  circle = await openCircle(server, { members: 3 })
  await circle.post(1, 'draw')
  await circle.post(2, 'draw/word', { word: 'embe' })
  await circle.post(1, 'start', { order: 'draw' })
  for (let cycle = 0; cycle < 3; cycle++)
    for (const payer of [1, 2, 3]) await circle.pay(payer, { note: 'Asante “sana”' })
  head = await get('head')
  receipt = await get('entries/4/receipt', 2)
  round = await get('rounds/1')
  await reconcile(server)
})

const copy = (value: Loose): Loose => structuredClone(value)
const changed = (value: Loose, change: (copy: Loose) => void): Loose => {
  const other = copy(value)
  change(other)
  return other
}
const flip = (hash: string) => (hash.startsWith('0') ? `1${hash.slice(1)}` : `0${hash.slice(1)}`)
const refuses = async (work: () => unknown, pattern = /./) =>
  assert.rejects(async () => {
    await work()
  }, pattern)

const tampered: [what: string, change: (copy: Loose) => void][] = [
  [
    'another amount',
    ({ entry }) => {
      entry.amount = '-2000'
    },
  ],
  [
    'another amount, and balance',
    ({ entry }) => {
      entry.amount = '-2000'
      entry.balance_after = '1000'
    },
  ],
  [
    'another balance before',
    ({ entry }) => {
      entry.balance_before = '4000'
    },
  ],
  [
    'other details',
    ({ entry }) => {
      entry.posting.details = entry.posting.details.replace('3000', '3001')
    },
  ],
  [
    'another kind',
    ({ entry }) => {
      entry.posting.kind = 'group_contribution'
    },
  ],
  [
    'another time',
    ({ entry }) => {
      entry.posting.time_ms = String(Number(entry.posting.time_ms) + 1)
    },
  ],
  [
    'another posting',
    ({ entry }) => {
      entry.posting.id = '1'
    },
  ],
  [
    'another number',
    ({ entry }) => {
      entry.seq = '5'
    },
  ],
  [
    'something held',
    ({ entry }) => {
      entry.held_after = '1'
    },
  ],
  [
    'another hash before',
    ({ entry }) => {
      entry.before = flip(entry.before)
    },
  ],
  [
    'an entry less',
    ({ later }) => {
      later.splice(2, 1)
    },
  ],
  [
    'the last entry less',
    ({ later }) => {
      later.pop()
    },
  ],
  [
    'two entries in another order',
    ({ later }) => {
      later.reverse()
    },
  ],
  [
    'another amount later',
    ({ later }) => {
      later[1].amount = '999'
    },
  ],
  [
    'another digest',
    ({ later }) => {
      later[0].digest = flip(later[0].digest)
    },
  ],
  [
    'another account',
    (one) => {
      one.head.account = '77'
    },
  ],
  [
    'another head',
    (one) => {
      one.head.hash = flip(one.head.hash)
    },
  ],
  [
    'another balance in the head',
    (one) => {
      one.head.balance = '5'
    },
  ],
  [
    'another format',
    (one) => {
      one.format = 'mfuko-receipt-2'
    },
  ],
  [
    'numbers for texts',
    ({ entry }) => {
      entry.seq = 4
    },
  ],
  [
    'a zero in front',
    ({ entry }) => {
      entry.seq = '04'
    },
  ],
  [
    'no posting',
    ({ entry }) => {
      delete entry.posting
    },
  ],
  [
    'nothing',
    (one) => {
      for (const name of Object.keys(one)) delete one[name]
    },
  ],
]

for (const [name, verifier] of verifiers) {
  describe(name, () => {
    test('takes every receipt that the service gives, with the head of any member', async () => {
      assert.equal(head.seq, '12')
      assert.equal(head.balance, '0')
      for (let seq = 1; seq <= 12; seq++) {
        const given = await get(`entries/${seq}/receipt`, (seq % 3) + 1)
        const proved = await verifier.verifyReceipt(given, head)
        assert.equal(proved.entry.seq, String(seq))
      }
      const short = await get('entries/4/receipt?to=6')
      assert.equal(short.head.seq, '6')
      await verifier.verifyReceipt(short)
      await refuses(() => verifier.verifyReceipt(short, head), /ends before it.*to=12/)
    })

    for (const [what, change] of tampered)
      test(`refuses ${what}`, async () => {
        await verifier.verifyReceipt(receipt, head)
        await refuses(() => verifier.verifyReceipt(changed(receipt, change)))
      })

    test('refuses a whole other history, when somebody has kept a head', async () => {
      const other = await openCircle(server, { members: 1, body: goal })
      await other.pay(1, { amount: 5_000 })
      const path = `/api/groups/${other.id}/entries/1/receipt`
      const forged = (await other.as(1).call('GET', path)).body.data
      await verifier.verifyReceipt(forged)
      await refuses(() => verifier.verifyReceipt(forged, head), /another account/)
      forged.head.account = head.account
      await refuses(() => verifier.verifyReceipt(forged, head))
      await refuses(
        () =>
          verifier.verifyReceipt(
            receipt,
            changed(head, (one) => {
              one.hash = flip(one.hash)
            }),
          ),
        /head that you have/,
      )
      await refuses(() => verifier.verifyReceipt(receipt, { format: 'other' }), /not a head/)
    })

    test('makes the drawn order again, and refuses another', async () => {
      const { order } = await verifier.verifyDraw(round)
      assert.deepEqual(
        order,
        round.seats.map(({ member }: Loose) => member.handle),
      )
      for (const change of [
        (one: Loose) => one.seats.reverse(),
        (one: Loose) => {
          one.draw.words[0].word = 'chungwa'
        },
        (one: Loose) => {
          one.draw.words = []
        },
        (one: Loose) => {
          one.draw.seed = flip(one.draw.seed)
        },
        (one: Loose) => {
          one.draw.seed = null
        },
        (one: Loose) => {
          one.draw = null
        },
      ]) {
        // A changed word may by chance lead to the same order of three.
        const other = changed(round, change)
        const outcome = await Promise.resolve()
          .then(() => verifier.verifyDraw(other))
          .catch(() => undefined)
        if (other.draw?.seed === round.draw.seed && other.seats[0].turn === 1) continue
        assert.equal(outcome, undefined)
      }
    })
  })
}

test('the command says what it found, and ends with 1 when it refuses', async () => {
  const run = promisify(execFile)
  const file = (name: string, value: unknown) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(value))
    return path
  }
  const good = file('receipt.json', { success: true, message: 'Receipt', data: receipt })
  const kept = file('head.json', head)
  const { stdout } = await run(process.execPath, [script, 'receipt', good, '--head', kept])
  assert.match(
    stdout,
    /The receipt holds: entry 4, group_payout, -3000 minor units of UGX[\s\S]*nothing in between was altered/,
  )
  const bad = file(
    'bad.json',
    changed(receipt, ({ entry }) => {
      entry.amount = '-2999'
    }),
  )
  for (const [args, says] of [
    [['receipt', bad], /Refused: The balance after entry 4/],
    [['receipt', join(folder, 'none.json')], /Refused: ENOENT/],
    [['receipt'], /Say: npm run verify-receipt/],
    [['draw', good], /not a round that was drawn/],
  ] as const)
    await assert.rejects(
      run(process.execPath, [script, ...args]),
      (error: { code: number; stderr: string }) => {
        assert.equal(error.code, 1)
        assert.match(error.stderr, says)
        return true
      },
    )
  assert.match(
    (await run(process.execPath, [script, 'draw', file('round.json', round)])).stdout,
    /is the one that was drawn/,
  )
})

test('the seed is a secret until the start, and the commitment is its hash', async () => {
  const other = await openCircle(server, { members: 3 })
  assert.match((await other.post(1, 'start', { order: 'draw' })).body.message, /Announce the draw first/)
  assert.equal((await other.post(2, 'draw')).status, 403)
  const { data } = (await other.post(1, 'draw')).body
  assert.match(data.round.draw.commitment, /^[0-9a-f]{64}$/)
  assert.equal(data.round.draw.seed, null)
  assert.equal((await other.post(1, 'start', { order: 'join' })).body.code, 'invalid_state')
  assert.equal((await other.post(3, 'draw/word', { word: 'two words' })).status, 422)
  const started = (await other.post(1, 'start', { order: 'draw' })).body.data
  assert.equal(started.round.draw.commitment, data.round.draw.commitment)
  command.verifyDraw(started.round)
})

test('receipts are for members, and of entries that are there', async () => {
  const path = `/api/groups/${circle.id}/entries`
  assert.equal((await circle.as(1).call('GET', `${path}/13/receipt`)).status, 404)
  assert.equal((await circle.as(1).call('GET', `${path}/0/receipt`)).status, 404)
  assert.equal((await circle.as(1).call('GET', `${path}/5/receipt?to=4`)).status, 422)
  assert.equal((await circle.as(1).call('GET', `${path}/5/receipt?to=13`)).status, 422)
})

// Who goes first: targets take turns, first attempts before retries but not for ever, what can't go now is put where it
// is in nobody's way. And what a worker remembers of targets, so that bad ones leave room for the others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Book, openBook } from './book.ts'
import { type ChoiceOptions, choose } from './choose.ts'
import type { LookedRow } from './sql.ts'

const now = new Date('2026-03-14T09:00:00Z')
let numbers = 0n

/** `a`: of the target a. A retry has failed before. */
const row = (target: string, changes: Partial<LookedRow> = {}): LookedRow => ({
  merchant: 1,
  mode: 'live',
  number: ++numbers,
  origin: `https://${target}.example`,
  subject: `PY-${numbers}`,
  sequence: 1,
  due_at: now,
  failures: 0,
  attempts: 0,
  replay: false,
  parked: false,
  lost_lease: null,
  suspended: false,
  broken: false,
  blocked_until: null,
  ...changes,
})

const keyOf = (target: string) => `1 live https://${target}.example`

/** What is chosen, by the letter of its target. */
function chosen(rows: readonly LookedRow[], options: Partial<ChoiceOptions> = {}) {
  const room = new Map<string, number>()
  const take = (target: string) => {
    const taken = room.get(target) ?? 0
    room.set(target, taken + 1)
    return taken < 2
  }
  const choice = choose(rows, { slots: 100, now, take, busy: new Set(), probes: new Set(), ...options })
  const letters = (some: readonly LookedRow[]) =>
    some.map(({ origin, failures }) => `${origin.slice(8, 9)}${failures > 0 ? '!' : ''}`).join('')
  return {
    send: letters(choice.send),
    park: letters(choice.park),
    hold: letters(choice.hold),
    postpone: letters(choice.postpone),
    until: choice.postpone.map(({ until }) => (until.getTime() - now.getTime()) / 1_000),
  }
}

const nothing = { send: '', park: '', hold: '', postpone: '', until: [] }

describe('choosing', () => {
  test('targets take turns; what one has no room for is parked', () => {
    const rows = [row('a'), row('a'), row('a'), row('a'), row('b'), row('c'), row('b')]
    assert.deepEqual(chosen(rows), { ...nothing, send: 'abcab', park: 'aa' })
  })

  test('what does not fit in the slots stays where it is', () => {
    assert.deepEqual(chosen([row('a'), row('a'), row('b'), row('c')], { slots: 3 }), {
      ...nothing,
      send: 'abc',
    })
  })

  test('first attempts before retries, but for a tenth', () => {
    const rows = [
      ...Array.from({ length: 20 }, (_, n) => row(`f${n}`)),
      ...Array.from({ length: 20 }, (_, n) => row(`r${n}`, { failures: 1 })),
    ]
    assert.equal(chosen(rows, { slots: 10 }).send, 'fffffffffr!')
    assert.equal(chosen(rows, { slots: 30 }).send, `${'f'.repeat(20)}${'r!'.repeat(10)}`)
  })

  test('what is parked already is not parked again', () => {
    const rows = Array.from({ length: 4 }, () => row('a', { parked: true }))
    assert.deepEqual(chosen(rows), { ...nothing, send: 'aa' })
  })

  test('for a suspended target all is held, but for what somebody asked for', () => {
    const rows = [row('a', { suspended: true }), row('a', { suspended: true, replay: true, broken: true })]
    assert.deepEqual(chosen(rows), { ...nothing, send: 'a', hold: 'a' })
  })

  test('a broken target gets its probe and nothing else', () => {
    const rows = [row('a', { broken: true }), row('a', { broken: true })]
    assert.deepEqual(chosen(rows), { ...nothing, park: 'aa' })
    assert.deepEqual(chosen(rows, { probes: new Set([keyOf('a')]) }), { ...nothing, send: 'a', park: 'a' })
  })

  test('of one payment one at a time', () => {
    const same = { subject: 'PY-same' }
    assert.deepEqual(chosen([row('a', same), row('a', same)]), {
      ...nothing,
      send: 'a',
      postpone: 'a',
      until: [1],
    })
    const busy = new Set(['PY-same'])
    assert.deepEqual(chosen([row('a', same)], { busy }), { ...nothing, postpone: 'a', until: [1] })
  })

  test('what waits for an earlier event waits in its place', () => {
    const until = new Date(now.getTime() + 40_000)
    assert.deepEqual(chosen([row('a', { blocked_until: until })]), { ...nothing, postpone: 'a', until: [40] })
    const line = { blocked_until: Number.POSITIVE_INFINITY }
    assert.deepEqual(chosen([row('a', line)]), { ...nothing, park: 'a' })
    // At the head of the line it would hold up the one it waits for.
    assert.deepEqual(chosen([row('a', { ...line, parked: true })]), { ...nothing, postpone: 'a', until: [5] })
  })
})

describe('the book', () => {
  const open = () => {
    const time = { ms: 0 }
    return { time, book: openBook(() => time.ms) }
  }
  const takeAll = (book: Book, target: string) => {
    let taken = 0
    while (book.take(target)) taken++
    return taken
  }
  const good = { ok: true, at: now }
  const bad = { ok: false, at: now }

  test('one attempt for a stranger, five for one that works, one for one that fails', () => {
    const { book } = open()
    assert.equal(takeAll(book, 'a'), 1)
    book.end('a', good)
    assert.equal(takeAll(book, 'a'), 5)
    for (let n = 0; n < 5; n++) book.end('a', bad)
    assert.equal(takeAll(book, 'a'), 1)
    book.untake('a')
    assert.deepEqual([book.inFlight(), book.slots(), book.room('a')], [0, 200, 1])
  })

  test('however many strangers and failing ones there are, some slots are left for those that work', () => {
    const { book } = open()
    for (let n = 0; n < 100; n++) {
      assert.ok(book.take(`bad ${n}`))
      book.end(`bad ${n}`, bad)
    }
    book.take('good')
    book.end('good', good)
    let failing = 0
    for (let n = 0; n < 100; n++) failing += takeAll(book, `bad ${n}`)
    assert.equal(failing, 50)
    let strangers = 0
    for (let n = 0; n < 300; n++) strangers += takeAll(book, `stranger ${n}`)
    assert.equal(strangers, 150)
    assert.equal(book.slots(), 0)
    book.end('bad 0', bad)
    assert.equal(takeAll(book, 'good'), 1)
  })

  test('fifty a second', () => {
    const { book, time } = open()
    book.take('a')
    book.end('a', good)
    const sendFor = (ms: number) => {
      let sent = 0
      for (let step = 0; step < ms; step += 10) {
        time.ms += 10
        const taken = takeAll(book, 'a')
        for (let n = 0; n < taken; n++) book.end('a', good)
        sent += taken
      }
      return sent
    }
    sendFor(2_000)
    const sent = sendFor(2_000)
    assert.ok(sent >= 98 && sent <= 102, `${sent} in two seconds`)
  })

  test('broken: ten attempts in five minutes, seven of ten failed; a success begins anew', () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
    const run = (book: Book, results: string, everySeconds = 1) =>
      [...results].map((result, n) => {
        book.take('a')
        return book.end('a', { ok: result === '+', at: at(n * everySeconds) })
      })
    const breaksAt = (results: string, everySeconds?: number) =>
      run(open().book, results, everySeconds).indexOf(true)
    assert.equal(breaksAt('---------'), -1, 'nine are not enough')
    assert.equal(breaksAt('----------'), 9)
    assert.equal(breaksAt('+-+---+---'), 9, 'seven of ten')
    assert.equal(breaksAt('+-+-+-+-+-+-+-+-'), -1)
    assert.equal(breaksAt('+--+--+--+--+--+--'), -1, 'two thirds are not enough')
    assert.equal(breaksAt('--------------------', 60), -1, 'five in five minutes')
    const { book } = open()
    assert.equal(run(book, '----------').at(-1), true)
    assert.deepEqual(run(book, '+-'), [false, false])
  })
})

// When a notification is sent again, and when a target is hopeless: the plain arithmetic of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testConfig } from '../../test/helpers.ts'
import { isHopeless, nextStep, retryAfterSeconds, type Sent } from './rules.ts'

const schedule = testConfig().NOTIFY_SCHEDULE
const now = new Date('2026-03-14T09:00:00Z')

const failed = (sent: Partial<Sent> = {}): Sent => ({
  durationMs: 10,
  address: undefined,
  status: 500,
  problem: 'status',
  detail: undefined,
  cause: undefined,
  retryAfter: undefined,
  response: undefined,
  ...sent,
})

/** Seconds until the next attempt. */
function wait(sent: Sent, failures: number, random: number): number | undefined {
  const step = nextStep(sent, { mode: 'live', failures, schedule, now, random: () => random })
  return step.kind === 'again' ? (step.at.getTime() - now.getTime()) / 1_000 : undefined
}

test('twelve attempts over 75 hours, each delay spread by a fifth, in a thousand runs', () => {
  const planned = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
  assert.deepEqual(schedule, planned)
  assert.equal(
    planned.reduce((sum, seconds) => sum + seconds, 0),
    75 * 3_600 + 42 * 60 + 35,
  )
  for (const [failures, delay] of planned.entries()) {
    const waits = Array.from({ length: 1_000 }, () => wait(failed(), failures, Math.random()) ?? 0)
    assert.ok(waits.every((seconds) => seconds >= 0.8 * delay - 0.001 && seconds <= 1.2 * delay + 0.001))
    const mean = waits.reduce((sum, seconds) => sum + seconds, 0) / waits.length
    assert.ok(Math.abs(mean / delay - 1) < 0.03, 'evenly')
    assert.ok(Math.max(...waits) > 1.18 * delay && Math.min(...waits) < 0.82 * delay, 'over the whole width')
  }
  assert.equal(wait(failed(), 11, 0.5), undefined)
})

test('in test mode five attempts', () => {
  const kinds = [0, 1, 2, 3, 4].map(
    (failures) => nextStep(failed(), { mode: 'test', failures, schedule, now, random: () => 0.5 }).kind,
  )
  assert.deepEqual(kinds, ['again', 'again', 'again', 'again', 'failed'])
})

test('short delays are kept as they are, and none is under a second', () => {
  const waits = [0, 1, 2].map((failures) => {
    const step = nextStep(failed(), { mode: 'live', failures, schedule: [1, 1, 2], now, random: () => 0 })
    return step.kind === 'again' ? step.at.getTime() - now.getTime() : 0
  })
  assert.deepEqual(waits, [1_000, 1_000, 2_000])
})

describe('who is overloaded gets a minute, and is listened to within bounds', () => {
  const date = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toUTCString()
  const rows: [what: string, sent: Partial<Sent>, failures: number, seconds: number][] = [
    ['500 as planned', {}, 0, 5],
    ['500 wants 7 s', { retryAfter: '7' }, 0, 7],
    ['500 wants a day', { retryAfter: '86400' }, 0, 10],
    ['500 wants it sooner', { retryAfter: '1' }, 1, 30],
    ['429', { status: 429 }, 0, 60],
    ['429 later on', { status: 429 }, 3, 600],
    ['502', { status: 502 }, 0, 60],
    ['503', { status: 503 }, 1, 60],
    ['504', { status: 504 }, 2, 120],
    ['silence', { status: undefined, problem: 'timed_out' }, 0, 60],
    ['429 wants 7 s', { status: 429, retryAfter: '7' }, 0, 60],
    ['429 wants 90 s', { status: 429, retryAfter: '90' }, 0, 90],
    ['429 wants a date', { status: 429, retryAfter: date(75) }, 0, 75],
    ['429 wants the past', { status: 429, retryAfter: date(-75) }, 0, 60],
    ['429 wants for ever', { status: 429, retryAfter: '99999999' }, 0, 120],
    ['429 wants nonsense', { status: 429, retryAfter: 'abc' }, 0, 60],
    ['could not connect', { status: undefined, problem: 'could_not_connect' }, 0, 5],
  ]
  for (const [what, sent, failures, seconds] of rows) {
    test(what, () => assert.equal(wait(failed(sent), failures, 0.5), seconds))
  }
})

test('what Retry-After may be', () => {
  const rows: [text: string | undefined, seconds: number | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['0', 0],
    [' 12 ', 12],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['٣', undefined],
    ['2026', 2026],
    ['Sat, 14 Mar 2026 09:01:00 GMT', 60],
    ['Sat, 14 Mar 2026 08:01:00 GMT', 0],
    ['14 Mar 2026', undefined],
    ['2026-03-14T09:01:00Z', undefined],
    ['Sat, 99 Mar 2026 09:01:00 GMT', undefined],
  ]
  for (const [text, seconds] of rows) assert.equal(retryAfterSeconds(text, now), seconds, text)
})

test('410 ends it; an interruption of ours does not count', () => {
  const standing = { mode: 'live' as const, failures: 0, schedule, now, random: () => 0.5 }
  assert.deepEqual(nextStep(failed({ status: 410, problem: 'gone' }), standing), { kind: 'failed' })
  const interrupted = failed({ status: undefined, problem: 'interrupted' })
  assert.deepEqual(nextStep(interrupted, standing), { kind: 'back', at: now })
  assert.deepEqual(nextStep(failed({ status: 200, problem: undefined }), standing), { kind: 'delivered' })
})

test('hopeless: 120 hours of nothing but failures, at least twenty, on at least three days', () => {
  const since = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const rows: [hours: number, failures: number, failedDays: number, hopeless: boolean][] = [
    [120, 20, 3, true],
    [119.9, 20, 3, false],
    [500, 19, 3, false],
    [500, 500, 2, false],
    [500, 500, 20, true],
  ]
  for (const [hours, failures, failedDays, hopeless] of rows)
    assert.equal(isHopeless({ failingSince: since(hours), failures, failedDays }, now), hopeless)
})

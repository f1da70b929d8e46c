// Test files that share a process: each is told apart, has what it opens to itself, and is alone to blame for what it does.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { companiesOf } from '../../scripts/test-files.ts'
import { check, type Files, failing, imports, passing } from './runner-runs.ts'

/** Opens something at its top, which must be closed before the next file begins. */
const opening = `${imports}
  import { after } from 'node:test'
  assert.equal(globalThis.open, undefined, 'the file before has closed what it opened')
  globalThis.open = import.meta.filename
  globalThis.opened = (globalThis.opened ?? 0) + 1
  await new Promise((done) => setTimeout(done, 20))
  after(() => { globalThis.open = undefined })
  test('its own', () => assert.equal(globalThis.open, import.meta.filename))
  describe('suite', () => { it('inside', () => {}) })`

describe('files in one process', { concurrency: 2, timeout: 240_000 }, () => {
  const shared = (sources: Record<string, string>): Files =>
    Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [`server/src/${name}.test.ts`, source]),
    )

  test('one after the other, each with what it opens; named and counted apart', () =>
    check(
      shared({
        a: opening,
        b: opening,
        c: `${opening}; test('third', () => assert.equal(globalThis.opened, 3))`,
      }),
      {
        closing: '7 passed, 0 failed',
        code: 0,
        says: [/✔ server\/src\/a\.test\.ts \(2 tests, /, /✔ server\/src\/c\.test\.ts \(3 tests, /],
      },
    ))

  test('one that fails is named, and the others have passed', () =>
    check(shared({ a: passing, b: failing, c: passing }), {
      closing: '7 passed, 1 failed',
      code: 1,
      says: [/✔ server\/src\/c\.test\.ts/, /Failed:\n.*server\/src\/b\.test\.ts: outer > bad/],
    }))

  test('one that does not parse, has no test, or has a hook that fails', () =>
    check(
      shared({
        a: 'const a: = 1',
        b: 'export {}',
        c: `${imports} import { after } from 'node:test'; after(() => { throw new Error('hook') }); test('good', () => {})`,
        d: passing,
      }),
      { closing: '4 passed, 3 failed', code: 1, says: [/SyntaxError/, /has no test/, /Error: hook/] },
    ))

  test('one that ends the process fails, and the others are run all the same', () =>
    check(
      shared({
        a: passing,
        b: `${imports} test('leaves', () => process.exit(0)); test('after that', () => {})`,
        c: passing,
      }),
      { closing: '6 passed, 1 failed', code: 1, says: [/b\.test\.ts: \(the file\)/] },
    ))

  test('one that leaves something open fails, and the others have passed', () =>
    check(shared({ a: passing, b: `${imports} test('good', () => { setInterval(() => {}, 1000) })` }), {
      closing: '4 passed, 1 failed',
      code: 1,
      limit: 4,
      says: [/b\.test\.ts: \(the file\)\n.*something is open/],
    }))

  test('who is slow, or in another language, has a process of its own', () => {
    const alone = [
      'server/test/start.test.ts',
      'sdk/js/test/cli.test.ts',
      'web/test/checkout.browser.test.ts',
    ]
    const together = ['server/src/base/money.test.ts', 'simulator/test/mtn.test.ts']
    assert.deepEqual(
      companiesOf([...alone, ...together]).toSorted(),
      [...alone.map((file) => [file]), together].toSorted(),
    )
  })
})

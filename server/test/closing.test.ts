// Whatever fails to close, all else is closed, and who asked hears of each failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeAll, closeTogether, within } from '../src/closing.ts'

const closersThat = (fail: readonly string[]) => {
  const closed: string[] = []
  const closers = ['first', 'second', 'third', 'fourth'].map((name) => async () => {
    closed.push(name)
    if (fail.includes(name)) throw new Error(name)
  })
  return { closed, closers }
}

test('one after another, the last one first', async () => {
  const { closed, closers } = closersThat([])
  await closeAll(closers)
  assert.deepEqual(closed, ['fourth', 'third', 'second', 'first'])
  await closeAll(closers)
  assert.equal(closed.length, 4, 'nothing is closed twice')
})

for (const close of [closeAll, closeTogether]) {
  test(`${close.name}: a failure keeps nothing else open`, async () => {
    const one = closersThat(['third'])
    await assert.rejects(close(one.closers), /third/)
    assert.equal(one.closed.length, 4)
    const two = closersThat(['third', 'second'])
    await assert.rejects(close(two.closers), ({ errors }: AggregateError) => errors.length === 2)
    assert.equal(two.closed.length, 4)
  })
}

test('what never ends is waited for only so long', async () => {
  await Promise.all([within(50, new Promise(() => {})), new Promise((resolve) => setTimeout(resolve, 100))])
})

// A map that forgets: the latest `most` entries are always there, never more than twice as many, and what is used
// stays.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { recent } from './recent.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`)

test('the latest are there, and never more than twice as many', () => {
  for (const most of [1, 2, 7]) {
    const map = recent<number>(most)
    for (const [at, key] of numbered(50).entries()) {
      map.set(key, at)
      const kept = numbered(at + 1).filter((_, from) => from > at - most)
      assert.deepEqual(
        kept.map((each) => map.get(each)),
        kept.map((each) => Number(each.slice(1))),
        `${most}, after ${key}`,
      )
    }
  }
  // Looking at an entry keeps it, so this time nobody looks in between.
  const map = recent<number>(10)
  for (const [at, key] of numbered(1_000).entries()) map.set(key, at)
  const kept = numbered(1_000)
    .toReversed()
    .filter((key) => map.get(key) !== undefined)
  assert.ok(kept.length >= 10 && kept.length <= 20, `${kept.length} are kept`)
})

test('what is used stays, however much comes after it', () => {
  const map = recent<string>(4)
  map.set('used', 'still here')
  map.set('unused', 'gone')
  for (const key of numbered(100)) {
    map.set(key, key)
    assert.equal(map.get('used'), 'still here')
  }
  assert.equal(map.get('unused'), undefined)
})

test('the latest value counts, also when an older one is half forgotten', () => {
  const map = recent<number>(2)
  map.set('a', 1)
  map.set('b', 1)
  map.set('c', 1)
  map.set('a', 2)
  assert.equal(map.get('a'), 2)
  assert.equal(map.get('b'), 1)
  assert.equal(map.get('a'), 2)
})

test('what is deleted is gone, wherever it was, and may come back', () => {
  const map = recent<number>(2)
  for (const key of ['old', 'b', 'young']) map.set(key, 1)
  map.delete('old')
  map.delete('young')
  map.delete('never there')
  assert.deepEqual([map.get('old'), map.get('b'), map.get('young')], [undefined, 1, undefined])
  map.set('old', 2)
  assert.equal(map.get('old'), 2)
})

test('of a long text that a key was cut out of nothing is kept', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heldBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const map = recent<number>(100)
  const before = heldBytes()
  for (let n = 0; n < 100; n++) {
    const request = `${randomUUID()} ${String(n).repeat(500_000)}`
    map.set(request.slice(0, 36), n)
  }
  assert.ok(heldBytes() - before < 5_000_000)
})

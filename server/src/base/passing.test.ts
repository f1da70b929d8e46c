// A map for what comes and goes: it holds what a Map would, and lets go of what has gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { passing } from './passing.ts'

test('it holds what was put in and not taken out', () => {
  const map = passing<number>()
  for (let at = 0; at < 10_000; at++) {
    map.set(`k${at}`, at)
    if (at >= 100) map.delete(`k${at - 100}`)
  }
  for (let at = 9_800; at < 10_000; at++) assert.equal(map.get(`k${at}`), at < 9_900 ? undefined : at)
  map.set('k9999', 1)
  assert.equal(map.get('k9999'), 1)
})

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0

test('what has gone does not live until the next full collection', () => {
  const map = passing<number[]>()
  let next = 0
  const comeAndGo = (count: number) => {
    for (let at = 0; at < count; at++, next++) {
      map.set(`k${next}`, new Array<number>(64).fill(next + 0.5))
      if (next >= 200) map.delete(`k${next - 200}`)
    }
  }
  comeAndGo(500)
  setFlagsFromString('--expose-gc')
  // Twice, so that the table it has now is old.
  for (let times = 0; times < 2; times++) runInNewContext('gc')()
  const before = oldBytes()
  comeAndGo(200_000)
  const grown = (oldBytes() - before) / 1e6
  assert.ok(grown < 20, `of 100 MB that have gone, ${grown.toFixed()} MB are still there`)
})

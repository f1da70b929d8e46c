// What is remembered: read once, forgotten when told, and never kept when it changed while it was read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembered } from './remembered.ts'

/** Reads that the test lets go when it wants. */
function openReads() {
  const waiting: ((value: string | undefined) => void)[] = []
  const reads: string[] = []
  return {
    reads,
    read: (key: string) =>
      new Promise<string | undefined>((resolve) => {
        reads.push(key)
        waiting.push(resolve)
      }),
    answer: (value: string | undefined) => waiting.shift()?.(value),
  }
}

test('one read serves all who ask meanwhile, and is then known without waiting', async () => {
  const { reads, read, answer } = openReads()
  const memory = remembered(10, read)
  assert.equal(memory.now('a'), undefined)
  const both = Promise.all([memory.get('a'), memory.get('a')])
  answer('one')
  assert.deepEqual(await both, ['one', 'one'])
  assert.equal(memory.now('a'), 'one')
  assert.equal(await memory.get('a'), 'one')
  assert.deepEqual(reads, ['a'])
})

test('what is forgotten while it is read is told, and not kept', async () => {
  const { reads, read, answer } = openReads()
  const memory = remembered(10, read)
  const first = memory.get('a')
  memory.forget('a')
  const second = memory.get('a')
  answer('old')
  answer('new')
  assert.deepEqual([await first, await second], ['old', 'new'])
  assert.equal(memory.now('a'), 'new')
  assert.deepEqual(reads, ['a', 'a'])
})

test('forgetting all forgets what is being read too', async () => {
  const { read, answer } = openReads()
  const memory = remembered(10, read)
  const first = memory.get('a')
  memory.forgetAll()
  answer('old')
  assert.equal(await first, 'old')
  assert.equal(memory.now('a'), undefined)
})

test('what does not exist is not remembered, and a failed read neither', async () => {
  let reads = 0
  const answers = [undefined, new Error('away'), 'there']
  const memory = remembered<string>(10, async () => {
    const answer = answers[reads++]
    if (answer instanceof Error) throw answer
    return answer
  })
  assert.equal(await memory.get('a'), undefined)
  await assert.rejects(memory.get('a'), /away/)
  assert.equal(await memory.get('a'), 'there')
  assert.equal(reads, 3)
})

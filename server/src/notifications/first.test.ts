import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsOf, eventOf, eventually, openBench, startReceiver } from '../../test/notifications.ts'

const bench = await openBench()
test('delivers', async () => {
  const receiver = await startReceiver()
  const event = await bench.tell({ url: `${receiver.url}/ipn?a=1` })
  bench.start()
  await eventually(async () => assert.equal((await eventOf(bench.db, event.id)).status, 'delivered'))
  console.log(receiver.got, await attemptsOf(bench.db, event.id), bench.log.text())
})

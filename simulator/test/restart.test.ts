// A restart forgets nothing: orders under way end, callbacks that were not sent yet leave, and the books stay. A line that
// was being written when the process died is as if it had never been.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openJournal } from '../src/journal.ts'
import { msisdn, mtnCaller, openBench, openReceiver, paystackCaller, quick, until } from './callers.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('orders, callbacks, portal, recipients and cards go on', async () => {
  const dataDir = join(folder, 'whole')
  const first = await openBench({ dataDir, delays: { ...quick, late: 1_500, late_callback: 1_500 } })
  const { receiver } = first
  const [waiting, ended] = [randomUUID(), randomUUID()]
  const mtn = await mtnCaller(first)
  first.simulator.knobs({ late: 1 })
  await mtn.order('requesttopay', { id: ended, body: { payer: msisdn('256771000001') } })
  const card = (
    await paystackCaller(first).post('/transaction/initialize', {
      email: 'a@example.com',
      amount: 100,
      reference: 'card-1',
    })
  ).body.data
  await until(() => first.simulator.orders().some(({ state }) => state !== 'waiting'))
  await mtn.order('requesttopay', { id: waiting, body: { payer: msisdn('256771000149') } })
  await first.simulator.close()
  assert.equal(receiver.heard.length, 0)

  const second = await openBench({ dataDir })
  try {
    await second.simulator.settled()
    const states = Object.fromEntries(second.simulator.orders().map(({ id, state }) => [id, state]))
    assert.deepEqual(states, { [waiting]: 'paid', [ended]: 'paid', 'card-1': 'waiting' })
    assert.deepEqual(
      receiver.heard.map(({ headers }) => headers['x-reference-id']).sort(),
      [waiting, ended].sort(),
    )
    assert.equal(second.simulator.statements.net({ provider: 'mtn' }), 2000n)
    assert.ok(second.simulator.portal.of('paystack').includes(`${receiver.url}/paystack`))
    second.simulator.cards.decide(card.access_code, 'paid')
    await second.simulator.settled()
    assert.ok(receiver.heard.some(({ path }) => path === '/paystack'))
  } finally {
    await second.close()
    await receiver.close()
  }
})

test('a torn line is left out, and what was set together is kept together or not at all', () => {
  const dataDir = join(folder, 'torn')
  const journal = openJournal(dataDir)
  const numbers = journal.map<bigint>('numbers')
  journal.together(() => {
    numbers.set('one', 1n)
    numbers.set('two', 2n)
  })
  numbers.set('three', 3n)
  numbers.delete('one')
  const file = join(dataDir, 'journal.jsonl')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  assert.equal(lines.length, 3)
  appendFileSync(file, '[["numbers","four",{"$mi')
  const again = openJournal(dataDir).map<bigint>('numbers')
  assert.deepEqual(
    [again.get('one'), again.get('two'), again.get('three'), again.get('four')],
    [undefined, 2n, 3n, undefined],
  )
  openJournal(dataDir).map<bigint>('numbers').set('five', 5n)
  assert.equal(openJournal(dataDir).map<bigint>('numbers').size, 3)
})

test('the program: says where it is, survives being killed, ends when it is told to', async () => {
  const receiver = await openReceiver()
  const dataDir = join(folder, 'killed')
  const program = new URL('../src/main.ts', import.meta.url).pathname
  const start = async () => {
    const child = spawn(process.execPath, [program, '--port', '0', '--data', dataDir, '--speed', '20'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
    return { child, url }
  }
  const first = await start()
  const callers = (url: string) => mtnCaller({ simulator: { url }, receiver } as never)
  const id = randomUUID()
  const caller = await callers(first.url)
  await caller.order('requesttopay', { id, body: { payer: msisdn('256771000001') } })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const second = await start()
  const later = await callers(second.url)
  await until(async () => (await later.status('requesttopay', id)).body.status === 'SUCCESSFUL')
  second.child.kill('SIGTERM')
  assert.deepEqual(await once(second.child, 'exit'), [0, null])
  await receiver.close()
})

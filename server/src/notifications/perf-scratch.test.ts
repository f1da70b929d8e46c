import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openBench } from '../../test/notifications.ts'
import { systemClock } from '../base/clock.ts'
import * as notifications from './notifications.ts'

const times = new Map<string, { n: number; ms: number; max: number }>()
const original = pg.Client.prototype.query as (...a: unknown[]) => unknown
;(pg.Client.prototype as { query: unknown }).query = function (this: unknown, ...args: unknown[]) {
  const t = performance.now()
  const q = args[0] as { text?: string } | string
  const text = (typeof q === 'string' ? q : (q?.text ?? '')).replace(/\s+/g, ' ').slice(0, 60)
  const result = original.apply(this, args) as Promise<unknown>
  if (result && typeof result.then === 'function') {
    const done = () => {
      const e = times.get(text) ?? { n: 0, ms: 0, max: 0 }
      const d = performance.now() - t
      e.n++
      e.ms += d
      e.max = Math.max(e.max, d)
      times.set(text, e)
    }
    result.then(done, done)
  }
  return result
}

import { readdirSync, readFileSync } from 'node:fs'

const pgCpu = async (bench: { db: { rows: Function } }) => {
  const rows = await bench.db.rows('select pid from pg_stat_activity')
  let ticks = 0
  for (const { pid } of rows as { pid: number }[]) {
    try {
      const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      ticks += Number(f[11]) + Number(f[12])
    } catch {}
  }
  return ticks * 10_000
}
const code = `const s=require('http').createServer((q,r)=>{q.resume();q.on('end',()=>{r.end('ok')})});s.listen(0,'127.0.0.1',()=>console.log(s.address().port))`
test('perf', async () => {
  const bench = await openBench({ clock: systemClock as never })
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((r) => child.stdout.once('data', (d) => r(Number(String(d)))))
  const merchants = Number(process.env.M ?? 200),
    total = Number(process.env.N ?? 20000)
  const wait = Number(process.env.WAITING ?? 0)
  const body = JSON.stringify({
    data: {
      ref_trx: 'A-1',
      description: 'Shoes and socks',
      ipn_url: 'https://shop.example/ipn',
      cancel_redirect: 'https://shop.example/cancel',
      success_redirect: 'https://shop.example/ok',
      merchant_name: 'Shop',
      amount: 12.5,
      currency_code: 'KES',
    },
    message: 'Payment Completed',
    status: 'completed',
    timestamp: 1773478800,
  })
  const addMany = async (n: number, at: () => Date, tag: string) => {
    let i = 0
    const t = performance.now()
    while (i < n) {
      const events = Array.from({ length: Math.min(200, n - i) }, () => ({
        id: notifications.newEventId(),
        merchant: 10_000_000 + (i % merchants),
        mode: 'live' as const,
        subject: `PY-${tag}-${i++}`,
        sequence: 1,
        event: 'payment.completed',
        kind: 'gateway' as const,
        url: `http://127.0.0.1:${port}/ipn`,
        body,
        at: at(),
      }))
      await bench.db.inTransaction((tx) => notifications.add(tx, events))
    }
    console.log(tag, 'inserted', n, (((performance.now() - t) * 1000) / n).toFixed(1), 'us each')
  }
  if (wait) await addMany(wait, () => new Date(Date.now() + 3600_000), 'w')
  await addMany(total, () => new Date(), 'n')
  const start = performance.now(),
    cpu = process.cpuUsage(),
    pg0 = await pgCpu(bench)
  const delivery = bench.start()
  for (;;) {
    await sleep(100)
    const [row] = await bench.db.rows<{ left: bigint }>(
      'select count(*) as left from notifications.queue where due_at <= now()',
    )
    if (row?.left === 0n || performance.now() - start > 60_000) {
      console.log('left', row?.left)
      break
    }
    if (process.env.V) console.log(row?.left, delivery.state())
  }
  const s = (performance.now() - start) / 1000,
    used = process.cpuUsage(cpu)
  console.log({
    seconds: s.toFixed(2),
    perSecond: Math.round(total / s),
    nodeCpuPerDeliveryUs: ((used.user + used.system) / total).toFixed(0),
    pgCpuUs: (((await pgCpu(bench)) - pg0) / total).toFixed(0),
    sockets: delivery.state(),
  })
  console.log(
    await bench.db.rows(
      `select relname, n_tup_upd, n_tup_hot_upd, n_dead_tup from pg_stat_user_tables where schemaname='notifications'`,
    ),
  )
  for (const [k, v] of times)
    if (v.ms > 50) console.log(k, v.n, 'avg', (v.ms / v.n).toFixed(2), 'max', v.max.toFixed(0))
  console.log(bench.log.text().slice(0, 2000))
  child.kill()
})

// A process with a ledger under load, to be killed. It writes down what it intends before it asks, and what it was told
// after, each line at once: what is in the journal has happened, and what is intended without an end nobody knows.
import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDesk } from './ledger-crew.ts'
import { type Order, runOrders, seededChance } from './ledger-orders.ts'

export interface LoadOptions {
  url: string
  journal: string
  /** No two processes have the same one. */
  run: number
  /** How long a worker rests after each posting. */
  paceMs: number
}

export interface Intent {
  ref: string
  from: string
  to: string
  amount: string
  holds: boolean
  joined: boolean
}

export type JournalLine = { intent: Intent } | { ref: string; word: string; id: string | undefined }

export const loadOwners: readonly string[] = Array.from({ length: 40 }, (_, at) => `load-${at}`)
const workers = 32
const homes = 4

/** The same for the same intent, whoever asks: its key is made of it. */
export function orderOf({ ref, from, to, amount, holds, joined }: Intent): Order {
  const hex = createHash('sha256').update(ref).digest('hex')
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  return {
    key: { id, fingerprint: id },
    joined,
    posting: {
      kind: 'load',
      mode: 'live',
      currency: 'UGX',
      details: { ref },
      entries: [
        { kind: 'user', owner: from, amount: -BigInt(amount) },
        { kind: 'user', owner: to, amount: BigInt(amount) },
      ],
      ...(holds ? { hold: { kind: 'user', owner: to, amount: 1n } } : {}),
    },
  }
}

function startLoad({ url, journal, run, paceMs }: LoadOptions): { stop(): Promise<void> } {
  const desk = openDesk(url)
  const file = openSync(journal, 'a')
  const write = (line: JournalLine) => writeSync(file, `${JSON.stringify(line)}\n`)
  const { below } = seededChance(run)
  let asked = 0
  let stopping = false
  const work = async () => {
    while (!stopping) {
      asked += 1
      // Each process has accounts of its own, and is now and then in the way of the others.
      const size = loadOwners.length / homes
      const from = below(64) === 0 ? below(loadOwners.length) : (run % homes) * size + below(size)
      const to = (from + 1 + below(size - 1)) % loadOwners.length
      const intent: Intent = {
        ref: `run-${run}-${asked}`,
        from: loadOwners[from] ?? '',
        to: loadOwners[to] ?? '',
        amount: String(1 + below(1_000)),
        holds: below(10) === 0,
        // Every other process only submits: transactions of callers make the ledger careful.
        joined: run % 2 === 0 && below(10) === 0,
      }
      write({ intent })
      const [told] = await runOrders(desk, [orderOf(intent)])
      write({ ref: intent.ref, word: told?.word ?? '', id: told?.posted?.id.toString() })
      await sleep(told?.word.startsWith('error') ? 250 : paceMs)
    }
  }
  const working = Promise.all(Array.from({ length: workers }, work))
  return {
    stop: async () => {
      stopping = true
      await working
      await desk.close()
    },
  }
}

if (import.meta.main) {
  let load: ReturnType<typeof startLoad> | undefined
  process.on('message', async (message: LoadOptions | 'stop') => {
    if (message !== 'stop') load = startLoad(message)
    else {
      await load?.stop()
      process.disconnect()
    }
  })
  // Nobody is left to stop it.
  process.on('disconnect', () => process.exit())
}

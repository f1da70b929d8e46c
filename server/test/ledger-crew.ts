// Several processes, each with a ledger of its own on the same database, who begin together. One alone is this process.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/base/clock.ts'
import { openDb } from '../src/db/db.ts'
import { openLedger } from '../src/ledger/ledger.ts'
import { type Desk, joinedMax, type Order, runOrders, type Told } from './ledger-orders.ts'

const member = fileURLToPath(new URL('ledger-crew-member.ts', import.meta.url))

export type ToMember =
  | { type: 'open'; url: string }
  | { type: 'orders'; orders: readonly Order[]; workers: number | undefined }
  | { type: 'go' }
export type FromMember = { type: 'ready' } | { type: 'told'; told: Told[] }

export interface Crew {
  size: number
  /** A list for each process. Resolves with what each was told, in the order of its list. */
  run(orders: readonly (readonly Order[])[], options?: { workers?: number }): Promise<Told[][]>
  /** The same, with one list dealt out evenly; the answers come in its order. */
  deal(orders: readonly Order[], options?: { workers?: number }): Promise<Told[]>
  close(): Promise<void>
}

export const openDesk = (url: string): Desk & { close(): Promise<void> } => {
  const ledger = openLedger({ url, clock: systemClock })
  const db = openDb({ url, connectionsMax: joinedMax, name: 'ledger tests' })
  return { ledger, db, close: async () => void (await Promise.all([ledger.close(), db.close()])) }
}

export async function openCrew(url: string, size: number): Promise<Crew> {
  if (size > 1) return withDeal(await openProcesses({ url, size }))
  const desk = openDesk(url)
  return withDeal({
    size,
    run: (lists, options) => Promise.all(lists.map((orders) => runOrders(desk, orders, options))),
    close: desk.close,
  })
}

/** One process beside this one. */
export const openOther = async (url: string): Promise<Crew> => withDeal(await openProcesses({ url, size: 1 }))

type Runs = Omit<Crew, 'deal'>

async function openProcesses({ url, size }: { url: string; size: number }): Promise<Runs> {
  // The flags of the test runner are not for them.
  const members = Array.from({ length: size }, () =>
    fork(member, [], { execArgv: [], serialization: 'advanced' }),
  )
  const tell = (child: ChildProcess, message: ToMember) => child.send(message)
  const heard = async (child: ChildProcess): Promise<FromMember> => {
    const ended = new AbortController()
    const { signal } = ended
    const exit = once(child, 'exit', { signal }).then(([code]) =>
      assert.fail(`a process of the crew ended: ${code}`),
    )
    const message = once(child, 'message', { signal }).then(([message]) => message as FromMember)
    try {
      return await Promise.race([message, exit])
    } finally {
      ended.abort()
      exit.catch(() => undefined)
      message.catch(() => undefined)
    }
  }
  const allReady = (message: (index: number) => ToMember) =>
    Promise.all(
      members.map((child, index) => {
        const ready = heard(child)
        tell(child, message(index))
        return ready
      }),
    )
  await allReady(() => ({ type: 'open', url }))
  return {
    size,
    run: async (lists, { workers } = {}) => {
      await allReady((index) => ({ type: 'orders', orders: lists[index] ?? [], workers }))
      const answers = members.map(heard)
      for (const child of members) tell(child, { type: 'go' })
      return (await Promise.all(answers)).map((answer) => (answer.type === 'told' ? answer.told : []))
    },
    close: async () => {
      const exits = members.map((child) => once(child, 'exit'))
      for (const child of members) child.disconnect()
      await Promise.all(exits)
    },
  }
}

const withDeal = (crew: Runs): Crew => ({
  ...crew,
  deal: async (orders, options) => {
    const lists = Array.from({ length: crew.size }, (_, own) =>
      orders.filter((_, at) => at % crew.size === own),
    )
    const told = await crew.run(lists, options)
    return orders.map((_, at) => {
      const answer = told[at % crew.size]?.[Math.floor(at / crew.size)]
      assert.ok(answer, 'each order has its answer')
      return answer
    })
  },
})

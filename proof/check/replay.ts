// Rule 10: what was committed, done again on a model that knows nothing of the ledger's entries. What each posting did is
// read from the row of what it was for (a payment, an order, a contribution), or from its details; they are done in the
// ledger's order, each when all entries that it builds on have been done. In the end everybody has the same.
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import { type Effect, effectOf, type Fact, factsText } from './model.ts'

export interface ReplayFigures {
  replayed: number
  /** No row tells what they were for: done as their entries say. */
  asWritten: number
}

interface Step {
  fact: Fact
  /** The entries that must be there before: account and sequence number. */
  places: readonly (readonly [account: string, seq: string])[]
}

const owing = new Set(['fees', 'clearing'])

export async function checkReplay(db: Database, faults: Faults): Promise<ReplayFigures> {
  const figures: ReplayFigures = { replayed: 0, asWritten: 0 }
  const balances = new Map<string, bigint>()
  const next = new Map<string, bigint>()
  /** By the entry that it waits for. Those that two processes wrote in the same moment, so only a few. */
  const waiting = new Map<string, Step>()
  const blockedBy = ({ places }: Step) =>
    places.find(([account, seq]) => (next.get(account) ?? 1n) !== BigInt(seq))
  const perform = ({ fact, places }: Step) => {
    figures.replayed += 1
    const written = writtenOf(fact)
    const effect = effectOf(fact)
    if (effect === undefined) figures.asWritten += 1
    else compare(fact, { effect, written, faults })
    apply(balances, effect ?? written, { fact, faults })
    for (const [account, seq] of places) next.set(account, BigInt(seq) + 1n)
  }
  const arrive = (first: Step) => {
    const ready = [first]
    for (let step = ready.pop(); step !== undefined; step = ready.pop()) {
      const block = blockedBy(step)
      if (block !== undefined) {
        waiting.set(block.join(':'), step)
        continue
      }
      perform(step)
      for (const [account, seq] of step.places) {
        const key = `${account}:${BigInt(seq) + 1n}`
        const woken = waiting.get(key)
        if (woken === undefined) continue
        waiting.delete(key)
        ready.push(woken)
      }
    }
  }
  for await (const fact of db.stream<Fact>(factsText))
    arrive({ fact, places: fact.accounts.map((account, at) => [account, fact.seqs[at] ?? '0'] as const) })
  for (const [place, { fact }] of waiting)
    faults.add(
      `posting ${fact.id} fits no order: it builds on what is before entry ${place.replace(':', ' / ')}`,
    )
  await compareBalances(db, { balances, faults })
  return figures
}

/** What the entries say it did; zeros only hold or release. */
function writtenOf({ entries }: Fact): Effect {
  const effect: Effect = new Map()
  for (const [account, amount] of entries ?? [])
    if (amount !== '0') effect.set(account, (effect.get(account) ?? 0n) + BigInt(amount))
  return effect
}

const shown = (effect: Effect): string =>
  [...effect]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([account, amount]) => `${amount} ${account}`)
    .join(', ') || 'nothing'

function compare(
  { id, kind }: Fact,
  { effect, written, faults }: { effect: Effect; written: Effect; faults: Faults },
): void {
  const due = shown(new Map([...effect].filter(([, amount]) => amount !== 0n)))
  const found = shown(written)
  if (due !== found) faults.add(`posting ${id} (${kind}) should have moved ${due}, and moved ${found}`)
}

function apply(
  balances: Map<string, bigint>,
  effect: Effect,
  { fact, faults }: { fact: Fact; faults: Faults },
): void {
  for (const [account, amount] of effect) {
    const after = (balances.get(account) ?? 0n) + amount
    balances.set(account, after)
    const [kind = ''] = account.split(' ')
    if (after < 0n && amount < 0n && !owing.has(kind))
      faults.add(`posting ${fact.id} (${fact.kind}) leaves ${after} in ${account}, done again in order`)
  }
}

async function compareBalances(
  db: Database,
  { balances, faults }: { balances: Map<string, bigint>; faults: Faults },
): Promise<void> {
  const rows = db.stream<{ account: string; balance: string }>(
    `select a.kind || ' ' || a.owner || ' ' || a.currency || ' ' || a.mode as account,
       coalesce(sum(e.balance_after), 0) as balance
     from ledger.accounts a
     left join lateral (
       select balance_after from ledger.entries where account_id = a.id order by seq desc limit 1
     ) e on true
     group by 1`,
  )
  for await (const { account, balance } of rows) {
    const due = balances.get(account) ?? 0n
    balances.delete(account)
    if (due !== BigInt(balance)) faults.add(`${account} has ${balance}, and ${due} when all is done again`)
  }
  for (const [account, due] of balances)
    if (due !== 0n) faults.add(`${account} should have ${due}, and there is no such account`)
}

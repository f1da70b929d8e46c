// Every posting has exactly the entries it names, and they balance. The walk has seen that each entry is named by its
// posting; no two entries have the same key, so when the postings name as many as there are, they name no other.
// Only when a number is off are the postings read one by one, to name the wrong ones.

import type { Findings } from '../../base/findings.ts'
import { pagesOf } from '../../base/pages.ts'
import type { Tx } from '../../db/db.ts'
import * as sql from './sql.ts'
import type { Walk } from './walk.ts'

export interface PostingsCheck {
  walk: Walk
  findings: Findings
  signal: AbortSignal | undefined
}

const countLimit = 20_000
const readLimit = 2_000

/** Returns how many postings there are. */
export async function checkPostings(tx: Tx, { walk, findings, signal }: PostingsCheck): Promise<number> {
  const { postings, named, empty } = await countPostings(tx, signal)
  if (named === BigInt(walk.entries) && empty === 0 && walk.imbalance === 0n) return postings
  const before = findings.count()
  await nameWrong(tx, { findings, signal })
  // An entry that no posting names, and that is all there is: the walk has named it.
  if (findings.count() === before && before === 0) {
    findings.add('the postings', ['they do not balance, or do not name the entries that there are'])
  }
  return postings
}

async function countPostings(tx: Tx, signal: AbortSignal | undefined) {
  const counted = { postings: 0, named: 0n, empty: 0 }
  let after: bigint | undefined
  do {
    signal?.throwIfAborted()
    const page: sql.PostingsPage | undefined = await sql.countPostingsAfter(tx, { after, limit: countLimit })
    counted.postings += page?.postings ?? 0
    counted.named += page?.named ?? 0n
    counted.empty += page?.empty ?? 0
    after = page?.last ?? undefined
  } while (after !== undefined)
  return counted
}

async function nameWrong(tx: Tx, { findings, signal }: Omit<PostingsCheck, 'walk'>): Promise<void> {
  const pages = pagesOf({
    read: (after: bigint | undefined) => sql.postingsAfter(tx, { after, limit: readLimit }),
    keyOf: (row) => row.id,
    limit: readLimit,
    signal,
  })
  for await (const page of pages) {
    for (const row of page) findings.add(`posting ${row.id} (${row.kind})`, postingProblems(row))
    if (findings.full()) return
  }
}

function postingProblems({ named, found, sum, sorts }: sql.PostingRow): string[] {
  const problems: string[] = []
  if (named === 0) problems.push('it has no entries')
  if (found !== named) problems.push(`it names ${named} entries, and ${named - found} of them are not there`)
  if (sum !== '0') problems.push(`its entries sum to ${sum}, not to 0`)
  if (sorts > 1) problems.push('its entries are of several currencies or modes')
  return problems
}

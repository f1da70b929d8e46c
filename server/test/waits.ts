// To hold a moment in which one transaction waits for another.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Tx } from '../src/db/db.ts'

/** Until somebody waits for what the transaction has changed. */
export async function somebodyWaits(tx: Tx): Promise<void> {
  for (let looks = 0; looks < 1_000; looks++) {
    const found = await tx.row<{ waits: boolean }>(
      'select exists (select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))) as waits',
    )
    if (found?.waits) return
    await setTimeout(10)
  }
  assert.fail('nobody waits')
}

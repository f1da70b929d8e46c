// Which notifications were worked on already. The service sends each at least once, so the same one can come twice, and
// both at the same time.

export interface DuplicateGuard {
  /**
   * `first`: it is yours to work on. `done`: it was worked on before. `busy`: somebody is at it right now. Must be atomic:
   * in a database an insert that does nothing on conflict. Whoever dies at work must not keep it for ever: what was begun
   * minutes ago and never ended is `first` again. The README has such a table.
   */
  begin(id: string): Promise<'first' | 'done' | 'busy'> | 'first' | 'done' | 'busy'
  done(id: string): Promise<void> | void
  /** Working on it failed: it will come again, and is then new. */
  forget(id: string): Promise<void> | void
}

const weekMs = 7 * 86_400_000

/**
 * For one process, and until that ends: enough to try things out. A shop keeps it in its database, best in the same
 * transaction as the order.
 */
export function rememberInMemory({ most = 10_000, keepMs = weekMs } = {}): DuplicateGuard {
  /** The oldest first. */
  const seen = new Map<string, { state: 'busy' | 'done'; atMs: number }>()
  return {
    begin: (id) => {
      const known = seen.get(id)
      if (known !== undefined && Date.now() - known.atMs < keepMs) return known.state
      seen.delete(id)
      seen.set(id, { state: 'busy', atMs: Date.now() })
      if (seen.size > most) dropOldest(seen)
      return 'first'
    },
    done: (id) => {
      seen.set(id, { state: 'done', atMs: Date.now() })
    },
    forget: (id) => {
      seen.delete(id)
    },
  }
}

/** What is being worked on stays. */
function dropOldest(seen: Map<string, { state: 'busy' | 'done' }>): void {
  for (const [id, { state }] of seen) {
    if (state === 'busy') continue
    seen.delete(id)
    return
  }
}

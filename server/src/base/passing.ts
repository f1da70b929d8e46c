// A map for what comes and goes, thousands of times a second. When a Map has no more room it moves into a new table, and
// V8 lets the table that it leaves point to the new one. As soon as one of them has grown old, everything that is put in
// later is reached from it, so nothing of it is collected young: of each request some kilobytes lived on until the next
// full collection, which then came every second. A new Map is not reached from the one before it.
export interface Passing<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/** So many entries come and go before the rest moves into a new map; more when the rest is large. */
const movesAfter = 1_000

export function passing<Value>(): Passing<Value> {
  let entries = new Map<string, Value>()
  let come = 0
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      come += 1
      if (come > Math.max(movesAfter, 4 * entries.size)) {
        entries = new Map(entries)
        come = 0
      }
      entries.set(key, value)
    },
    delete: (key) => {
      entries.delete(key)
    },
  }
}

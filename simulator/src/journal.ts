// What outlives a restart: named maps, kept as lines of JSON. What must stay true: entries that were set together are on
// one line, so a process that dies keeps all of them or none; and a torn last line is as if it had not been written.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Kept<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  values(): T[]
  readonly size: number
}

export interface Journal {
  /** What was set under that name before, and from now on. */
  map<T>(name: string): Kept<T>
  /** All that is set meanwhile is kept together. */
  together<T>(work: () => T): T
}

/** Map, key, value; without a value it was deleted. */
type Entry = [string, string, unknown?]

/** `dataDir` undefined: in memory. */
export function openJournal(dataDir: string | undefined): Journal {
  const file = dataDir === undefined ? undefined : join(dataDir, 'journal.jsonl')
  const maps = new Map<string, Map<string, unknown>>()
  const mapOf = (name: string): Map<string, unknown> => {
    const map = maps.get(name) ?? new Map<string, unknown>()
    maps.set(name, map)
    return map
  }
  if (dataDir !== undefined && file !== undefined) {
    mkdirSync(dataDir, { recursive: true })
    for (const [name, key, ...value] of readEntries(file)) {
      if (value.length === 0) mapOf(name).delete(key)
      else mapOf(name).set(key, value[0])
    }
    rewrite(file, maps)
  }

  let open: Entry[] | undefined
  const write = (entries: Entry[]) => {
    if (file !== undefined && entries.length > 0) appendFileSync(file, `${toLine(entries)}\n`)
  }
  const add = (entry: Entry) => {
    if (open === undefined) write([entry])
    else open.push(entry)
  }
  return {
    map: <T>(name: string): Kept<T> => {
      const map = mapOf(name) as Map<string, T>
      return {
        get: (key) => map.get(key),
        set: (key, value) => {
          map.set(key, value)
          add([name, key, value])
        },
        delete: (key) => {
          if (map.delete(key)) add([name, key])
        },
        values: () => [...map.values()],
        get size() {
          return map.size
        },
      }
    },
    together: (work) => {
      if (open !== undefined) return work()
      open = []
      try {
        return work()
      } finally {
        const entries = open
        open = undefined
        write(entries)
      }
    },
  }
}

function readEntries(file: string): Entry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // Behind the last line break is nothing, or a line that was being written when the process died.
  return lines.slice(0, -1).flatMap((line) => (line === '' ? [] : (JSON.parse(line, revive) as Entry[])))
}

/** One line for each entry that is still there: the journal grows with what there is, not with what happened. */
function rewrite(file: string, maps: Map<string, Map<string, unknown>>): void {
  const lines = [...maps].flatMap(([name, map]) =>
    [...map].map(([key, value]) => toLine([[name, key, value]])),
  )
  writeFileSync(`${file}.new`, lines.map((line) => `${line}\n`).join(''))
  renameSync(`${file}.new`, file)
}

/** A bigint is written as an object that nothing else here looks like. */
const toLine = (entries: Entry[]): string =>
  JSON.stringify(entries, (_name, value: unknown) =>
    typeof value === 'bigint' ? { $minor: String(value) } : value,
  )

const revive = (_name: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && '$minor' in value ? BigInt(String(value.$minor)) : value

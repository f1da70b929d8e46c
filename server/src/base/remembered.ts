// What was read from the database, kept in memory until somebody says that it has changed. One read serves all who ask
// meanwhile, and what was being read while it changed is not kept.
import { recent } from './recent.ts'

export interface Remembered<Value> {
  /** Without waiting, if it is known. */
  now(key: string): Value | undefined
  get(key: string): Promise<Value | undefined>
  forget(key: string): void
  forgetAll(): void
}

export function remembered<Value>(
  most: number,
  read: (key: string) => Promise<Value | undefined>,
): Remembered<Value> {
  let known = recent<Value>(most)
  const reading = new Map<string, Promise<Value | undefined>>()
  const readOnce = (key: string) => {
    const already = reading.get(key)
    if (already !== undefined) return already
    const mine = read(key)
      .then((found) => {
        if (reading.get(key) === mine && found !== undefined) known.set(key, found)
        return found
      })
      .finally(() => {
        if (reading.get(key) === mine) reading.delete(key)
      })
    reading.set(key, mine)
    return mine
  }
  return {
    now: (key) => known.get(key),
    get: (key) => {
      const value = known.get(key)
      return value === undefined ? readOnce(key) : Promise.resolve(value)
    },
    forget: (key) => {
      known.delete(key)
      reading.delete(key)
    },
    forgetAll: () => {
      known = recent(most)
      reading.clear()
    },
  }
}

// A map that forgets: it keeps the `most` latest entries, and up to as many more. Two generations, of which the older
// is dropped whole, because taking the oldest entry out of a large Map costs more than everything else done with it.
import { ownText } from './own-text.ts'

export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

export function recent<Value>(most: number): Recent<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  const set = (key: string, value: Value) => {
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(ownText(key), value)
  }
  return {
    get: (key) => {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      // What is still used stays.
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    delete: (key) => {
      young.delete(key)
      old.delete(key)
    },
  }
}

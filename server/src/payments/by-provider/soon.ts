import { setTimeout as sleep } from 'node:timers/promises'

const soonMs = 4_000

/** What it comes to, if that is soon. Else it goes on behind the back of who asked: a person is waiting. */
export async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work, sleep(soonMs, undefined, { signal: waiting.signal, ref: false })])
  } finally {
    waiting.abort()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '../../operations/operations.ts'
import type { PaymentOptions } from '../events.ts'

const soonMs = 4_000

/**
 * How far an order got, if that is known soon. Else it goes on behind the back of who asked: a person is waiting. The order
 * is written by now, so whoever asked is told so even if it can not be sent: a worker does that later. Who heard of a
 * failure would ask once more, and get it twice.
 */
export async function startSoon(
  { operations, log }: Pick<PaymentOptions, 'operations' | 'log'>,
  id: string,
): Promise<Operation | undefined> {
  const started = operations.start(id).catch((error: unknown) => {
    log.warn({ err: error, operation: id }, 'an operation could not be started yet')
    return undefined
  })
  const waiting = new AbortController()
  try {
    return await Promise.race([started, sleep(soonMs, undefined, { signal: waiting.signal, ref: false })])
  } finally {
    waiting.abort()
  }
}

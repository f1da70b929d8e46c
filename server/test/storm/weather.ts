// How badly the networks and the machine behave, by the minute.
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnobChanges } from '../../../simulator/src/knobs.ts'
import type { Stage } from './stage.ts'

export const rough: KnobChanges = {
  lost: 1 / 3,
  doubled: 0.1,
  late: 0.1,
  reordered: 0.05,
  forged: 0.05,
  failed_refunds: 0.1,
}

export const fair: KnobChanges = {
  lost: 0,
  doubled: 0,
  late: 0,
  reordered: 0,
  forged: 0,
  unanswered: 0,
  failed_refunds: 0,
}

export type Outage = NonNullable<KnobChanges['outages']>

const calm: Outage = { mpesa: 'none', mtn: 'none', airtel: 'none', paystack: 'none' }
/** No connection survives; then all of them answer that they can't. */
export const cut: Outage = { mpesa: 'cut', mtn: 'cut', airtel: 'cut', paystack: 'cut' }
export const away: Outage = {
  mpesa: 'unavailable',
  mtn: 'unavailable',
  airtel: 'unavailable',
  paystack: 'unavailable',
}

/** Milliseconds from the beginning. */
export interface Forecast {
  outages: { from: number; ms: number; how: Outage }[]
  kills: number[]
  /** How long the service is dead. */
  deadMs: number
  /** Share of the requests that a network works on, and then nobody hears the answer. */
  unanswered: number
}

export async function blow(
  { simulator, kill, start }: Stage,
  { outages, kills, deadMs, unanswered }: Forecast,
  say: (line: string) => void,
): Promise<void> {
  simulator.knobs({ ...rough, unanswered })
  await Promise.all([
    ...outages.map(async ({ from, ms, how }) => {
      await sleep(from)
      say(`outage: ${Object.values(how)[0]}, for ${ms / 1_000} s`)
      simulator.knobs({ outages: how })
      await sleep(ms)
      simulator.knobs({ outages: calm })
    }),
    ...kills.map(async (at) => {
      await sleep(at)
      say('kill -9')
      await kill()
      await sleep(deadMs)
      await start()
    }),
  ])
}

// The two forms of the storm: the whole one, and a short one for every run of the tests.
import { oneDay, threeDays } from './aftermath.ts'
import type { StormOptions } from './storm.ts'
import { away, cut } from './weather.ts'

type Form = Omit<StormOptions, 'databaseUrl' | 'seed' | 'say'>

export const whole: Form = {
  operations: 2_000,
  people: 10,
  mode: 'both',
  ms: 150_000,
  patienceMs: 20_000,
  comesBack: 'at once',
  delays: {
    prompt: 8_000,
    // Longer than a payment lives, which is a minute here.
    late: 65_000,
    late_callback: 10_000,
    retry: 5_000,
  },
  forecast: {
    outages: [
      { from: 25_000, ms: 30_000, how: cut },
      { from: 90_000, ms: 30_000, how: away },
    ],
    // In the middle of an outage, and in full sail.
    kills: [40_000, 75_000],
    deadMs: 2_000,
    unanswered: 0.05,
  },
  steps: threeDays,
}

export const short: Form = {
  operations: 150,
  people: 2,
  mode: 'test',
  ms: 6_500,
  patienceMs: 1_000,
  comesBack: 'later',
  delays: {
    pay: 120,
    prompt: 600,
    late: 2_500,
    between: 40,
    late_callback: 1_200,
    reordered: 200,
    answer: 30,
    retry: 600,
  },
  forecast: {
    outages: [
      { from: 700, ms: 800, how: cut },
      { from: 5_500, ms: 600, how: away },
    ],
    kills: [2_000],
    deadMs: 200,
    // More of them, as there are few orders.
    unanswered: 0.15,
  },
  expiresAt: 7_500,
  steps: oneDay,
}

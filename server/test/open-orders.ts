// What was ordered from the networks in a box, until it has ended. Silence is not waited for: the clock is moved on, and
// what is due is done.
import type { Operation } from '../src/operations/operations.ts'
import type { SimulatedApp } from './simulated-app.ts'

/** Short, and far enough apart that their order is sure. */
export const shortDelays = {
  pay: 10,
  prompt: 150,
  late: 400,
  between: 20,
  answer: 5,
  retry: 60_000,
  late_callback: 300,
}

/** A prompt that nobody answers stays open as long as the tests take. */
export const patientDelays = { ...shortDelays, prompt: 600_000 }

/** Until nothing is under way, here or there. */
export async function quiet({ dependencies, settle }: SimulatedApp): Promise<void> {
  await dependencies.funding.idle()
  await settle()
}

const roundSeconds = 60

/** Until all have ended, or so many seconds of our clock have gone by. Returns those that have not. */
export async function finish(server: SimulatedApp, { patience = 7_200 } = {}): Promise<Operation[]> {
  const { operations } = server.dependencies
  for (let passed = 0; ; passed += roundSeconds) {
    await quiet(server)
    const open = (await operations.list({ limit: 1_000 })).filter(({ endedAt }) => endedAt === null)
    if (open.length === 0 || passed >= patience) return open
    server.clock.advance(roundSeconds)
    await operations.askDue()
  }
}

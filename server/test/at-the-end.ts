// What several test files of one process share (scripts/test-company.ts): closed when the last of them has ended, or after
// the tests of the one that is alone.
import { after } from 'node:test'

type Close = () => Promise<unknown>

const closers: Close[] = []

export function atTheEnd(close: Close): void {
  if (process.env.TEST_COMPANY === undefined) after(close)
  else closers.push(close)
}

export async function closeShared(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}

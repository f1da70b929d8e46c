// Bugs of the kind that shows when a process wakes up long after.
import type { Control } from '../scene.ts'

const proof = 'T1b'

export const controls: Control[] = [
  {
    proof,
    name: 'who has heard late of a lease uses it all the same',
    file: 'server/src/notifications/delivery.ts',
    find: 'const untilMs = leasedAtMs + lateMs',
    put: 'const untilMs = leasedAtMs + 1_000 * lateMs',
    expect: /sent again \d+ ms after a process woke up/,
  },
  {
    proof,
    name: 'nobody asks how old the list of those who have logged out is',
    file: 'server/src/users/feed.ts',
    find: "      if (feed.isStale()) throw new AppError('unavailable', { retryAfter: 1 })\n",
    put: '',
    expect: /who had logged out was let in/,
  },
]

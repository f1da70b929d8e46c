// Bugs of the kind that shows only when people come for a while.
import type { Control } from '../scene.ts'

const proof = 'T8'

export const controls: Control[] = [
  {
    proof,
    name: 'something of each request is kept',
    file: 'server/src/http/request-log.ts',
    find: '  const { principal } = request\n  const served',
    put: '  const { principal } = request\n  kept.push(Array.from({ length: 2_000 }, () => seconds))\n  const served',
    expect: /its memory grows/,
    also: [
      {
        file: 'server/src/http/request-log.ts',
        find: 'export interface Served {',
        put: 'const kept: number[][] = []\n\nexport interface Served {',
      },
    ],
  },
  {
    proof,
    name: 'nobody looks for what is to be sent',
    file: 'server/src/notifications/delivery.ts',
    find: 'const pollMs = 200',
    put: 'const pollMs = 12_000',
    expect: /a notification was .* late/,
  },
  {
    proof,
    name: 'everybody is let in, however long the line is',
    file: 'server/src/http/crowd.ts',
    find: '    if (waited <= shortMs) return false\n',
    put: '    if (waited >= 0) return false\n',
    expect: /at three times|afterwards/,
    also: [
      {
        file: 'server/src/http/crowd.ts',
        find: 'if (inside >= requestsMax)',
        put: 'if (inside >= 100 * requestsMax)',
      },
    ],
  },
]

// Bugs of the kind that a crash of the database brings to light.
import type { Control } from '../scene.ts'

const proof = 'T16'

export const controls: Control[] = [
  {
    proof,
    name: 'nobody waits until a commit is on the disk',
    file: 'server/src/db/pool.ts',
    find: '  const settings = [\n',
    put: "  const settings = [\n    'synchronous_commit=off',\n",
    expect: /^rule \d+: /,
  },
  {
    proof,
    name: 'a broken connection of the ledger is used for ever',
    file: 'server/src/db/db.ts',
    find: '    if (connection === broken) connection = undefined\n    cut(client)',
    put: '    cut(client)',
    expect: /moved money again|still failed|waited in vain/,
    also: [
      {
        file: 'server/src/db/db.ts',
        find: '    const lost = () => {\n      if (connection === opening) connection = undefined\n    }',
        put: '    const lost = () => undefined',
      },
    ],
  },
  {
    proof,
    name: 'the numbers of transactions are trusted after a crash',
    file: 'server/src/db/feed.ts',
    find: 'const isSame = known[0]?.session === place.session',
    put: 'const isSame = known[0]?.session !== undefined',
    expect: /ended after a crash/,
  },
]

// Bugs of the kind that only somebody who sends nonsense meets.
import type { Control } from '../scene.ts'

const proof = 'T5'

export const controls: Control[] = [
  {
    proof,
    name: 'a field that nobody documented',
    file: 'server/src/wallets/routes.ts',
    find: '  is_default: isDefault,\n',
    put: "  is_default: isDefault,\n  ...{ account: 'internal' },\n",
    expect: /\/api\/wallets: it does not fit its schema/,
  },
  {
    proof,
    name: 'what may be missing is taken for granted',
    file: 'server/src/transfers/routes.ts',
    find: '      const work = () => preview(',
    put: '      void (request.body.note as string).length\n      const work = () => preview(',
    expect: /POST \/api\/send\/preview: status 500/,
  },
  {
    proof,
    name: 'bodies may be as deep and as full as they like',
    file: 'server/src/http/json-body.ts',
    find: 'const depthMax = 20\n',
    put: 'const depthMax = 1_000_000\n',
    expect: /status 500/,
    also: [
      {
        file: 'server/src/http/json-body.ts',
        find: 'const valuesMax = 1_000\n',
        put: 'const valuesMax = 1_000_000\n',
      },
    ],
  },
]

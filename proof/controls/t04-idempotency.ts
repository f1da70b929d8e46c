// Bugs of the kind that makes a repeated request happen twice, or gives a PIN away.
import type { Control } from '../scene.ts'

const proof = 'T4'

export const controls: Control[] = [
  {
    proof,
    name: 'a key is not unique',
    file: 'server/migrations/0002-ledger.sql',
    find: 'key uuid primary key,',
    put: 'key uuid not null,',
    expect: /different answers|another answer|happened \d+ times|told that theirs|answers \(/,
  },
  {
    proof,
    name: 'equal keys meet in a batch',
    file: 'server/src/ledger/once.ts',
    find: 'if (earlier?.running !== undefined) return second(posting, key, earlier)',
    put: 'if (earlier?.running !== undefined) return first(posting, key)',
    expect: /different answers|happened \d+ times|told that theirs|not everybody/,
    also: [
      {
        file: 'server/src/ledger/core.ts',
        find: '      known.set(id, { fingerprint, answer })\n    },\n  }',
        put: '      void [known, id, fingerprint, answer]\n    },\n  }',
      },
      {
        file: 'server/migrations/0002-ledger.sql',
        find: 'key uuid primary key,',
        put: 'key uuid not null,',
      },
    ],
  },
  {
    proof,
    name: 'the fingerprint has the PIN and no secret',
    file: 'server/src/ledger/keys.ts',
    find: 'const bytes = secret.mac().binary(JSON.stringify(parts))',
    put: "const bytes = createHash(secret.length > 0 ? 'sha256' : 'sha1').update(JSON.stringify(parts)).digest('binary')",
    expect: /PIN was found/,
    also: [
      {
        file: 'server/src/ledger/keys.ts',
        find: "import type { Secret } from '../base/secret.ts'",
        put: "import { createHash } from 'node:crypto'\nimport type { Secret } from '../base/secret.ts'",
      },
      {
        file: 'server/src/ledger/keys.ts',
        find: "new Set(['pin', 'password'])",
        put: "new Set(['password'])",
      },
      {
        file: 'server/src/transfers/routes.ts',
        find: '{ amount: terms.amount.minor.toString(), currency, note, recipient }',
        put: '{ amount: terms.amount.minor.toString(), currency, note, pin, recipient }',
      },
    ],
  },
]

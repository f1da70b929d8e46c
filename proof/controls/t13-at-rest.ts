// Bugs of the kind that makes a copy of the database worth stealing, or a secret impossible to replace.
import type { Control } from '../scene.ts'

const proof = 'T13'

export const controls: Control[] = [
  {
    proof,
    name: 'what is sealed opens in any row',
    file: 'server/src/base/seal.ts',
    find: "Buffer.from(JSON.stringify([head.toString('hex'), table, row, column]))",
    put: "Buffer.from(JSON.stringify([head.toString('hex'), table, typeof row, column]))",
    expect: /what belongs to another row was opened/,
  },
  {
    proof,
    name: 'of an API key a plain hash is kept',
    file: 'server/src/merchants/macs.ts',
    find: "=> createHmac('sha256', bytes).update(text).digest()",
    put: "=> (bytes.length > 0 ? hash('sha256', text, 'buffer') : Buffer.alloc(0))",
    expect: /has API key \(SHA-256/,
  },
  {
    proof,
    name: 'an older secret is forgotten at once',
    file: 'server/src/merchants/macs.ts',
    find: '[secret, ...secret.older].map(keyOf)',
    put: '[secret].map(keyOf)',
    expect: /failed while secrets were replaced|it was refused: 401|waited in vain/,
  },
]

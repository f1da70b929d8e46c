// Bugs of the kind that lets somebody in, or tells who is there.
import type { Control } from '../scene.ts'

const proof = 'T11'

export const controls: Control[] = [
  {
    proof,
    name: 'a PIN is locked by what was read before, not by the count',
    file: 'server/src/users/sql.ts',
    find: 'where user_id = $1 and failures < $5 and (locked_until is null or locked_until <= $2)',
    put: 'where user_id = $1 and ($5::int is null or $2::timestamptz is null or true)',
    expect: /were compared/,
  },
  {
    proof,
    name: 'nothing is hashed for an account that there is not',
    file: 'server/src/users/passwords.ts',
    find: 'else await tagOf(password, { ...step, key: keys[0], salt: dummySalt })',
    put: 'else if (known !== undefined) await tagOf(password, { ...step, key: keys[0], salt: dummySalt })',
    expect: /login of an account.*the time tells/,
  },
  {
    proof,
    name: 'other processes do not hear of what is revoked',
    file: 'server/src/users/feed.ts',
    find: 'marks.set({ session: row.subject, generation: row.generation, refuses_until: row.refuses_until })',
    put: 'void marks',
    expect: /is still let in/,
  },
]

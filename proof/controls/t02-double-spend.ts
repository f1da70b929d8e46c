// Bugs of the kind that lets money be spent twice.
import type { Control } from '../scene.ts'

const proof = 'T2'

export const controls: Control[] = [
  {
    proof,
    name: 'two may build on the same entry',
    file: 'server/migrations/0002-ledger.sql',
    find: '  primary key (account_id, seq),\n',
    put: '',
    expect: /went through|are left|fit under|was passed/,
    also: [
      {
        file: 'server/migrations/0002-ledger.sql',
        find: 'create table ledger.holds (',
        put: 'create index entries_of on ledger.entries (account_id, seq);\n\ncreate table ledger.holds (',
      },
    ],
  },
  {
    proof,
    name: 'locks in any order',
    file: 'server/src/ledger/sql.ts',
    find: 'where id = any($1::bigint[]) order by id for no key update',
    put: 'where id = any($1::bigint[]) order by md5(id::text || random()::text) for no key update',
    expect: /deadlock/,
  },
  {
    proof,
    name: 'no floor',
    file: 'server/src/ledger/decide.ts',
    find: 'if (account.balance - account.held + change < 0n)',
    put: 'if (account.balance - account.held + change < -1_000_000_000_000n)',
    expect: /went through/,
    also: [
      {
        file: 'server/migrations/0002-ledger.sql',
        find: 'check (account_id < 0 or balance_after >= held_after)',
        put: 'check (true)',
      },
    ],
  },
  {
    proof,
    name: 'what a batch has spent does not count for the limit',
    file: 'server/src/ledger/decide.ts',
    find: 'if (amount < 0n && account.spent !== undefined) {',
    put: 'if (amount > 0n && account.spent !== undefined) {',
    expect: /daily limit/,
  },
]

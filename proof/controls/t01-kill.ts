// Bugs of the kind that shows only when a process dies.
import type { Control } from '../scene.ts'

const proof = 'T1'

export const controls: Control[] = [
  {
    proof,
    name: 'the answer leaves before the commit',
    file: 'server/src/ledger/batches.ts',
    find: '    await written\n',
    put: '    written?.catch(() => undefined)\n',
    expect: /it is not there/,
  },
  {
    proof,
    name: 'the answer of a key is kept apart from the money',
    file: 'server/src/ledger/write/sql.ts',
    find: 'export function writeFast(writer: Writer, writes: Writes, { ground, also }: FastWrite): Promise<void> {',
    put: `export async function writeFast(writer: Writer, writes: Writes, how: FastWrite): Promise<void> {
  const { keys, fingerprints, statuses, bodies } = writes.answers
  const none = { keys: [], fingerprints: [], statuses: [], bodies: [] }
  await writeMoney(writer, { ...writes, answers: none }, how)
  await writer.write(
    \`insert into ledger.answers (key, fingerprint, status, body, created_at)
     select key, fingerprint, status, body, to_timestamp($5::float8 / 1000.0)
     from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[]) as n (key, fingerprint, status, body)\`,
    [keys, fingerprints, statuses, bodies, writes.at],
  )
}

function writeMoney(writer: Writer, writes: Writes, { ground, also }: FastWrite): Promise<void> {`,
    expect: /nobody asked for it once more/,
  },
  {
    proof,
    name: 'a notification is written down a moment after the money',
    file: 'server/src/payments/wallet.ts',
    find: '      ...(event === undefined ? [] : [notifications.outboxRow(event)]),\n',
    put: '      ...later(db, event),\n',
    expect: /should have told/,
    also: [
      {
        file: 'server/src/payments/wallet.ts',
        find: 'function walletPosting({ prices, clock }: PaymentOptions,',
        put: `function later(db: PaymentOptions['db'], event: ReturnType<typeof eventOf>): AlsoRow[] {
  const write = () => event && db.inTransaction((tx) => notifications.add(tx, [event])).catch(() => undefined)
  setTimeout(write, 500)
  return []
}

function walletPosting({ prices, clock, db }: PaymentOptions,`,
      },
    ],
  },
]

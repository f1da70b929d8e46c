// Bugs of the kind that loses notifications with the worker that sends them.
import type { Control } from '../scene.ts'

const proof = 'T6b'

export const controls: Control[] = [
  {
    proof,
    name: 'what is about to be sent counts as delivered',
    file: 'server/src/notifications/delivery.ts',
    find: '  work.busy.add(row.subject)\n',
    put: `  work.busy.add(row.subject)
  const [now, sent] = [work.clock.now(), { ...withoutSecret, status: 200, problem: undefined }]
  work.recorder.add({ row, at: now, endedAt: now, sent, step: { kind: 'delivered' }, breaks: false, holdsBack: true })
`,
    expect: /counts as delivered, and no receiver took it/,
  },
  {
    proof,
    name: 'a lease never ends',
    file: 'server/src/notifications/sql.ts',
    find: "const unleased = '(q.leased_until is null or q.leased_until <= $5)'",
    put: "const unleased = '(q.leased_until is null and $5::timestamptz is not null)'",
    expect: /were not sent within 60 s/,
  },
  {
    proof,
    name: 'each attempt has an id of its own',
    file: 'server/src/notifications/delivery.ts',
    find: '  const headers = work.headers({ id, sequence,',
    put: '  const headers = work.headers({ id: row.attempts > 1 ? id + row.attempts : id, sequence,',
    expect: /was never written down/,
  },
]

// What is written down: the audit log and the mails.
import type { SearchAuditItem } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Facts, Status } from '../kit/facts.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { all, at, choices, type Item, List, pageOf, sentence } from './list.tsx'

export const Audit = () => (
  <ConsolePage title="Audit log">
    <p className="mb-4 text-soft">
      Who did what. Nothing in it can be changed or deleted: each day is one chain, verified by{' '}
      <code>npm run audit:verify</code>.
    </p>
    <List<SearchAuditItem>
      name="audit"
      label="Audit log"
      empty="Nothing was found"
      keyOf={(one) => one.id}
      filters={[
        { name: 'actor', label: 'By whom', hint: 'The whole id' },
        { name: 'action', label: 'Action', hint: 'Like user.frozen' },
        { name: 'object', label: 'What it was done to', hint: 'The whole id' },
      ]}
      columns={[
        { head: 'Time', cell: (one) => <Time value={one.at} /> },
        { head: 'Action', cell: (one) => <span className="console-code">{one.action}</span> },
        {
          head: 'By',
          cell: (one) => <span className="console-code">{`${one.actor.kind} ${one.actor.id}`}</span>,
        },
        { head: 'Object', cell: (one) => <span className="console-code">{one.object ?? '–'}</span> },
        {
          head: 'Result',
          cell: (one) => <Status tone={one.result === 'ok' ? 'good' : 'bad'}>{sentence(one.result)}</Status>,
        },
        { head: 'Details', cell: (one) => <Details event={one} /> },
      ]}
      pageAt={async (wanted, cursor, signal) =>
        pageOf(
          await client.request('GET /api/operator/audit', { query: { ...wanted, ...at(cursor) }, signal }),
        )
      }
    />
  </ConsolePage>
)

const Details = ({ event: { address, request_id, details, sealed } }: { event: SearchAuditItem }) => (
  <span className="console-code">
    {[
      address,
      request_id,
      Object.keys(details).length > 0 ? JSON.stringify(details) : undefined,
      sealed ? 'sealed' : 'not sealed yet',
    ]
      .filter(Boolean)
      .join(', ')}
  </span>
)

const mailTones = { queued: 'waiting', sent: 'good', kept: 'plain', failed: 'bad' } as const

export const Mails = () => (
  <ConsolePage title="Mails">
    <List<Item<'GET /api/operator/mails'>>
      name="mails"
      label="Mails"
      empty="No mails"
      keyOf={(one) => one.id}
      filters={[
        { name: 'to', label: 'To', hint: 'The whole address' },
        {
          name: 'state',
          label: 'State',
          options: [all('All'), ...choices('queued', 'sent', 'kept', 'failed')],
        },
      ]}
      columns={[
        {
          head: 'Subject',
          cell: (one) => (
            <Link href={`/operator/mails/${one.id}`} className="link">
              {one.subject ?? sentence(one.template)}
            </Link>
          ),
        },
        { head: 'To', cell: (one) => <span className="console-code">{one.to}</span> },
        { head: 'Time', cell: (one) => <Time value={one.queued_at} /> },
        { head: 'State', cell: (one) => <Status tone={mailTones[one.state]}>{sentence(one.state)}</Status> },
      ]}
      pageAt={async (wanted, cursor, signal) =>
        pageOf(
          await client.request('GET /api/operator/mails', { query: { ...wanted, ...at(cursor) }, signal }),
        )
      }
    />
  </ConsolePage>
)

export const MailDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'mail', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/mails/:id', { params: { id }, signal })).data,
    // Each look is written down: no more of them than the person takes.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <ConsolePage title={query.data?.subject ?? 'Mail'} back="/operator/mails">
      <Loaded query={query} skeleton={<RowBones />}>
        {(mail) => (
          <>
            <Notice>It is in the audit log that you read this mail.</Notice>
            <Facts
              rows={[
                ['To', mail.to],
                [
                  'State',
                  <Status key="s" tone={mailTones[mail.state]}>
                    {sentence(mail.state)}
                  </Status>,
                ],
                ['Problem', mail.problem],
                ['Attempts', String(mail.attempts)],
                ['Written', <Time key="t" value={mail.queued_at} />],
              ]}
            />
            <pre className="console-pre console-section">
              {mail.text ??
                'The text is not kept: codes are wiped after they have been used or have expired.'}
            </pre>
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

import type { Reply } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Facts, Status } from '../kit/facts.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { at, type Item, List, pageOf, sentence, Table } from './list.tsx'
import { ReasonAct } from './reason-act.tsx'

const tones = { pending: 'waiting', delivered: 'good', failed: 'bad', held: 'bad', unsent: 'plain' } as const

export const Troubled = () => (
  <ConsolePage title="Notifications">
    <p className="mb-4 text-soft">
      Addresses of shops that do not take what is sent to them. Their notifications are tried again, then
      held; nothing is lost. All notifications of a business are on its own page.
    </p>
    <List<Item<'GET /api/operator/endpoints'>>
      name="endpoints"
      label="Addresses in trouble"
      empty="All addresses work"
      keyOf={(one) => `${one.merchant_id} ${one.mode} ${one.origin}`}
      columns={[
        { head: 'Address', cell: (one) => <span className="console-code">{one.origin}</span> },
        {
          head: 'Business',
          cell: (one) => (
            <Link href={`/operator/businesses/${one.merchant_id}`} className="link">
              {one.merchant_id}
            </Link>
          ),
        },
        { head: 'Mode', cell: (one) => one.mode },
        { head: 'State', cell: (one) => <Status tone="bad">{sentence(one.status)}</Status> },
        { head: 'Since', cell: (one) => <Time value={one.since} /> },
      ]}
      pageAt={async (_wanted, _cursor, signal) =>
        pageOf(await client.request('GET /api/operator/endpoints', { signal }))
      }
    />
  </ConsolePage>
)

export const NotificationList = ({ merchant }: { merchant: string }) => (
  <List<Item<'GET /api/operator/merchants/:merchant_id/notifications'>>
    name={`notifications-${merchant}`}
    label="Notifications"
    empty="No notifications yet"
    keyOf={(one) => one.id}
    columns={[
      {
        head: 'Event',
        cell: (one) => (
          <Link href={`/operator/notifications/${one.id}`} className="link">
            {one.event}
          </Link>
        ),
      },
      { head: 'Payment', cell: (one) => one.reference },
      { head: 'Mode', cell: (one) => one.mode },
      { head: 'Time', cell: (one) => <Time value={one.created_at} /> },
      { head: 'Attempts', number: true, cell: (one) => one.attempts },
      { head: 'Status', cell: (one) => <Status tone={tones[one.status]}>{sentence(one.status)}</Status> },
    ]}
    pageAt={async (_wanted, cursor, signal) =>
      pageOf(
        await client.request('GET /api/operator/merchants/:merchant_id/notifications', {
          params: { merchant_id: merchant },
          query: { limit: 10, ...at(cursor) },
          signal,
        }),
      )
    }
  />
)

export const NotificationDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'notification', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/notifications/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage title={query.data?.event ?? 'Notification'} back="/operator/notifications">
      <Loaded query={query} skeleton={<RowBones />}>
        {(one) => (
          <>
            <About one={one} />
            {one.url !== null && (
              <div className="console-acts">
                <ReasonAct
                  name={`replay-${id}`}
                  text="Send it once more"
                  about="With the same id and the same bytes."
                  done="It is on its way"
                  run={() =>
                    client.request('POST /api/operator/notifications/:id/replay', { params: { id } })
                  }
                />
              </div>
            )}
            <Attempts log={one.log} />
            {one.body !== null && (
              <section className="console-section" aria-labelledby="body">
                <h2 id="body" className="section-title mb-3">
                  Body
                </h2>
                <pre className="console-pre">{one.body}</pre>
              </section>
            )}
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

type Notification = Reply<'GET /api/operator/notifications/:id'>['data']

const About = ({ one }: { one: Notification }) => (
  <Facts
    rows={[
      [
        'Status',
        <Status key="s" tone={tones[one.status]}>
          {sentence(one.status)}
        </Status>,
      ],
      [
        'Payment',
        // Examples are of no payment.
        one.reference.startsWith('EXAMPLE-') ? (
          one.reference
        ) : (
          <Link key="p" href={`/operator/payments/${one.reference}`} className="link">
            {one.reference}
          </Link>
        ),
      ],
      [
        'Business',
        <Link key="b" href={`/operator/businesses/${one.merchant_id}`} className="link">
          {one.merchant_id}
        </Link>,
      ],
      ['Mode', one.mode],
      [
        'Address',
        one.url && (
          <span key="u" className="console-code">
            {one.url}
          </span>
        ),
      ],
      ['Made', <Time key="m" value={one.created_at} />],
      ['Next attempt', one.next_attempt_at && <Time key="n" value={one.next_attempt_at} />],
      [
        'Id',
        <span key="i" className="console-code">
          {one.id}
        </span>,
      ],
    ]}
  />
)

const Attempts = ({ log }: { log: Notification['log'] }) => (
  <section className="console-section" aria-labelledby="attempts">
    <h2 id="attempts" className="section-title mb-3">
      Attempts
    </h2>
    {log.length === 0 ? (
      <p className="text-soft">None yet.</p>
    ) : (
      <Table
        label="Attempts"
        rows={log}
        keyOf={({ number }) => String(number)}
        columns={[
          { head: 'Attempt', cell: ({ number }) => number },
          { head: 'Time', cell: (row) => <Time value={row.at} /> },
          { head: 'Answer', cell: (row) => row.status ?? '–' },
          { head: 'Problem', cell: (row) => row.message ?? '–' },
          { head: 'Connected to', cell: (row) => row.address ?? '–' },
          { head: 'ms', number: true, cell: (row) => row.duration_ms ?? '–' },
        ]}
      />
    )}
  </section>
)

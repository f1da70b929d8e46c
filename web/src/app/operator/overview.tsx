import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Facts, Status } from '../kit/facts.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage, useSystem } from './frame.tsx'
import { sentence, Table } from './list.tsx'

export const Overview = () => (
  <ConsolePage title="Overview">
    <Tasks />
    <System />
  </ConsolePage>
)

const seen = 100

/** What waits for somebody. A number with a + has more behind it. */
const useTasks = () =>
  useQuery({
    queryKey: ['operator', 'tasks'],
    refetchInterval: 30_000,
    queryFn: async ({ signal }) => {
      const query = { limit: seen }
      const [applications, stuck, unmatched, differing] = await Promise.all([
        client.request('GET /api/operator/applications', { query, signal }),
        client.request('GET /api/operator/operations', { query: { ...query, stuck: true }, signal }),
        client.request('GET /api/operator/unmatched', { query: { ...query, status: 'open' }, signal }),
        client.request('GET /api/operator/matches', { query: { ...query, differing: true }, signal }),
      ])
      return {
        applications: applications.data.length,
        overdue: applications.data.filter(({ overdue }) => overdue).length,
        stuck: stuck.data.length,
        unmatched: unmatched.data.length,
        differing: differing.data.length,
      }
    },
  })

const Tasks = () => (
  <section aria-label="What waits for you">
    <Loaded query={useTasks()} skeleton={<RowBones rows={2} />}>
      {(tasks) => (
        <div className="console-tiles">
          <Tile
            href="/operator/applications"
            count={tasks.applications}
            text={tasks.overdue > 0 ? `applications, ${tasks.overdue} overdue` : 'applications to review'}
            bad={tasks.overdue > 0}
          />
          <Tile
            href="/operator/orders?stuck=true"
            count={tasks.stuck}
            text="stuck provider orders"
            bad={tasks.stuck > 0}
          />
          <Tile href="/operator/unmatched?status=open" count={tasks.unmatched} text="unmatched payments" />
          <Tile
            href="/operator/matches?differing=true"
            count={tasks.differing}
            text="days that differ"
            bad={tasks.differing > 0}
          />
        </div>
      )}
    </Loaded>
  </section>
)

const Tile = ({
  href,
  count,
  text,
  bad = false,
}: {
  href: string
  count: number
  text: string
  bad?: boolean
}) => (
  <Link href={href} className={`console-tile ${bad ? 'console-tile-bad' : ''}`}>
    <strong>{count >= seen ? `${seen}+` : count}</strong>
    <span>{text}</span>
  </Link>
)

const System = () => (
  <Loaded query={useSystem()} skeleton={<RowBones />}>
    {(system) => (
      <div className="console-columns console-section">
        <section aria-labelledby="health">
          <h2 id="health" className="section-title">
            System health
          </h2>
          {system.reasons.length > 0 && (
            <Notice kind="problem" title="The service is not ready">
              {system.reasons.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
            </Notice>
          )}
          <Facts
            rows={[
              [
                'Service',
                <Status key="s" tone={system.ready ? 'good' : 'bad'}>
                  {system.ready ? 'Ready' : 'Not ready'}
                </Status>,
              ],
              ['Version', system.version],
              ['Books', <BooksState key="b" books={system.books} />],
              ['Background jobs', `${system.jobs.waiting} waiting, ${system.jobs.failed} given up`],
              ['Longest wait of a job', `${system.jobs.oldest_seconds} s`],
              ['Workers', String(system.jobs.workers)],
              ['Notifications to send', `${system.notifications.waiting}`],
              ['Longest wait of a notification', `${system.notifications.oldest_seconds} s`],
              [
                'Addresses in trouble',
                <Link key="a" href="/operator/notifications" className="link">
                  {system.notifications.endpoints_in_trouble}
                </Link>,
              ],
              ['Mails', `${system.mails.queued} to send, ${system.mails.failed} given up`],
            ]}
          />
        </section>
        <section aria-labelledby="providers">
          <h2 id="providers" className="section-title">
            Providers in the last five minutes
          </h2>
          <Table
            label="Providers"
            rows={system.providers}
            keyOf={({ provider, mode }) => `${provider} ${mode}`}
            columns={[
              { head: 'Provider', cell: ({ provider }) => provider },
              { head: 'Mode', cell: ({ mode }) => mode },
              {
                head: 'Health',
                cell: ({ health }) => <Status tone={toneOf[health]}>{sentence(health)}</Status>,
              },
            ]}
          />
        </section>
      </div>
    )}
  </Loaded>
)

const toneOf = { up: 'good', degraded: 'waiting', down: 'bad' } as const

const BooksState = ({ books }: { books: { ok: boolean; checked_at: string } | null }) =>
  books === null ? (
    <>Not checked yet</>
  ) : (
    <Status tone={books.ok ? 'good' : 'bad'}>
      {books.ok ? 'Right' : 'Wrong'}, <Time value={books.checked_at} />
    </Status>
  )

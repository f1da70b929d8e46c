import type { GetMatchData } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { TextField } from '../kit/field.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { all, at, type Item, List, pageOf, sentence, Table } from './list.tsx'
import { providerFilter } from './orders.tsx'
import { ReasonAct } from './reason-act.tsx'

export const Matches = () => {
  const [day, setDay] = useState(() => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10))
  return (
    <ConsolePage
      title="Daily match"
      side={
        <ReasonAct
          name="match-day"
          text="Compare a day"
          about="In the background; the result is in this list after a while."
          done="The day is being compared"
          fields={['day']}
          run={() => client.request('POST /api/operator/matches', { body: { day } })}
        >
          <TextField label="Day, in UTC" type="date" value={day} onChange={setDay} required />
        </ReasonAct>
      }
    >
      <p className="mb-4 text-soft">
        The ledger, our orders and the providers’ own records of each day, side by side.
      </p>
      <List<Item<'GET /api/operator/matches'>>
        name="matches"
        label="Days"
        empty="No day has been compared yet"
        keyOf={(one) => one.id}
        filters={[
          {
            name: 'differing',
            label: 'Which',
            options: [all('All'), { value: 'true', text: 'Only days that differ' }],
          },
          providerFilter,
        ]}
        columns={[
          {
            head: 'Day',
            cell: (one) => (
              <Link href={`/operator/matches/${one.id}`} className="link">
                {one.day}
              </Link>
            ),
          },
          { head: 'Provider', cell: (one) => `${one.provider}, ${one.mode}` },
          { head: 'Orders', number: true, cell: (one) => one.operations },
          { head: 'Mended', number: true, cell: (one) => one.repaired },
          {
            head: 'Result',
            cell: (one) => (
              <Status tone={one.differences > 0 ? 'bad' : 'good'}>
                {one.differences > 0 ? `${one.differences} differ` : 'All agree'}
              </Status>
            ),
          },
        ]}
        pageAt={async ({ differing, ...wanted }, cursor, signal) => {
          const query = { ...wanted, ...(differing === undefined ? {} : { differing: true }), ...at(cursor) }
          return pageOf(await client.request('GET /api/operator/matches', { query, signal }))
        }}
      />
    </ConsolePage>
  )
}

export const MatchDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'match', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/matches/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage
      title={query.data ? `${query.data.provider}, ${query.data.day}` : 'Day'}
      back="/operator/matches"
    >
      <Loaded query={query} skeleton={<RowBones />}>
        {(match) => (
          <>
            {!match.has_records && (
              <Notice>
                This provider tells no records of its own, so only the ledger and our orders were compared.
              </Notice>
            )}
            <Facts
              rows={[
                ['Compared', <Time key="c" value={match.compared_at} />],
                ['Mode', match.mode],
                ['Orders', String(match.operations)],
                ['Postings', String(match.postings)],
                ['Records of the provider', match.has_records && String(match.records)],
                ['Mended at once', String(match.repaired)],
                ['Left to decide', String(match.differences)],
              ]}
            />
            <Totals match={match} />
            <Found match={match} />
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const Totals = ({ match }: { match: GetMatchData }) =>
  match.totals.length === 0 ? null : (
    <section className="console-section" aria-labelledby="totals">
      <h2 id="totals" className="section-title mb-3">
        Totals
      </h2>
      <Table
        label="Totals"
        rows={match.totals.flatMap(({ currency, operations, ledger, provider }) =>
          (['in', 'out'] as const).map((way) => ({
            way,
            currency,
            operations: operations[way],
            ledger: ledger[way],
            provider: provider[way],
          })),
        )}
        keyOf={({ currency, way }) => `${currency} ${way}`}
        columns={[
          { head: 'Way', cell: ({ currency, way }) => `${currency} ${way}` },
          {
            head: 'Orders',
            number: true,
            cell: (row) => <Amount value={row.operations} currency={row.currency} />,
          },
          {
            head: 'Ledger',
            number: true,
            cell: (row) => <Amount value={row.ledger} currency={row.currency} />,
          },
          {
            head: 'Provider',
            number: true,
            cell: (row) => <Amount value={row.provider} currency={row.currency} />,
          },
        ]}
      />
    </section>
  )

const Found = ({ match }: { match: GetMatchData }) =>
  match.found.length === 0 ? null : (
    <section className="console-section" aria-labelledby="found">
      <h2 id="found" className="section-title mb-3">
        What differs, or did
      </h2>
      <Table
        label="Differences"
        rows={match.found.map((one, place) => ({ ...one, place }))}
        keyOf={({ place }) => String(place)}
        columns={[
          { head: 'What', cell: (one) => sentence(one.kind) },
          { head: 'Detail', cell: (one) => one.detail },
          {
            head: 'Order',
            cell: (one) =>
              one.operation_id === null ? (
                '–'
              ) : (
                <Link href={`/operator/orders/${one.operation_id}`} className="link">
                  see it
                </Link>
              ),
          },
          { head: 'Mended', cell: (one) => (one.repaired ? 'Yes' : 'No') },
        ]}
      />
    </section>
  )

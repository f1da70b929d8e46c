import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { at, type Item, List, pageOf, sentence } from './list.tsx'
import { ReasonAct } from './reason-act.tsx'

export const People = () => {
  const [search] = useSearchParams()
  return (
    <ConsolePage title="People">
      <List<Item<'GET /api/operator/users'>>
        name="people"
        label="People"
        empty={
          search.get('q')
            ? 'Nobody has this handle, address, number or id'
            : 'Nobody is shown until you search'
        }
        keyOf={(one) => one.id}
        filters={[
          { name: 'q', label: 'Find a person', hint: 'The whole handle, e-mail address, phone number or id' },
        ]}
        columns={[
          {
            head: 'Name',
            cell: (one) => (
              <Link href={`/operator/people/${one.id}`} className="link">
                {one.name}
              </Link>
            ),
          },
          { head: 'Handle', cell: (one) => `@${one.handle}` },
          { head: 'Phone', cell: (one) => one.phone ?? '–' },
          { head: 'E-mail', cell: (one) => one.email ?? '–' },
          { head: 'State', cell: (one) => <StateOf frozen={one.frozen} /> },
        ]}
        pageAt={async ({ q }, _cursor, signal) =>
          q === undefined
            ? { items: [], nextCursor: null }
            : pageOf(await client.request('GET /api/operator/users', { query: { q }, signal }))
        }
      />
    </ConsolePage>
  )
}

const StateOf = ({ frozen }: { frozen: boolean }) => (
  <Status tone={frozen ? 'bad' : 'good'}>{frozen ? 'Frozen' : 'Open'}</Status>
)

export const PersonDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'person', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/users/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage title={query.data?.name ?? 'Person'} back="/operator/people">
      <Loaded query={query} skeleton={<RowBones />}>
        {(person) => (
          <>
            <div className="console-columns">
              <Facts
                rows={[
                  ['State', <StateOf key="s" frozen={person.frozen} />],
                  ['Handle', `@${person.handle}`],
                  [
                    'E-mail',
                    person.email && `${person.email}${person.email_confirmed ? '' : ' (not confirmed)'}`,
                  ],
                  ['Phone', person.phone],
                  ['Country', person.country],
                  ['PIN', person.has_pin ? 'Set' : 'None'],
                  ['Roles', person.roles.join(', ')],
                  ['Since', <Time key="t" value={person.created_at} />],
                  [
                    'Business',
                    person.merchant_id !== null && (
                      <Link key="b" href={`/operator/businesses/${person.merchant_id}`} className="link">
                        {person.merchant_id}
                      </Link>
                    ),
                  ],
                  [
                    'Id',
                    <span key="i" className="console-code">
                      {person.id}
                    </span>,
                  ],
                ]}
              />
              <Facts
                rows={person.wallets.map((wallet) => [
                  wallet.held > 0 ? `${wallet.currency}, ${wallet.held} held` : wallet.currency,
                  <Amount key={wallet.currency} value={wallet.balance} currency={wallet.currency} />,
                ])}
              />
            </div>
            <Freezing id={id} frozen={person.frozen} />
            <section className="console-section" aria-labelledby="transactions">
              <h2 id="transactions" className="section-title mb-3">
                Transactions
              </h2>
              <Transactions id={id} />
            </section>
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const Freezing = ({ id, frozen }: { id: string; frozen: boolean }) => (
  <div className="console-acts">
    {frozen ? (
      <ReasonAct
        name={`unfreeze-${id}`}
        text="Unfreeze"
        about="Money can leave the account again. The person is told by mail."
        done="The account is open again"
        run={() => client.request('POST /api/operator/users/:id/unfreeze', { params: { id } })}
      />
    ) : (
      <ReasonAct
        name={`freeze-${id}`}
        text="Freeze the account"
        danger
        about="No money leaves it, and all its sessions end. The person is told by mail."
        reason="For the audit log. It is not told to the person."
        done="Frozen"
        run={(body) => client.request('POST /api/operator/users/:id/freeze', { params: { id }, body })}
      />
    )}
    <Link href={`/operator/audit?object=${id}`} className="button">
      Audit log
    </Link>
  </div>
)

const Transactions = ({ id }: { id: string }) => (
  <List<Item<'GET /api/operator/users/:id/transactions'>>
    name={`transactions-${id}`}
    label="Transactions"
    empty="No transactions yet"
    keyOf={(one) => `${one.reference} ${one.direction}`}
    columns={[
      { head: 'Time', cell: (one) => <Time value={one.created_at} /> },
      { head: 'Reference', cell: (one) => <span className="console-code">{one.reference}</span> },
      { head: 'Type', cell: (one) => sentence(one.type) },
      { head: 'With', cell: (one) => one.counterparty.name },
      { head: 'Status', cell: (one) => sentence(one.status) },
      {
        head: 'Amount',
        number: true,
        cell: (one) => (
          <Amount value={one.amount} currency={one.currency} sign={one.direction === 'in' ? '+' : '−'} />
        ),
      },
    ]}
    pageAt={async (_wanted, cursor, signal) =>
      pageOf(
        await client.request('GET /api/operator/users/:id/transactions', {
          params: { id },
          query: { limit: 10, ...at(cursor) },
          signal,
        }),
      )
    }
  />
)

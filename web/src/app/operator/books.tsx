import type { GetBooksData } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { Amount, type Currency } from '../kit/amount.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { Empty, Loaded, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { sentence, Table } from './list.tsx'
import { ReasonAct } from './reason-act.tsx'

export const Books = () => {
  const query = useQuery({
    queryKey: ['operator', 'books'],
    queryFn: async ({ signal }) => (await client.request('GET /api/operator/ledger', { signal })).data,
    refetchInterval: 5_000,
  })
  return (
    <ConsolePage
      title="Books"
      side={
        <ReasonAct
          name="check-books"
          text="Check the books now"
          main
          about="Every entry is read again and every balance made anew, in the background. This page shows the result when it is there."
          done="The books are being checked"
          run={() => client.request('POST /api/operator/ledger/check')}
        />
      }
    >
      <Loaded query={query} skeleton={<RowBones />}>
        {(books) => (
          <>
            <LastCheck check={books.last_check} />
            {books.trial_balance.length > 0 && <TrialBalance rows={books.trial_balance} />}
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const LastCheck = ({ check }: { check: GetBooksData['last_check'] }) => {
  if (check === null)
    return (
      <Empty title="The books were not checked yet">They are every night, and whenever you ask for it.</Empty>
    )
  return (
    <>
      {!check.ok && (
        <Notice kind="problem" title="The books are wrong, and all money stands still">
          {check.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      <Facts
        rows={[
          [
            'Result',
            <Status key="r" tone={check.ok ? 'good' : 'bad'}>
              {check.ok ? 'Right to the last unit' : 'Wrong'}
            </Status>,
          ],
          ['Checked', <Time key="t" value={check.started_at} />],
          ['It took', `${check.seconds.toFixed(1)} s`],
          ['Accounts', String(check.accounts)],
          ['Postings', String(check.postings)],
          ['Entries', String(check.entries)],
        ]}
      />
    </>
  )
}

type Row = GetBooksData['trial_balance'][number]

/** One table a mode and currency: the rows of each add up to nothing. */
const TrialBalance = ({ rows }: { rows: Row[] }) => {
  const parts = Map.groupBy(rows, ({ mode, currency }) => `${mode} ${currency}`)
  return (
    <section className="console-section" aria-labelledby="trial">
      <h2 id="trial" className="section-title">
        Trial balance
      </h2>
      <p className="mb-4 text-soft">
        As of the last check. What people and shops have, providers owe: each part adds up to 0.
      </p>
      <div className="console-columns">
        {[...parts].map(([name, part]) => (
          <Part key={name} rows={part} />
        ))}
      </div>
    </section>
  )
}

const Part = ({ rows }: { rows: Row[] }) => {
  const [first] = rows
  if (first === undefined) return null
  const { mode, currency } = first
  const title = `${currency}, ${mode}`
  const total = rows.reduce((sum, { balance }) => sum + minorOf(balance), 0n)
  return (
    <div>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <Table
        label={title}
        rows={[...rows, { kind: 'Sum', accounts: null, balance: Number(total) / 100, mode, currency }]}
        keyOf={({ kind }) => kind}
        columns={[
          { head: 'Accounts of', cell: ({ kind }) => sentence(kind) },
          { head: 'How many', number: true, cell: ({ accounts }) => accounts ?? '' },
          {
            head: 'Balance',
            number: true,
            cell: ({ balance }) => <Amount value={balance} currency={currency as Currency} />,
          },
        ]}
      />
    </div>
  )
}

/** No currency has more than two places. */
const minorOf = (balance: number): bigint => BigInt(Math.round(balance * 100))

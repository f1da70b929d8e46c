import type { ListUnmatchedItem } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { TextField } from '../kit/field.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { all, at, choices, type Item, List, pageOf, sentence } from './list.tsx'
import { providerFilter } from './orders.tsx'
import { ReasonAct } from './reason-act.tsx'

const tones = { open: 'waiting', matched: 'good', returning: 'waiting', returned: 'plain' } as const

const StatusOf = ({ status }: { status: keyof typeof tones }) => (
  <Status tone={tones[status]}>{sentence(status)}</Status>
)

export const Unmatched = () => (
  <ConsolePage title="Unmatched money">
    <p className="mb-4 text-soft">
      Confirmed by a provider, but nothing could take it. It goes back to the payer by itself when it is due.
    </p>
    <List<Item<'GET /api/operator/unmatched'>>
      name="unmatched"
      label="Unmatched money"
      empty="No unmatched money"
      keyOf={(one) => one.id}
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: [all('All'), ...choices('open', 'matched', 'returning', 'returned')],
        },
        providerFilter,
      ]}
      columns={[
        {
          head: 'Why',
          cell: (one) => (
            <Link href={`/operator/unmatched/${one.id}`} className="link">
              {sentence(one.why)}
            </Link>
          ),
        },
        { head: 'Provider', cell: (one) => `${one.provider}, ${one.mode}` },
        { head: 'Phone', cell: (one) => one.phone ?? '–' },
        { head: 'Came', cell: (one) => <Time value={one.created_at} /> },
        { head: 'Status', cell: (one) => <StatusOf status={one.status} /> },
        {
          head: 'Amount',
          number: true,
          cell: (one) => <Amount value={one.amount} currency={one.currency} />,
        },
      ]}
      pageAt={async (wanted, cursor, signal) =>
        pageOf(
          await client.request('GET /api/operator/unmatched', {
            query: { ...wanted, ...at(cursor) },
            signal,
          }),
        )
      }
    />
  </ConsolePage>
)

export const UnmatchedDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'unmatched', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/unmatched/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage title="Unmatched money" back="/operator/unmatched">
      <Loaded query={query} skeleton={<RowBones />}>
        {(money) => (
          <>
            <Facts
              rows={[
                ['Amount', <Amount key="a" value={money.amount} currency={money.currency} />],
                ['Status', <StatusOf key="s" status={money.status} />],
                ['Why', sentence(money.why)],
                ['Meant for', money.meant_for && <Meant key="f" reference={money.meant_for} />],
                ['Payer', money.phone],
                ['Provider', `${money.provider}, ${money.mode}`],
                ['Came', <Time key="c" value={money.created_at} />],
                ['Goes back', money.return_due_at && <Time key="r" value={money.return_due_at} />],
                [
                  'Returns that failed',
                  money.returns_failed > 0 && `${money.returns_failed}: ${money.problem ?? ''}`,
                ],
                ['Matched to', money.matched_to && <MatchedTo key="t" to={money.matched_to} />],
                [
                  'Brought by',
                  <Link key="o" href={`/operator/orders/${money.operation_id}`} className="link">
                    the order
                  </Link>,
                ],
              ]}
            />
            {money.status === 'open' && <Decisions money={money} />}
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

/** A payment has a page here; a deposit is found by its order. */
const Meant = ({ reference }: { reference: string }) =>
  reference.startsWith('PY-') ? (
    <Link href={`/operator/payments/${reference}`} className="link">
      {reference}
    </Link>
  ) : (
    reference
  )

const MatchedTo = ({ to: { kind, id } }: { to: NonNullable<ListUnmatchedItem['matched_to']> }) =>
  kind === 'payment' ? (
    <Meant reference={id} />
  ) : (
    <Link href={`/operator/people/${id}`} className="link">
      a wallet
    </Link>
  )

const Decisions = ({ money: { id } }: { money: ListUnmatchedItem }) => {
  const [to, setTo] = useState('')
  const params = { id }
  return (
    <div className="console-acts">
      <ReasonAct
        name={`match-${id}`}
        text="Match it"
        main
        about="To the wallet of a person (usr_…), or to the payment it was meant for (PY-…): of the same amount, pending or expired."
        reason="For the audit log."
        done="Matched"
        fields={['user_id', 'payment']}
        run={({ reason }) => {
          const target = to.trim()
          const body = { reason, ...(target.startsWith('usr_') ? { user_id: target } : { payment: target }) }
          return client.request('POST /api/operator/unmatched/:id/match', { params, body })
        }}
      >
        <TextField
          label="Person or payment"
          value={to}
          onChange={setTo}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </ReasonAct>
      <ReasonAct
        name={`return-${id}`}
        text="Give it back now"
        about="To the phone or card that it came from."
        reason="For the audit log."
        done="It is on its way back"
        run={(body) => client.request('POST /api/operator/unmatched/:id/return', { params, body })}
      />
    </div>
  )
}

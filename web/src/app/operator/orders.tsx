import type { GetOperationData } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Amount } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { all, at, choices, type Item, List, pageOf, sentence } from './list.tsx'
import { ReasonAct } from './reason-act.tsx'

export const providerFilter = {
  name: 'provider',
  label: 'Provider',
  options: [all('All'), ...choices('mpesa', 'mtn', 'airtel', 'paystack')],
}

const tones = {
  new: 'waiting',
  sending: 'waiting',
  pending: 'waiting',
  unknown: 'waiting',
  completed: 'good',
  failed: 'bad',
} as const

const StateOf = ({ state, stuck }: { state: keyof typeof tones; stuck: boolean }) => (
  <Status tone={stuck ? 'bad' : tones[state]}>{stuck ? `Stuck, ${state}` : sentence(state)}</Status>
)

export const Orders = () => (
  <ConsolePage title="Provider orders">
    <List<Item<'GET /api/operator/operations'>>
      name="operations"
      label="Orders to providers"
      empty="No such order"
      keyOf={(one) => one.id}
      filters={[
        { name: 'q', label: 'Search', hint: 'A whole reference, receipt, phone number or id' },
        { name: 'stuck', label: 'Which', options: [all('All'), { value: 'true', text: 'Only stuck ones' }] },
        providerFilter,
        {
          name: 'state',
          label: 'State',
          options: [all('All'), ...choices('new', 'sending', 'pending', 'unknown', 'completed', 'failed')],
        },
      ]}
      columns={[
        {
          head: 'Reference',
          cell: (one) => (
            <Link href={`/operator/orders/${one.id}`} className="link">
              {one.reference}
            </Link>
          ),
        },
        { head: 'Provider', cell: (one) => `${one.provider}, ${one.mode}` },
        { head: 'For', cell: (one) => sentence(one.purpose) },
        { head: 'Made', cell: (one) => <Time value={one.created_at} /> },
        { head: 'State', cell: (one) => <StateOf state={one.state} stuck={one.stuck_since !== null} /> },
        {
          head: 'Amount',
          number: true,
          cell: (one) => <Amount value={one.amount} currency={one.currency} />,
        },
      ]}
      pageAt={async ({ stuck, ...wanted }, cursor, signal) => {
        const query = { ...wanted, ...(stuck === undefined ? {} : { stuck: true }), ...at(cursor) }
        return pageOf(await client.request('GET /api/operator/operations', { query, signal }))
      }}
    />
  </ConsolePage>
)

export const OrderDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'operation', id],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/operations/:id', { params: { id }, signal })).data,
  })
  return (
    <ConsolePage title={`Order ${query.data?.reference ?? ''}`} back="/operator/orders">
      <Loaded query={query} skeleton={<RowBones />}>
        {(order) => (
          <>
            <About order={order} />
            {order.ended_at === null && <Decisions order={order} />}
            <Exchanges order={order} />
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const About = ({ order }: { order: GetOperationData }) => (
  <>
    {order.trouble !== null && <Notice kind="warning">{order.trouble}</Notice>}
    <div className="console-columns">
      <Facts
        rows={[
          ['State', <StateOf key="s" state={order.state} stuck={order.stuck_since !== null} />],
          ['Stuck since', order.stuck_since && <Time key="t" value={order.stuck_since} />],
          ['Failure', order.failure && `${order.failure.code}: ${order.failure.detail}`],
          ['Amount', <Amount key="a" value={order.amount} currency={order.currency} />],
          [
            'Confirmed',
            order.confirmed_amount !== null && (
              <Amount key="c" value={order.confirmed_amount} currency={order.currency} />
            ),
          ],
          ['Kind', `${sentence(order.kind)} for ${order.purpose}`],
          ['Provider', `${order.provider}, ${order.mode}`],
          ['Phone', order.phone],
        ]}
      />
      <Facts
        rows={[
          [
            'Their reference',
            order.provider_reference && (
              <span key="r" className="console-code">
                {order.provider_reference}
              </span>
            ),
          ],
          ['Receipt', order.receipt],
          ['Asked', `${order.asks} times`],
          ['Made', <Time key="m" value={order.created_at} />],
          ['Sent', order.sent_at && <Time key="s" value={order.sent_at} />],
          ['Ended', order.ended_at && <Time key="e" value={order.ended_at} />],
          [
            'Id',
            <span key="i" className="console-code">
              {order.id}
            </span>,
          ],
        ]}
      />
    </div>
  </>
)

const Decisions = ({ order: { id, stuck_since } }: { order: GetOperationData }) => {
  const [outcome, setOutcome] = useState<'completed' | 'failed'>('failed')
  const [receipt, setReceipt] = useState('')
  const params = { id }
  const ask = useAct({
    name: `ask-${id}`,
    run: () => client.request('POST /api/operator/operations/:id/ask', { params }),
    onDone: () => say('The provider was asked'),
  })
  return (
    <>
      <ActNotice act={ask} />
      <div className="console-acts">
        <Button look="main" busy={ask.state === 'busy'} onClick={() => void ask.submit(undefined)}>
          Ask the provider now
        </Button>
        <ReasonAct
          name={`resolve-${id}`}
          text="Decide by hand"
          danger
          about="Only with what the provider itself says of it: in its portal, or by its staff. Money moves accordingly, and it can not be taken back."
          reason="For the audit log: where you know it from."
          done="Decided"
          fields={['outcome', 'receipt']}
          run={({ reason }) => {
            const body = { outcome, reason, ...(receipt === '' ? {} : { receipt }) }
            return client.request('POST /api/operator/operations/:id/resolve', { params, body })
          }}
        >
          <ChoiceField
            label="What the provider did"
            value={outcome}
            onChange={setOutcome}
            options={[
              { value: 'failed', text: 'Nothing: no money moved there' },
              { value: 'completed', text: 'It was carried out' },
            ]}
          />
          {outcome === 'completed' && (
            <TextField label="The provider’s receipt" value={receipt} onChange={setReceipt} optional />
          )}
        </ReasonAct>
        {stuck_since !== null && (
          <ReasonAct
            name={`dismiss-${id}`}
            text="Take off the list"
            about="It stays open, and goes on waiting for news of the provider."
            reason="For the audit log."
            done="Taken off the list"
            run={(body) => client.request('POST /api/operator/operations/:id/dismiss', { params, body })}
          />
        )}
      </div>
    </>
  )
}

const Exchanges = ({ order }: { order: GetOperationData }) => (
  <section className="console-section" aria-labelledby="exchanges">
    <h2 id="exchanges" className="section-title mb-3">
      What was said
    </h2>
    {order.exchanges.map((one) => (
      <details key={`${one.at} ${one.what} ${one.path}`} className="console-detail">
        <summary>
          <span className="row-main">
            {sentence(one.what)}: {one.method} {one.path}
          </span>
          <span>{one.status ?? one.problem ?? 'no answer'}</span>
        </summary>
        <p className="mb-2 text-soft">
          <Time value={one.at} />, {one.duration_ms} ms
        </p>
        <pre className="console-pre">{one.request}</pre>
        {one.answer !== null && <pre className="console-pre mt-2">{one.answer}</pre>}
      </details>
    ))}
    {order.deliveries.map((one) => (
      <details key={`${one.at} ${one.what}`} className="console-detail">
        <summary>
          <span className="row-main">{one.what === 'answer' ? 'Answer to our question' : 'Callback'}</span>
          <span>{one.result ?? ''}</span>
        </summary>
        <pre className="console-pre">{one.body}</pre>
      </details>
    ))}
    {order.exchanges.length + order.deliveries.length === 0 && <p className="text-soft">Nothing yet.</p>}
  </section>
)

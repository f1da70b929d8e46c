import type { ListApplicationsItem, Reply } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import { ConsolePage } from './frame.tsx'
import { all, at, type Column, choices, type Item, List, pageOf, sentence } from './list.tsx'
import { NotificationList } from './notifications.tsx'
import { ReasonAct } from './reason-act.tsx'

type Business = ListApplicationsItem

const tones = { pending: 'waiting', approved: 'good', rejected: 'bad', suspended: 'bad' } as const

const StatusOf = ({ business }: { business: Business }) => (
  <Status tone={business.overdue ? 'bad' : tones[business.status]}>
    {business.overdue ? 'Overdue' : sentence(business.status)}
  </Status>
)

const name: Column<Business> = {
  head: 'Business',
  cell: (one) => (
    <Link href={`/operator/businesses/${one.merchant_id}`} className="link">
      {one.business_name}
    </Link>
  ),
}
const columns: Column<Business>[] = [
  name,
  { head: 'Merchant ID', cell: (one) => one.merchant_id },
  { head: 'Category', cell: (one) => one.category },
  { head: 'Owner', cell: (one) => one.owner?.name ?? '–' },
  { head: 'Status', cell: (one) => <StatusOf business={one} /> },
]

/** “3 h”, “2 days” */
function age(since: string): string {
  const hours = Math.floor((Date.now() - Date.parse(since)) / 3_600_000)
  return hours < 48 ? `${Math.max(0, hours)} h` : `${Math.floor(hours / 24)} days`
}

export const Applications = () => (
  <ConsolePage title="Applications" back="/operator">
    <p className="mb-4 text-soft">The oldest first. Each is to be decided within 24 hours.</p>
    <List<Item<'GET /api/operator/applications'>>
      name="applications"
      label="Applications"
      empty="No business waits for a review"
      keyOf={(one) => String(one.merchant_id)}
      columns={[
        name,
        { head: 'Category', cell: (one) => one.category },
        { head: 'Website', cell: (one) => <span className="console-code">{one.website_url}</span> },
        { head: 'Waits for', cell: (one) => age(one.applied_at) },
        { head: 'Status', cell: (one) => <StatusOf business={one} /> },
      ]}
      pageAt={async (_wanted, cursor, signal) =>
        pageOf(await client.request('GET /api/operator/applications', { query: at(cursor), signal }))
      }
    />
  </ConsolePage>
)

export const Businesses = () => (
  <ConsolePage
    title="Businesses"
    side={
      <Link href="/operator/applications" className="button">
        Applications
      </Link>
    }
  >
    <List<Item<'GET /api/operator/merchants'>>
      name="merchants"
      label="Businesses"
      empty="No such business"
      keyOf={(one) => String(one.merchant_id)}
      columns={columns}
      filters={[
        { name: 'q', label: 'Search', hint: 'A part of the name or website, or the Merchant ID' },
        {
          name: 'status',
          label: 'Status',
          options: [all('All'), ...choices('pending', 'approved', 'rejected', 'suspended')],
        },
      ]}
      pageAt={async (wanted, cursor, signal) =>
        pageOf(
          await client.request('GET /api/operator/merchants', {
            query: { ...wanted, ...at(cursor) },
            signal,
          }),
        )
      }
    />
  </ConsolePage>
)

export const BusinessDetail = () => {
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'merchant', id],
    queryFn: async ({ signal }) =>
      (
        await client.request('GET /api/operator/merchants/:merchant_id', {
          params: { merchant_id: id },
          signal,
        })
      ).data,
  })
  return (
    <ConsolePage title={query.data?.business_name ?? 'Business'} back="/operator/businesses">
      <Loaded query={query} skeleton={<RowBones />}>
        {(business) => (
          <>
            <About business={business} />
            <Decisions business={business} />
            <section className="console-section" aria-labelledby="payments">
              <h2 id="payments" className="section-title mb-3">
                Payments
              </h2>
              <Payments merchant={id} />
            </section>
            <section className="console-section" aria-labelledby="notifications">
              <h2 id="notifications" className="section-title mb-3">
                Notifications
              </h2>
              <NotificationList merchant={id} />
            </section>
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const About = ({ business }: { business: Business }) => (
  <div className="console-columns">
    <Facts
      rows={[
        ['Status', <StatusOf key="s" business={business} />],
        ['Reason', business.rejection_reason ?? business.suspension_reason],
        ['Merchant ID', String(business.merchant_id)],
        ['Category', business.category],
        [
          'Website',
          <span key="w" className="console-code">
            {business.website_url}
          </span>,
        ],
        ['Settlement', business.settlement_currency],
        ['Redirects to', business.redirect_hosts.join(', ')],
      ]}
    />
    <Facts
      rows={[
        [
          'Owner',
          business.owner && (
            <Link key="o" href={`/operator/people/${business.owner.id}`} className="link">
              {business.owner.name} @{business.owner.handle}
            </Link>
          ),
        ],
        ['E-mail', business.owner?.email],
        ['Phone', business.owner?.phone],
        ['Applied', <Time key="a" value={business.applied_at} />],
        ['Review due', <Time key="d" value={business.review_due_at} />],
        ['Reviewed', business.reviewed_at && <Time key="r" value={business.reviewed_at} />],
        [
          'ipn_url',
          business.ipn_url && (
            <span key="i" className="console-code">
              {business.ipn_url}
            </span>
          ),
        ],
      ]}
    />
  </div>
)

const Decisions = ({ business: { merchant_id: id, status } }: { business: Business }) => {
  const params = { merchant_id: String(id) }
  const told = 'The owner gets it by mail.'
  return (
    <div className="console-acts">
      {status === 'pending' && (
        <>
          <ReasonAct
            name={`approve-${id}`}
            text="Approve"
            main
            about="The business gets its live credentials and may take payments. The owner is told by mail."
            done="Approved"
            run={() => client.request('POST /api/operator/applications/:merchant_id/approve', { params })}
          />
          <ReasonAct
            name={`reject-${id}`}
            text="Reject"
            danger
            about="It may apply again."
            reason={told}
            done="Rejected"
            run={(body) =>
              client.request('POST /api/operator/applications/:merchant_id/reject', { params, body })
            }
          />
        </>
      )}
      {status === 'approved' && (
        <ReasonAct
          name={`suspend-${id}`}
          text="Suspend"
          danger
          about="Its API keys open nothing any more, at once."
          reason={told}
          done="Suspended"
          run={(body) =>
            client.request('POST /api/operator/merchants/:merchant_id/suspend', { params, body })
          }
        />
      )}
      {status === 'suspended' && (
        <ReasonAct
          name={`unsuspend-${id}`}
          text="End the suspension"
          about="Its API keys work again. The owner is told by mail."
          done="The suspension has ended"
          run={() => client.request('POST /api/operator/merchants/:merchant_id/unsuspend', { params })}
        />
      )}
    </div>
  )
}

const Payments = ({ merchant }: { merchant: string }) => (
  <List<Item<'GET /api/operator/merchants/:merchant_id/payments'>>
    name={`payments-${merchant}`}
    label="Payments"
    empty="No payments yet"
    keyOf={(one) => one.reference}
    columns={[
      {
        head: 'Reference',
        cell: (one) => (
          <Link href={`/operator/payments/${one.reference}`} className="link">
            {one.reference}
          </Link>
        ),
      },
      { head: 'Time', cell: (one) => <Time value={one.created_at} /> },
      { head: 'Mode', cell: (one) => one.mode },
      { head: 'Status', cell: (one) => sentence(one.failure?.code ?? one.status) },
      { head: 'Amount', number: true, cell: (one) => <Amount value={one.amount} currency={one.currency} /> },
    ]}
    pageAt={async (_wanted, cursor, signal) =>
      pageOf(
        await client.request('GET /api/operator/merchants/:merchant_id/payments', {
          params: { merchant_id: merchant },
          query: { limit: 10, ...at(cursor) },
          signal,
        }),
      )
    }
  />
)

export const PaymentDetail = () => {
  const { reference = '' } = useParams()
  const query = useQuery({
    queryKey: ['operator', 'payment', reference],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/operator/payments/:reference', { params: { reference }, signal })).data,
  })
  return (
    <ConsolePage title={`Payment ${query.data?.reference ?? reference}`} back="/operator/payments">
      <Loaded query={query} skeleton={<RowBones />}>
        {(payment) => (
          <>
            <Facts
              rows={[
                ['Amount', <Amount key="a" value={payment.amount} currency={payment.currency} />],
                ['Fee', <Amount key="f" value={payment.fee} currency={payment.currency} />],
                ['Status', sentence(payment.status)],
                ['Failure', payment.failure?.message],
                ['Late', payment.late ? 'Paid after it had expired' : undefined],
                ['For', <Payee key="b" payment={payment} />],
                ['Mode', payment.mode],
                ['ref_trx', payment.ref_trx],
                ['Description', payment.description],
                ['Customer', payment.customer],
                ['Method', payment.method],
                ['Made', <Time key="m" value={payment.created_at} />],
                ['Paid', payment.completed_at && <Time key="p" value={payment.completed_at} />],
                [
                  'Refunded',
                  payment.refunded_amount > 0 && (
                    <Amount key="r" value={payment.refunded_amount} currency={payment.currency} />
                  ),
                ],
              ]}
            />
            <Attempts attempts={payment.attempts} />
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

/** A business, or a campaign. */
const Payee = ({ payment }: { payment: Reply<'GET /api/operator/payments/:reference'>['data'] }) => {
  const { merchant_id: merchant, merchant_name: name, campaign_id: campaign } = payment
  const href = merchant === null ? `/operator/campaigns/${campaign}` : `/operator/businesses/${merchant}`
  return (
    <Link href={href} className="link">
      {name}
    </Link>
  )
}

interface Attempt {
  method: string
  status: string
  failure: { code: string; message: string } | null
  customer: string | null
  created_at: string
}

const Attempts = ({ attempts }: { attempts: Attempt[] }) =>
  attempts.length === 0 ? null : (
    <section className="console-section" aria-labelledby="attempts">
      <h2 id="attempts" className="section-title">
        Attempts
      </h2>
      <ul className="rows mt-3">
        {attempts.map((one) => (
          <li key={one.created_at} className="row">
            <span className="row-main">
              <span className="row-title">
                {one.method} {one.customer ?? ''}
              </span>
              <span className="row-sub">{one.failure?.message ?? sentence(one.status)}</span>
            </span>
            <Time value={one.created_at} />
          </li>
        ))}
      </ul>
    </section>
  )

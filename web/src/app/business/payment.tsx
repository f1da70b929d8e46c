import { useParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, MoreButton, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { common } from '../kit/words.ts'
import { isMoving, type PaymentShown, useNotifications, usePayment } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { NotificationCard } from './notification-card.tsx'
import { PaymentStatus, useMethodName } from './payment-rows.tsx'
import { payments as words } from './words-payments.ts'

export const Payment = () => {
  const t = useWords(words)
  const { reference = '' } = useParams()
  const query = usePayment(reference)
  const mode = query.data?.mode
  return (
    <BusinessPage title={t.payment} back={at('/business/payments', mode ?? 'live')} mode={mode ?? 'live'}>
      {() => (
        <Loaded query={query} skeleton={<RowBones />}>
          {(payment) => (
            <div className="business-two">
              <div>
                <Sum payment={payment} />
                <About payment={payment} />
              </div>
              <div>
                <Attempts payment={payment} />
                <Refunds payment={payment} />
                <Told reference={payment.reference} />
              </div>
            </div>
          )}
        </Loaded>
      )}
    </BusinessPage>
  )
}

const Sum = ({ payment }: { payment: PaymentShown }) => {
  const t = useWords(words)
  const isRefundable = payment.status === 'completed'
  return (
    <section className="business-sum">
      <p className="business-sum-amount">
        <Amount value={payment.amount} currency={payment.currency} />
      </p>
      <p>
        <PaymentStatus item={payment} />
      </p>
      {isMoving(payment) && payment.status === 'pending' && (
        <p className="mt-2 text-soft" role="status">
          {t.waiting}
        </p>
      )}
      {payment.late && <p className="mt-2 text-soft">{t.late}</p>}
      {payment.failure !== null && (
        <div className="mt-4">
          <Notice kind="problem" title={t.failure}>
            {payment.failure.message} <code>{payment.failure.code}</code>
          </Notice>
        </div>
      )}
      {isRefundable && (
        <ButtonLink href={`/business/payments/${payment.reference}/refund`} className="mt-4 w-full">
          {t.refund}
        </ButtonLink>
      )}
    </section>
  )
}

const About = ({ payment }: { payment: PaymentShown }) => {
  const t = useWords(words)
  const c = useWords(common)
  const method = useMethodName()
  const { currency } = payment
  const isPaid = payment.completed_at !== null
  return (
    <Facts
      rows={[
        [
          c.reference,
          <span key="reference" className="business-copied">
            <code>{payment.reference}</code>
            <CopyButton text={payment.reference} what={c.reference} />
          </span>,
        ],
        [t.order, payment.ref_trx],
        [t.description, payment.description],
        [t.customer, payment.customer],
        [t.method, payment.method === null ? null : method(payment.method)],
        [t.created, <Time key="created" value={payment.created_at} />],
        [
          t.completed,
          payment.completed_at === null ? null : <Time key="done" value={payment.completed_at} />,
        ],
        [t.fee, isPaid ? <Amount key="fee" value={payment.fee} currency={currency} /> : null],
        [t.net, isPaid ? <Amount key="net" value={payment.net} currency={currency} /> : null],
        [
          t.refundedSum,
          payment.refunded_amount > 0 ? (
            <Amount key="refunded" value={payment.refunded_amount} currency={currency} />
          ) : null,
        ],
        [
          t.checkout,
          payment.payment_url === null ? null : (
            <CopyButton key="url" text={payment.payment_url} what={t.checkout} />
          ),
        ],
      ]}
    />
  )
}

const attemptTones = { pending: 'waiting', succeeded: 'good', failed: 'bad' } as const

const Attempts = ({ payment }: { payment: PaymentShown }) => {
  const t = useWords(words)
  const method = useMethodName()
  return (
    <section aria-labelledby="attempts" className="business-part-of">
      <h2 id="attempts" className="section-title">
        {t.attempts}
      </h2>
      {payment.attempts.length === 0 && <p className="mt-2 text-soft">{t.noAttempts}</p>}
      <ul className="rows mt-2">
        {payment.attempts.map((attempt) => (
          <li key={attempt.created_at} className="row">
            <span className="row-main">
              <span className="row-title">
                {method(attempt.method)}
                {attempt.customer !== null && ` · ${attempt.customer}`}
              </span>
              <span className="business-small">
                <Time value={attempt.created_at} />
                {attempt.failure !== null && ` · ${attempt.failure.message}`}
              </span>
            </span>
            <Status tone={attemptTones[attempt.status]}>{t.attemptStates[attempt.status]}</Status>
          </li>
        ))}
      </ul>
    </section>
  )
}

const refundTones = { pending: 'waiting', completed: 'good', failed: 'bad' } as const

const Refunds = ({ payment }: { payment: PaymentShown }) => {
  const t = useWords(words)
  if (payment.refunds.length === 0) return null
  return (
    <section aria-labelledby="refunds" className="business-part-of">
      <h2 id="refunds" className="section-title">
        {t.refunds}
      </h2>
      <ul className="rows mt-2">
        {payment.refunds.map((refund) => (
          <li key={refund.id} className="row">
            <span className="row-main">
              <Amount value={refund.amount} currency={payment.currency} className="font-semibold" />
              <span className="business-small">
                <Time value={refund.created_at} />
                {refund.reason !== null && ` · ${refund.reason}`}
                {refund.failure !== null && ` · ${refund.failure.message} ${t.refundFailed}`}
              </span>
            </span>
            <Status tone={refundTones[refund.status]}>{t.refundStates[refund.status]}</Status>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Each with its attempts and their answers. */
const Told = ({ reference }: { reference: string }) => {
  const t = useWords(words)
  const query = useNotifications({ reference })
  return (
    <section aria-labelledby="told" className="business-part-of">
      <h2 id="told" className="section-title">
        {t.told}
      </h2>
      <Loaded query={query} skeleton={<RowBones rows={2} />}>
        {(items) =>
          items.length === 0 ? (
            <p className="mt-2 text-soft">{t.noTold}</p>
          ) : (
            <>
              {items.map((item) => (
                <NotificationCard key={item.id} item={item} />
              ))}
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

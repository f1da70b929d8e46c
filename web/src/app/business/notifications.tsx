// What did not arrive stands first; then everything. Addresses that were given up can be used again.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Status } from '../kit/facts.tsx'
import { ChoiceField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { type Mode, type NotificationItem, useNotifications } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { NotificationStatus } from './notification-card.tsx'
import { ReplayRange } from './replay-range.tsx'
import { notifications as words } from './words-notifications.ts'
import { payments } from './words-payments.ts'

const statuses = ['pending', 'delivered', 'failed', 'held', 'unsent'] as const

export const Notifications = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.title}>
      {(_business, mode) => (
        <>
          <p className="mb-4 text-soft">{t.text}</p>
          <Endpoints mode={mode} />
          <NotArrived mode={mode} />
          <All mode={mode} />
        </>
      )}
    </BusinessPage>
  )
}

const Endpoints = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const query = useQuery({
    queryKey: ['business', 'endpoints'],
    queryFn: ({ signal }) => client.merchant.endpoints({ signal }),
  })
  const troubled = query.data?.filter((one) => one.mode === mode) ?? []
  if (troubled.length === 0) return null
  return (
    <section aria-labelledby="endpoints" className="business-part-of">
      <h2 id="endpoints" className="section-title">
        {t.endpoints}
      </h2>
      <ul className="rows mt-2">
        {troubled.map((one) => (
          <li key={one.origin} className="business-endpoint">
            <div className="row-main">
              <p className="break-all font-semibold">{one.origin}</p>
              <p className="business-small">
                <Status tone="bad">{one.status === 'suspended' ? t.suspended : t.failing}</Status> {t.since}{' '}
                <Time value={one.since} />. {one.reason !== null && t.reasons[one.reason]}{' '}
                {one.status === 'suspended' && t.suspendedText}
              </p>
            </div>
            {one.status === 'suspended' && <Resume mode={mode} origin={one.origin} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

const Resume = ({ mode, origin }: { mode: Mode; origin: string }) => {
  const t = useWords(words)
  const [isOpen, setOpen] = useState(false)
  const act = useAct({
    name: `resume-${origin}`,
    run: (order: { mode: Mode; origin: string }) => client.merchant.resumeEndpoint(order),
    onDone: () => {
      setOpen(false)
      say(t.resumed)
    },
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.resume}</Button>
      <Confirm
        title={t.resume}
        open={isOpen}
        onClose={() => setOpen(false)}
        act={t.resume}
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({ mode, origin })}
      >
        <p className="break-all font-semibold text-ink">{origin}</p>
        <p className="mt-2">{t.resumeText}</p>
        <ActNotice act={act} />
      </Confirm>
    </>
  )
}

/** Given up, and held because the address is suspended. */
const NotArrived = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const failed = useNotifications({ mode, status: 'failed' })
  const held = useNotifications({ mode, status: 'held' })
  return (
    <section aria-labelledby="not-arrived" className="business-part-of">
      <div className="section-head">
        <h2 id="not-arrived" className="section-title">
          {t.notArrived}
        </h2>
        <ReplayRange mode={mode} />
      </div>
      <Loaded query={failed} skeleton={<RowBones rows={1} />}>
        {(givenUp) => (
          <Loaded query={held} skeleton={<RowBones rows={1} />}>
            {(waiting) => (
              <>
                {givenUp.length + waiting.length === 0 ? (
                  <p className="mt-2 text-soft">{t.allArrived}</p>
                ) : (
                  <Rows items={[...givenUp, ...waiting]} />
                )}
                <MoreButton query={failed} />
                <MoreButton query={held} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}

const All = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const p = useWords(payments)
  const [search, setSearch] = useSearchParams()
  const status = statuses.find((one) => one === search.get('status'))
  const query = useNotifications({ mode, ...(status === undefined ? {} : { status }) })
  return (
    <section aria-labelledby="all" className="business-part-of">
      <div className="section-head">
        <h2 id="all" className="section-title">
          {t.all}
        </h2>
        <ChoiceField
          label={p.status}
          hiddenLabel
          value={status ?? ''}
          onChange={(value) =>
            setSearch(value === '' ? { mode } : { mode, status: value }, { replace: true })
          }
          options={[
            { value: '', text: p.anyStatus },
            ...statuses.map((value) => ({ value: value as string, text: t.statuses[value] })),
          ]}
        />
      </div>
      <Loaded query={query} skeleton={<RowBones rows={6} />}>
        {(items) =>
          items.length === 0 ? (
            <Empty
              title={t.none}
              action={<ButtonLink href={`${at('/business/integrate', mode)}#try`}>{t.tryOne}</ButtonLink>}
            >
              {t.noneText}
            </Empty>
          ) : (
            <>
              <Rows items={items} />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const Rows = ({ items }: { items: readonly NotificationItem[] }) => (
  <ul className="rows mt-2">
    {items.map((item) => (
      <li key={item.id}>
        <Row item={item} />
      </li>
    ))}
  </ul>
)

const Row = ({ item }: { item: NotificationItem }) => {
  const t = useWords(words)
  const answer = item.last_attempt?.status
  return (
    <Link href={`/business/notifications/${item.id}`} className="row row-link">
      <span className="row-main">
        <span className="row-title">
          {item.event} · {item.reference}
        </span>
        <span className="row-sub">
          {item.url ?? t.statuses.unsent}
          {answer !== undefined && answer !== null && ` · ${t.answered(answer)}`}
        </span>
      </span>
      <span className="row-end">
        <NotificationStatus status={item.status} />
        <span className="row-sub">
          <Time value={item.created_at} form="short" />
        </span>
      </span>
    </Link>
  )
}

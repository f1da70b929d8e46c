// Money requests: those one is asked for, and those one made.
import './people.css'
import { Link, useSearchParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { client } from '../session.ts'
import type { MoneyRequest } from './data.ts'
import { asking } from './send-words.ts'

type Side = 'in' | 'out'

export const Requests = () => {
  const t = useWords(asking)
  const [search, setSearch] = useSearchParams()
  const side: Side = search.get('side') === 'out' ? 'out' : 'in'
  return (
    <Page title={t.title} side={<ButtonLink href="/requests/new">{t.newTitle}</ButtonLink>}>
      <fieldset className="people-tabs" aria-label={t.side}>
        {(['in', 'out'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="people-tab"
            aria-pressed={side === one}
            onClick={() => setSearch(one === 'in' ? {} : { side: one }, { replace: true })}
          >
            {t[one]}
          </button>
        ))}
      </fieldset>
      <List key={side} side={side} />
    </Page>
  )
}

const List = ({ side }: { side: Side }) => {
  const t = useWords(asking)
  const query = usePages<MoneyRequest>(['requests', side], (cursor, signal) =>
    client.requests.list({ direction: side, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  )
  return (
    <Loaded query={query} skeleton={<RowBones rows={4} />}>
      {(items) =>
        items.length === 0 ? (
          <Empty
            title={side === 'in' ? t.emptyIn : t.emptyOut}
            action={
              <ButtonLink href="/requests/new" look="main">
                {t.newTitle}
              </ButtonLink>
            }
          >
            {side === 'in' ? t.emptyInText : t.emptyOutText}
          </Empty>
        ) : (
          <>
            <ul className="rows">
              {items.map((item) => (
                <li key={item.id}>
                  <Row item={item} />
                </li>
              ))}
            </ul>
            <MoreButton query={query} />
          </>
        )
      }
    </Loaded>
  )
}

const Row = ({ item }: { item: MoneyRequest }) => (
  <Link href={`/requests/${item.id}`} className="row row-link">
    <span className="row-main">
      <span className="row-title">{item.counterparty.name}</span>
      <span className="row-sub">
        <Time value={item.created_at} form="short" />
        {item.note !== null && ` · ${item.note}`}
      </span>
    </span>
    <span className="row-end">
      <Amount value={item.amount} currency={item.currency} className="font-semibold" />
      <span className="block">
        <RequestStatus status={item.status} />
      </span>
    </span>
  </Link>
)

const tones = {
  pending: 'waiting',
  paid: 'good',
  declined: 'bad',
  cancelled: 'plain',
  expired: 'plain',
} as const

export const RequestStatus = ({ status }: { status: MoneyRequest['status'] }) => {
  const t = useWords(asking)
  return <Status tone={tones[status]}>{t.statuses[status]}</Status>
}

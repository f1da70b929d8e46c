// What is awaited, in words, until it is known what became of it; then what happened to the money first.
import { CircleCheck } from 'lucide-react'
import { writeAmount } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Notice } from '../kit/notice.tsx'
import type { WholeTransaction } from './data.ts'
import { details, failures } from './history-words.ts'
import { shortPhone } from './phones.ts'

/** What the page before knows, and the history does not: kept with the entry of the browser's own history. */
export interface Started {
  /** It was done just now. */
  isNew: true
  /** Of the provider. */
  name?: string
  phone?: string
  /** Of the provider, where a card is paid. */
  page?: string
}

interface Props {
  item: WholeTransaction
  started: Partial<Started>
}

export const Following = ({ item, started }: Props) => {
  const t = useWords(details)
  switch (item.status) {
    case 'pending':
      return <Awaited item={item} started={started} />
    case 'failed':
      return <NotDone item={item} />
    case 'completed':
      return item.type === 'deposit' || item.type === 'withdrawal' ? (
        <p className="people-done" role="status">
          <CircleCheck aria-hidden="true" />
          {item.type === 'deposit' ? t.depositDone : t.withdrawalDone}
        </p>
      ) : null
    default:
      return item.status satisfies never
  }
}

const Awaited = ({ item, started }: Props) => {
  const t = useWords(details)
  const language = useLanguage()
  const { name = item.counterparty.name, phone, page } = started
  const place = phone === undefined ? item.counterparty.name : shortPhone(phone)
  const isDeposit = item.type === 'deposit'
  const isOut = item.type === 'withdrawal'
  const title = isOut
    ? t.onItsWay(place)
    : !isDeposit
      ? t.waiting
      : page !== undefined
        ? t.waitingPage
        : phone !== undefined
          ? t.waitingPhone(place)
          : t.waitingProvider(place)
  return (
    <div className="people-awaited" role="status">
      <span className="spinner" aria-hidden="true" />
      <div className="people-awaited-text">
        <p className="people-awaited-title">{title}</p>
        {isDeposit && phone !== undefined && page === undefined && <p>{t.waitingPhoneText(name)}</p>}
        {isOut && <p>{t.setAside(writeAmount(item.amount, item.currency, language))}</p>}
        {page !== undefined && (
          <p className="mt-3">
            <a className="button" href={page}>
              {t.openPage}
            </a>
          </p>
        )}
        <p className="text-soft">{t.follows}</p>
      </div>
    </div>
  )
}

/** The money first, then why, then what to do. */
const NotDone = ({ item }: { item: WholeTransaction }) => {
  const t = useWords(details)
  const reasons = useWords(failures)
  const { type, direction, failure_code: code, note, currency } = item
  const isFunding = type === 'deposit' || type === 'withdrawal'
  const why = (code === undefined ? undefined : reasons[code]) ?? note ?? undefined
  return (
    <Notice
      kind="problem"
      title={isFunding ? t.failed[type] : t.failed[direction]}
      action={
        isFunding ? (
          <ButtonLink href={`/${type === 'deposit' ? 'deposit' : 'withdraw'}?currency=${currency}`}>
            {t.tryAgain}
          </ButtonLink>
        ) : undefined
      }
    >
      {why}
    </Notice>
  )
}

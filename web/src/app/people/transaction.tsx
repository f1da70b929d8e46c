// One transaction: its receipt, what became of it, and what can be done next. After money was sent, deposited or withdrawn
// this is where the person ends up.
import './people.css'
import { Share2 } from 'lucide-react'
import { Redirect, useParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Amount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { Facts, Status } from '../kit/facts.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { common } from '../kit/words.ts'
import { less } from './amount-check.ts'
import { useTransaction, type WholeTransaction } from './data.ts'
import { Following, type Started } from './following.tsx'
import { details } from './history-words.ts'
import { ReceiptButton } from './receipt-button.tsx'
import { FactBones, PersonName } from './send.tsx'
import { people } from './words.ts'

export const TransactionPage = () => {
  const p = useWords(people)
  const { reference = '' } = useParams<{ reference: string }>()
  const started = useHistoryState<Partial<Started> | null>() ?? {}
  const query = useTransaction(reference)
  const title = useTitle(query.data)
  return (
    <Page
      title={title ?? p.types.transfer}
      hiddenTitle={query.data === undefined}
      back={started.isNew ? '/' : '/history'}
    >
      <Loaded query={query} skeleton={<FactBones rows={6} />}>
        {(item) => (
          <>
            <Slip item={item} started={started} />
            <Steps item={item} />
            <Acts item={item} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Where providers' pages send people back to. */
export const TransactionRedirect = () => {
  const { reference = '' } = useParams<{ reference: string }>()
  return <Redirect to={`/history/${reference}`} replace />
}

function useTitle(item: WholeTransaction | undefined): string | undefined {
  const t = useWords(details)
  const p = useWords(people)
  if (item === undefined) return undefined
  return item.type === 'transfer' ? t.titles[item.direction] : p.types[item.type]
}

const tones = { pending: 'waiting', completed: 'good', failed: 'bad' } as const

const Slip = ({ item, started }: { item: WholeTransaction; started: Partial<Started> }) => {
  const t = useWords(details)
  const p = useWords(people)
  const c = useWords(common)
  const isIn = item.direction === 'in'
  return (
    <div className="people-slip">
      <p className="people-slip-amount">
        <Amount
          value={item.amount}
          currency={item.currency}
          sign={isIn ? '+' : '−'}
          className={item.status === 'failed' ? 'line-through' : ''}
        />
      </p>
      <Status tone={tones[item.status]}>{p.statuses[item.status]}</Status>
      <div className="people-slip-news">
        <Following item={item} started={started} />
      </div>
      <div className="people-reference">
        <p className="text-soft">{c.reference}</p>
        <p className="people-reference-text">{item.reference}</p>
        <CopyButton text={item.reference} what={t.copyReference} />
      </div>
      <Facts rows={useFacts(item)} />
    </div>
  )
}

function useFacts(item: WholeTransaction) {
  const t = useWords(details)
  const c = useWords(common)
  const { amount, fee, currency, status, direction, note, type } = item
  const money = (value: number | string) => <Amount value={value} currency={currency} />
  const isOut = direction === 'out'
  const hasFee = fee > 0 && status !== 'failed'
  return [
    [isOut ? t.to : t.from, <PersonName key="who" {...item.counterparty} />],
    [c.amount, money(amount)],
    [c.fee, hasFee || (isOut && status !== 'failed') ? money(fee) : undefined],
    [
      type === 'withdrawal' ? t.arrives : t.gets,
      hasFee && isOut ? money(less(amount, fee, currency)) : undefined,
    ],
    [c.note, status === 'failed' ? undefined : note],
    [t.balanceNow, item.balance_after === null ? undefined : money(item.balance_after)],
  ] as const
}

const Steps = ({ item }: { item: WholeTransaction }) => {
  const t = useWords(details)
  return (
    <section className="mt-8">
      <h2 className="section-title">{t.steps}</h2>
      <ol className="people-steps">
        {item.steps.map(({ status, at }) => (
          <li key={status + at} data-status={status}>
            <span>{t.stepNames[status]}</span>
            <Time value={at} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const Acts = ({ item }: { item: WholeTransaction }) => {
  const t = useWords(details)
  const c = useWords(common)
  const { handle, name } = item.counterparty
  const isTransfer = item.type === 'transfer' && handle !== undefined
  const again = new URLSearchParams({
    to: handle ?? '',
    currency: item.currency,
    ...(item.direction === 'out' ? { amount: String(item.amount), note: item.note ?? '' } : {}),
  })
  return (
    <div className="people-acts">
      {isTransfer && (
        <ButtonLink href={`/send?${again}`}>
          {item.direction === 'out' ? t.sendAgain : t.sendBack(name)}
        </ButtonLink>
      )}
      {item.status !== 'pending' && <ReceiptButton reference={item.reference} />}
      <ShareButton item={item} />
      <ButtonLink href="/" look="main">
        {c.done}
      </ButtonLink>
    </div>
  )
}

/** Only where the phone can. */
const ShareButton = ({ item }: { item: WholeTransaction }) => {
  const t = useWords(details)
  const title = useTitle(item)
  const language = useLanguage()
  if (!('share' in navigator)) return null
  const text = [
    `${title}: ${writeAmount(item.amount, item.currency, language)}`,
    item.counterparty.name,
    item.reference,
  ].join('\n')
  return (
    // Who closes the phone's sheet without choosing has not failed.
    <Button onClick={() => void navigator.share({ text }).catch(() => undefined)}>
      <Share2 aria-hidden="true" className="people-button-icon" />
      {t.share}
    </Button>
  )
}

// One money request: who is asked pays or declines it, who asked may take it back.
import './people.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Amount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Facts } from '../kit/facts.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { less } from './amount-check.ts'
import { type MoneyRequest, untilDone, useWallets } from './data.ts'
import { PinSheet } from './pin-sheet.tsx'
import { RequestStatus } from './requests.tsx'
import { FactBones, NotEnough, PersonName } from './send.tsx'
import { asking, sending } from './send-words.ts'
import { useWalletName } from './wallet-name.ts'

export const Request = () => {
  const t = useWords(asking)
  const { id = '' } = useParams<{ id: string }>()
  const query = useQuery({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => client.requests.get(id, { signal }),
    refetchInterval: ({ state }) => untilDone(state.data?.status === 'pending', state.dataUpdateCount),
  })
  const side = query.data?.direction === 'out' ? '?side=out' : ''
  return (
    <Page title={t.title} back={`/requests${side}`} hiddenTitle>
      <Loaded query={query} skeleton={<FactBones rows={5} />}>
        {(item) => <Shown item={item} />}
      </Loaded>
    </Page>
  )
}

const Shown = ({ item }: { item: MoneyRequest }) => {
  const t = useWords(asking)
  const s = useWords(sending)
  const c = useWords(common)
  const { name } = item.counterparty
  const isIn = item.direction === 'in'
  const isOpen = item.status === 'pending'
  const nameOf = useWalletName()
  const wallets = useWallets().data
  const free = wallets?.find(({ currency }) => currency === item.currency)?.available ?? 0
  const suffices = wallets === undefined || free >= item.amount
  const isPayable = isIn && isOpen && wallets !== undefined && suffices
  const money = (value: number | string) => <Amount value={value} currency={item.currency} />
  return (
    <>
      <div className="people-slip">
        <h2 className="people-slip-title">{isIn ? t.asksYou(name) : t.youAsk(name)}</h2>
        <p className="people-slip-amount">{money(item.amount)}</p>
        <div role="status">
          <RequestStatus status={item.status} />
          {isOpen && !isIn && <p className="mt-2 text-soft">{t.waiting(name)}</p>}
        </div>
        <Facts
          rows={[
            [isIn ? s.to : t.from, <PersonName key="who" {...item.counterparty} />],
            [c.note, item.note],
            [c.fee, money(item.fee)],
            [isIn ? s.gets(name) : t.youGet, money(less(item.amount, item.fee, item.currency))],
            [s.wallet, isPayable ? nameOf(item.currency) : undefined],
            [s.balanceAfter, isPayable ? money(leftOf(free, item)) : undefined],
            [t.date, <Time key="date" value={item.created_at} />],
            [t.until, isOpen ? <Time key="until" value={item.expires_at} form="day" /> : undefined],
          ]}
        />
      </div>
      {item.reference !== null && (
        <ButtonLink href={`/history/${item.reference}`} className="mt-6 w-full">
          {t.seeReceipt}
        </ButtonLink>
      )}
      {isOpen && (isIn ? <Deciding item={item} suffices={suffices} /> : <Ending item={item} kind="cancel" />)}
    </>
  )
}

const Deciding = ({ item, suffices }: { item: MoneyRequest; suffices: boolean }) => {
  const t = useWords(asking)
  const language = useLanguage()
  const [, go] = useLocation()
  const [isPaying, setPaying] = useState(false)
  const act = useAct({
    name: `pay-${item.id}`,
    run: ({ pin }: { pin: string }, call) => client.requests.pay(item.id, { pin }, call),
    onDone: ({ reference }) => {
      say(t.paid)
      if (reference !== null) go(`/history/${reference}`, { replace: true, state: { isNew: true } })
    },
  })
  const { name } = item.counterparty
  const pay = t.pay(writeAmount(item.amount, item.currency, language))
  return (
    <>
      {!isPaying && <ActNotice act={act} />}
      {suffices ? (
        <Button look="main" className="mt-4 w-full" onClick={() => setPaying(true)}>
          {pay}
        </Button>
      ) : (
        <NotEnough currency={item.currency} />
      )}
      <Ending item={item} kind="decline" />
      <PinSheet
        open={isPaying}
        onClose={() => setPaying(false)}
        act={pay}
        acting={act}
        onPin={(pin) => void act.submit({ pin })}
      >
        {t.payTo(name)}
      </PinSheet>
    </>
  )
}

const leftOf = (available: number, { amount, currency }: MoneyRequest): string =>
  available === amount ? '0' : less(available, amount, currency)

/** Declining and taking back: no money moves, but the other one is told. */
const Ending = ({ item, kind }: { item: MoneyRequest; kind: 'decline' | 'cancel' }) => {
  const t = useWords(asking)
  const [isAsked, setAsked] = useState(false)
  const words =
    kind === 'decline'
      ? { act: t.decline, title: t.declineTitle, text: t.declineText, done: t.declined }
      : { act: t.cancel, title: t.cancelTitle, text: t.cancelText, done: t.cancelled }
  const act = useAct({
    name: `${kind}-${item.id}`,
    run: () => client.requests[kind](item.id),
    onDone: () => {
      setAsked(false)
      say(words.done)
    },
  })
  return (
    <>
      <Button
        look={kind === 'decline' ? 'danger' : 'plain'}
        className="mt-4 w-full"
        onClick={() => setAsked(true)}
      >
        {words.act}
      </Button>
      <Confirm
        open={isAsked}
        onClose={() => setAsked(false)}
        title={words.title}
        act={words.act}
        danger
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit(undefined)}
      >
        <ActNotice act={act} />
        {words.text(item.counterparty.name)}
      </Confirm>
    </>
  )
}

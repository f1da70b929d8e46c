import { useState } from 'react'
import { Link } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Amount, writeAmount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Status } from '../kit/facts.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Empty, Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { client, useUser } from '../session.ts'
import { type Group, type Payout, usePayouts } from './data.ts'
import { ProgressBar } from './parts.tsx'
import { payWords } from './pay-words.ts'

interface Props {
  group: Group
  status: Payout['status']
  /** As a part of another page. */
  short?: boolean
}

export const PayoutList = ({ group, status, short = false }: Props) => {
  const t = useWords(payWords)
  const query = usePayouts(group.id, status)
  const propose = (
    <ButtonLink href={`/groups/${group.id}/payouts/new`} look={short ? 'plain' : 'main'}>
      {t.propose}
    </ButtonLink>
  )
  return (
    <section aria-labelledby={`payouts-${status}`}>
      <div className="section-head">
        <h2 id={`payouts-${status}`} className={short ? 'section-title' : 'sr-only'}>
          {t.payouts}
        </h2>
        {short && (
          <Link href={`/groups/${group.id}/payouts`} className="link section-link">
            {t.all}
          </Link>
        )}
      </div>
      <Loaded query={query} skeleton={<RowBones rows={2} />}>
        {(payouts) =>
          payouts.length === 0 ? (
            <Empty
              title={status === 'open' ? t.none : t.noneDone}
              action={status === 'open' ? propose : undefined}
            >
              {status === 'open' ? t.noneText : undefined}
            </Empty>
          ) : (
            <ul className="together-cards together-cards-one">
              {payouts.map((payout) => (
                <li key={payout.id}>
                  <PayoutCard group={group} payout={payout} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

const tones = { open: 'waiting', paid: 'good', cancelled: 'plain', expired: 'plain' } as const

const PayoutCard = ({ group, payout }: { group: Group; payout: Payout }) => {
  const t = useWords(payWords)
  const user = useUser()
  const isOpen = payout.status === 'open'
  const percent = payout.approvals_needed === 0 ? 100 : (payout.approvals * 100) / payout.approvals_needed
  const approvals = t.approvals(payout.approvals, payout.approvals_needed)
  return (
    <article className="together-card">
      <div className="together-card-line">
        <Amount value={payout.amount} currency={payout.currency} className="text-xl font-bold" />
        <Status tone={tones[payout.status]}>{t.statuses[payout.status]}</Status>
      </div>
      <p>
        {t.to} <strong>{payout.to.name}</strong> · {payout.reason}
      </p>
      <p className="row-sub">
        {t.proposedBy(payout.proposed_by.name)} · <Time value={payout.created_at} form="day" />
      </p>
      {isOpen && (
        <>
          <ProgressBar percent={Math.floor(percent)} label={t.approvedBy} text={approvals} />
          <p className="together-card-line">
            <span>{payout.waiting_for === 'money' ? t.waitMoney : approvals}</span>
            <span className="text-soft">
              {t.until} <Time value={payout.expires_at} form="day" />
            </span>
          </p>
        </>
      )}
      {payout.approved_by.length > 0 && (
        <p className="text-soft">
          {t.approvedBy} {payout.approved_by.map(({ name }) => name).join(', ')}
        </p>
      )}
      {payout.reference !== null && <p className="text-soft">{payout.reference}</p>}
      {isOpen &&
        (payout.proposed_by.handle === user.handle ? (
          <TakeBack group={group} payout={payout} />
        ) : payout.approved_by_you ? (
          <Status tone="good">{t.approved}</Status>
        ) : (
          <Approve group={group} payout={payout} />
        ))}
    </article>
  )
}

const Approve = ({ group, payout }: { group: Group; payout: Payout }) => {
  const t = useWords(payWords)
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `payout-${payout.id}-approve`,
    run: (_order: object, call) => client.groups.approvePayout(group.id, payout.id, call),
    onDone: ({ status }) => {
      setOpen(false)
      say(status === 'paid' ? t.approvedPaid : t.approvedWaits)
    },
  })
  return (
    <>
      <Button look="main" onClick={() => setOpen(true)}>
        {t.approve}
      </Button>
      <Confirm
        title={t.approveTitle}
        open={open}
        onClose={() => setOpen(false)}
        act={t.approve}
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({})}
      >
        <ActNotice act={act} />
        {t.approveText(writeAmount(payout.amount, payout.currency, language), payout.to.name)}
      </Confirm>
    </>
  )
}

const TakeBack = ({ group, payout }: { group: Group; payout: Payout }) => {
  const t = useWords(payWords)
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `payout-${payout.id}-cancel`,
    run: () =>
      client.request('POST /api/groups/:id/payouts/:payout_id/cancel', {
        params: { id: group.id, payout_id: payout.id },
      }),
    onDone: () => {
      setOpen(false)
      say(t.tookBack)
    },
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.takeBack}</Button>
      <Confirm
        title={t.takeBack}
        open={open}
        onClose={() => setOpen(false)}
        act={t.takeBack}
        danger
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({})}
      >
        <ActNotice act={act} />
        {t.takeBackText}
      </Confirm>
    </>
  )
}

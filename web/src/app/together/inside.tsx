// What members see first: what is in the pot, what they have to do, and what happened.
import { ChartNoAxesGantt, HandCoins, type LucideIcon, ReceiptText, RefreshCcw, Users } from 'lucide-react'
import { Link } from 'wouter'
import { Amount, writeAmount } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Time } from '../kit/time.tsx'
import { useUser } from '../session.ts'
import type { Group } from './data.ts'
import { Debts } from './debts.tsx'
import { FeedRows } from './feed-rows.tsx'
import { groupWords } from './group-words.ts'
import { InsideNotices } from './inside-notices.tsx'
import { insideWords } from './inside-words.ts'
import { ProgressBar } from './parts.tsx'
import { PayoutList } from './payout-list.tsx'
import { SeatRows } from './seat-rows.tsx'
import { percentOf } from './sums.ts'

export const Inside = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  return (
    <div className="together-columns">
      <div>
        <Pot group={group} />
        <Tiles group={group} />
        <div className="mt-4">
          <InsideNotices group={group} />
        </div>
        {group.description !== null && <p className="text-soft mt-4">{group.description}</p>}
      </div>
      <div className="together-stack">
        {group.kind === 'goal' ? <PayoutList group={group} status="open" short /> : <Seats group={group} />}
        <Debts group={group} />
        <section aria-labelledby="lately">
          <div className="section-head">
            <h2 id="lately" className="section-title">
              {t.lately}
            </h2>
            <Link href={`/groups/${group.id}/feed`} className="link section-link">
              {t.seeAll}
            </Link>
          </div>
          <FeedRows group={group} items={(group.feed ?? []).slice(0, 8)} />
        </section>
      </div>
    </div>
  )
}

const Pot = ({ group }: { group: Group }) => {
  const g = useWords(groupWords)
  const { currency, cycle } = group
  return (
    <section className="purse" aria-label={g.inPot}>
      <p className="purse-name">{g.inPot}</p>
      <p className="purse-amount">
        <Amount value={group.balance} currency={currency} />
      </p>
      {group.goal_amount !== null && <Goal group={group} goal={group.goal_amount} />}
      {cycle !== null && <CycleLines group={group} />}
    </section>
  )
}

const Goal = ({ group, goal }: { group: Group; goal: number | string }) => {
  const t = useWords(insideWords)
  const g = useWords(groupWords)
  const { balance, currency } = group
  const percent = percentOf(balance, goal, currency)
  const text = percent >= 100 ? t.goalReached : g.ofGoal(percent)
  return (
    <div className="together-on-field">
      <ProgressBar percent={percent} label={g.goal} text={text} />
      <p>
        {text} · {t.raisedOf} <Amount value={goal} currency={currency} />
      </p>
    </div>
  )
}

const CycleLines = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const { handle } = useUser()
  const { cycle } = group
  if (cycle === null) return null
  const next = cycle.next_payout_to
  return (
    <div className="together-on-field">
      <p>
        {t.cycle(cycle.number, cycle.of)}
        {next !== null && <> · {next.handle === handle ? t.potToYou : t.potTo(next.name)}</>}
      </p>
      <p>
        {cycle.late ? t.lateSince : t.dueBy} <Time value={cycle.due_at} form="day" />
      </p>
    </div>
  )
}

const Tiles = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const language = useLanguage()
  const { id, kind, cycle, currency } = group
  const due = cycle?.your_due ?? null
  const tiles: { href: string; text: string; icon: LucideIcon }[] = [
    { href: `/groups/${id}/contribute`, text: kind === 'goal' ? t.give : t.payTile, icon: HandCoins },
    { href: `/groups/${id}/members`, text: t.membersTile, icon: Users },
    kind === 'goal'
      ? { href: `/groups/${id}/payouts`, text: t.payoutsTile, icon: ChartNoAxesGantt }
      : { href: `/groups/${id}/rounds/${group.round?.number ?? 'new'}`, text: t.roundTile, icon: RefreshCcw },
    { href: `/groups/${id}/statement`, text: t.statementTile, icon: ReceiptText },
  ]
  return (
    <>
      {due !== null && (
        <div className="together-due-box">
          <p>
            {t.youOwe}{' '}
            <strong>
              <Amount value={due} currency={currency} />
            </strong>
            {cycle?.late && (group.late_fine ?? 0) > 0 && (
              <span className="block text-soft">{t.fineIncluded}</span>
            )}
          </p>
          <ButtonLink href={`/groups/${id}/contribute`} look="main">
            {t.pay(writeAmount(due, currency, language))}
          </ButtonLink>
        </div>
      )}
      <ul className="acts">
        {tiles.map(({ href, text, icon: Icon }) => (
          <li key={href}>
            <Link href={href} className="act">
              <Icon aria-hidden="true" />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

const Seats = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  if (group.cycle === null) return null
  return (
    <section aria-labelledby="seats">
      <h2 id="seats" className="section-title mb-2">
        {t.whoPaid}
      </h2>
      <SeatRows group={group} />
    </section>
  )
}

// What a member may have to do in a group, before anything else.
import { useState } from 'react'
import { useAct } from '../kit/act.ts'
import { Amount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { useWords } from '../kit/language.ts'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { say } from '../kit/toast.tsx'
import { client, useUser } from '../session.ts'
import { type Group, sameAs, usePayouts } from './data.ts'
import { insideWords } from './inside-words.ts'
import { sumOf } from './sums.ts'

export const InsideNotices = ({ group }: { group: Group }) => (
  <>
    <SeatOffer group={group} />
    <OwnDebts group={group} />
    {group.kind === 'goal' && <Votes group={group} />}
    {group.kind === 'rotating' && <RoundState group={group} />}
    {group.cycle?.late && group.role !== 'member' && <CloseLate group={group} />}
  </>
)

const SeatOffer = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const user = useUser()
  const seat = group.round?.seats.find(({ offered_to: to }) => to !== null && sameAs(user)(to))
  const act = useAct({
    name: `group-${group.id}-accept`,
    run: () => client.request('POST /api/groups/:id/seat/accept', { params: { id: group.id } }),
    onDone: () => say(t.seatTaken),
  })
  const [open, setOpen] = useState(false)
  if (seat === undefined || group.round?.status !== 'open') return null
  return (
    <>
      <Notice
        title={t.seatOffered(seat.member.name)}
        action={
          <Button look="main" onClick={() => setOpen(true)}>
            {t.acceptSeat}
          </Button>
        }
      >
        {t.seatOfferedText}
      </Notice>
      <Confirm
        title={t.acceptSeat}
        open={open}
        onClose={() => setOpen(false)}
        act={t.acceptSeat}
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({})}
      >
        <ActNotice act={act} />
        {t.seatOfferedText}
      </Confirm>
    </>
  )
}

const OwnDebts = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const user = useUser()
  const own = (group.debts ?? []).filter(({ from }) => sameAs(user)(from))
  if (own.length === 0) return null
  const total = sumOf(
    own.map(({ amount }) => amount),
    group.currency,
  )
  return (
    <Notice
      kind="warning"
      title={
        <>
          {t.youOweTitle}: <Amount value={total} currency={group.currency} />
        </>
      }
      action={
        <ButtonLink href={`/groups/${group.id}/contribute?toward=debts`} look="main">
          {t.payDebts}
        </ButtonLink>
      }
    >
      {t.youOweText}
    </Notice>
  )
}

const Votes = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const user = useUser()
  const { data = [] } = usePayouts(group.id, 'open')
  const waiting = data.filter((one) => !one.approved_by_you && one.proposed_by.handle !== user.handle)
  if (waiting.length === 0) return null
  return (
    <Notice
      title={t.votes(waiting.length)}
      action={<ButtonLink href={`/groups/${group.id}/payouts`}>{t.toPayouts}</ButtonLink>}
    >
      {t.votesText}
    </Notice>
  )
}

const RoundState = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const user = useUser()
  const { id, round, cycle, role } = group
  if (cycle !== null) {
    const isSeated = group.members?.some((member) => sameAs(user)(member) && member.turn !== null)
    return isSeated ? null : <Notice>{t.noSeat}</Notice>
  }
  if (round?.status === 'announced')
    return (
      <Notice
        title={t.drawAnnounced}
        action={
          <ButtonLink href={`/groups/${id}/rounds/${round.number}`} look="main">
            {t.toDraw}
          </ButtonLink>
        }
      >
        {t.drawAnnouncedText}
      </Notice>
    )
  return (
    <Notice
      title={t.noRound}
      action={
        role === 'chair' ? (
          <ButtonLink href={`/groups/${id}/rounds/new`} look="main">
            {t.startRound}
          </ButtonLink>
        ) : undefined
      }
    >
      {role === 'chair' ? t.noRoundChair : t.noRoundMember}
    </Notice>
  )
}

const CloseLate = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `group-${group.id}-close`,
    run: (_cycle: object, call) =>
      client.request('POST /api/groups/:id/cycle/close', { ...call, params: { id: group.id } }),
    onDone: () => {
      setOpen(false)
      say(t.closed)
    },
  })
  return (
    <>
      <Button className="w-full" onClick={() => setOpen(true)}>
        {t.closeLate}
      </Button>
      <Confirm
        title={t.closeLate}
        open={open}
        onClose={() => setOpen(false)}
        act={t.closeLate}
        danger
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit({ round: group.cycle?.round, cycle: group.cycle?.number })}
      >
        <ActNotice act={act} />
        {t.closeLateText}
      </Confirm>
    </>
  )
}

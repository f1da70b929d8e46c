import type { StartGroupRoundBody } from '@mfuko/sdk/browser'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { type Group, type Member, sameAs, useGroup, useId } from './data.ts'
import { ChoiceCards, Who } from './parts.tsx'
import { roundWords } from './round-words.ts'
import './together.css'

const membersLeast = 3

export const StartRound = () => {
  const t = useWords(roundWords)
  const id = useId()
  return (
    <Page title={t.startTitle} back={`/groups/${id}`}>
      <p className="text-soft">{t.startText}</p>
      <Loaded query={useGroup(id)} skeleton={<RowBones rows={3} />}>
        {(group) => (group.role === 'chair' ? <StartForm group={group} /> : <Notice>{t.onlyChair}</Notice>)}
      </Loaded>
    </Page>
  )
}

const StartForm = ({ group }: { group: Group }) => {
  const t = useWords(roundWords)
  const [order, setOrder] = useState<'join' | 'draw' | 'hand'>('join')
  const all = group.members ?? []
  const owing = all.filter((member) => group.debts?.some(({ from }) => sameAs(member)(from)))
  const entrants = all.filter((member) => !owing.includes(member))
  const [handles, setHandles] = useState<string[]>()
  const listed = handles ?? entrants.map(({ handle }) => handle)
  if (entrants.length < membersLeast)
    return (
      <Notice
        kind="warning"
        action={<ButtonLink href={`/groups/${group.id}/members`}>{t.invite}</ButtonLink>}
      >
        {t.tooFew(entrants.length)} {owing.length > 0 && t.owing(owing.map(({ name }) => name).join(', '))}
      </Notice>
    )
  return (
    <div className="form">
      {owing.length > 0 && <Notice>{t.owing(owing.map(({ name }) => name).join(', '))}</Notice>}
      <ChoiceCards
        label={t.howOrder}
        value={order}
        onChange={setOrder}
        options={[
          { value: 'join', title: t.join, text: t.joinText },
          { value: 'draw', title: t.draw, text: t.drawText },
          { value: 'hand', title: t.hand, text: t.handText },
        ]}
      />
      {order !== 'draw' && (
        <Order
          members={
            order === 'join' ? entrants : listed.flatMap((one) => entrants.filter((m) => m.handle === one))
          }
          onMove={order === 'hand' ? setHandles : undefined}
        />
      )}
      {order === 'draw' ? (
        <Announce group={group} />
      ) : (
        <StartButton
          group={group}
          count={entrants.length}
          text={t.start}
          body={order === 'hand' ? { order, members: listed } : { order }}
        />
      )}
    </div>
  )
}

interface OrderProps {
  members: readonly Member[]
  /** Absent: it is only shown. */
  onMove: ((handles: string[]) => void) | undefined
}

const Order = ({ members, onMove }: OrderProps) => {
  const t = useWords(roundWords)
  const move = (from: number, to: number) => {
    const handles = members.map(({ handle }) => handle)
    handles.splice(to, 0, ...handles.splice(from, 1))
    onMove?.(handles)
  }
  return (
    <section aria-label={t.order}>
      <ol className="rows">
        {members.map((member, place) => (
          <li key={member.handle} className="row">
            <span className="row-icon" aria-hidden="true">
              {place + 1}
            </span>
            <span className="row-main row-title">
              <Who who={member} />
            </span>
            {onMove !== undefined && (
              <span className="flex">
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t.up(member.name)}
                  disabled={place === 0}
                  onClick={() => move(place, place - 1)}
                >
                  <ArrowUp aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t.down(member.name)}
                  disabled={place === members.length - 1}
                  onClick={() => move(place, place + 1)}
                >
                  <ArrowDown aria-hidden="true" />
                </button>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const Announce = ({ group }: { group: Group }) => {
  const t = useWords(roundWords)
  const [, go] = useLocation()
  const act = useAct({
    name: `group-${group.id}-draw`,
    run: async () => (await client.request('POST /api/groups/:id/draw', { params: { id: group.id } })).data,
    onDone: ({ round }) => {
      say(t.announced)
      go(`/groups/${group.id}/rounds/${round?.number ?? 1}`, { replace: true })
    },
  })
  return (
    <>
      <ActNotice act={act} />
      <Button look="main" busy={act.state === 'busy'} onClick={() => void act.submit({})}>
        {t.announce}
      </Button>
    </>
  )
}

interface StartProps {
  group: Group
  body: StartGroupRoundBody
  count: number
  text: string
}

export const StartButton = ({ group, body, count, text }: StartProps) => {
  const t = useWords(roundWords)
  const [, go] = useLocation()
  const [open, setOpen] = useState(false)
  const act = useAct({
    name: `group-${group.id}-start`,
    run: (order: StartGroupRoundBody) =>
      client.request('POST /api/groups/:id/start', { params: { id: group.id }, body: order }),
    onDone: () => {
      setOpen(false)
      say(t.started)
      go(`/groups/${group.id}`)
    },
  })
  return (
    <>
      <Button look="main" onClick={() => setOpen(true)}>
        {text}
      </Button>
      <Confirm
        title={t.sure}
        open={open}
        onClose={() => setOpen(false)}
        act={text}
        busy={act.state === 'busy'}
        onConfirm={() => void act.submit(body)}
      >
        <ActNotice act={act} />
        {t.sureText(count)}
      </Confirm>
    </>
  )
}

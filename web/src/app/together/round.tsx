import { ShieldCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Button } from '../kit/button.tsx'
import { fieldError } from '../kit/errors.ts'
import { Facts, Status } from '../kit/facts.tsx'
import { TextField } from '../kit/field.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { Loaded, RowBones } from '../kit/loaded.tsx'
import { ActNotice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { client, useUser } from '../session.ts'
import { type Group, type Round, sameAs, useGroup, useRound } from './data.ts'
import { Who } from './parts.tsx'
import { roundWords } from './round-words.ts'
import { StartButton } from './start-round.tsx'
import './together.css'

const tones = { announced: 'waiting', open: 'waiting', done: 'good', dissolved: 'plain' } as const

export const RoundPage = () => {
  const t = useWords(roundWords)
  const { id, number } = useParams<{ id: string; number: string }>()
  const round = useRound(id, Number(number))
  return (
    <Page title={t.round(Number(number))} back={`/groups/${id}`} width="wide">
      <Loaded query={round} skeleton={<RowBones rows={4} />}>
        {(found) => <RoundParts id={id} round={found} />}
      </Loaded>
    </Page>
  )
}

const RoundParts = ({ id, round }: { id: string; round: Round }) => {
  const t = useWords(roundWords)
  const group = useGroup(id)
  const time = (value: string | null) => (value === null ? undefined : <Time value={value} form="day" />)
  return (
    <div className="together-columns">
      <div className="together-stack">
        <section>
          <Status tone={tones[round.status]}>{t.statuses[round.status]}</Status>
          <Facts
            rows={[
              [t.ordered, round.order === null ? undefined : t.orders[round.order]],
              [t.announcedAt, time(round.announced_at)],
              [t.startedAt, time(round.started_at)],
              [t.due, time(round.due_at)],
              [t.endedAt, time(round.ended_at)],
            ]}
          />
        </section>
        <Earlier id={id} number={round.number} last={group.data?.round?.number} />
      </div>
      <div className="together-stack">
        {round.seats.length > 0 && <SeatList round={round} />}
        {round.draw !== null && group.data !== undefined && (
          <Draw group={group.data} round={round} draw={round.draw} />
        )}
      </div>
    </div>
  )
}

/** All others of the group. */
const Earlier = ({
  id,
  number,
  last = number,
}: {
  id: string
  number: number
  last?: number | undefined
}) => {
  const t = useWords(roundWords)
  const others = Array.from({ length: last }, (_, place) => last - place).filter((one) => one !== number)
  if (others.length === 0) return null
  return (
    <nav aria-label={t.earlier}>
      <h2 className="section-title mb-2">{t.earlier}</h2>
      <ul className="small-purses">
        {others.slice(0, 50).map((one) => (
          <li key={one}>
            <Link href={`/groups/${id}/rounds/${one}`} className="small-purse">
              {t.round(one)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const seatTones = { waiting: 'waiting', received: 'good', left: 'plain' } as const

const SeatList = ({ round }: { round: Round }) => {
  const t = useWords(roundWords)
  const { handle } = useUser()
  return (
    <section aria-labelledby="who-when">
      <h2 id="who-when" className="section-title mb-2">
        {t.whoWhen}
      </h2>
      <ol className="rows">
        {round.seats.map((seat) => (
          <li key={seat.turn} className="row">
            <span className="row-icon" aria-hidden="true">
              {seat.turn}
            </span>
            {/* Below the name, which a phone would cut off beside it. */}
            <span className="row-main">
              <span className="row-title">
                <Who who={seat.member} isYou={seat.member.handle === handle} />
              </span>
              <span className="row-sub">
                <Status tone={seatTones[seat.status]}>{t.seat[seat.status]}</Status>
                {seat.received_in_cycle !== null && ` ${t.inTurn(seat.received_in_cycle)}`}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface DrawProps {
  group: Group
  round: Round
  draw: NonNullable<Round['draw']>
}

const Draw = ({ group, round, draw }: DrawProps) => {
  const t = useWords(roundWords)
  const language = useLanguage()
  const paper = JSON.stringify(round)
  const isOpen = round.status === 'announced'
  const owing = (group.members ?? []).filter((member) =>
    group.debts?.some(({ from }) => sameAs(member)(from)),
  )
  return (
    <section aria-labelledby="draw">
      <h2 id="draw" className="section-title">
        {t.drawTitle}
      </h2>
      <p className="text-soft">{t.drawHow}</p>
      <dl className="together-proof">
        <dt>{t.commitment}</dt>
        <dd>{draw.commitment}</dd>
        <dt>{t.seed}</dt>
        <dd>{draw.seed ?? t.seedLater}</dd>
      </dl>
      <h3 className="field-label mt-4">{t.words}</h3>
      {draw.words.length === 0 ? (
        <p className="text-soft">{t.noWords}</p>
      ) : (
        <ul className="together-words">
          {draw.words.map(({ handle, word }) => (
            <li key={handle}>
              <span className="text-soft">@{handle}</span> {word}
            </li>
          ))}
        </ul>
      )}
      {isOpen && <WordForm group={group} draw={draw} />}
      {isOpen && group.role === 'chair' && (
        <div className="form">
          <StartButton
            group={group}
            body={{ order: 'draw' }}
            count={(group.members?.length ?? 0) - owing.length}
            text={t.startDraw}
          />
        </div>
      )}
      {draw.seed !== null && (
        <div className="form">
          <a
            className="button"
            href={`/verify?lang=${language}#paper=${encodeURIComponent(paper)}`}
            target="_blank"
            rel="noopener"
          >
            <ShieldCheck aria-hidden="true" />
            {t.check}
          </a>
          <p className="field-hint">{t.checkText}</p>
        </div>
      )}
    </section>
  )
}

const WordForm = ({ group, draw }: Omit<DrawProps, 'round'>) => {
  const t = useWords(roundWords)
  const { handle } = useUser()
  const given = draw.words.find((one) => one.handle === handle)?.word
  const [word, setWord] = useState('')
  const act = useAct({
    name: `group-${group.id}-word`,
    run: (order: { word: string }) =>
      client.request('POST /api/groups/:id/draw/word', { params: { id: group.id }, body: order }),
    onDone: () => {
      setWord('')
      say(t.wordAdded)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act.submit({ word: word.trim() })
  }
  return (
    <form className="form" onSubmit={submit}>
      <ActNotice act={act} fields={['word']} />
      <TextField
        label={t.yourWord}
        hint={t.wordHint}
        error={act.state === 'refused' ? fieldError(act.error, 'word') : undefined}
        value={word}
        onChange={setWord}
        autoComplete="off"
        maxLength={40}
        required
      />
      <Button type="submit" busy={act.state === 'busy'}>
        {given === undefined ? t.addWord : t.changeWord}
      </Button>
    </form>
  )
}

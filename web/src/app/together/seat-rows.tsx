import { Link } from 'wouter'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { useUser } from '../session.ts'
import type { Group, Member } from './data.ts'
import { insideWords } from './inside-words.ts'
import { Who } from './parts.tsx'

/** Who takes part in the open round, in the order in which they receive, and who has paid for this turn. */
export const SeatRows = ({ group }: { group: Group }) => {
  const seated = (group.members ?? [])
    .filter((member) => member.turn !== null)
    .sort((one, other) => (one.turn ?? 0) - (other.turn ?? 0))
  return (
    <ol className="rows">
      {seated.map((member) => (
        <SeatRow key={member.handle} group={group} member={member} />
      ))}
    </ol>
  )
}

const SeatRow = ({ group, member }: { group: Group; member: Member }) => {
  const t = useWords(insideWords)
  const { handle } = useUser()
  const isYou = member.handle === handle
  const isNext = group.cycle?.next_payout_to?.handle === member.handle
  const mayPayFor = member.has_paid === false && !isYou
  return (
    <li className="row">
      <span className={`row-icon ${isNext ? 'row-icon-in' : ''}`} aria-hidden="true">
        {member.turn}
      </span>
      <span className="row-main">
        <span className="row-title">
          <Who who={member} isYou={isYou} />
        </span>
        <span className="row-sub">
          {isNext ? t.getsNext : member.has_received ? t.hadPot : t.turn(member.turn ?? 0)}
        </span>
      </span>
      <span className="row-end">
        {member.has_paid ? (
          <Status tone="good">{t.paid}</Status>
        ) : (
          <Status tone={member.late ? 'bad' : 'waiting'}>{member.late ? t.late : t.notPaid}</Status>
        )}
        {mayPayFor && (
          <Link
            href={`/groups/${group.id}/contribute?for=${member.handle}`}
            className="link together-small-link"
          >
            {t.payTile}
            <span className="sr-only"> {t.payFor(member.name)}</span>
          </Link>
        )}
      </span>
    </li>
  )
}

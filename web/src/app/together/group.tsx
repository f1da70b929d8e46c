// The address of a group: for members what happens in it, for others what it says of itself and a way in.
import { MfukoError } from '@mfuko/sdk/browser'
import { Settings } from 'lucide-react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useAct } from '../kit/act.ts'
import { Amount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Facts } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded } from '../kit/loaded.tsx'
import { ActNotice, Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { say } from '../kit/toast.tsx'
import { client } from '../session.ts'
import { type Group, useGroup, useId } from './data.ts'
import { groupWords } from './group-words.ts'
import { Inside } from './inside.tsx'
import { insideWords } from './inside-words.ts'
import './together.css'

export const GroupPage = () => {
  const t = useWords(groupWords)
  const i = useWords(insideWords)
  const id = useId()
  const [search] = useSearchParams()
  const code = search.get('invite') ?? undefined
  const query = useGroup(id)
  const isHidden = query.error instanceof MfukoError && query.error.code === 'not_found'
  if (query.data === undefined && isHidden)
    return code === undefined ? <NoSuchGroup /> : <Invited id={id} code={code} />
  const group = query.data
  const isMember = group !== undefined && group.role !== null
  return (
    <Page
      title={group?.name ?? t.groups}
      back="/groups"
      width={group === undefined || isMember ? 'wide' : 'narrow'}
      side={
        isMember && (
          <Link href={`/groups/${id}/settings`} className="icon-button" aria-label={i.settings}>
            <Settings aria-hidden="true" />
          </Link>
        )
      }
    >
      <Loaded query={query} skeleton={<div className="purse bone-purse" />}>
        {(found) => (found.role === null ? <Outside group={found} code={code} /> : <Inside group={found} />)}
      </Loaded>
    </Page>
  )
}

const NoSuchGroup = () => {
  const t = useWords(groupWords)
  return (
    <Page title={t.groups} back="/groups">
      <Empty
        title={t.noSuchGroup}
        action={
          <ButtonLink href="/groups/join" look="main">
            {t.join}
          </ButtonLink>
        }
      >
        {t.noSuchGroupText}
      </Empty>
    </Page>
  )
}

/** A private group says nothing of itself before one has joined. */
const Invited = ({ id, code }: { id: string; code: string }) => {
  const t = useWords(groupWords)
  return (
    <Page title={t.joinTitle} back="/groups">
      <Notice title={t.invited}>{t.invitedText}</Notice>
      <Facts rows={[[t.code, code]]} />
      <Join id={id} code={code} />
    </Page>
  )
}

const Outside = ({ group, code }: { group: Group; code: string | undefined }) => {
  const t = useWords(groupWords)
  const { currency, late_fine } = group
  const fine = late_fine ?? 0
  const isFull = group.member_count >= group.max_members
  return (
    <>
      {group.description !== null && <p className="mb-4">{group.description}</p>}
      <Facts
        rows={[
          [t.kind, group.kind === 'rotating' ? t.rotating : t.goal],
          [t.eachPays, group.kind === 'rotating' ? <EachPays group={group} /> : undefined],
          [
            t.goalAmount,
            group.goal_amount === null ? undefined : <Amount value={group.goal_amount} currency={currency} />,
          ],
          [t.inPot, <Amount key="pot" value={group.balance} currency={currency} />],
          [t.fine, fine > 0 ? <Amount value={fine} currency={currency} /> : undefined],
          [t.most, `${group.member_count} / ${group.max_members}`],
        ]}
      />
      <div className="mt-4">
        {group.cycle !== null && <Notice>{t.joinMidRound}</Notice>}
        <Notice>{t.invitedText}</Notice>
        {isFull ? <Notice kind="warning">{t.full}</Notice> : <Join id={group.id} code={code} />}
      </div>
    </>
  )
}

const EachPays = ({ group }: { group: Group }) => {
  const t = useWords(groupWords)
  return (
    <>
      <Amount value={group.contribution_amount ?? 0} currency={group.currency} />{' '}
      {group.frequency === 'weekly' ? t.everyWeek : t.everyMonth}
    </>
  )
}

const Join = ({ id, code }: { id: string; code: string | undefined }) => {
  const t = useWords(groupWords)
  const [, go] = useLocation()
  const act = useAct({
    name: `group-${id}-join`,
    run: (order: { invite_code?: string }) => client.groups.join(id, order),
    onDone: ({ name }) => {
      say(t.joined(name))
      go(`/groups/${id}`, { replace: true })
    },
  })
  return (
    <div className="form">
      <ActNotice act={act} />
      <Button
        look="main"
        busy={act.state === 'busy'}
        onClick={() => void act.submit(code === undefined ? {} : { invite_code: code })}
      >
        {t.joinNow}
      </Button>
    </div>
  )
}

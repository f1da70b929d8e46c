import { CircleAlert, KeyRound, Plus, RefreshCcw, Target } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { Amount, type Currency, currencyCodes } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Status } from '../kit/facts.tsx'
import { ChoiceField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { common } from '../kit/words.ts'
import { client, useUser } from '../session.ts'
import { cursorOf, type GroupSummary } from './data.ts'
import { groupWords } from './group-words.ts'
import { Tabs } from './parts.tsx'
import { percentOf } from './sums.ts'
import './together.css'

export const Groups = () => {
  const t = useWords(groupWords)
  const [search] = useSearchParams()
  const isDiscovering = search.get('scope') === 'discover'
  return (
    <Page title={t.groups} width="wide">
      <div className="together-head-acts">
        <ButtonLink href="/groups/new" look="main">
          <Plus aria-hidden="true" />
          {t.newGroup}
        </ButtonLink>
        <ButtonLink href="/groups/join">
          <KeyRound aria-hidden="true" />
          {t.join}
        </ButtonLink>
      </div>
      <Tabs
        label={t.groups}
        tabs={[
          { href: '/groups', text: t.mine, here: !isDiscovering },
          { href: '/groups?scope=discover', text: t.discover, here: isDiscovering },
        ]}
      />
      {isDiscovering ? <Discover /> : <Mine />}
    </Page>
  )
}

const Mine = () => {
  const t = useWords(groupWords)
  const query = usePages(['groups', 'mine'], (cursor, signal) =>
    client.groups.list({ scope: 'mine', limit: 50, ...cursorOf(cursor) }, { signal }),
  )
  return (
    <>
      <Loaded query={query} skeleton={<RowBones rows={3} />}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty
              title={t.noGroups}
              action={
                <ButtonLink href="/groups/new" look="main">
                  {t.newGroup}
                </ButtonLink>
              }
            >
              {t.noGroupsText}
            </Empty>
          ) : (
            <ul className="together-cards">
              {duesFirst(groups).map((group) => (
                <li key={group.id}>
                  <GroupCard group={group} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </>
  )
}

const isDue = ({ cycle }: GroupSummary): boolean => cycle !== null && cycle.your_due !== null

/** What one has to do comes first; the rest stays as it is. */
const duesFirst = (groups: readonly GroupSummary[]): GroupSummary[] => [
  ...groups.filter(isDue),
  ...groups.filter((group) => !isDue(group)),
]

const Discover = () => {
  const t = useWords(groupWords)
  const c = useWords(common)
  const [search, setSearch] = useSearchParams()
  const kind = search.get('kind') as GroupSummary['kind'] | null
  const currency = search.get('currency') as Currency | null
  const set = (name: string) => (value: string) =>
    setSearch(
      (before) => {
        if (value === '') before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true },
    )
  const filters = { ...(kind === null ? {} : { kind }), ...(currency === null ? {} : { currency }) }
  const query = usePages(['groups', 'discover', filters], (cursor, signal) =>
    client.groups.list({ scope: 'discover', ...filters, ...cursorOf(cursor) }, { signal }),
  )
  return (
    <>
      <div className="together-filters">
        <ChoiceField
          label={t.kind}
          value={kind ?? ''}
          onChange={set('kind')}
          options={[
            { value: '', text: t.anyKind },
            { value: 'rotating', text: t.rotating },
            { value: 'goal', text: t.goal },
          ]}
        />
        <ChoiceField
          label={c.currency}
          value={currency ?? ''}
          onChange={set('currency')}
          options={[
            { value: '', text: t.anyCurrency },
            ...currencyCodes.map((code) => ({ value: code as string, text: code as string })),
          ]}
        />
      </div>
      <Loaded query={query} skeleton={<RowBones rows={3} />}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty title={t.noneOpen} action={<ButtonLink href="/groups/join">{t.join}</ButtonLink>}>
              {t.noneOpenText}
            </Empty>
          ) : (
            <ul className="together-cards">
              {groups.map((group) => (
                <li key={group.id}>
                  <GroupCard group={group} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </>
  )
}

const GroupCard = ({ group }: { group: GroupSummary }) => {
  const t = useWords(groupWords)
  const Icon = group.kind === 'rotating' ? RefreshCcw : Target
  return (
    <Link href={`/groups/${group.id}`} className="together-card row-link">
      <span className="together-card-head">
        <span className="row-icon row-icon-in">
          <Icon aria-hidden="true" />
        </span>
        <span className="row-main">
          <span className="row-title">{group.name}</span>
          <span className="row-sub">
            {group.kind === 'rotating' ? t.rotating : t.goal} · {t.members(group.member_count)}
          </span>
        </span>
      </span>
      <span className="together-card-line">
        <span className="text-soft">{t.inPot}</span>
        <Amount value={group.balance} currency={group.currency} className="font-semibold" />
      </span>
      <CardState group={group} />
    </Link>
  )
}

const CardState = ({ group }: { group: GroupSummary }) => {
  const t = useWords(groupWords)
  const { handle } = useUser()
  const { cycle, currency } = group
  if (group.role === null)
    return (
      <span className="together-card-line">
        {group.contribution_amount !== null && group.frequency !== null ? (
          <span>
            <Amount value={group.contribution_amount} currency={currency} />{' '}
            {group.frequency === 'weekly' ? t.everyWeek : t.everyMonth}
          </span>
        ) : (
          <GoalPart group={group} />
        )}
        <span className="text-soft">{t.placesLeft(group.max_members - group.member_count)}</span>
      </span>
    )
  if (group.kind === 'goal')
    return (
      <span className="together-card-line">
        <GoalPart group={group} />
      </span>
    )
  if (cycle === null)
    return (
      <span className="together-card-line">
        <Status tone="plain">{t.waiting}</Status>
      </span>
    )
  if (cycle.your_due !== null)
    return (
      <span className="together-card-line together-due">
        <span>
          <CircleAlert aria-hidden="true" />
          {cycle.late ? t.dueLate : t.due} <Amount value={cycle.your_due} currency={currency} />
        </span>
        {!cycle.late && (
          <span className="text-soft">
            {t.dueBy} <Time value={cycle.due_at} form="day" />
          </span>
        )}
      </span>
    )
  const next = cycle.next_payout_to
  return (
    <span className="together-card-line">
      <Status tone="good">{t.nothingDue}</Status>
      {next !== null && (
        <span className="text-soft">{next.handle === handle ? t.yourTurn : t.nextTo(next.name)}</span>
      )}
    </span>
  )
}

const GoalPart = ({ group }: { group: GroupSummary }) => {
  const t = useWords(groupWords)
  if (group.goal_amount === null) return null
  return <span>{t.ofGoal(percentOf(group.balance, group.goal_amount, group.currency))}</span>
}

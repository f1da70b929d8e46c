import type { GetGroupStatementReply } from '@mfuko/sdk/browser'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones } from '../kit/loaded.tsx'
import { Page } from '../kit/page.tsx'
import { client, useUser } from '../session.ts'
import { cursorOf, type Group, useGroup, useId } from './data.ts'
import { FeedRows } from './feed-rows.tsx'
import { feedWords } from './feed-words.ts'
import './together.css'

/** What one member has paid and received; of others too, since everybody sees everything. */
export const Statement = () => {
  const t = useWords(feedWords)
  const id = useId()
  const group = useGroup(id)
  return (
    <Page title={t.statement} back={`/groups/${id}`} width="wide">
      <Loaded query={group} skeleton={<RowBones rows={6} />}>
        {(found) => <Account group={found} />}
      </Loaded>
    </Page>
  )
}

const Account = ({ group }: { group: Group }) => {
  const t = useWords(feedWords)
  const user = useUser()
  const [search, setSearch] = useSearchParams()
  const member = search.get('member') ?? user.handle
  const query = useStatement(group.id, member)
  return (
    <div className="together-columns">
      <div>
        <ChoiceField
          label={t.whose}
          value={member}
          onChange={(handle) =>
            setSearch(handle === user.handle ? {} : { member: handle }, { replace: true })
          }
          options={(group.members ?? []).map(({ handle, name }) => ({
            value: handle,
            text: `${name} @${handle}`,
          }))}
        />
        <Loaded query={query} skeleton={<RowBones rows={3} />}>
          {(pages) => {
            const [first] = pages
            return first === undefined ? null : <Totals data={first.data} />
          }}
        </Loaded>
      </div>
      <div>
        <Loaded query={query} skeleton={<RowBones rows={5} />}>
          {(pages) => <Movements group={group} items={pages.flatMap(({ data }) => data.movements)} />}
        </Loaded>
        <MoreButton query={query} />
      </div>
    </div>
  )
}

function useStatement(id: string, member: string) {
  const query = useInfiniteQuery({
    queryKey: ['groups', id, 'statement', member],
    queryFn: ({ pageParam, signal }) =>
      client.request('GET /api/groups/:id/statement', {
        ...{ params: { id }, signal },
        query: { member, ...cursorOf(pageParam) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }: GetGroupStatementReply) => meta.next_cursor ?? undefined,
  })
  return { ...query, data: query.data?.pages }
}

const Totals = ({ data }: { data: GetGroupStatementReply['data'] }) => {
  const t = useWords(feedWords)
  const { currency } = data
  const rows = [
    [t.paidIn, data.paid],
    [t.fines, data.fines || undefined],
    [t.forOthers, data.paid_for_others || undefined],
    [t.returned, data.returned || undefined],
    [t.received, data.received],
    [t.owes, data.owes || undefined],
    [t.isOwed, data.is_owed || undefined],
  ] as const
  return (
    <Facts
      rows={rows.map(([name, value]) => [
        name,
        value === undefined ? undefined : <Amount key={name} value={value} currency={currency} />,
      ])}
    />
  )
}

type Movement = GetGroupStatementReply['data']['movements'][number]

const Movements = ({ group, items }: { group: Group; items: readonly Movement[] }) => {
  const t = useWords(feedWords)
  return items.length === 0 ? (
    <Empty title={t.noMoves}>{t.noMovesText}</Empty>
  ) : (
    <FeedRows group={group} items={items} />
  )
}

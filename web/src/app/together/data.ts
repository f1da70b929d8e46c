// What several pages ask for, under the same names, so that it is asked once.
import type {
  BrowseCampaignsItem,
  CreateCampaignData,
  CreateGroupData,
  GetGroupData,
  GetGroupFeedItem,
  GetGroupRoundData,
  Page,
  ProposeGroupPayoutData,
} from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { client } from '../session.ts'

export type GroupSummary = CreateGroupData
export type Group = GetGroupData
export type Member = NonNullable<Group['members']>[number]
export type Debt = NonNullable<Group['debts']>[number]
export type Cycle = NonNullable<Group['cycle']>
export type Round = GetGroupRoundData
export type FeedItem = GetGroupFeedItem
export type Payout = ProposeGroupPayoutData
export type Campaign = CreateCampaignData
export type CampaignSummary = BrowseCampaignsItem
export type Category = Campaign['category']

/** The group, the campaign or whatever else the address names. */
export const useId = (): string => useParams<{ id: string }>().id

/** While others may pay, vote or add a word, what they did appears by itself; not while nobody looks. */
const followMs = 10_000

const isMoving = (group: Group | undefined): boolean =>
  group !== undefined && (group.cycle !== null || group.round?.status === 'announced')

export const useGroup = (id: string) =>
  useQuery({
    queryKey: ['groups', id],
    queryFn: ({ signal }) => client.groups.get(id, { signal }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? followMs : false),
  })

export const useRound = (id: string, number: number) =>
  useQuery({
    queryKey: ['groups', id, 'rounds', number],
    queryFn: async ({ signal }) =>
      (await client.request('GET /api/groups/:id/rounds/:number', { params: { id, number }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === 'announced' ? followMs : false),
  })

export const usePayouts = (id: string, status: Payout['status'], enabled = true) =>
  useQuery({
    queryKey: ['groups', id, 'payouts', status],
    queryFn: async ({ signal }) => {
      const query = { status, limit: 50 }
      return (await client.request('GET /api/groups/:id/payouts', { params: { id }, query, signal })).data
    },
    enabled,
    refetchInterval: ({ state }) => (status === 'open' && (state.data?.length ?? 0) > 0 ? followMs : false),
  })

export const useCampaign = (id: string) =>
  useQuery({
    queryKey: ['campaigns', id],
    queryFn: ({ signal }) => client.campaigns.get(id, { signal }),
  })

interface ListReply<Item> {
  data: Item[]
  meta: { next_cursor: string | null }
}

/** An answer with a list, as `usePages` takes it. */
export const pageOf = <Item>({ data, meta }: ListReply<Item>): Page<Item> => ({
  items: data,
  nextCursor: meta.next_cursor,
})

/** Left out instead of undefined: an address says `?cursor=` or nothing. */
export const cursorOf = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

interface Party {
  handle: string
  name: string
}

export const sameAs =
  ({ handle }: { handle: string }) =>
  (other: Party): boolean =>
    other.handle === handle

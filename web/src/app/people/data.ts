// What several pages ask for, under the same names, so that it is asked once.
import type { ListTransactionsItem, ListTransactionsQuery, ListWalletsItem } from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { client } from '../session.ts'

export type Wallet = ListWalletsItem
export type Transaction = ListTransactionsItem

export const useWallets = () =>
  useQuery({ queryKey: ['wallets'], queryFn: ({ signal }) => client.wallets.list({ signal }) })

export const useRecent = (limit: number) =>
  useQuery({
    queryKey: ['transactions', 'recent', limit],
    queryFn: async ({ signal }) => (await client.transactions.list({ limit }, { signal })).items,
  })

export type Filters = Omit<ListTransactionsQuery, 'cursor' | 'limit'>

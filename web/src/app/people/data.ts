// What several pages ask for, under the same names, so that it is asked once.
import type {
  CreateMoneyRequestData,
  GetTransactionData,
  ListMethodsItem,
  ListTransactionsItem,
  ListTransactionsQuery,
  ListWalletsItem,
} from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import type { Currency } from '../kit/amount.tsx'
import { client } from '../session.ts'

export type Wallet = ListWalletsItem
export type Transaction = ListTransactionsItem
export type WholeTransaction = GetTransactionData
export type MoneyRequest = CreateMoneyRequestData
export type Method = ListMethodsItem

export const useWallets = () =>
  useQuery({ queryKey: ['wallets'], queryFn: ({ signal }) => client.wallets.list({ signal }) })

export const useRecent = (limit: number) =>
  useQuery({
    queryKey: ['transactions', 'recent', limit],
    queryFn: async ({ signal }) => (await client.transactions.list({ limit }, { signal })).items,
  })

const openRequestsShown = 3

/** Those that one is asked for. */
export const useOpenRequests = () =>
  useQuery({
    queryKey: ['requests', 'open'],
    queryFn: async ({ signal }) => {
      const query = { direction: 'in', status: 'pending', limit: openRequestsShown } as const
      return (await client.requests.list(query, { signal })).items
    },
  })

/** With the limits. */
export const useMe = () =>
  useQuery({ queryKey: ['me'], queryFn: ({ signal }) => client.account.me({ signal }), staleTime: 60_000 })

export const useMethods = (currency: Currency, purpose: 'deposit' | 'withdrawal') =>
  useQuery({
    queryKey: ['methods', currency, purpose],
    queryFn: ({ signal }) => client.funding.methods({ currency, purpose }, { signal }),
    staleTime: 60_000,
  })

const soonMs = 2_000
const laterMs = 10_000
const soonTimes = 60

/** What waits for somebody is asked for again and again, while the page is seen: at first often. */
export const untilDone = (isOpen: boolean, times: number): number | false =>
  isOpen ? (times < soonTimes ? soonMs : laterMs) : false

export const useTransaction = (reference: string) =>
  useQuery({
    queryKey: ['transactions', 'one', reference],
    queryFn: ({ signal }) => client.transactions.get(reference, { signal }),
    refetchInterval: ({ state }) => untilDone(state.data?.status === 'pending', state.dataUpdateCount),
  })

export type Filters = Omit<ListTransactionsQuery, 'cursor' | 'limit'>

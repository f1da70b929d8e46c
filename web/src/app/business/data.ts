// What several pages of a business ask for.
import {
  type GetMerchantPaymentData,
  type GetMerchantVolumeQuery,
  type ListMerchantPaymentsItem,
  type ListNotificationsItem,
  type ListNotificationsQuery,
  MfukoError,
  type ReplayNotificationData,
} from '@mfuko/sdk/browser'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { usePages } from '../kit/loaded.tsx'
import { client } from '../session.ts'
import { type Business, type Mode, withoutKeys } from './fresh-keys.ts'

export type { Business, Mode } from './fresh-keys.ts'
export type PaymentItem = ListMerchantPaymentsItem
export type PaymentShown = GetMerchantPaymentData
export type NotificationItem = ListNotificationsItem
export type NotificationShown = ReplayNotificationData

const reviewLookMs = 20_000

/** Null: there is none yet. While it is reviewed the page looks again by itself. */
export const useBusiness = () =>
  useQuery({
    queryKey: ['business'],
    queryFn: async ({ signal }): Promise<Business | null> => {
      try {
        return withoutKeys(await client.merchant.get({ signal }))
      } catch (error) {
        if (error instanceof MfukoError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? reviewLookMs : false),
  })

/** What is looked at: as the address says, else what the business lives in. */
export function useMode(business: Business): Mode {
  const [search] = useSearchParams()
  const wanted = search.get('mode')
  if (business.status === 'pending' || business.status === 'rejected') return 'test'
  return wanted === 'test' ? 'test' : 'live'
}

const followMs = 2_000

/** Followed while somebody is waited for: the customer, or the provider of a refund. */
export const usePayment = (reference: string) =>
  useQuery({
    queryKey: ['business', 'payment', reference],
    queryFn: ({ signal }) => client.merchant.payment(reference, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving(data) ? followMs : false),
  })

export const isMoving = ({ status, refunds }: PaymentShown): boolean =>
  status === 'pending' || refunds.some((refund) => refund.status === 'pending')

export const useNotifications = (query: Omit<ListNotificationsQuery, 'cursor'>) =>
  usePages(['business', 'notifications', query], (cursor, signal) =>
    client.merchant.notifications({ ...query, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  )

/** Followed until it is delivered or given up. */
export const useNotification = (id: string | undefined) =>
  useQuery({
    queryKey: ['business', 'notification', id],
    queryFn: ({ signal }) => client.merchant.notification(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data?.status === 'pending' ? followMs : false),
  })

export const useVolume = (query: GetMerchantVolumeQuery) =>
  useQuery({
    queryKey: ['business', 'volume', query],
    queryFn: ({ signal }) => client.merchant.volume(query, { signal }),
    // Another range is drawn over the one before, not over nothing.
    placeholderData: (before) => before,
  })

export const useBalances = (mode: Mode) =>
  useQuery({
    queryKey: ['business', 'balances', mode],
    queryFn: ({ signal }) => client.merchant.balances({ mode }, { signal }),
  })

/** What the person set, without what they left open. */
export const given = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as { [K in keyof T]?: NonNullable<T[K]> }

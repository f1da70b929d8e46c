// A business as its owner and its programs see it.
import type { Config } from '../config.ts'
import type { Credentials, Look, ModeCredentials } from './merchants.ts'
import { reviewDueAt } from './rules.ts'
import type * as schema from './schema.ts'

export const timeOrNull = (time: Date | undefined): string | null => time?.toISOString() ?? null

export const shown = (
  { config }: { config: Pick<Config, 'HEADER_PREFIX'> },
  { merchant, credentials }: Look,
): schema.MerchantShown => ({
  merchant_id: merchant.id,
  business_name: merchant.businessName,
  category: merchant.category,
  website_url: merchant.websiteUrl,
  status: merchant.status,
  review_due_at: reviewDueAt(merchant.appliedAt).toISOString(),
  reviewed_at: timeOrNull(merchant.reviewedAt),
  rejection_reason: merchant.rejectionReason ?? null,
  suspension_reason: merchant.suspensionReason ?? null,
  ipn_url: merchant.ipnUrl ?? null,
  callback_url: merchant.callbackUrl ?? null,
  settlement_currency: merchant.settlementCurrency,
  redirect_hosts: [...merchant.hosts],
  allowed_addresses: [...merchant.addresses],
  credentials: shownCredentials(credentials),
  header_prefix: config.HEADER_PREFIX,
  created_at: merchant.createdAt.toISOString(),
})

const shownCredentials = ({ live, test }: Credentials) => ({ live: shownMode(live), test: shownMode(test) })

const shownMode = (mode: ModeCredentials) => ({
  api_key_prefix: mode.apiKeyPrefix ?? null,
  api_key_last_used_at: timeOrNull(mode.apiKeyLastUsedAt),
  api_key_previous_valid_until: timeOrNull(mode.apiKeyPreviousUntil),
  client_secret_set: mode.clientSecretSet,
  client_secret_previous_valid_until: timeOrNull(mode.clientSecretPreviousUntil),
  ...(mode.apiKey === undefined ? {} : { api_key: mode.apiKey }),
  ...(mode.clientSecret === undefined ? {} : { client_secret: mode.clientSecret }),
})

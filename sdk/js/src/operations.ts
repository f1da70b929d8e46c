// Made from docs/reference/openapi.json by `npm run docs`: not to be changed by hand.
// Every route: what it takes, and what it answers when it succeeds.

/** What the platform's endpoints answer. */
export interface Envelope<Data> {
  success: true
  /** For people; never parse it. */
  message: string
  data: Data
}

/** What lists answer, a page at a time. */
export interface ListEnvelope<Item> extends Envelope<Item[]> {
  meta: { next_cursor: string | null }
}

/** Stable and machine-readable. */
export type ErrorCode = 'bad_request' | 'unauthenticated' | 'forbidden' | 'not_found' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'insufficient_funds' | 'limit_exceeded' | 'invalid_state' | 'idempotency_conflict' | 'pin_incorrect' | 'pin_locked' | 'pin_not_set' | 'account_frozen' | 'second_factor_required' | 'rate_limited' | 'internal_error' | 'unavailable'

/** The process answers. */
export interface GetLivenessReply {
  status: 'ok'
  /** Semantic version of the service. */
  version: string
  /** ISO 8601, UTC */
  time: string
}

/** `email` or `phone` is needed. Without `handle` one is made from the name. */
export interface RegisterBody {
  /** As it is shown to others. Any script. */
  name: string
  /** Any characters. What is guessed first (common words, own names, rows of keys) is refused. */
  password: string
  /** Small and capital letters are the same. */
  email?: string
  /** In international form (E.164). */
  phone?: string
  /** 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored. */
  handle?: string
  /** ISO 3166, two capitals. Decides the currency of the first wallet. Without it the phone number tells. */
  country?: string
  /** The language of mails and pages. */
  locale?: 'en' | 'sw' | 'fr'
  /** 4 to 6 digits, as text. Runs, repeats, years and the like are refused. */
  pin?: string
  /** Where the session is kept. `cookie`: for pages of this service; a cookie that no script can read is set too, and `refresh` takes it. Default: token. */
  session?: 'token' | 'cookie'
}

/** Who you are, and what shows it */
export interface RegisterData {
  /** A JWT. Send it as `Authorization: Bearer …`. */
  token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  /** A person */
  user: {
    /** Opaque; never changes. */
    id: string
    /** What others send money to. */
    handle: string
    name: string
    email: string | null
    /** Mails about the account go to a confirmed address only, the code that confirms it excepted. */
    email_confirmed: boolean
    phone: string | null
    country: string | null
    locale: 'en' | 'sw' | 'fr'
    /** Of the first wallet. */
    default_currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    /** Moving money needs one. */
    has_pin: boolean
    /** A mail for money in and out. */
    email_receipts: boolean
    /** No money can be moved. */
    frozen: boolean
    roles: string[]
    /** ISO 8601, UTC */
    created_at: string
  }
}

/** Exactly one of `email`, `phone` and `handle`. */
export interface LoginBody {
  /** Small and capital letters are the same. */
  email?: string
  /** In international form (E.164). */
  phone?: string
  /** 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored. */
  handle?: string
  /** The present password. */
  password: string
  /** Where the session is kept. `cookie`: for pages of this service; a cookie that no script can read is set too, and `refresh` takes it. Default: token. */
  session?: 'token' | 'cookie'
}

export interface RefreshBody {
  /** The JWT, when it is not sent as `Authorization: Bearer`. */
  token?: string
}

/** Exactly one of `email`, `phone` and `handle`. */
export interface ForgotPasswordBody {
  /** Small and capital letters are the same. */
  email?: string
  /** In international form (E.164). */
  phone?: string
  /** 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored. */
  handle?: string
}

/** The name that the code was asked for with, the code, and the new password. */
export interface ResetPasswordBody {
  /** Small and capital letters are the same. */
  email?: string
  /** In international form (E.164). */
  phone?: string
  /** 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored. */
  handle?: string
  /** From the mail. Small letters are fine, and so is leaving out the hyphen. */
  code: string
  /** Any characters. What is guessed first (common words, own names, rows of keys) is refused. */
  password: string
}

/** A login that is still good */
export interface ListSessionsItem {
  id: string
  /** What the program calls itself. */
  device: string
  /** Where it logged in from. */
  address: string
  /** The login; ISO 8601, UTC. */
  created_at: string
  /** The latest login or refresh; ISO 8601, UTC. */
  last_used_at: string
  /** The one this request belongs to. */
  current: boolean
}

/** You */
export interface GetMeData {
  /** Opaque; never changes. */
  id: string
  /** What others send money to. */
  handle: string
  name: string
  email: string | null
  /** Mails about the account go to a confirmed address only, the code that confirms it excepted. */
  email_confirmed: boolean
  phone: string | null
  country: string | null
  locale: 'en' | 'sw' | 'fr'
  /** Of the first wallet. */
  default_currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Moving money needs one. */
  has_pin: boolean
  /** A mail for money in and out. */
  email_receipts: boolean
  /** No money can be moved. */
  frozen: boolean
  roles: string[]
  /** ISO 8601, UTC */
  created_at: string
  /** By currency. */
  limits: {
    UGX: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
    KES: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
    TZS: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
    RWF: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
    NGN: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
    ZAR: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
    USD: {
      /** Of a single transfer, withdrawal or contribution. */
      least: number
      /** Of a single one. */
      most: number
      /** Of all that leave one wallet in any 24 hours. */
      daily_most: number
    }
  }
}

/** What is left out stays as it is. */
export interface ChangeMeBody {
  /** As it is shown to others. Any script. */
  name?: string
  /** The language of mails and pages. */
  locale?: 'en' | 'sw' | 'fr'
  /** A mail for money in and out. */
  email_receipts?: boolean
}

export interface SetPinBody {
  /** 4 to 6 digits, as text. Runs, repeats, years and the like are refused. */
  pin: string
  /** The present password. */
  password: string
}

export interface ChangePasswordBody {
  /** The present password. */
  password: string
  /** Any characters. What is guessed first (common words, own names, rows of keys) is refused. */
  new_password: string
}

export interface ChangeEmailBody {
  /** Small and capital letters are the same. */
  email: string
  /** The present password. */
  password: string
}

/** A person */
export interface ChangeEmailData {
  /** Opaque; never changes. */
  id: string
  /** What others send money to. */
  handle: string
  name: string
  email: string | null
  /** Mails about the account go to a confirmed address only, the code that confirms it excepted. */
  email_confirmed: boolean
  phone: string | null
  country: string | null
  locale: 'en' | 'sw' | 'fr'
  /** Of the first wallet. */
  default_currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Moving money needs one. */
  has_pin: boolean
  /** A mail for money in and out. */
  email_receipts: boolean
  /** No money can be moved. */
  frozen: boolean
  roles: string[]
  /** ISO 8601, UTC */
  created_at: string
}

export interface ChangePhoneBody {
  /** In international form (E.164). */
  phone: string
  /** The present password. */
  password: string
}

export interface ConfirmEmailBody {
  /** From the mail. Small letters are fine, and so is leaving out the hyphen. */
  code: string
}

/** A wallet */
export interface ListWalletsItem {
  /** Opaque; never changes. */
  id: string
  /** One wallet a currency. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  name: string
  /** All that is in it. */
  balance: number
  /** What of it is set aside for something on its way, a withdrawal for example. */
  held: number
  /** `balance` less `held`: what can be used. */
  available: number
  /** The wallet in the currency of your country. */
  is_default: boolean
  /** When it was opened; ISO 8601, UTC. */
  created_at: string
}

export interface OpenWalletBody {
  /** A currency you have no wallet in yet. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
}

export interface ListTransactionsQuery {
  /** Of this wallet only. */
  currency?: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  type?: 'transfer' | 'deposit' | 'withdrawal' | 'payment' | 'refund' | 'group_contribution' | 'group_payout' | 'campaign_contribution' | 'campaign_payout'
  /** `in`: what came in. `out`: what left. */
  direction?: 'in' | 'out'
  status?: 'pending' | 'completed' | 'failed'
  /** From this moment on. A day begins at 00:00 UTC. */
  from?: string
  /** Before this moment. A day is taken whole, up to 24:00 UTC. */
  to?: string
  /** Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction. */
  q?: string
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
}

/** A transaction */
export interface ListTransactionsItem {
  /** Short enough to read aloud. */
  reference: string
  type: 'transfer' | 'deposit' | 'withdrawal' | 'payment' | 'refund' | 'group_contribution' | 'group_payout' | 'campaign_contribution' | 'campaign_payout'
  /** Seen from your wallet. */
  direction: 'in' | 'out'
  /** What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived. */
  amount: number
  /** What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none. */
  fee: number
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  status: 'pending' | 'completed' | 'failed'
  /** The other side, as it was called at the time. */
  counterparty: {
    /** When it is a person. */
    handle?: string
    name: string
  }
  note: string | null
  /** What was in the wallet afterwards; null while no money has moved. */
  balance_after: number | null
  /** ISO 8601, UTC */
  created_at: string
}

export interface ExportTransactionsQuery {
  /** Of this wallet only. */
  currency?: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  type?: 'transfer' | 'deposit' | 'withdrawal' | 'payment' | 'refund' | 'group_contribution' | 'group_payout' | 'campaign_contribution' | 'campaign_payout'
  /** `in`: what came in. `out`: what left. */
  direction?: 'in' | 'out'
  status?: 'pending' | 'completed' | 'failed'
  /** From this moment on. A day begins at 00:00 UTC. */
  from?: string
  /** Before this moment. A day is taken whole, up to 24:00 UTC. */
  to?: string
  /** Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction. */
  q?: string
}

/** A transaction and its steps */
export interface GetTransactionData {
  /** Short enough to read aloud. */
  reference: string
  type: 'transfer' | 'deposit' | 'withdrawal' | 'payment' | 'refund' | 'group_contribution' | 'group_payout' | 'campaign_contribution' | 'campaign_payout'
  /** Seen from your wallet. */
  direction: 'in' | 'out'
  /** What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived. */
  amount: number
  /** What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none. */
  fee: number
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  status: 'pending' | 'completed' | 'failed'
  /** The other side, as it was called at the time. */
  counterparty: {
    /** When it is a person. */
    handle?: string
    name: string
  }
  note: string | null
  /** What was in the wallet afterwards; null while no money has moved. */
  balance_after: number | null
  /** ISO 8601, UTC */
  created_at: string
  /** What became of it, the oldest first. */
  steps: {
    status: 'pending' | 'completed' | 'failed'
    /** ISO 8601, UTC */
    at: string
  }[]
  /** Why a deposit or a withdrawal failed; `note` says it in words. */
  failure_code?: string
}

export interface ListMethodsQuery {
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What it is for. */
  purpose: 'deposit' | 'withdrawal' | 'payment'
}

export interface ListMethodsItem {
  id: 'wallet' | 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  /** As people know it. */
  name: string
  kind: 'wallet' | 'mobile_money' | 'card' | 'bank'
  /** What must be given with it. Your own phone and e-mail address are taken for a deposit. */
  fields: ('phone' | 'email' | 'account')[]
  /** How it did in the last five minutes. One that is down still takes orders, but may take long. */
  health: 'up' | 'degraded' | 'down'
  /** Phone numbers that begin so are probably of this provider. */
  prefixes: string[]
}

export interface InitiateDepositBody {
  /** What arrives in your wallet. A deposit costs nothing. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** One of `GET /api/methods`. */
  method: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  /** The phone that pays. Without it yours is taken. */
  phone?: string
  /** For cards: where the provider sends its receipt. Without it yours is taken. */
  email?: string
}

export interface InitiateDepositData {
  /** Short enough to read aloud. */
  reference: string
  /** What becomes of it is in your history, under the reference. */
  status: 'pending' | 'completed' | 'failed'
  /** One of `GET /api/methods`. */
  method: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What to do next, in your language. */
  instructions: string
  /** The provider's own page, where you pay: for cards. */
  redirect_url?: string
  /** When the provider refused it at once. */
  failure?: {
    code: 'insufficient_balance' | 'cancelled_by_customer' | 'phone_unreachable' | 'expired' | 'wrong_pin' | 'payment_in_progress' | 'payer_not_found' | 'payer_limit_reached' | 'recipient_not_found' | 'recipient_not_allowed' | 'amount_out_of_bounds' | 'duplicate_transaction' | 'provider_unavailable' | 'provider_config' | 'provider_error' | 'another_amount'
    message: string
  }
}

export interface PreviewWithdrawalBody {
  /** What arrives at the provider. The fee leaves your wallet beside it. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** One of `GET /api/methods`. */
  method: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  /** The phone that gets the money. */
  phone?: string
  /** For methods that pay to a bank account: the code of the bank and the number. */
  account?: string
}

export interface PreviewWithdrawalData {
  /** What arrives. */
  amount: number
  /** What leaves your wallet beside it. */
  fee: number
  /** What is held at once: both together. */
  total: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What you could still spend; negative when it does not suffice. */
  balance_after: number
  /** Is there enough in the wallet now? */
  sufficient: boolean
}

export interface WithdrawBody {
  /** What arrives at the provider. The fee leaves your wallet beside it. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** One of `GET /api/methods`. */
  method: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  /** The phone that gets the money. */
  phone?: string
  /** For methods that pay to a bank account: the code of the bank and the number. */
  account?: string
  /** The transaction PIN, as text. */
  pin: string
}

export interface WithdrawData {
  /** Short enough to read aloud. */
  reference: string
  /** What becomes of it is in your history, under the reference. */
  status: 'pending' | 'completed' | 'failed'
  /** One of `GET /api/methods`. */
  method: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  /** What arrives. */
  amount: number
  /** What leaves your wallet beside it. */
  fee: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What to do next, in your language. */
  instructions: string
}

export interface CreateCampaignBody {
  /** Fixed once somebody has contributed. */
  title: string
  /** What the money is for. Plain text; empty lines part paragraphs. */
  story: string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What is to be raised. It may become more. */
  goal_amount: number | string
  /** Nobody can contribute from then on; within a year. ISO 8601. */
  ends_at?: string
  /** Default: `other`. */
  category?: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  /** A picture, by https. It is shown from where it is. */
  cover_url?: string
}

export interface CreateCampaignData {
  id: string
  title: string
  story: string
  category: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  cover_url: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  goal_amount: number
  /** What came in, less what went back. What the owner has taken out still counts. */
  raised_amount: number
  /** Everybody once. */
  contributor_count: number
  /** Whole percent of the goal; may be more than 100. */
  progress: number
  /** Also a paused one is `active`: see `paused`. */
  status: 'active' | 'ended'
  paused: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  returned: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  owner: {
    handle: string
    name: string
  }
  /** Its public page. */
  url: string
  ends_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** What can be taken out. Shown to its owner. */
  balance?: number
  /** With the fees. Shown to its owner. */
  withdrawn_amount?: number
}

export interface ListOwnCampaignsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
}

export interface BrowseCampaignsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** Words of the title or the story: all of them; the last one may go on. */
  q?: string
  category?: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  /** Three-letter code. */
  currency?: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** `ending`: soonest first. `most_funded`: by the part of the goal. Default: `newest`. */
  sort?: 'newest' | 'ending' | 'most_funded'
}

export interface BrowseCampaignsItem {
  id: string
  title: string
  story: string
  category: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  cover_url: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  goal_amount: number
  /** What came in, less what went back. What the owner has taken out still counts. */
  raised_amount: number
  /** Everybody once. */
  contributor_count: number
  /** Whole percent of the goal; may be more than 100. */
  progress: number
  /** Also a paused one is `active`: see `paused`. */
  status: 'active' | 'ended'
  paused: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  returned: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  owner: {
    handle: string
    name: string
  }
  /** Its public page. */
  url: string
  ends_at: string | null
  /** ISO 8601, UTC */
  created_at: string
}

export interface ChangeCampaignBody {
  /** Fixed once somebody has contributed. */
  title?: string
  /** What the money is for. Plain text; empty lines part paragraphs. */
  story?: string
  goal_amount?: number | string
  ends_at?: string | null
  /** Default: `other`. */
  category?: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  cover_url?: string | null
}

export interface ContributeToCampaignBody {
  /** In the campaign's currency. All of it arrives. */
  amount: number | string
  /** The transaction PIN, as text. */
  pin: string
  /** For everybody to see. */
  message?: string
  /** Your name is shown to nobody but operators. The amount is. */
  anonymous?: boolean
}

export interface ContributeToCampaignData {
  reference: string
  campaign: {
    id: string
    title: string
  }
  /** What left your wallet and has arrived. */
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Contributions are free. */
  fee: number
  message: string | null
  anonymous: boolean
  /** ISO 8601, UTC */
  created_at: string
}

export interface WithdrawFromCampaignBody {
  /** The fee is taken from it. Default: all there is. */
  amount?: number | string
  /** The transaction PIN, as text. */
  pin: string
}

export interface WithdrawFromCampaignData {
  reference: string
  /** What left the campaign. */
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  fee: number
  owner_gets: number
}

export interface PreviewCampaignWithdrawalBody {
  /** The fee is taken from it. Default: all there is. */
  amount?: number | string
}

export interface PreviewCampaignWithdrawalData {
  /** What would leave the campaign. */
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  fee: number
  owner_gets: number
}

export interface ListContributionsItem {
  name: string | null
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  message: string | null
  anonymous: boolean
  /** What went back of it. */
  returned_amount: number
  /** ISO 8601, UTC */
  created_at: string
}

export interface ListCampaignUpdatesItem {
  id: string
  text: string
  /** ISO 8601, UTC */
  created_at: string
}

export interface AddCampaignUpdateBody {
  /** News for everybody who looks at the campaign. */
  text: string
}

export interface PreviewTransferBody {
  /** The recipient's handle. */
  recipient: string
  /** What leaves your wallet. The fee is taken from it. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** For both to see. */
  note?: string
}

export interface PreviewTransferData {
  /** What leaves your wallet. */
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What is taken from it. */
  fee: number
  recipient_gets: number
  recipient: {
    handle: string
    name: string
  }
  /** What you could still spend; negative when it does not suffice. */
  balance_after: number
  /** Is there enough in the wallet now? */
  sufficient: boolean
}

export interface SendMoneyBody {
  /** The recipient's handle. */
  recipient: string
  /** What leaves your wallet. The fee is taken from it. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** For both to see. */
  note?: string
  /** The transaction PIN, as text. */
  pin: string
}

export interface SendMoneyData {
  /** Short enough to read aloud. */
  reference: string
  /** What left your wallet. */
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  fee: number
  recipient_gets: number
}

export interface LookUpHandleData {
  handle: string
  name: string
}

export interface ListRecentRecipientsItem {
  handle: string
  name: string
  /** ISO 8601, UTC */
  last_sent_at: string
}

export interface CreateMoneyRequestBody {
  /** Who should pay. */
  from: string
  /** What leaves their wallet. The fee is taken from it. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** For both to see. */
  note?: string
}

export interface CreateMoneyRequestData {
  id: string
  /** `in`: you are asked to pay. `out`: you asked. */
  direction: 'in' | 'out'
  counterparty: {
    handle: string
    name: string
  }
  /** What leaves the wallet of the one who pays. */
  amount: number
  /** What is taken from it when it is paid. */
  fee: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  note: string | null
  status: 'pending' | 'paid' | 'declined' | 'cancelled' | 'expired'
  /** Of the transfer that paid it. */
  reference: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** It can be paid until then. */
  expires_at: string
  decided_at: string | null
}

export interface ListMoneyRequestsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** Only those you are asked for, or you asked for. */
  direction?: 'in' | 'out'
  status?: 'pending' | 'paid' | 'declined' | 'cancelled' | 'expired'
}

export interface PayMoneyRequestBody {
  /** The transaction PIN, as text. */
  pin: string
}

export interface ShowSecondFactorBody {
  /** The six digits that the app shows. */
  code: string
}

export interface ShowSecondFactorData {
  /** ISO 8601, UTC. */
  open_until: string
}

export interface CreateGroupBody {
  /** What members call it. */
  name: string
  /** What it is for. */
  description?: string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** `rotating`: each cycle everybody pays the same and one gets the pot. `goal`: everybody gives what they can, and members decide together what it is spent on. */
  kind: 'rotating' | 'goal'
  /** Rotating: what each pays in a cycle. Goal: the least that may be given at once. */
  contribution_amount?: number | string
  /** Of the cycles of a rotating group. */
  frequency?: 'weekly' | 'monthly'
  /** Of a goal group. */
  goal_amount?: number | string
  /** What who pays late pays beside the contribution. It is kept in the pot: who waited for it gets it. */
  late_fine?: number | string
  /** 30 if not said otherwise. */
  max_members?: number
  /** `public`: everybody can find it and join. `private`: only with the invitation code. */
  visibility: 'private' | 'public'
  /** Where its days end; if not said, where its currency is at home. */
  time_zone?: string
}

export interface CreateGroupData {
  id: string
  name: string
  description: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  kind: 'rotating' | 'goal'
  contribution_amount: number | null
  frequency: 'weekly' | 'monthly' | null
  goal_amount: number | null
  late_fine: number | null
  time_zone: string
  /** What is in the pot, as the ledger has it. */
  balance: number
  member_count: number
  max_members: number
  visibility: 'private' | 'public'
  role: 'chair' | 'treasurer' | 'member' | null
  cycle: {
    number: number
    round: number
    /** How many cycles the round has: one for each who takes part. */
    of: number
    /** The end of the day in the time zone of the group. */
    due_at: string
    /** Is that over? */
    late: boolean
    /** For whom it is paid, the first first. */
    paid_by: {
      handle: string
      name: string
    }[]
    next_payout_to: {
      handle: string
      name: string
    } | null
    your_due: number | null
  } | null
  /** For members. */
  invite_code?: string
  /** For members: the code as a link. */
  invite_url?: string
  /** ISO 8601, UTC */
  created_at: string
}

export interface ListGroupsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** `mine` (if not said otherwise), or public ones that you could join. */
  scope?: 'mine' | 'discover'
  /** Three-letter code. */
  currency?: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  kind?: 'rotating' | 'goal'
}

export interface ChangeGroupBody {
  /** What members call it. */
  name?: string
  /** What it is for. */
  description?: string
  visibility?: 'private' | 'public'
  /** 30 if not said otherwise. */
  max_members?: number
  /** From the next round on; 0 for none. */
  late_fine?: number | string
}

export interface GetGroupData {
  id: string
  name: string
  description: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  kind: 'rotating' | 'goal'
  contribution_amount: number | null
  frequency: 'weekly' | 'monthly' | null
  goal_amount: number | null
  late_fine: number | null
  time_zone: string
  /** What is in the pot, as the ledger has it. */
  balance: number
  member_count: number
  max_members: number
  visibility: 'private' | 'public'
  role: 'chair' | 'treasurer' | 'member' | null
  cycle: {
    number: number
    round: number
    /** How many cycles the round has: one for each who takes part. */
    of: number
    /** The end of the day in the time zone of the group. */
    due_at: string
    /** Is that over? */
    late: boolean
    /** For whom it is paid, the first first. */
    paid_by: {
      handle: string
      name: string
    }[]
    next_payout_to: {
      handle: string
      name: string
    } | null
    your_due: number | null
  } | null
  /** For members. */
  invite_code?: string
  /** For members: the code as a link. */
  invite_url?: string
  /** ISO 8601, UTC */
  created_at: string
  /** For members, in the order of joining. */
  members?: {
    handle: string
    name: string
    role: 'chair' | 'treasurer' | 'member'
    /** ISO 8601, UTC */
    joined_at: string
    turn: number | null
    has_received: boolean | null
    has_paid: boolean | null
    late: boolean
  }[]
  round?: {
    number: number
    status: 'announced' | 'open' | 'done' | 'dissolved'
    order: 'join' | 'draw' | 'hand' | null
    cycle: number | null
    due_at: string | null
    /** In the order in which they receive. */
    seats: {
      turn: number
      member: {
        handle: string
        name: string
      }
      status: 'waiting' | 'received' | 'left'
      received_in_cycle: number | null
      offered_to: {
        handle: string
        name: string
      } | null
    }[]
    draw: {
      /** SHA-256 of the seed, published before the start. */
      commitment: string
      seed: string | null
      words: {
        handle: string
        word: string
      }[]
    } | null
    announced_at: string | null
    started_at: string | null
    ended_at: string | null
  } | null
  /** What members owe each other. */
  debts?: {
    from: {
      handle: string
      name: string
    }
    to: {
      handle: string
      name: string
    }
    /** What is left of it. */
    amount: number
    /** `missed`: a contribution that did not come. `left`: what is given back to who left before their turn. */
    why: 'missed' | 'left'
    round: number
  }[]
  /** What happened lately, the newest first. */
  feed?: {
    /** What happened: `contributed`, `pot`, `joined`, … */
    type: string
    by: {
      handle: string
      name: string
    } | null
    member: {
      handle: string
      name: string
    } | null
    amount: number | null
    fine: number | null
    round: number | null
    cycle: number | null
    note: string | null
    reference: string | null
    entry: number | null
    /** ISO 8601, UTC */
    created_at: string
  }[]
}

export interface JoinGroupBody {
  /** As it was told; dashes, spaces and case do not matter. */
  invite_code?: string
}

export interface JoinGroupByCodeBody {
  /** As it was told; dashes, spaces and case do not matter. */
  invite_code: string
}

export interface ChangeGroupRoleBody {
  role: 'chair' | 'treasurer' | 'member'
}

export interface ContributeToGroupBody {
  /** Rotating: exactly what is due. Goal: what you like to give. */
  amount: number | string
  /** The transaction PIN, as text. */
  pin: string
  /** For all members to see. */
  note?: string
  /** Of the member you pay for. */
  on_behalf_of?: string
  /** Rotating: the open cycle, or what is owed from before. If not said, the cycle when that is due. */
  toward?: 'cycle' | 'debts'
}

export interface ContributeToGroupData {
  reference: string
  /** What left your wallet. */
  amount: number
  /** Of it, for being late. */
  fine: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  group: {
    id: string
    name: string
  }
  member: {
    handle: string
    name: string
  }
  toward: 'cycle' | 'debts' | 'goal'
  cycle: number | null
  /** What is in the pot afterwards. */
  balance: number
  payout: {
    to: {
      handle: string
      name: string
    }
    amount: number
  } | null
}

export interface GetGroupFeedItem {
  /** What happened: `contributed`, `pot`, `joined`, … */
  type: string
  by: {
    handle: string
    name: string
  } | null
  member: {
    handle: string
    name: string
  } | null
  amount: number | null
  fine: number | null
  round: number | null
  cycle: number | null
  note: string | null
  reference: string | null
  entry: number | null
  /** ISO 8601, UTC */
  created_at: string
}

export interface GetGroupStatementQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** Another member; your own if not said. */
  member?: string
}

/** What a member has paid and received. */
export interface GetGroupStatementReply {
  success: true
  /** For people; never parse it. */
  message: string
  data: {
    member: {
      handle: string
      name: string
    }
    /** Three-letter code. */
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    /** Into the pot, fines and what was paid for others included. */
    paid: number
    /** Of that, for being late. */
    fines: number
    /** Of that, for other members. */
    paid_for_others: number
    /** Contributions that came back. */
    returned: number
    /** Pots, payouts, and what was owed. */
    received: number
    /** To other members, still. */
    owes: number
    /** By other members, still. */
    is_owed: number
    movements: {
      /** What happened: `contributed`, `pot`, `joined`, … */
      type: string
      by: {
        handle: string
        name: string
      } | null
      member: {
        handle: string
        name: string
      } | null
      amount: number | null
      fine: number | null
      round: number | null
      cycle: number | null
      note: string | null
      reference: string | null
      entry: number | null
      /** ISO 8601, UTC */
      created_at: string
    }[]
  }
  meta: {
    next_cursor: string | null
  }
}

export interface GetGroupHeadData {
  format: 'mfuko-head-1'
  group: string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Of the ledger. */
  account: string
  /** How many entries the account has. */
  seq: string
  /** Of the latest entry: it covers all before it. */
  hash: string
  /** In minor units. */
  balance: string
  at: string | null
}

export interface GetGroupReceiptQuery {
  /** Up to this entry; if not said, up to the latest. */
  to?: string
}

export interface GetGroupReceiptData {
  format: 'mfuko-receipt-1'
  entry: {
    /** Without gaps, from 1 on. */
    seq: string
    /** In minor units; negative when it left the pot. */
    amount: string
    /** In minor units. */
    balance_after: string
    /** In minor units. */
    held_after: string
    /** Of the entry before it. */
    before: string
    /** In minor units. */
    balance_before: string
    posting: {
      /** Of the ledger. */
      id: string
      /** Since 1970, in milliseconds. */
      time_ms: string
      kind: string
      /** The exact text that was hashed. */
      details: string
    }
  }
  later: {
    /** Without gaps, from 1 on. */
    seq: string
    /** In minor units; negative when it left the pot. */
    amount: string
    /** In minor units. */
    balance_after: string
    /** In minor units. */
    held_after: string
    /** Of its posting. */
    digest: string
  }[]
  head: {
    format: 'mfuko-head-1'
    group: string
    /** Three-letter code. */
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    /** Of the ledger. */
    account: string
    /** How many entries the account has. */
    seq: string
    /** Of the latest entry: it covers all before it. */
    hash: string
    /** In minor units. */
    balance: string
    at: string | null
  }
}

export interface AddGroupDrawWordBody {
  /** Anything: it goes into the draw. */
  word: string
}

export interface StartGroupRoundBody {
  /** Of joining, drawn (announce the draw first), or by hand. */
  order: 'join' | 'draw' | 'hand'
  /** By hand: all, the first to receive first. */
  members?: string[]
}

export interface OfferGroupSeatBody {
  /** A member who has no seat in this round. */
  to: string
}

export interface GetGroupRoundData {
  number: number
  status: 'announced' | 'open' | 'done' | 'dissolved'
  order: 'join' | 'draw' | 'hand' | null
  cycle: number | null
  due_at: string | null
  /** In the order in which they receive. */
  seats: {
    turn: number
    member: {
      handle: string
      name: string
    }
    status: 'waiting' | 'received' | 'left'
    received_in_cycle: number | null
    offered_to: {
      handle: string
      name: string
    } | null
  }[]
  draw: {
    /** SHA-256 of the seed, published before the start. */
    commitment: string
    seed: string | null
    words: {
      handle: string
      word: string
    }[]
  } | null
  announced_at: string | null
  started_at: string | null
  ended_at: string | null
}

export interface ProposeGroupPayoutBody {
  /** The member who gets it. */
  to: string
  amount: number | string
  /** For the others, who decide. */
  reason: string
}

export interface ProposeGroupPayoutData {
  id: string
  proposed_by: {
    handle: string
    name: string
  }
  to: {
    handle: string
    name: string
  }
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  reason: string
  status: 'open' | 'paid' | 'cancelled' | 'expired'
  /** Of those who are members now. */
  approvals: number
  /** More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed. */
  approvals_needed: number
  approved_by: {
    handle: string
    name: string
  }[]
  approved_by_you: boolean
  waiting_for: 'approvals' | 'money' | null
  reference: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  expires_at: string
  decided_at: string | null
}

export interface ListGroupPayoutsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  status?: 'open' | 'paid' | 'cancelled' | 'expired'
}

export interface RegisterMerchantBody {
  /** As customers see it. */
  business_name: string
  /** What it sells, in a word or two. */
  category: string
  /** Of the business. In live mode customers are sent back to it, or below it, only. */
  website_url: string
  /** Where outcomes of gateway payments are posted, when a payment names no address of its own. */
  ipn_url?: string
  /** Where events of `/api/pay` payments are posted, when a payment names no address of its own. */
  callback_url?: string
  /** What the business reckons in. Default: the currency of your country. */
  settlement_currency?: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
}

export interface RegisterMerchantData {
  /** The Merchant ID of the gateway. */
  merchant_id: number
  business_name: string
  category: string
  website_url: string
  /** Live payments need `approved`; test mode works from the start. */
  status: 'pending' | 'approved' | 'rejected' | 'suspended'
  /** When the application is to be reviewed at the latest. */
  review_due_at: string
  reviewed_at: string | null
  rejection_reason: string | null
  suspension_reason: string | null
  ipn_url: string | null
  callback_url: string | null
  settlement_currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  redirect_hosts: string[]
  allowed_addresses: string[]
  credentials: {
    live: {
      api_key_prefix: string | null
      api_key_last_used_at: string | null
      api_key_previous_valid_until: string | null
      client_secret_set: boolean
      client_secret_previous_valid_until: string | null
      /** Only when it is made. A live key also in further looks of the owner for ten minutes, until it is used. */
      api_key?: string
      /** Only when it is made, with the API key. */
      client_secret?: string
    }
    test: {
      api_key_prefix: string | null
      api_key_last_used_at: string | null
      api_key_previous_valid_until: string | null
      client_secret_set: boolean
      client_secret_previous_valid_until: string | null
      /** Only when it is made. A live key also in further looks of the owner for ten minutes, until it is used. */
      api_key?: string
      /** Only when it is made, with the API key. */
      client_secret?: string
    }
  }
  /** What header names begin with at this service, in your requests (`SVC-API-Key`) and in notifications (`SVC-Signature`). */
  header_prefix: string
  /** ISO 8601, UTC */
  created_at: string
}

export interface ChangeMerchantBody {
  /** Of the business. In live mode customers are sent back to it, or below it, only. Another host needs `password`. */
  website_url?: string
  /** Where outcomes of gateway payments are posted, when a payment names no address of its own. Null: none. */
  ipn_url?: string | null
  /** Where events of `/api/pay` payments are posted, when a payment names no address of its own. Null: none. */
  callback_url?: string | null
  /** What the business reckons in. Default: the currency of your country. */
  settlement_currency?: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Hosts besides the website that customers may be sent back to in live mode, each with what is below it. Adding one needs `password`. */
  redirect_hosts?: string[]
  /** Addresses or networks (CIDR) that the API keys may be used from. Empty: everywhere. Needs `password`. */
  allowed_addresses?: string[]
  /** Your own, asked for again. */
  password?: string
}

export interface RevealClientSecretBody {
  /** Of which mode. */
  mode: 'live' | 'test'
  /** Your own, asked for again. */
  password: string
}

export interface RevealClientSecretData {
  /** Of this mode. */
  mode: 'live' | 'test'
  client_secret: string
}

export interface RotateKeyBody {
  /** Your own, asked for again. */
  password: string
  /** Default: live. */
  mode?: 'live' | 'test'
  /** Default: api_key. */
  what?: 'api_key' | 'client_secret'
  /** How long the old one still works. Default: 24. 0: it ends now. */
  grace_hours?: number
}

export interface RotateKeyData {
  /** Of this mode. */
  mode: 'live' | 'test'
  what: 'api_key' | 'client_secret'
  /** The new one. Keep it: an API key is not shown again. */
  value: string
  /** Until then the old one works too; null when there was none. */
  previous_valid_until: string | null
}

export interface ReplayNotificationData {
  /** The `webhook-id`: the same over all attempts. */
  id: string
  event: string
  /** `gateway`: to an ipn_url. `callback`: to a callback_url. */
  kind: 'gateway' | 'callback'
  /** Of the payment. */
  reference: string
  /** Its place among the events of the payment, from 1 on. */
  sequence: number
  mode: 'live' | 'test'
  /** Null: the payment names no address. In test mode only. */
  url: string | null
  /** `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events. */
  status: 'pending' | 'delivered' | 'failed' | 'held' | 'unsent'
  /** How many were begun. */
  attempts: number
  next_attempt_at: string | null
  last_attempt: {
    /** ISO 8601, UTC */
    at: string
    /** Of the answer, if there was one. */
    status: number | null
    problem: 'address_not_allowed' | 'could_not_connect' | 'tls' | 'timed_out' | 'no_answer' | 'bad_answer' | 'redirect' | 'status' | 'gone' | 'no_secret' | 'interrupted' | null
  } | null
  /** ISO 8601, UTC */
  created_at: string
  /** When it was delivered, given up or held. */
  done_at: string | null
  /** What is sent, byte for byte. Kept for 90 days. */
  body: string | null
  /** What is left of the body after that. */
  body_sha256: string | null
  log: {
    number: number
    /** ISO 8601, UTC */
    at: string
    status: number | null
    /** Until the answer was read; absent without one. */
    duration_ms: number | null
    problem: 'address_not_allowed' | 'could_not_connect' | 'tls' | 'timed_out' | 'no_answer' | 'bad_answer' | 'redirect' | 'status' | 'gone' | 'no_secret' | 'interrupted' | null
    /** The problem in words. */
    message: string | null
    /** The first 2 KB of the answer. What can not be shown is written as `\u001b`. */
    response: string | null
  }[]
}

export interface ReplayNotificationsBody {
  /** From this time on. */
  from: string
  /** Up to this time, excluded; at most 30 days later. */
  to: string
  /** Default: both. */
  mode?: 'live' | 'test'
}

export interface ReplayNotificationsData {
  /** They are sent ten a second. */
  replayed: number
  /** There are more than one request takes: ask again. */
  more: boolean
}

export interface ResumeEndpointBody {
  /** Of which mode. */
  mode: 'live' | 'test'
  /** Scheme, host and port, as the list of endpoints shows it. */
  origin: string
}

export interface SendTestNotificationBody {
  /** Where to. Default: your own `callback_url`, for `gateway` your `ipn_url`. */
  url?: string
  /** Default: payment.completed. The gateway has only completed and failed. */
  event?: 'payment.pending' | 'payment.completed' | 'payment.failed' | 'payment.refunded'
  /** Which of the two shapes of notifications. Default: callback. */
  kind?: 'callback' | 'gateway'
}

export interface PayOutMerchantBody {
  /** What moves to your wallet. It costs nothing. */
  amount: number | string
  /** Of the amount. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Your transaction PIN, as text. */
  pin: string
}

export interface PayOutMerchantData {
  /** Of the transfer in your history. */
  reference: string
  amount: number
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** What the business has left. */
  balance: number
}

export interface ListNotificationsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  status?: 'pending' | 'delivered' | 'failed' | 'held' | 'unsent'
  mode?: 'live' | 'test'
  /** Of the payment. */
  reference?: string
}

export interface ListNotificationsItem {
  /** The `webhook-id`: the same over all attempts. */
  id: string
  event: string
  /** `gateway`: to an ipn_url. `callback`: to a callback_url. */
  kind: 'gateway' | 'callback'
  /** Of the payment. */
  reference: string
  /** Its place among the events of the payment, from 1 on. */
  sequence: number
  mode: 'live' | 'test'
  /** Null: the payment names no address. In test mode only. */
  url: string | null
  /** `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events. */
  status: 'pending' | 'delivered' | 'failed' | 'held' | 'unsent'
  /** How many were begun. */
  attempts: number
  next_attempt_at: string | null
  last_attempt: {
    /** ISO 8601, UTC */
    at: string
    /** Of the answer, if there was one. */
    status: number | null
    problem: 'address_not_allowed' | 'could_not_connect' | 'tls' | 'timed_out' | 'no_answer' | 'bad_answer' | 'redirect' | 'status' | 'gone' | 'no_secret' | 'interrupted' | null
  } | null
  /** ISO 8601, UTC */
  created_at: string
  /** When it was delivered, given up or held. */
  done_at: string | null
}

export interface ListEndpointsItem {
  mode: 'live' | 'test'
  origin: string
  status: 'failing' | 'suspended'
  /** Of a suspension: it answered 410, or with nothing but failures for 120 hours. */
  reason: 'gone' | 'failing' | null
  /** ISO 8601, UTC */
  since: string
}

export interface ListEventsQuery {
  /** `meta.next_after` of the answer before. Without it: the latest ones. */
  after?: string
  /** How many at most. */
  limit?: number
}

/** Events, the oldest first */
export interface ListEventsReply {
  success: true
  /** For people; never parse it. */
  message: string
  data: {
    /** The `webhook-id`: the same over all attempts. */
    id: string
    event: string
    /** `gateway`: to an ipn_url. `callback`: to a callback_url. */
    kind: 'gateway' | 'callback'
    /** Of the payment. */
    reference: string
    /** Its place among the events of the payment, from 1 on. */
    sequence: number
    /** Null: the payment names no address. In test mode only. */
    url: string | null
    /** ISO 8601, UTC */
    created_at: string
    /** To be sent with the body: what it is, and its signatures of this moment. */
    headers: Record<string, string>
    /** Byte for byte. */
    body: string
  }[]
  meta: {
    /** Send it as `after` to get what comes next; it is there even when nothing has come. */
    next_after: string
  }
}

export interface ListMerchantBalancesQuery {
  mode?: 'live' | 'test'
}

export interface ListMerchantBalancesItem {
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** All that was earned and not yet moved. */
  balance: number
  /** What of it is set aside for refunds on their way. */
  held: number
  /** `balance` less `held`. */
  available: number
  /** Of the first payment in this currency; ISO 8601, UTC. */
  created_at: string
}

export interface GetMerchantVolumeQuery {
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** With a key, only its own. Default: live. */
  mode?: 'live' | 'test'
  /** The first day. Default: 30 days in all. */
  from?: string
  /** The last day, included. Default: today. At most 367 days in all. */
  to?: string
  /** Default: day. Weeks begin on Monday; the first and the last are whole weeks, too. */
  by?: 'day' | 'week'
  /** Where the days are. Default: UTC. */
  time_zone?: string
}

export interface GetMerchantVolumeData {
  /** Of this mode. */
  mode: 'live' | 'test'
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** How long a period is. */
  by: 'day' | 'week'
  /** Where the days are. */
  time_zone: string
  /** Of all periods together. */
  totals: {
    /** Payments completed in that time, those that were refunded later among them. */
    accepted: {
      /** How many. */
      count: number
      /** What they come to. */
      amount: number
    }
    /** Payments that failed in that time: cancelled, expired, declined. */
    failed: {
      /** How many. */
      count: number
      /** What they come to. */
      amount: number
    }
    /** Refunds that arrived in that time, whenever the payment was. */
    refunded: {
      /** How many. */
      count: number
      /** What they come to. */
      amount: number
    }
  }
  /** The oldest first, those in which nothing happened too. */
  periods: {
    /** The first day. */
    from: string
    /** The last day, included. */
    to: string
    /** Payments completed in that time, those that were refunded later among them. */
    accepted: {
      /** How many. */
      count: number
      /** What they come to. */
      amount: number
    }
    /** Payments that failed in that time: cancelled, expired, declined. */
    failed: {
      /** How many. */
      count: number
      /** What they come to. */
      amount: number
    }
    /** Refunds that arrived in that time, whenever the payment was. */
    refunded: {
      /** How many. */
      count: number
      /** What they come to. */
      amount: number
    }
  }[]
}

export interface ListMerchantPaymentsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  status?: 'pending' | 'completed' | 'failed' | 'refunded'
  /** With a key, only its own mode. */
  mode?: 'live' | 'test'
  /** Made at or after this time. */
  from?: string
  /** Made before this time. */
  to?: string
  /** Part of ref_trx, description or customer; or a reference. */
  q?: string
}

export interface ListMerchantPaymentsItem {
  reference: string
  ref_trx: string | null
  /** What the customer paid, or is to pay. */
  amount: number
  /** What was taken from it. */
  fee: number
  /** What you got of it. */
  net: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  failure: {
    code: string
    message: string
  } | null
  /** The provider confirmed it after it had expired. */
  late: boolean
  method: string | null
  description: string | null
  mode: 'live' | 'test'
  customer: string | null
  /** ISO 8601, UTC */
  created_at: string
  completed_at: string | null
  /** What has gone back already. */
  refunded_amount: number
}

export interface GetMerchantPaymentData {
  reference: string
  ref_trx: string | null
  /** What the customer paid, or is to pay. */
  amount: number
  /** What was taken from it. */
  fee: number
  /** What you got of it. */
  net: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  failure: {
    code: string
    message: string
  } | null
  /** The provider confirmed it after it had expired. */
  late: boolean
  method: string | null
  description: string | null
  mode: 'live' | 'test'
  customer: string | null
  /** ISO 8601, UTC */
  created_at: string
  completed_at: string | null
  /** What has gone back already. */
  refunded_amount: number
  attempts: {
    /** `wallet`, or the id of a provider. */
    method: string
    /** Pending: the customer, or the provider, has not answered yet. */
    status: 'pending' | 'succeeded' | 'failed'
    failure: {
      code: string
      message: string
    } | null
    customer: string | null
    /** ISO 8601, UTC */
    created_at: string
    ended_at: string | null
  }[]
  refunds: {
    id: string
    amount: number
    reason: string | null
    /** Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again. */
    status: 'pending' | 'completed' | 'failed'
    failure: {
      code: string
      message: string
    } | null
    /** ISO 8601, UTC */
    created_at: string
    ended_at: string | null
  }[]
  payment_url: string | null
  /** That were sent about it, or will be; the newest first, 100 at most. Not in the answer to a refund. */
  notifications?: {
    /** The `webhook-id`: the same over all attempts. */
    id: string
    event: string
    /** `gateway`: to an ipn_url. `callback`: to a callback_url. */
    kind: 'gateway' | 'callback'
    /** Of the payment. */
    reference: string
    /** Its place among the events of the payment, from 1 on. */
    sequence: number
    mode: 'live' | 'test'
    /** Null: the payment names no address. In test mode only. */
    url: string | null
    /** `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events. */
    status: 'pending' | 'delivered' | 'failed' | 'held' | 'unsent'
    /** How many were begun. */
    attempts: number
    next_attempt_at: string | null
    last_attempt: {
      /** ISO 8601, UTC */
      at: string
      /** Of the answer, if there was one. */
      status: number | null
      problem: 'address_not_allowed' | 'could_not_connect' | 'tls' | 'timed_out' | 'no_answer' | 'bad_answer' | 'redirect' | 'status' | 'gone' | 'no_secret' | 'interrupted' | null
    } | null
    /** ISO 8601, UTC */
    created_at: string
    /** When it was delivered, given up or held. */
    done_at: string | null
  }[]
}

export interface RefundPaymentBody {
  /** Default: all that is not yet refunded. */
  amount?: number | string
  reason?: string
}

export interface InitiatePaymentBody {
  /** What the customer pays. */
  payment_amount: number | string
  /** Three-letter code. */
  currency_code: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Your own reference; the same one again, while pending, is the same payment. */
  ref_trx: string
  /** Shown to the customer. */
  description?: string
  /** Where the customer goes after paying. */
  success_redirect?: string
  /** Where the customer goes when it failed. */
  failure_url?: string
  /** Where the customer goes after cancelling. */
  cancel_redirect?: string
  /** Where the outcome is posted. Default: the one of your profile. */
  ipn_url?: string
}

/** The payment waits for the customer. */
export interface InitiatePaymentReply {
  /** Send the customer there. */
  payment_url: string
  info: {
    ref_trx: string
    description: string | null
    ipn_url: string | null
    cancel_redirect: string | null
    success_redirect: string | null
    merchant_id: number
    merchant_name: string
    amount: number
    /** Three-letter code. */
    currency_code: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  }
}

/** What became of the payment. */
export interface VerifyPaymentReply {
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  reference: string
  ref_trx: string | null
  amount: number
  /** Three-letter code. */
  currency_code: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  failure: {
    code: string
    message: string
  } | null
  completed_at: string | null
  mode: 'live' | 'test'
}

export interface CreatePaymentBody {
  /** What the customer pays. */
  amount: number | string
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Shown to the customer. */
  description?: string
  /** Where status changes are posted. Default: the one of your profile. */
  callback_url?: string
  /** Your own reference. */
  reference?: string
  /** Where the customer goes after paying. */
  success_redirect?: string
  /** Where the customer goes after cancelling. */
  cancel_redirect?: string
}

export interface CreatePaymentData {
  reference: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  description: string | null
  /** Send the customer there. */
  payment_url: string
  mode: 'live' | 'test'
  /** ISO 8601, UTC */
  created_at: string
}

export interface GetPaymentData {
  reference: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  amount: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  description: string | null
  /** Send the customer there. */
  payment_url: string
  mode: 'live' | 'test'
  /** ISO 8601, UTC */
  created_at: string
  failure: {
    code: string
    message: string
  } | null
  completed_at: string | null
  refunded_amount: number
}

export interface ListApplicationsItem {
  merchant_id: number
  business_name: string
  category: string
  website_url: string
  ipn_url: string | null
  callback_url: string | null
  settlement_currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  redirect_hosts: string[]
  status: 'pending' | 'approved' | 'rejected' | 'suspended'
  owner: {
    id: string
    handle: string
    name: string
    email: string | null
    email_confirmed: boolean
    phone: string | null
    country: string
    frozen: boolean
  } | null
  /** When the present application was made. */
  applied_at: string
  /** 24 hours later. */
  review_due_at: string
  /** It waits for longer than that. */
  overdue: boolean
  reviewed_at: string | null
  rejection_reason: string | null
  suspension_reason: string | null
  /** ISO 8601, UTC */
  created_at: string
}

export interface RejectMerchantBody {
  /** Told to the owner by mail. */
  reason: string
}

export interface ListMerchantsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  status?: 'pending' | 'approved' | 'rejected' | 'suspended'
  /** A part of the name or of the website, or the whole Merchant ID. */
  q?: string
}

export interface FindPeopleQuery {
  /** The whole id, handle, e-mail address or phone number. */
  q: string
}

export interface FindPeopleItem {
  id: string
  handle: string
  name: string
  email: string | null
  email_confirmed: boolean
  phone: string | null
  country: string
  frozen: boolean
  locale: 'en' | 'sw' | 'fr'
  roles: string[]
  has_pin: boolean
  /** ISO 8601, UTC */
  created_at: string
}

export interface GetPersonData {
  id: string
  handle: string
  name: string
  email: string | null
  email_confirmed: boolean
  phone: string | null
  country: string
  frozen: boolean
  locale: 'en' | 'sw' | 'fr'
  roles: string[]
  has_pin: boolean
  /** ISO 8601, UTC */
  created_at: string
  wallets: {
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    balance: number
    held: number
  }[]
  merchant_id: number | null
}

export interface FreezeUserBody {
  /** For the audit log; it is not told to the person. */
  reason: string
}

export interface ListMailsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** The whole address. */
  to?: string
  /** `kept`: there is no mail server, so it is only here. */
  state?: 'queued' | 'sent' | 'kept' | 'failed'
}

export interface ListMailsItem {
  id: string
  to: string
  name: string
  locale: 'en' | 'sw' | 'fr'
  template: string
  subject: string | null
  state: 'queued' | 'sent' | 'kept' | 'failed'
  attempts: number
  problem: string | null
  about: {
    kind: string
    id: string
  } | null
  /** ISO 8601, UTC */
  queued_at: string
  done_at: string | null
}

export interface ReadMailData {
  id: string
  to: string
  name: string
  locale: 'en' | 'sw' | 'fr'
  template: string
  subject: string | null
  state: 'queued' | 'sent' | 'kept' | 'failed'
  attempts: number
  problem: string | null
  about: {
    kind: string
    id: string
  } | null
  /** ISO 8601, UTC */
  queued_at: string
  done_at: string | null
  text: string | null
  html: string | null
}

export interface SearchAuditQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** The id of who did it. */
  actor?: string
  action?: string
  /** What it was done to. */
  object?: string
  /** ISO 8601, UTC */
  from?: string
  /** Excluded. */
  to?: string
}

export interface SearchAuditItem {
  id: string
  /** ISO 8601, UTC */
  at: string
  actor: {
    kind: string
    id: string
  }
  action: string
  object: string | null
  result: 'ok' | 'refused'
  address: string | null
  session: string | null
  request_id: string | null
  details: Record<string, unknown>
  /** It has its place in the chain. */
  sealed: boolean
}

export interface GetBooksData {
  last_check: {
    /** ISO 8601, UTC */
    started_at: string
    seconds: number
    /** False: the books are wrong, and money stands still. */
    ok: boolean
    accounts: number
    entries: number
    postings: number
    problems: string[]
  } | null
  /** What is in all accounts of a kind, as of the last check. */
  trial_balance: {
    mode: 'live' | 'test'
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    kind: string
    accounts: number
    /** Of a mode and a currency they add up to 0. */
    balance: number
  }[]
}

export interface CheckBooksData {
  queued: true
}

export interface ListOperationsQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** Only those that nobody but an operator can help. */
  stuck?: boolean
  state?: 'new' | 'sending' | 'pending' | 'unknown' | 'completed' | 'failed'
  provider?: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode?: 'live' | 'test'
  /** A whole id, reference, receipt, phone number, or the provider's own name for it. */
  q?: string
}

export interface ListOperationsItem {
  id: string
  provider: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode: 'live' | 'test'
  /** Money comes in, goes out, or goes back. */
  kind: 'collect' | 'payout' | 'refund'
  /** What it is for. */
  purpose: 'deposit' | 'withdrawal' | 'payment' | 'refund' | 'return'
  reference: string
  amount: number
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  phone: string | null
  account: string | null
  /** `unknown`: it may have reached the provider or not. */
  state: 'new' | 'sending' | 'pending' | 'unknown' | 'completed' | 'failed'
  failure: {
    code: 'insufficient_balance' | 'cancelled_by_customer' | 'phone_unreachable' | 'expired' | 'wrong_pin' | 'payment_in_progress' | 'payer_not_found' | 'payer_limit_reached' | 'recipient_not_found' | 'recipient_not_allowed' | 'amount_out_of_bounds' | 'duplicate_transaction' | 'provider_unavailable' | 'provider_config' | 'provider_error'
    detail: string
  } | null
  provider_reference: string | null
  receipt: string | null
  confirmed_amount: number | null
  late_of: string | null
  trouble: string | null
  /** How often the provider was asked. */
  asks: number
  stuck_since: string | null
  /** ISO 8601, UTC */
  created_at: string
  sent_at: string | null
  ended_at: string | null
}

export interface GetOperationData {
  id: string
  provider: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode: 'live' | 'test'
  /** Money comes in, goes out, or goes back. */
  kind: 'collect' | 'payout' | 'refund'
  /** What it is for. */
  purpose: 'deposit' | 'withdrawal' | 'payment' | 'refund' | 'return'
  reference: string
  amount: number
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  phone: string | null
  account: string | null
  /** `unknown`: it may have reached the provider or not. */
  state: 'new' | 'sending' | 'pending' | 'unknown' | 'completed' | 'failed'
  failure: {
    code: 'insufficient_balance' | 'cancelled_by_customer' | 'phone_unreachable' | 'expired' | 'wrong_pin' | 'payment_in_progress' | 'payer_not_found' | 'payer_limit_reached' | 'recipient_not_found' | 'recipient_not_allowed' | 'amount_out_of_bounds' | 'duplicate_transaction' | 'provider_unavailable' | 'provider_config' | 'provider_error'
    detail: string
  } | null
  provider_reference: string | null
  receipt: string | null
  confirmed_amount: number | null
  late_of: string | null
  trouble: string | null
  /** How often the provider was asked. */
  asks: number
  stuck_since: string | null
  /** ISO 8601, UTC */
  created_at: string
  sent_at: string | null
  ended_at: string | null
  /** What was said to the provider, the newest first. Kept for 90 days. */
  exchanges: {
    what: 'start' | 'ask' | 'token'
    method: string
    path: string
    /** Headers and body, without secrets. */
    request: string
    status: number | null
    answer: string | null
    problem: string | null
    duration_ms: number
    /** ISO 8601, UTC */
    at: string
  }[]
  /** What came to its callback addresses. */
  deliveries: {
    /** `answer`: to our own question. */
    what: 'callback' | 'answer'
    body: string
    result: string | null
    /** ISO 8601, UTC */
    at: string
  }[]
}

export interface ResolveOperationBody {
  /** What the provider did, as you know it: from its portal, or from its staff. */
  outcome: 'completed' | 'failed'
  /** The provider's receipt, when it was completed. */
  receipt?: string
  /** For the audit log. */
  reason: string
}

export interface DismissOperationBody {
  /** For the audit log. */
  reason: string
}

export interface ListUnmatchedQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  status?: 'open' | 'matched' | 'returning' | 'returned'
  provider?: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
}

export interface ListUnmatchedItem {
  id: string
  provider: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode: 'live' | 'test'
  amount: number
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  /** Why nothing could take it. */
  why: 'another_amount' | 'paid_already' | 'payment_failed' | 'paid_out_less' | 'came_back'
  meant_for: string | null
  phone: string | null
  status: 'open' | 'matched' | 'returning' | 'returned'
  /** What brought it. */
  operation_id: string
  return_due_at: string | null
  /** How often it could not be given back. */
  returns_failed: number
  problem: string | null
  return_operation_id: string | null
  matched_to: {
    kind: 'wallet' | 'payment'
    id: string
  } | null
  /** ISO 8601, UTC */
  created_at: string
  ended_at: string | null
}

export interface MatchUnmatchedBody {
  /** Whose wallet gets it. Either this or `payment`. */
  user_id?: string
  /** The reference of the payment that it pays: of the same amount, pending or expired. */
  payment?: string
  /** For the audit log. */
  reason: string
}

export interface ListMatchesQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  provider?: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode?: 'live' | 'test'
  /** Only those with differences. */
  differing?: boolean
}

export interface ListMatchesItem {
  id: string
  provider: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode: 'live' | 'test'
  day: string
  /** Does the provider tell what it did? If not, only our own two are compared. */
  has_records: boolean
  /** Orders that ended on the day. */
  operations: number
  /** Postings of the ledger in the provider's account. */
  postings: number
  /** Movements in the provider's own books. */
  records: number
  /** What was sure, and was mended at once. */
  repaired: number
  /** What is left for an operator. */
  differences: number
  /** What came in and what left, as each of the three has it. */
  totals: {
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    operations: {
      in: number
      out: number
    }
    ledger: {
      in: number
      out: number
    }
    provider: {
      in: number
      out: number
    }
  }[]
  /** ISO 8601, UTC */
  compared_at: string
}

export interface RunMatchBody {
  /** In UTC. */
  day: string
}

export interface GetMatchData {
  id: string
  provider: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
  mode: 'live' | 'test'
  day: string
  /** Does the provider tell what it did? If not, only our own two are compared. */
  has_records: boolean
  /** Orders that ended on the day. */
  operations: number
  /** Postings of the ledger in the provider's account. */
  postings: number
  /** Movements in the provider's own books. */
  records: number
  /** What was sure, and was mended at once. */
  repaired: number
  /** What is left for an operator. */
  differences: number
  /** What came in and what left, as each of the three has it. */
  totals: {
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
    operations: {
      in: number
      out: number
    }
    ledger: {
      in: number
      out: number
    }
    provider: {
      in: number
      out: number
    }
  }[]
  /** ISO 8601, UTC */
  compared_at: string
  /** Everything that differs, or did. */
  found: {
    kind: 'unknown_to_us' | 'moved_though_failed' | 'amount_differs' | 'not_at_provider' | 'not_in_ledger' | 'ledger_differs' | 'posted_without_operation' | 'was_completed' | 'was_not_made' | 'still_open'
    detail: string
    /** It was mended at once. */
    repaired: boolean
    operation_id: string | null
    posting: string | null
    provider_reference: string | null
    amount: number | null
    currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD' | null
  }[]
}

export interface GetSystemData {
  version: string
  /** ISO 8601, UTC */
  time: string
  ready: boolean
  /** Why it is not ready; empty when it is. */
  reasons: string[]
  jobs: {
    /** Background jobs that wait or run. */
    waiting: number
    /** Background jobs that used up their attempts. */
    failed: number
    /** How long the longest-waiting due job has waited. */
    oldest_seconds: number
    /** Processes that work on them. */
    workers: number
  }
  notifications: {
    /** To be sent, counted up to a hundred thousand. */
    waiting: number
    /** How long the longest-waiting first attempt is due. */
    oldest_seconds: number
    /** Addresses that fail or were given up; 100 at most. */
    endpoints_in_trouble: number
  }
  mails: {
    /** To be sent. */
    queued: number
    /** Given up in the last seven days. */
    failed: number
  }
  providers: {
    provider: 'mpesa' | 'mtn' | 'airtel' | 'paystack'
    mode: 'live' | 'test'
    /** Of the last five minutes. */
    health: 'up' | 'degraded' | 'down'
  }[]
  books: {
    ok: boolean
    /** ISO 8601, UTC */
    checked_at: string
  } | null
}

export interface ListTroubledEndpointsItem {
  mode: 'live' | 'test'
  origin: string
  status: 'failing' | 'suspended'
  /** Of a suspension: it answered 410, or with nothing but failures for 120 hours. */
  reason: 'gone' | 'failing' | null
  /** ISO 8601, UTC */
  since: string
  merchant_id: number
}

export interface GetNotificationAsOperatorData {
  /** The `webhook-id`: the same over all attempts. */
  id: string
  event: string
  /** `gateway`: to an ipn_url. `callback`: to a callback_url. */
  kind: 'gateway' | 'callback'
  /** Of the payment. */
  reference: string
  /** Its place among the events of the payment, from 1 on. */
  sequence: number
  mode: 'live' | 'test'
  /** Null: the payment names no address. In test mode only. */
  url: string | null
  /** `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events. */
  status: 'pending' | 'delivered' | 'failed' | 'held' | 'unsent'
  /** How many were begun. */
  attempts: number
  next_attempt_at: string | null
  last_attempt: {
    /** ISO 8601, UTC */
    at: string
    /** Of the answer, if there was one. */
    status: number | null
    problem: 'address_not_allowed' | 'could_not_connect' | 'tls' | 'timed_out' | 'no_answer' | 'bad_answer' | 'redirect' | 'status' | 'gone' | 'no_secret' | 'interrupted' | null
  } | null
  /** ISO 8601, UTC */
  created_at: string
  /** When it was delivered, given up or held. */
  done_at: string | null
  /** What is sent, byte for byte. Kept for 90 days. */
  body: string | null
  /** What is left of the body after that. */
  body_sha256: string | null
  merchant_id: number
  log: {
    number: number
    /** ISO 8601, UTC */
    at: string
    status: number | null
    /** Until the answer was read; absent without one. */
    duration_ms: number | null
    problem: 'address_not_allowed' | 'could_not_connect' | 'tls' | 'timed_out' | 'no_answer' | 'bad_answer' | 'redirect' | 'status' | 'gone' | 'no_secret' | 'interrupted' | null
    /** The problem in words. */
    message: string | null
    /** The first 2 KB of the answer. What can not be shown is written as `\u001b`. */
    response: string | null
    address: string | null
    cause: string | null
  }[]
}

export interface ListCampaignsAsOperatorQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** Words of the title or the story. */
  q?: string
  state?: 'active' | 'ended' | 'paused' | 'returning' | 'returned'
}

export interface ListCampaignsAsOperatorItem {
  id: string
  title: string
  story: string
  category: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  cover_url: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  goal_amount: number
  /** What came in, less what went back. What the owner has taken out still counts. */
  raised_amount: number
  /** Everybody once. */
  contributor_count: number
  /** Whole percent of the goal; may be more than 100. */
  progress: number
  /** Also a paused one is `active`: see `paused`. */
  status: 'active' | 'ended'
  paused: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  returned: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  owner: {
    handle: string
    name: string
  }
  /** Its public page. */
  url: string
  ends_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  state: 'active' | 'ended' | 'paused' | 'returning' | 'returned'
  owner_id: string
  /** What is in its account. */
  balance: number
  /** What its owner has taken out, with the fees. */
  withdrawn_amount: number
}

export interface GetCampaignAsOperatorData {
  id: string
  title: string
  story: string
  category: 'business' | 'community' | 'education' | 'emergency' | 'environment' | 'faith' | 'family' | 'health' | 'memorial' | 'other'
  cover_url: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  goal_amount: number
  /** What came in, less what went back. What the owner has taken out still counts. */
  raised_amount: number
  /** Everybody once. */
  contributor_count: number
  /** Whole percent of the goal; may be more than 100. */
  progress: number
  /** Also a paused one is `active`: see `paused`. */
  status: 'active' | 'ended'
  paused: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  returned: {
    reason: string
    /** ISO 8601, UTC */
    since: string
  } | null
  owner: {
    handle: string
    name: string
  }
  /** Its public page. */
  url: string
  ends_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  state: 'active' | 'ended' | 'paused' | 'returning' | 'returned'
  owner_id: string
  /** What is in its account. */
  balance: number
  /** What its owner has taken out, with the fees. */
  withdrawn_amount: number
  /** How far giving back has come. */
  returns: {
    /** `sent`: a provider has it. `failed`: a provider refused; ask for the return again to retry. */
    state: 'open' | 'sent' | 'done' | 'failed'
    count: number
    amount: number
  }[]
}

export interface PauseCampaignBody {
  /** Everybody who looks at the campaign sees it. */
  reason: string
}

export interface GetPaymentAsOperatorData {
  reference: string
  ref_trx: string | null
  /** What the customer paid, or is to pay. */
  amount: number
  /** What was taken from it. */
  fee: number
  /** What you got of it. */
  net: number
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  failure: {
    code: string
    message: string
  } | null
  /** The provider confirmed it after it had expired. */
  late: boolean
  method: string | null
  description: string | null
  mode: 'live' | 'test'
  customer: string | null
  /** ISO 8601, UTC */
  created_at: string
  completed_at: string | null
  /** What has gone back already. */
  refunded_amount: number
  attempts: {
    /** `wallet`, or the id of a provider. */
    method: string
    /** Pending: the customer, or the provider, has not answered yet. */
    status: 'pending' | 'succeeded' | 'failed'
    failure: {
      code: string
      message: string
    } | null
    customer: string | null
    /** ISO 8601, UTC */
    created_at: string
    ended_at: string | null
  }[]
  refunds: {
    id: string
    amount: number
    reason: string | null
    /** Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again. */
    status: 'pending' | 'completed' | 'failed'
    failure: {
      code: string
      message: string
    } | null
    /** ISO 8601, UTC */
    created_at: string
    ended_at: string | null
  }[]
  payment_url: string | null
  /** Whose it is; null when it is for a campaign. */
  merchant_id: number | null
  /** As the customer saw it; of a campaign its title. */
  merchant_name: string
  campaign_id: string | null
}

export interface ListGroupsAsOperatorQuery {
  /** How many a page holds. */
  limit?: number
  /** `meta.next_cursor` of the page before. */
  cursor?: string
  /** A part of the name, or the whole id. */
  q?: string
}

export interface ListGroupsAsOperatorItem {
  id: string
  name: string
  description: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  kind: 'rotating' | 'goal'
  contribution_amount: number | null
  frequency: 'weekly' | 'monthly' | null
  goal_amount: number | null
  late_fine: number | null
  time_zone: string
  /** What is in the pot, as the ledger has it. */
  balance: number
  member_count: number
  max_members: number
  visibility: 'private' | 'public'
  role: 'chair' | 'treasurer' | 'member' | null
  cycle: {
    number: number
    round: number
    /** How many cycles the round has: one for each who takes part. */
    of: number
    /** The end of the day in the time zone of the group. */
    due_at: string
    /** Is that over? */
    late: boolean
    /** For whom it is paid, the first first. */
    paid_by: {
      handle: string
      name: string
    }[]
    next_payout_to: {
      handle: string
      name: string
    } | null
    your_due: number | null
  } | null
  /** For members. */
  invite_code?: string
  /** For members: the code as a link. */
  invite_url?: string
  /** ISO 8601, UTC */
  created_at: string
  /** When the last member left. */
  closed_at: string | null
}

export interface GetGroupAsOperatorData {
  id: string
  name: string
  description: string | null
  /** Three-letter code. */
  currency: 'UGX' | 'KES' | 'TZS' | 'RWF' | 'NGN' | 'ZAR' | 'USD'
  kind: 'rotating' | 'goal'
  contribution_amount: number | null
  frequency: 'weekly' | 'monthly' | null
  goal_amount: number | null
  late_fine: number | null
  time_zone: string
  /** What is in the pot, as the ledger has it. */
  balance: number
  member_count: number
  max_members: number
  visibility: 'private' | 'public'
  role: 'chair' | 'treasurer' | 'member' | null
  cycle: {
    number: number
    round: number
    /** How many cycles the round has: one for each who takes part. */
    of: number
    /** The end of the day in the time zone of the group. */
    due_at: string
    /** Is that over? */
    late: boolean
    /** For whom it is paid, the first first. */
    paid_by: {
      handle: string
      name: string
    }[]
    next_payout_to: {
      handle: string
      name: string
    } | null
    your_due: number | null
  } | null
  /** For members. */
  invite_code?: string
  /** For members: the code as a link. */
  invite_url?: string
  /** ISO 8601, UTC */
  created_at: string
  /** When the last member left. */
  closed_at: string | null
  members: {
    handle: string
    name: string
    role: 'chair' | 'treasurer' | 'member'
    /** ISO 8601, UTC */
    joined_at: string
    turn: number | null
    has_received: boolean | null
    has_paid: boolean | null
    late: boolean
  }[]
  debts: {
    from: {
      handle: string
      name: string
    }
    to: {
      handle: string
      name: string
    }
    /** What is left of it. */
    amount: number
    /** `missed`: a contribution that did not come. `left`: what is given back to who left before their turn. */
    why: 'missed' | 'left'
    round: number
  }[]
  feed: {
    /** What happened: `contributed`, `pot`, `joined`, … */
    type: string
    by: {
      handle: string
      name: string
    } | null
    member: {
      handle: string
      name: string
    } | null
    amount: number | null
    fine: number | null
    round: number | null
    cycle: number | null
    note: string | null
    reference: string | null
    entry: number | null
    /** ISO 8601, UTC */
    created_at: string
  }[]
}

export interface Operations {
  /** Is the process alive? */
  'GET /health': {
    reply: GetLivenessReply
  }
  /** Is the service ready? */
  'GET /api/health': {
    reply: GetLivenessReply
  }
  /** Create an account */
  'POST /api/auth/register': {
    body: RegisterBody
    reply: Envelope<RegisterData>
  }
  /** Log in */
  'POST /api/auth/login': {
    body: LoginBody
    reply: Envelope<RegisterData>
  }
  /** Exchange the JWT for a new one */
  'POST /api/auth/refresh': {
    body?: RefreshBody
    reply: Envelope<RegisterData>
  }
  /** Ask for a code to choose a new password */
  'POST /api/auth/password/forgot': {
    body?: ForgotPasswordBody
    reply: Envelope<null>
  }
  /** Choose a new password with the code */
  'POST /api/auth/password/reset': {
    body: ResetPasswordBody
    reply: Envelope<null>
  }
  /** Log out */
  'POST /api/auth/logout': {
    reply: Envelope<null>
  }
  /** List your sessions */
  'GET /api/auth/sessions': {
    reply: ListEnvelope<ListSessionsItem>
  }
  /** End a session */
  'DELETE /api/auth/sessions/:id': {
    params: { id: string }
    reply: Envelope<null>
  }
  /** Who you are */
  'GET /api/me': {
    reply: Envelope<GetMeData>
  }
  /** Change your name, language and receipts */
  'PATCH /api/me': {
    body?: ChangeMeBody
    reply: Envelope<GetMeData>
  }
  /** Set or change the PIN */
  'PUT /api/me/pin': {
    body: SetPinBody
    reply: Envelope<null>
  }
  /** Change the password */
  'PUT /api/me/password': {
    body: ChangePasswordBody
    reply: Envelope<null>
  }
  /** Add or change the e-mail address */
  'PUT /api/me/email': {
    body: ChangeEmailBody
    reply: Envelope<ChangeEmailData>
  }
  /** Add or change the phone number */
  'PUT /api/me/phone': {
    body: ChangePhoneBody
    reply: Envelope<ChangeEmailData>
  }
  /** Confirm the e-mail address */
  'POST /api/auth/email/confirm': {
    body: ConfirmEmailBody
    reply: Envelope<null>
  }
  /** Mail a new code to confirm the e-mail address */
  'POST /api/auth/email/resend': {
    reply: Envelope<null>
  }
  /** List your wallets */
  'GET /api/wallets': {
    reply: ListEnvelope<ListWalletsItem>
  }
  /** Open a wallet in another currency */
  'POST /api/wallets': {
    body: OpenWalletBody
    reply: Envelope<ListWalletsItem>
  }
  /** List your transactions */
  'GET /api/transactions': {
    query?: ListTransactionsQuery
    reply: ListEnvelope<ListTransactionsItem>
  }
  /** Download your transactions as CSV */
  'GET /api/transactions.csv': {
    query?: ExportTransactionsQuery
    reply: string
  }
  /** See one transaction */
  'GET /api/transactions/:reference': {
    params: { reference: string }
    reply: Envelope<GetTransactionData>
  }
  /** Get the receipt of a transaction */
  'GET /api/transactions/:reference/receipt': {
    params: { reference: string }
    reply: string
  }
  /** Ways to bring money in or out */
  'GET /api/methods': {
    query: ListMethodsQuery
    reply: ListEnvelope<ListMethodsItem>
  }
  /** Start a deposit */
  'POST /api/deposit/initiate': {
    body: InitiateDepositBody
    reply: Envelope<InitiateDepositData>
  }
  /** Preview a withdrawal */
  'POST /api/withdraw/preview': {
    body: PreviewWithdrawalBody
    reply: Envelope<PreviewWithdrawalData>
  }
  /** Withdraw money */
  'POST /api/withdraw': {
    body: WithdrawBody
    reply: Envelope<WithdrawData>
  }
  /** Begin a campaign */
  'POST /api/campaigns': {
    body: CreateCampaignBody
    reply: Envelope<CreateCampaignData>
  }
  /** Your own campaigns */
  'GET /api/campaigns': {
    query?: ListOwnCampaignsQuery
    reply: ListEnvelope<CreateCampaignData>
  }
  /** Browse campaigns */
  'GET /api/campaigns/browse': {
    query?: BrowseCampaignsQuery
    reply: ListEnvelope<BrowseCampaignsItem>
  }
  /** Show a campaign */
  'GET /api/campaigns/:id': {
    params: { id: string }
    reply: Envelope<CreateCampaignData>
  }
  /** Change a campaign */
  'PATCH /api/campaigns/:id': {
    params: { id: string }
    body?: ChangeCampaignBody
    reply: Envelope<CreateCampaignData>
  }
  /** End a campaign */
  'POST /api/campaigns/:id/end': {
    params: { id: string }
    reply: Envelope<CreateCampaignData>
  }
  /** Contribute to a campaign */
  'POST /api/campaigns/:id/contribute': {
    params: { id: string }
    body: ContributeToCampaignBody
    reply: Envelope<ContributeToCampaignData>
  }
  /** Take money out of a campaign */
  'POST /api/campaigns/:id/withdraw': {
    params: { id: string }
    body: WithdrawFromCampaignBody
    reply: Envelope<WithdrawFromCampaignData>
  }
  /** Preview taking money out of a campaign */
  'POST /api/campaigns/:id/withdraw/preview': {
    params: { id: string }
    body?: PreviewCampaignWithdrawalBody
    reply: Envelope<PreviewCampaignWithdrawalData>
  }
  /** Contributions to a campaign */
  'GET /api/campaigns/:id/contributions': {
    params: { id: string }
    query?: ListOwnCampaignsQuery
    reply: ListEnvelope<ListContributionsItem>
  }
  /** News of a campaign */
  'GET /api/campaigns/:id/updates': {
    params: { id: string }
    query?: ListOwnCampaignsQuery
    reply: ListEnvelope<ListCampaignUpdatesItem>
  }
  /** Tell news of a campaign */
  'POST /api/campaigns/:id/updates': {
    params: { id: string }
    body: AddCampaignUpdateBody
    reply: Envelope<ListCampaignUpdatesItem>
  }
  /** Preview a transfer */
  'POST /api/send/preview': {
    body: PreviewTransferBody
    reply: Envelope<PreviewTransferData>
  }
  /** Send money */
  'POST /api/send': {
    body: SendMoneyBody
    reply: Envelope<SendMoneyData>
  }
  /** Look somebody up */
  'GET /api/users/:handle': {
    params: { handle: string }
    reply: Envelope<LookUpHandleData>
  }
  /** Recent recipients */
  'GET /api/recipients': {
    reply: ListEnvelope<ListRecentRecipientsItem>
  }
  /** Ask for money */
  'POST /api/requests': {
    body: CreateMoneyRequestBody
    reply: Envelope<CreateMoneyRequestData>
  }
  /** List money requests */
  'GET /api/requests': {
    query?: ListMoneyRequestsQuery
    reply: ListEnvelope<CreateMoneyRequestData>
  }
  /** Show a money request */
  'GET /api/requests/:id': {
    params: { id: string }
    reply: Envelope<CreateMoneyRequestData>
  }
  /** Pay a money request */
  'POST /api/requests/:id/pay': {
    params: { id: string }
    body: PayMoneyRequestBody
    reply: Envelope<CreateMoneyRequestData>
  }
  /** Decline a money request */
  'POST /api/requests/:id/decline': {
    params: { id: string }
    reply: Envelope<CreateMoneyRequestData>
  }
  /** Take a money request back */
  'POST /api/requests/:id/cancel': {
    params: { id: string }
    reply: Envelope<CreateMoneyRequestData>
  }
  /** Open the operator’s side with a code */
  'POST /api/operator/second-factor': {
    body: ShowSecondFactorBody
    reply: Envelope<ShowSecondFactorData>
  }
  /** Create a savings group */
  'POST /api/groups': {
    body: CreateGroupBody
    reply: Envelope<CreateGroupData>
  }
  /** List savings groups */
  'GET /api/groups': {
    query?: ListGroupsQuery
    reply: ListEnvelope<CreateGroupData>
  }
  /** Change a savings group */
  'PATCH /api/groups/:id': {
    params: { id: string }
    body?: ChangeGroupBody
    reply: Envelope<CreateGroupData>
  }
  /** Show a savings group */
  'GET /api/groups/:id': {
    params: { id: string }
    reply: Envelope<GetGroupData>
  }
  /** Join a savings group */
  'POST /api/groups/:id/join': {
    params: { id: string }
    body?: JoinGroupBody
    reply: Envelope<GetGroupData>
  }
  /** Join by invitation code */
  'POST /api/groups/join': {
    body: JoinGroupByCodeBody
    reply: Envelope<GetGroupData>
  }
  /** Leave a savings group */
  'POST /api/groups/:id/leave': {
    params: { id: string }
    reply: Envelope<null>
  }
  /** Give a member a role */
  'PUT /api/groups/:id/members/:handle/role': {
    params: { id: string; handle: string }
    body: ChangeGroupRoleBody
    reply: Envelope<GetGroupData>
  }
  /** Remove a member */
  'DELETE /api/groups/:id/members/:handle': {
    params: { id: string; handle: string }
    reply: Envelope<GetGroupData>
  }
  /** Make a new invitation code */
  'POST /api/groups/:id/invite-code': {
    params: { id: string }
    reply: Envelope<GetGroupData>
  }
  /** Contribute to a savings group */
  'POST /api/groups/:id/contribute': {
    params: { id: string }
    body: ContributeToGroupBody
    reply: Envelope<ContributeToGroupData>
  }
  /** What happened in a savings group */
  'GET /api/groups/:id/feed': {
    params: { id: string }
    query?: ListOwnCampaignsQuery
    reply: ListEnvelope<GetGroupFeedItem>
  }
  /** What a member has paid and received */
  'GET /api/groups/:id/statement': {
    params: { id: string }
    query?: GetGroupStatementQuery
    reply: GetGroupStatementReply
  }
  /** Head of the account's hash chain */
  'GET /api/groups/:id/head': {
    params: { id: string }
    reply: Envelope<GetGroupHeadData>
  }
  /** Receipt of an entry */
  'GET /api/groups/:id/entries/:seq/receipt': {
    params: { id: string; seq: string }
    query?: GetGroupReceiptQuery
    reply: Envelope<GetGroupReceiptData>
  }
  /** Announce a draw */
  'POST /api/groups/:id/draw': {
    params: { id: string }
    reply: Envelope<GetGroupData>
  }
  /** Take over a seat */
  'POST /api/groups/:id/seat/accept': {
    params: { id: string }
    reply: Envelope<GetGroupData>
  }
  /** Close a late cycle */
  'POST /api/groups/:id/cycle/close': {
    params: { id: string }
    reply: Envelope<GetGroupData>
  }
  /** Dissolve the round */
  'POST /api/groups/:id/dissolve': {
    params: { id: string }
    reply: Envelope<GetGroupData>
  }
  /** Add a word to a draw */
  'POST /api/groups/:id/draw/word': {
    params: { id: string }
    body: AddGroupDrawWordBody
    reply: Envelope<GetGroupData>
  }
  /** Start a round */
  'POST /api/groups/:id/start': {
    params: { id: string }
    body: StartGroupRoundBody
    reply: Envelope<GetGroupData>
  }
  /** Offer your seat */
  'POST /api/groups/:id/seat/offer': {
    params: { id: string }
    body: OfferGroupSeatBody
    reply: Envelope<GetGroupData>
  }
  /** Show a round */
  'GET /api/groups/:id/rounds/:number': {
    params: { id: string; number: number }
    reply: Envelope<GetGroupRoundData>
  }
  /** Propose a payout */
  'POST /api/groups/:id/payouts': {
    params: { id: string }
    body: ProposeGroupPayoutBody
    reply: Envelope<ProposeGroupPayoutData>
  }
  /** List proposed payouts */
  'GET /api/groups/:id/payouts': {
    params: { id: string }
    query?: ListGroupPayoutsQuery
    reply: ListEnvelope<ProposeGroupPayoutData>
  }
  /** Approve a payout */
  'POST /api/groups/:id/payouts/:payout_id/approve': {
    params: { id: string; payout_id: string }
    reply: Envelope<ProposeGroupPayoutData>
  }
  /** Take a proposed payout back */
  'POST /api/groups/:id/payouts/:payout_id/cancel': {
    params: { id: string; payout_id: string }
    reply: Envelope<ProposeGroupPayoutData>
  }
  /** Register a business */
  'POST /api/merchant/register': {
    body: RegisterMerchantBody
    reply: Envelope<RegisterMerchantData>
  }
  /** Change the profile of the business */
  'PATCH /api/merchant': {
    body?: ChangeMerchantBody
    reply: Envelope<RegisterMerchantData>
  }
  /** Show the business */
  'GET /api/merchant': {
    reply: Envelope<RegisterMerchantData>
  }
  /** Show a Client Secret again */
  'POST /api/merchant/credentials/reveal': {
    body: RevealClientSecretBody
    reply: Envelope<RevealClientSecretData>
  }
  /** Rotate an API key or a Client Secret */
  'POST /api/merchant/rotate-key': {
    body: RotateKeyBody
    reply: Envelope<RotateKeyData>
  }
  /** Send a notification once more */
  'POST /api/merchant/notifications/:id/replay': {
    params: { id: string }
    reply: Envelope<ReplayNotificationData>
  }
  /** Send all that did not arrive once more */
  'POST /api/merchant/notifications/replay': {
    body: ReplayNotificationsBody
    reply: Envelope<ReplayNotificationsData>
  }
  /** Use an address again that was given up */
  'POST /api/merchant/endpoints/resume': {
    body: ResumeEndpointBody
    reply: Envelope<null>
  }
  /** Try a receiver */
  'POST /api/merchant/test-notification': {
    body?: SendTestNotificationBody
    reply: Envelope<ReplayNotificationData>
  }
  /** Move earnings to your wallet */
  'POST /api/merchant/payout': {
    body: PayOutMerchantBody
    reply: Envelope<PayOutMerchantData>
  }
  /** List notifications */
  'GET /api/merchant/notifications': {
    query?: ListNotificationsQuery
    reply: ListEnvelope<ListNotificationsItem>
  }
  /** Show a notification with every attempt */
  'GET /api/merchant/notifications/:id': {
    params: { id: string }
    reply: Envelope<ReplayNotificationData>
  }
  /** List addresses that have trouble */
  'GET /api/merchant/endpoints': {
    reply: ListEnvelope<ListEndpointsItem>
  }
  /** Ask for the events of test mode */
  'GET /api/merchant/events': {
    query?: ListEventsQuery
    reply: ListEventsReply
  }
  /** Show what the business has earned */
  'GET /api/merchant/balances': {
    query?: ListMerchantBalancesQuery
    reply: ListEnvelope<ListMerchantBalancesItem>
  }
  /** Show the volume over time */
  'GET /api/merchant/volume': {
    query: GetMerchantVolumeQuery
    reply: Envelope<GetMerchantVolumeData>
  }
  /** List payments */
  'GET /api/merchant/payments': {
    query?: ListMerchantPaymentsQuery
    reply: ListEnvelope<ListMerchantPaymentsItem>
  }
  /** Show a payment with its attempts, refunds and notifications */
  'GET /api/merchant/payments/:reference': {
    params: { reference: string }
    reply: Envelope<GetMerchantPaymentData>
  }
  /** Refund a payment */
  'POST /api/merchant/payments/:reference/refund': {
    params: { reference: string }
    body?: RefundPaymentBody
    reply: Envelope<GetMerchantPaymentData>
  }
  /** Start a payment */
  'POST /api/v1/initiate-payment': {
    body: InitiatePaymentBody
    reply: InitiatePaymentReply
  }
  /** What became of a payment */
  'GET /api/v1/verify-payment/:ref': {
    params: { ref: string }
    reply: VerifyPaymentReply
  }
  /** Ask for a payment */
  'POST /api/pay': {
    body: CreatePaymentBody
    reply: Envelope<CreatePaymentData>
  }
  /** Show a payment */
  'GET /api/pay/:reference': {
    params: { reference: string }
    reply: Envelope<GetPaymentData>
  }
  /** Businesses that wait for a review */
  'GET /api/operator/applications': {
    query?: ListOwnCampaignsQuery
    reply: ListEnvelope<ListApplicationsItem>
  }
  /** Approve a business */
  'POST /api/operator/applications/:merchant_id/approve': {
    params: { merchant_id: string }
    reply: Envelope<ListApplicationsItem>
  }
  /** Reject a business */
  'POST /api/operator/applications/:merchant_id/reject': {
    params: { merchant_id: string }
    body: RejectMerchantBody
    reply: Envelope<ListApplicationsItem>
  }
  /** Businesses */
  'GET /api/operator/merchants': {
    query?: ListMerchantsQuery
    reply: ListEnvelope<ListApplicationsItem>
  }
  /** Show a business */
  'GET /api/operator/merchants/:merchant_id': {
    params: { merchant_id: string }
    reply: Envelope<ListApplicationsItem>
  }
  /** Suspend a business */
  'POST /api/operator/merchants/:merchant_id/suspend': {
    params: { merchant_id: string }
    body: RejectMerchantBody
    reply: Envelope<ListApplicationsItem>
  }
  /** End the suspension of a business */
  'POST /api/operator/merchants/:merchant_id/unsuspend': {
    params: { merchant_id: string }
    reply: Envelope<ListApplicationsItem>
  }
  /** Find a person */
  'GET /api/operator/users': {
    query: FindPeopleQuery
    reply: ListEnvelope<FindPeopleItem>
  }
  /** Show a person */
  'GET /api/operator/users/:id': {
    params: { id: string }
    reply: Envelope<GetPersonData>
  }
  /** Freeze an account */
  'POST /api/operator/users/:id/freeze': {
    params: { id: string }
    body: FreezeUserBody
    reply: Envelope<GetPersonData>
  }
  /** Unfreeze an account */
  'POST /api/operator/users/:id/unfreeze': {
    params: { id: string }
    reply: Envelope<GetPersonData>
  }
  /** Mails */
  'GET /api/operator/mails': {
    query?: ListMailsQuery
    reply: ListEnvelope<ListMailsItem>
  }
  /** Read a mail */
  'GET /api/operator/mails/:id': {
    params: { id: string }
    reply: Envelope<ReadMailData>
  }
  /** Search the audit log */
  'GET /api/operator/audit': {
    query?: SearchAuditQuery
    reply: ListEnvelope<SearchAuditItem>
  }
  /** The books */
  'GET /api/operator/ledger': {
    reply: Envelope<GetBooksData>
  }
  /** Check the books now */
  'POST /api/operator/ledger/check': {
    reply: Envelope<CheckBooksData>
  }
  /** Orders to providers */
  'GET /api/operator/operations': {
    query?: ListOperationsQuery
    reply: ListEnvelope<ListOperationsItem>
  }
  /** Show an order to a provider */
  'GET /api/operator/operations/:id': {
    params: { id: string }
    reply: Envelope<GetOperationData>
  }
  /** Ask the provider now */
  'POST /api/operator/operations/:id/ask': {
    params: { id: string }
    reply: Envelope<GetOperationData>
  }
  /** Say what became of an order */
  'POST /api/operator/operations/:id/resolve': {
    params: { id: string }
    body: ResolveOperationBody
    reply: Envelope<GetOperationData>
  }
  /** Dismiss the trouble of an order */
  'POST /api/operator/operations/:id/dismiss': {
    params: { id: string }
    body: DismissOperationBody
    reply: Envelope<GetOperationData>
  }
  /** Unmatched money */
  'GET /api/operator/unmatched': {
    query?: ListUnmatchedQuery
    reply: ListEnvelope<ListUnmatchedItem>
  }
  /** Show unmatched money */
  'GET /api/operator/unmatched/:id': {
    params: { id: string }
    reply: Envelope<ListUnmatchedItem>
  }
  /** Match unmatched money */
  'POST /api/operator/unmatched/:id/match': {
    params: { id: string }
    body: MatchUnmatchedBody
    reply: Envelope<ListUnmatchedItem>
  }
  /** Return unmatched money now */
  'POST /api/operator/unmatched/:id/return': {
    params: { id: string }
    body: DismissOperationBody
    reply: Envelope<ListUnmatchedItem>
  }
  /** Our books and the providers' */
  'GET /api/operator/matches': {
    query?: ListMatchesQuery
    reply: ListEnvelope<ListMatchesItem>
  }
  /** Compare a day now */
  'POST /api/operator/matches': {
    body: RunMatchBody
    reply: Envelope<CheckBooksData>
  }
  /** Show a day of a provider's books */
  'GET /api/operator/matches/:id': {
    params: { id: string }
    reply: Envelope<GetMatchData>
  }
  /** How the service is */
  'GET /api/operator/system': {
    reply: Envelope<GetSystemData>
  }
  /** Addresses that have trouble */
  'GET /api/operator/endpoints': {
    reply: ListEnvelope<ListTroubledEndpointsItem>
  }
  /** Notifications of a business */
  'GET /api/operator/merchants/:merchant_id/notifications': {
    params: { merchant_id: string }
    query?: ListNotificationsQuery
    reply: ListEnvelope<ListNotificationsItem>
  }
  /** Show a notification with every attempt */
  'GET /api/operator/notifications/:id': {
    params: { id: string }
    reply: Envelope<GetNotificationAsOperatorData>
  }
  /** Send a notification of a business once more */
  'POST /api/operator/notifications/:id/replay': {
    params: { id: string }
    reply: Envelope<GetNotificationAsOperatorData>
  }
  /** Campaigns */
  'GET /api/operator/campaigns': {
    query?: ListCampaignsAsOperatorQuery
    reply: ListEnvelope<ListCampaignsAsOperatorItem>
  }
  /** Show a campaign */
  'GET /api/operator/campaigns/:id': {
    params: { id: string }
    reply: Envelope<GetCampaignAsOperatorData>
  }
  /** Pause a campaign */
  'POST /api/operator/campaigns/:id/pause': {
    params: { id: string }
    body: PauseCampaignBody
    reply: Envelope<GetCampaignAsOperatorData>
  }
  /** End the pause of a campaign */
  'POST /api/operator/campaigns/:id/resume': {
    params: { id: string }
    reply: Envelope<GetCampaignAsOperatorData>
  }
  /** Give the money of a campaign back */
  'POST /api/operator/campaigns/:id/return': {
    params: { id: string }
    body: PauseCampaignBody
    reply: Envelope<GetCampaignAsOperatorData>
  }
  /** Payments of a business */
  'GET /api/operator/merchants/:merchant_id/payments': {
    params: { merchant_id: string }
    query?: ListMerchantPaymentsQuery
    reply: ListEnvelope<ListMerchantPaymentsItem>
  }
  /** Show a payment */
  'GET /api/operator/payments/:reference': {
    params: { reference: string }
    reply: Envelope<GetPaymentAsOperatorData>
  }
  /** Savings groups */
  'GET /api/operator/groups': {
    query?: ListGroupsAsOperatorQuery
    reply: ListEnvelope<ListGroupsAsOperatorItem>
  }
  /** Show a savings group */
  'GET /api/operator/groups/:id': {
    params: { id: string }
    reply: Envelope<GetGroupAsOperatorData>
  }
  /** Transactions of a person */
  'GET /api/operator/users/:id/transactions': {
    params: { id: string }
    query?: ListTransactionsQuery
    reply: ListEnvelope<ListTransactionsItem>
  }
}

/** Those that take an `Idempotency-Key`: a repeated request happens once. */
export const keyedRoutes: ReadonlySet<string> = new Set([
  'POST /api/deposit/initiate',
  'POST /api/withdraw',
  'POST /api/campaigns',
  'POST /api/campaigns/:id/contribute',
  'POST /api/campaigns/:id/withdraw',
  'POST /api/send',
  'POST /api/requests',
  'POST /api/requests/:id/pay',
  'POST /api/groups',
  'POST /api/groups/:id/leave',
  'POST /api/groups/:id/contribute',
  'POST /api/groups/:id/cycle/close',
  'POST /api/groups/:id/dissolve',
  'POST /api/groups/:id/payouts',
  'POST /api/groups/:id/payouts/:payout_id/approve',
  'POST /api/merchant/register',
  'POST /api/merchant/rotate-key',
  'POST /api/merchant/payout',
  'POST /api/merchant/payments/:reference/refund',
  'POST /api/v1/initiate-payment',
  'POST /api/pay',
])

/** All others answer with an envelope: an object with `data`. */
export const bareRoutes: ReadonlyMap<string, 'object' | 'text'> = new Map([
  ['GET /health', 'object'],
  ['GET /api/health', 'object'],
  ['GET /api/transactions.csv', 'text'],
  ['GET /api/transactions/:reference/receipt', 'text'],
  ['POST /api/v1/initiate-payment', 'object'],
  ['GET /api/v1/verify-payment/:ref', 'object'],
])

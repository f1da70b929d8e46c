// What the rooms work with, opened in the order in which they need each other, and closed in the reverse one. A process, a
// test and a command that needs the whole service open the same.
import type { Logger } from 'pino'
import { check } from './base/check.ts'
import type { Clock } from './base/clock.ts'
import type { Prices } from './base/prices.ts'
import * as campaignsRoom from './campaigns/campaigns.ts'
import { type Closers, closeAll, closeMs, within } from './closing.ts'
import type { Config } from './config.ts'
import { type Db, limitsFor, openDb, shareOf } from './db/db.ts'
import * as fundingRoom from './funding/funding.ts'
import * as ledgers from './ledger/ledger.ts'
import * as merchantsRoom from './merchants/merchants.ts'
import * as operationsRoom from './operations/operations.ts'
import * as paymentsRoom from './payments/payments.ts'
import { openRegistry, type Registry } from './providers/providers.ts'
import type { Secrets } from './secrets.ts'
import * as usersRoom from './users/users.ts'

export interface Dependencies {
  config: Config
  db: Db
  ledger: ledgers.Ledger
  clock: Clock
  log: Logger
  prices: Prices
  secrets: Secrets
  /** Where people and merchants reach the service. */
  baseUrl: string
  users: usersRoom.Users
  merchants: merchantsRoom.Merchants
  registry: Registry
  operations: operationsRoom.Operations
  funding: fundingRoom.Funding
  payments: paymentsRoom.Payments
  campaigns: campaignsRoom.Campaigns
}

export interface DependencyOptions
  extends Pick<Dependencies, 'config' | 'clock' | 'log' | 'prices' | 'secrets' | 'baseUrl'> {
  databaseUrl: string
  /** Another than the configured one: it was started with this process. */
  simulatorUrl?: string | undefined
  /** For tests, which make many accounts: another than the configured one. */
  passwordCost?: usersRoom.PasswordCost | undefined
  /** And others than its own: those of the process. */
  hashThreads?: usersRoom.HashThreads | undefined
}

export interface OpenDependencies {
  dependencies: Dependencies
  /** Reasons why this process has not heard in time of what happened elsewhere. */
  feedReasons(): string[]
  close(): Promise<void>
}

export async function openDependencies(options: DependencyOptions): Promise<OpenDependencies> {
  const { databaseUrl: url, passwordCost, hashThreads, ...rest } = options
  const { simulatorUrl = options.config.SIMULATOR_URL, ...given } = rest
  const { config, clock, log, secrets, baseUrl } = given
  const closers: Closers = []
  const waitSeconds = config.DATABASE_WAIT_SECONDS
  try {
    const db = openDb({
      url,
      name: 'mfuko',
      ...limitsFor(waitSeconds),
      connectionsMax: config.DATABASE_POOL,
      onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    })
    closers.push(() => within(closeMs, db.close()))
    const ledger = ledgers.openLedger({
      url,
      clock,
      waitSeconds,
      onIdleError: (error) => log.warn({ err: error }, 'an idle connection of the ledger broke'),
    })
    closers.push(() => within(closeMs, ledger.close()))
    const users = await usersRoom.openUsers({ ...given, db, url, ledger, passwordCost, hashThreads })
    closers.push(() => within(closeMs, users.close()))
    const { production } = config
    const merchants = await merchantsRoom.openMerchants({ ...given, db, url, ledger, users, production })
    closers.push(() => within(closeMs, merchants.close()))
    const registry = openRegistry({ config, simulatorUrl })
    const aside = shareOf(db, connectionsAside(config))
    const operations = operationsRoom.openOperations({ db, aside, clock, log, secrets, baseUrl, registry })
    closers.push(() => within(closeMs, operations.close()))
    const funding = fundingRoom.openFunding({ ...given, db, ledger, users, operations })
    closers.push(() => within(closeMs, funding.idle()))
    const payments = paymentsRoom.openPayments({
      ...given,
      db,
      ledger,
      merchants,
      users,
      operations,
      funding,
      checkoutMinutes: config.CHECKOUT_MINUTES,
    })
    const checkout = campaignCheckout(payments)
    const campaigns = campaignsRoom.openCampaigns({ ...given, db, ledger, users, checkout })
    return {
      dependencies: {
        ...given,
        db,
        ledger,
        users,
        merchants,
        registry,
        operations,
        funding,
        payments,
        campaigns,
      },
      feedReasons: () => [...users.staleReasons(), ...merchants.staleReasons()],
      close: () => closeAll(closers),
    }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** What providers have said is worked off beside the requests, where there are any. */
const connectionsAside = ({ DATABASE_POOL: all, ROLE }: Config): number =>
  ROLE === 'worker' ? all : Math.max(1, Math.floor(all / 3))

/** Contributions without an account go through the checkout, and back the same way. */
const campaignCheckout = (payments: paymentsRoom.Payments): campaignsRoom.CampaignCheckout => ({
  ask: async ({ campaign, title, amount, backTo }) => {
    const { payment } = await payments.ask({
      merchant: null,
      merchantName: title,
      campaign,
      mode: 'live',
      source: 'campaign',
      refTrx: null,
      amount,
      description: null,
      notifyUrl: null,
      successRedirect: backTo,
      failureUrl: backTo,
      cancelRedirect: backTo,
      key: undefined,
    })
    return { payment: payment.number, url: payments.urlOf(payment) }
  },
  refund: async ({ payment, ...refund }) => {
    const found = await payments.byNumber(payment)
    check(found !== undefined, 'a contribution through the checkout is a payment')
    await payments.refund(found, refund)
  },
})

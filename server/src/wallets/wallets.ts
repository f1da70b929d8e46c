// A person's wallets: one a currency, each an account of the ledger. A wallet is there when it is the one of the
// person's country, when it was opened on purpose, or when something has been in it (receiving opens it).
// Nothing here moves money, and no balance is kept here.
import { createHmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { type Currency, currencies, currencyCodes, isCurrency } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Db } from '../db/db.ts'
import type { Ledger, OwnedAccount } from '../ledger/ledger.ts'
import * as sql from './sql.ts'

/** The wallet that a person has from the first day on. */
export interface DefaultWallet {
  currency: Currency
  openedAt: Date
}

export interface WalletDeps {
  db: Db
  ledger: Ledger
  clock: Clock
  /** Keys the ids; `idem` is the one whose meaning is "the same thing gets the same name". */
  secrets: { readonly idem: Secret }
  defaultWalletOf(userId: string): Promise<DefaultWallet>
}

export interface Wallet {
  id: string
  currency: Currency
  name: string
  balance: bigint
  held: bigint
  isDefault: boolean
  createdAt: Date
}

/** The default one first, the others in the order of the currency table. */
export async function walletsOf(deps: WalletDeps, userId: string): Promise<Wallet[]> {
  const [own, rows, accounts] = await Promise.all([
    deps.defaultWalletOf(userId),
    sql.readOpened(deps.db, userId),
    deps.ledger.accountsOf(deps.db, { kind: 'user', owner: userId, mode: 'live' }),
  ])
  const used = new Map(accounts.map((account) => [account.currency, account]))
  const openedAt = new Map<Currency, Date>([[own.currency, own.openedAt]])
  for (const { currency, created_at } of rows) {
    if (isCurrency(currency) && !openedAt.has(currency)) openedAt.set(currency, created_at)
  }
  // A posting that was refused opens an account too; a wallet it is when something has been in it.
  for (const { currency, seq, createdAt } of accounts) {
    if (seq > 0n && !openedAt.has(currency)) openedAt.set(currency, createdAt)
  }
  const codes = currencyCodes.filter((code) => code !== own.currency && openedAt.has(code))
  return [own.currency, ...codes].map((currency) =>
    walletOf(deps, {
      userId,
      currency,
      account: used.get(currency),
      isDefault: currency === own.currency,
      createdAt: openedAt.get(currency) ?? own.openedAt,
    }),
  )
}

/** Another one, empty. There is one a currency. */
export async function openWallet(
  deps: WalletDeps,
  { userId, currency }: { userId: string; currency: Currency },
): Promise<Wallet> {
  const there = await walletsOf(deps, userId)
  const at = deps.clock.now()
  const isThere = there.some((wallet) => wallet.currency === currency)
  // The row decides between two who open the same one at once.
  const opened = isThere ? undefined : await sql.insertOpened(deps.db, { userId, currency, at })
  if (opened === undefined) {
    const errors = { currency: `Currency must be another one: you have a wallet in ${currency} already` }
    throw new AppError('validation_failed', { errors })
  }
  return walletOf(deps, { userId, currency, account: undefined, isDefault: false, createdAt: at })
}

interface Found {
  userId: string
  currency: Currency
  account: OwnedAccount | undefined
  isDefault: boolean
  createdAt: Date
}

const walletOf = (deps: WalletDeps, { userId, currency, account, isDefault, createdAt }: Found): Wallet => ({
  id: walletId(deps.secrets.idem, { userId, currency }),
  currency,
  name: `${currencies[currency].name} wallet`,
  balance: account?.balance ?? 0n,
  held: account?.held ?? 0n,
  isDefault,
  createdAt,
})

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idPlaces = 22

/** Made from what the wallet is, so it needs no column, is always the same and tells nobody whose it is. */
export function walletId(
  secret: Secret,
  { userId, currency }: { userId: string; currency: Currency },
): string {
  const mac = createHmac('sha256', secret.key()).update(`wallet id\n${userId}\n${currency}`).digest('hex')
  let rest = BigInt(`0x${mac}`)
  let text = ''
  for (let place = 0; place < idPlaces; place++) {
    text += alphabet.charAt(Number(rest % 62n))
    rest /= 62n
  }
  return `wal_${text}`
}

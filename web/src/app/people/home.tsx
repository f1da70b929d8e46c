import { ArrowDownToLine, ArrowUpFromLine, ChevronRight, HandCoins, Send } from 'lucide-react'
import { Link } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, RowBones } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { useUser } from '../session.ts'
import { frame } from '../words.ts'
import {
  type MoneyRequest,
  type Transaction,
  useOpenRequests,
  useRecent,
  useWallets,
  type Wallet,
} from './data.ts'
import { TransactionRows } from './transaction-rows.tsx'
import { useWalletName } from './wallet-name.ts'
import { people } from './words.ts'

const recentShown = 6

export const Home = () => {
  const t = useWords(people)
  const user = useUser()
  return (
    <Page title={t.hello(user.name)} width="wide">
      {user.frozen && <Notice kind="warning">{t.frozen}</Notice>}
      {!user.has_pin && (
        <Notice kind="warning" action={<ButtonLink href="/account/security">{t.setPin}</ButtonLink>}>
          {t.noPin}
        </Notice>
      )}
      <div className="home">
        <div>
          <Wallets />
          <Acts />
        </div>
        <Recent />
      </div>
    </Page>
  )
}

/** Requests that wait for an answer. */
const Asked = ({ items }: { items: readonly MoneyRequest[] }) => {
  const t = useWords(people)
  return items.map(({ id, counterparty, amount, currency }) => (
    <Link key={id} href={`/requests/${id}`} className="notice justify-between">
      <HandCoins className="notice-icon" aria-hidden="true" />
      <span className="notice-body flex-1">
        {t.asksYou(counterparty.name)}{' '}
        <strong>
          <Amount value={amount} currency={currency} />
        </strong>
      </span>
      <ChevronRight className="notice-icon" aria-hidden="true" />
    </Link>
  ))
}

const Wallets = () => {
  const t = useWords(people)
  return (
    <section aria-label={t.wallets}>
      <Loaded query={useWallets()} skeleton={<div className="purse bone-purse" />}>
        {(wallets) => (
          <>
            {wallets
              .filter((one) => one.is_default)
              .map((one) => (
                <Purse key={one.id} wallet={one} />
              ))}
            <ul className="small-purses">
              {wallets
                .filter((one) => !one.is_default)
                .map((one) => (
                  <li key={one.id}>
                    <Link href={`/history?currency=${one.currency}`} className="small-purse">
                      <Amount value={one.available} currency={one.currency} />
                    </Link>
                  </li>
                ))}
              <li>
                <Link href="/account/wallets" className="small-purse small-purse-open">
                  {t.openWallet}
                </Link>
              </li>
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}

const Purse = ({ wallet }: { wallet: Wallet }) => {
  const t = useWords(people)
  return (
    <div className="purse">
      <p className="purse-name">{useWalletName()(wallet.currency)}</p>
      <p className="purse-amount">
        <Amount value={wallet.available} currency={wallet.currency} />
      </p>
      {wallet.held > 0 && (
        <p className="purse-held">
          {t.held} <Amount value={wallet.held} currency={wallet.currency} />
        </p>
      )}
    </div>
  )
}

const Acts = () => {
  const f = useWords(frame)
  const acts = [
    { href: '/send', text: f.send, icon: Send },
    { href: '/requests/new', text: f.requests, icon: HandCoins },
    { href: '/deposit', text: f.deposit, icon: ArrowDownToLine },
    { href: '/withdraw', text: f.withdraw, icon: ArrowUpFromLine },
  ]
  return (
    <ul className="acts">
      {acts.map(({ href, text, icon: Icon }) => (
        <li key={href}>
          <Link href={href} className="act">
            <Icon aria-hidden="true" />
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const Recent = () => {
  const t = useWords(people)
  const recent = useRecent(recentShown)
  const asked = useOpenRequests()
  return (
    <section aria-labelledby="recent">
      <div className="section-head">
        <h2 id="recent" className="section-title">
          {t.recent}
        </h2>
        <Link href="/history" className="link section-link">
          {t.seeAll}
        </Link>
      </div>
      <Loaded
        // Both at once, so that nothing moves afterwards.
        query={asked.isPending ? { ...recent, data: undefined } : recent}
        skeleton={<RowBones rows={recentShown} />}
      >
        {(items) => (
          <>
            <Asked items={asked.data ?? []} />
            <Lines items={items} />
          </>
        )}
      </Loaded>
    </section>
  )
}

const Lines = ({ items }: { items: readonly Transaction[] }) => {
  const t = useWords(people)
  const f = useWords(frame)
  return items.length === 0 ? (
    <Empty
      title={t.nothingYet}
      action={
        <ButtonLink href="/deposit" look="main">
          {f.deposit}
        </ButtonLink>
      }
    >
      {t.nothingYetText}
    </Empty>
  ) : (
    <TransactionRows items={items} />
  )
}

import '../people.css'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAct } from '../../kit/act.ts'
import { Amount, type Currency, currencyCodes } from '../../kit/amount.tsx'
import { Button } from '../../kit/button.tsx'
import { fieldError } from '../../kit/errors.ts'
import { ChoiceField } from '../../kit/field.tsx'
import { useWords } from '../../kit/language.ts'
import { Loaded, RowBones } from '../../kit/loaded.tsx'
import { ActNotice } from '../../kit/notice.tsx'
import { Page } from '../../kit/page.tsx'
import { say } from '../../kit/toast.tsx'
import { common } from '../../kit/words.ts'
import { client } from '../../session.ts'
import { useWallets, type Wallet } from '../data.ts'
import { useWalletName } from '../wallet-name.ts'
import { account } from './words.ts'

export const Wallets = () => {
  const t = useWords(account)
  return (
    <Page title={t.wallets} back="/account">
      <Loaded query={useWallets()} skeleton={<RowBones rows={2} />}>
        {(wallets) => (
          <>
            <ul className="rows">
              {wallets.map((wallet) => (
                <li key={wallet.id}>
                  <Row wallet={wallet} />
                </li>
              ))}
            </ul>
            <Opening
              missing={currencyCodes.filter((code) => wallets.every(({ currency }) => currency !== code))}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Row = ({ wallet }: { wallet: Wallet }) => {
  const t = useWords(account)
  const name = useWalletName()(wallet.currency)
  return (
    <Link href={`/history?currency=${wallet.currency}`} className="row row-link">
      <span className="row-main">
        <span className="row-title">{name}</span>
        {wallet.is_default && <span className="row-sub">{t.default}</span>}
      </span>
      <span className="row-end">
        <Amount value={wallet.available} currency={wallet.currency} className="font-semibold" />
        {wallet.held > 0 && (
          <span className="row-sub">
            {t.held} <Amount value={wallet.held} currency={wallet.currency} />
          </span>
        )}
      </span>
    </Link>
  )
}

const Opening = ({ missing }: { missing: readonly Currency[] }) => {
  const t = useWords(account)
  const c = useWords(common)
  const nameOf = useWalletName()
  const [wanted, setWanted] = useState<Currency | undefined>(undefined)
  const currency = wanted !== undefined && missing.includes(wanted) ? wanted : missing[0]
  const act = useAct({
    name: 'open-wallet',
    run: (order: { currency: Currency }) => client.wallets.open(order),
    onDone: () => say(t.opened),
  })
  if (currency === undefined) return <p className="mt-6 text-soft">{t.allOpen}</p>
  return (
    <section className="people-section">
      <h2 className="section-title">{t.open}</h2>
      <p className="text-soft">{t.openText}</p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void act.submit({ currency })
        }}
      >
        <ActNotice act={act} fields={['currency']} />
        <ChoiceField
          label={c.currency}
          value={currency}
          onChange={setWanted}
          error={act.state === 'refused' ? fieldError(act.error, 'currency') : undefined}
          options={missing.map((code) => ({ value: code, text: `${code} · ${nameOf(code)}` }))}
        />
        <Button type="submit" look="main" busy={act.state === 'busy'}>
          {t.openIn(currency)}
        </Button>
      </form>
    </section>
  )
}

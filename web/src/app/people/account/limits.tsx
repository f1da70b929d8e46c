import '../people.css'
import { Amount, type Currency } from '../../kit/amount.tsx'
import { Facts } from '../../kit/facts.tsx'
import { useWords } from '../../kit/language.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { Page } from '../../kit/page.tsx'
import { useMe, useWallets } from '../data.ts'
import { FactBones } from '../send.tsx'
import { account } from './words.ts'

/** Of the currencies one has wallets in first; the others follow. */
export const Limits = () => {
  const t = useWords(account)
  const own = useWallets().data?.map(({ currency }) => currency) ?? []
  return (
    <Page title={t.limits} back="/account" width="wide">
      <p className="text-soft">{t.limitsIntro}</p>
      <Loaded query={useMe()} skeleton={<FactBones rows={8} />}>
        {({ limits }) => (
          <div className="people-limits">
            {(Object.keys(limits) as Currency[])
              .sort((one, other) => Number(own.includes(other)) - Number(own.includes(one)))
              .map((currency) => {
                const { least, most, daily_most: daily } = limits[currency]
                return (
                  <section key={currency} className="people-section">
                    <h2 className="section-title">{currency}</h2>
                    <Facts
                      rows={[
                        [t.least, <Amount key="least" value={least} currency={currency} />],
                        [t.most, <Amount key="most" value={most} currency={currency} />],
                        [t.daily, <Amount key="daily" value={daily} currency={currency} />],
                      ]}
                    />
                  </section>
                )
              })}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

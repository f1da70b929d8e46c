import { Amount } from '../kit/amount.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { type Mode, useBalances } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { business } from './words.ts'
import { money as words } from './words-money.ts'

export const Earnings = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.earnings}>
      {({ status }, mode) => (
        <>
          <p className="mb-4 text-soft">{mode === 'live' ? t.earningsText : t.testEarnings}</p>
          {status === 'suspended' && mode === 'live' && <Notice kind="warning">{t.suspended}</Notice>}
          <Purses mode={mode} canMove={mode === 'live' && status !== 'suspended'} />
        </>
      )}
    </BusinessPage>
  )
}

const Purses = ({ mode, canMove }: { mode: Mode; canMove: boolean }) => {
  const t = useWords(words)
  const b = useWords(business)
  return (
    <Loaded query={useBalances(mode)} skeleton={<div className="purse bone-purse" />}>
      {(balances) =>
        balances.length === 0 ? (
          <Empty
            title={t.none}
            action={<ButtonLink href={at('/business/integrate', mode)}>{b.toIntegrate}</ButtonLink>}
          >
            {t.noneText}
          </Empty>
        ) : (
          <ul className="business-purses">
            {balances.map(({ currency, available, held }) => (
              <li key={currency} className="purse">
                <p className="purse-name">{t.available}</p>
                <p className="purse-amount">
                  <Amount value={available} currency={currency} />
                </p>
                {held > 0 && (
                  <p className="purse-held">
                    {t.held} <Amount value={held} currency={currency} />
                  </p>
                )}
                {canMove && available > 0 && (
                  <ButtonLink href={`/business/earnings/payout?currency=${currency}`} className="mt-4 w-full">
                    {t.payOut}
                  </ButtonLink>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

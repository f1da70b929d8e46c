import { Amount } from '../kit/amount.tsx'
import { useWords } from '../kit/language.ts'
import type { Group } from './data.ts'
import { insideWords } from './inside-words.ts'

/** What members owe each other, for all to see. */
export const Debts = ({ group }: { group: Group }) => {
  const t = useWords(insideWords)
  const debts = group.debts ?? []
  if (debts.length === 0) return null
  return (
    <section aria-labelledby="debts">
      <h2 id="debts" className="section-title mb-2">
        {t.debtsTitle}
      </h2>
      <ul className="rows">
        {debts.map((debt, place) => (
          <li key={`${debt.from.handle} ${debt.to.handle} ${debt.round} ${place}`} className="row">
            <span className="row-main">
              <span className="together-told">{t.owes(debt.from.name, debt.to.name)}</span>
              <span className="row-sub">{debt.why === 'missed' ? t.whyMissed : t.whyLeft}</span>
            </span>
            <span className="row-end">
              <Amount value={debt.amount} currency={group.currency} className="font-semibold" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

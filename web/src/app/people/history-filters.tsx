// The filters of the history. They are in the address, so that the way back and a reload lead to the same list.
import { type Currency, currencyCodes } from '../kit/amount.tsx'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { common } from '../kit/words.ts'
import { type Filters, useWallets } from './data.ts'
import { history } from './history-words.ts'
import { people } from './words.ts'

export const filterNames = ['currency', 'type', 'direction', 'status', 'from', 'to'] as const
export type FilterName = (typeof filterNames)[number]
export type Chosen = Partial<Record<FilterName | 'q', string>>

const day = /^\d{4}-\d{2}-\d{2}$/

const allowed: Record<FilterName | 'q', (text: string) => boolean> = {
  currency: (text) => (currencyCodes as string[]).includes(text),
  type: (text) => Object.hasOwn(people.en.types, text),
  direction: (text) => text === 'in' || text === 'out',
  status: (text) => Object.hasOwn(people.en.statuses, text),
  from: (text) => day.test(text),
  to: (text) => day.test(text),
  q: (text) => text.trim() !== '',
}

/** What the address says, without what can't be meant. */
export function readChosen(search: URLSearchParams): Chosen {
  const found = [...filterNames, 'q' as const].flatMap((name) => {
    const value = search.get(name)
    return value !== null && allowed[name](value) ? [[name, value]] : []
  })
  return Object.fromEntries(found)
}

/** As the service takes it. A day is the person's own: it begins at their midnight. */
export function filtersOf({ from, to, q, ...rest }: Chosen): Filters {
  return {
    ...(rest as Filters),
    ...(from === undefined ? {} : { from: midnight(from, 0) }),
    ...(to === undefined ? {} : { to: midnight(to, 1) }),
    ...(q === undefined ? {} : { q: q.trim().slice(0, 100) }),
  }
}

function midnight(text: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

interface Props {
  chosen: Chosen
  choose: (part: Chosen) => void
}

export const FilterFields = ({ chosen, choose }: Props) => {
  const t = useWords(history)
  const p = useWords(people)
  const c = useWords(common)
  const wallets = useWallets().data?.map(({ currency }) => currency) ?? []
  const currencies = [
    ...new Set<Currency>([...wallets, ...((chosen.currency ? [chosen.currency] : []) as Currency[])]),
  ]
  const all = { value: '', text: c.all }
  const choices = (rows: Record<string, string>) => [
    all,
    ...Object.entries(rows).map(([value, text]) => ({ value, text })),
  ]
  const options = {
    currency: [all, ...currencies.map((code) => ({ value: code as string, text: code as string }))],
    type: choices(p.types),
    direction: choices({ in: t.in, out: t.out }),
    status: choices(p.statuses),
  }
  const labels = { currency: c.wallet, type: t.type, direction: t.direction, status: t.status }
  return (
    <div className="people-filters">
      {(['currency', 'type', 'direction', 'status'] as const).map((name) => (
        <ChoiceField
          key={name}
          label={labels[name]}
          value={chosen[name] ?? ''}
          onChange={(value) => choose({ [name]: value })}
          options={options[name]}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          label={t[name]}
          type="date"
          value={chosen[name] ?? ''}
          onChange={(value) => choose({ [name]: value })}
        />
      ))}
    </div>
  )
}

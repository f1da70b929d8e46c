import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button, ButtonLink } from '../kit/button.tsx'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { client } from '../session.ts'
import { given, type Mode } from './data.ts'
import { at, BusinessPage } from './frame.tsx'
import { PaymentRows } from './payment-rows.tsx'
import { payments as words } from './words-payments.ts'

const statuses = ['pending', 'completed', 'failed', 'refunded'] as const

export const Payments = () => {
  const t = useWords(words)
  return (
    <BusinessPage title={t.title}>
      {(_business, mode) => (
        <>
          <Filters />
          <Found mode={mode} />
        </>
      )}
    </BusinessPage>
  )
}

/** What is looked for is in the address, so that it can be kept, sent and gone back to. */
const Filters = () => {
  const t = useWords(words)
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const [typed, setTyped] = useState(q)
  const [shown, setShown] = useState(q)
  // Cleared, or gone back to: the field follows the address.
  if (shown !== q) {
    setShown(q)
    setTyped(q)
  }
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        if (value === '') before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true },
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set('q', typed.trim())
  }
  return (
    <form className="business-filters" onSubmit={submit}>
      <div className="business-search">
        <TextField
          label={t.search}
          hiddenLabel
          type="search"
          placeholder={t.searchHint}
          maxLength={100}
          value={typed}
          onChange={(value) => {
            setTyped(value)
            if (value === '') set('q', '')
          }}
        />
        <Button type="submit" aria-label={t.search}>
          <Search aria-hidden="true" />
        </Button>
      </div>
      <ChoiceField
        label={t.status}
        value={search.get('status') ?? ''}
        onChange={(value) => set('status', value)}
        options={[
          { value: '', text: t.anyStatus },
          ...statuses.map((value) => ({ value: value as string, text: t.statuses[value] })),
        ]}
      />
      <TextField
        label={t.from}
        type="date"
        value={search.get('from') ?? ''}
        onChange={(value) => set('from', value)}
      />
      <TextField
        label={t.to}
        type="date"
        value={search.get('to') ?? ''}
        onChange={(value) => set('to', value)}
      />
    </form>
  )
}

const Found = ({ mode }: { mode: Mode }) => {
  const t = useWords(words)
  const [search, setSearch] = useSearchParams()
  const filters = filtersIn(search)
  const isFiltered = Object.keys(filters).length > 0
  const query = usePages(['business', 'payments', mode, filters], (cursor, signal) =>
    client.merchant.payments({ ...filters, mode, ...given({ cursor }) }, { signal }),
  )
  return (
    <Loaded query={query} skeleton={<RowBones rows={8} />}>
      {(items) => {
        if (items.length > 0)
          return (
            <>
              <PaymentRows items={items} />
              <MoreButton query={query} />
            </>
          )
        return isFiltered ? (
          <Empty title={t.noneFound} action={<Button onClick={() => setSearch({ mode })}>{t.clear}</Button>}>
            {t.noneFoundText}
          </Empty>
        ) : (
          <Empty
            title={t.none}
            action={<ButtonLink href={at('/business/integrate', mode)}>{t.toIntegrate}</ButtonLink>}
          >
            {t.noneText}
          </Empty>
        )
      }}
    </Loaded>
  )
}

/** Days are those of where the person is; the last one is included. */
function filtersIn(search: URLSearchParams) {
  return given({
    q: search.get('q'),
    status: statuses.find((one) => one === search.get('status')),
    from: startOf(search.get('from'), 0),
    to: startOf(search.get('to'), 1),
  })
}

function startOf(day: string | null, later: number): string | undefined {
  if (day === null || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const time = new Date(`${day}T00:00:00`)
  if (Number.isNaN(time.getTime())) return undefined
  time.setDate(time.getDate() + later)
  return time.toISOString()
}

import './people.css'
import { Download, Search, SlidersHorizontal } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Amount } from '../kit/amount.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useErrorText } from '../kit/errors.ts'
import { Status } from '../kit/facts.tsx'
import { useWords } from '../kit/language.ts'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'
import { Notice } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Time } from '../kit/time.tsx'
import { say } from '../kit/toast.tsx'
import { common } from '../kit/words.ts'
import { client } from '../session.ts'
import { frame } from '../words.ts'
import type { Filters, Transaction } from './data.ts'
import { useSettled } from './draft.ts'
import { type Chosen, FilterFields, filterNames, filtersOf, readChosen } from './history-filters.tsx'
import { history } from './history-words.ts'
import { TransactionRows } from './transaction-rows.tsx'
import { people } from './words.ts'

export const History = () => {
  const t = useWords(history)
  const [search, setSearch] = useSearchParams()
  const chosen = readChosen(search)
  const choose = (part: Chosen) =>
    setSearch((old) => written({ ...readChosen(old), ...part }), { replace: true })
  const clear = () => setSearch({}, { replace: true })
  const filters = filtersOf(chosen)
  return (
    <Page title={t.title} width="wide">
      <div className="people-search">
        <SearchField q={chosen.q ?? ''} choose={choose} />
        <Filtering chosen={chosen} choose={choose} clear={clear} />
        <CsvButton filters={filters} />
      </div>
      <List filters={filters} clear={clear} />
    </Page>
  )
}

const written = (chosen: Chosen): Record<string, string> =>
  Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''))

const typingMs = 400

const SearchField = ({ q, choose }: { q: string; choose: (part: Chosen) => void }) => {
  const t = useWords(history)
  const [text, setText] = useState(q)
  const settled = useSettled(text, typingMs)
  /** What both sides agree on: what was typed goes into the address, and a changed address into the field. */
  const agreed = useRef(q)
  const tell = useEffectEvent((words: string) => {
    if (words === agreed.current) return
    agreed.current = words
    choose({ q: words })
  })
  useEffect(() => tell(settled.trim()), [settled])
  useEffect(() => {
    if (q === agreed.current) return
    agreed.current = q
    setText(q)
  }, [q])
  return (
    <label className="people-search-field">
      <span className="sr-only">{t.search}</span>
      <Search aria-hidden="true" />
      <input
        className="control"
        type="search"
        placeholder={t.searchHint}
        value={text}
        maxLength={100}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}

interface FilteringProps {
  chosen: Chosen
  choose: (part: Chosen) => void
  clear: () => void
}

/** Beside each other where there is room; on a phone behind a button. */
const Filtering = ({ chosen, choose, clear }: FilteringProps) => {
  const t = useWords(history)
  const [isOpen, setOpen] = useState(false)
  const isWide = useIsWide()
  const count = filterNames.filter((name) => chosen[name] !== undefined).length
  const clearing = count > 0 && (
    <Button look="quiet" onClick={clear}>
      {t.clear}
    </Button>
  )
  if (isWide)
    return (
      <>
        <FilterFields chosen={chosen} choose={choose} />
        {clearing}
      </>
    )
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden="true" className="people-button-icon" />
        {t.filters(count)}
      </Button>
      <Dialog title={t.filtersTitle} open={isOpen} onClose={() => setOpen(false)}>
        <FilterFields chosen={chosen} choose={choose} />
        <div className="people-acts">
          {clearing}
          <Button look="main" onClick={() => setOpen(false)}>
            {t.showThem}
          </Button>
        </div>
      </Dialog>
    </>
  )
}

const List = ({ filters, clear }: { filters: Filters; clear: () => void }) => {
  const t = useWords(history)
  const isWide = useIsWide()
  const query = usePages<Transaction>(['transactions', 'list', filters], (cursor, signal) =>
    client.transactions.list({ ...filters, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  )
  return (
    <Loaded query={query} skeleton={<RowBones rows={8} />}>
      {(items) => (
        <>
          {items.length > 0 ? (
            isWide ? (
              <Table items={items} />
            ) : (
              <TransactionRows items={items} />
            )
          ) : query.hasNextPage ? (
            <p className="text-soft">{t.nothingSoFar}</p>
          ) : (
            <Nothing isFiltered={Object.keys(filters).length > 0} clear={clear} />
          )}
          <MoreButton query={query} />
        </>
      )}
    </Loaded>
  )
}

const Nothing = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) => {
  const t = useWords(history)
  const p = useWords(people)
  const f = useWords(frame)
  return isFiltered ? (
    <Empty title={t.nothingFits} action={<Button onClick={clear}>{t.clear}</Button>}>
      {t.nothingFitsText}
    </Empty>
  ) : (
    <Empty
      title={p.nothingYet}
      action={
        <ButtonLink href="/deposit" look="main">
          {f.deposit}
        </ButtonLink>
      }
    >
      {p.nothingYetText}
    </Empty>
  )
}

const tones = { pending: 'waiting', completed: 'good', failed: 'bad' } as const

const Table = ({ items }: { items: readonly Transaction[] }) => {
  const t = useWords(history)
  const c = useWords(common)
  return (
    <div className="table-box">
      <table className="table">
        <thead>
          <tr>
            <th>{t.date}</th>
            <th>{t.who}</th>
            <th>{t.type}</th>
            <th>{t.status}</th>
            <th className="number">{c.amount}</th>
            <th className="number">{t.balance}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <TableRow key={`${item.reference} ${item.direction}`} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const TableRow = ({ item }: { item: Transaction }) => {
  const p = useWords(people)
  const isIn = item.direction === 'in'
  return (
    <tr>
      <td className="whitespace-nowrap">
        <Time value={item.created_at} />
      </td>
      <td>
        <Link href={`/history/${item.reference}`} className="link">
          {item.counterparty.name}
        </Link>
        {item.note !== null && item.status !== 'failed' && <p className="people-table-note">{item.note}</p>}
      </td>
      <td>{p.types[item.type]}</td>
      <td>
        <Status tone={tones[item.status]}>{p.statuses[item.status]}</Status>
      </td>
      <td className="number">
        <Amount
          value={item.amount}
          currency={item.currency}
          sign={isIn ? '+' : '−'}
          className={
            item.status === 'failed' ? 'line-through' : isIn ? 'text-brand font-semibold' : 'font-semibold'
          }
        />
      </td>
      <td className="number">
        {item.balance_after !== null && <Amount value={item.balance_after} currency={item.currency} />}
      </td>
    </tr>
  )
}

/** The service streams the whole selection; the token can't go into a link, so the file is made here. */
const CsvButton = ({ filters }: { filters: Filters }) => {
  const t = useWords(history)
  const text = useErrorText()
  const [{ isBusy, error }, show] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const download = async () => {
    show({ isBusy: true })
    try {
      saveFile(await client.transactions.csv(filters, { timeoutMs: csvPatienceMs }))
      say(t.csvDone)
      show({ isBusy: false })
    } catch (caught) {
      show({ isBusy: false, error: caught })
    }
  }
  return (
    <>
      <Button busy={isBusy} onClick={() => void download()}>
        <Download aria-hidden="true" className="people-button-icon" />
        {t.csv}
      </Button>
      {error !== undefined && (
        <div className="people-search-whole">
          <Notice kind="problem" title={text(error)} />
        </div>
      )}
    </>
  )
}

const csvPatienceMs = 120_000
const byteOrderMark = '\ufeff'

function saveFile(csv: string): void {
  // Reading the answer as text took the mark away, by which spreadsheets know the letters.
  const address = URL.createObjectURL(new Blob([byteOrderMark, csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `mfuko-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const wide = window.matchMedia('(min-width: 60rem)')
const watchWide = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}
const useIsWide = (): boolean => useSyncExternalStore(watchWide, () => wide.matches)

// Lists of the console: a table on a wide screen, cards on a phone; what is searched for is in the address.
import type { Page, Reply, Route } from '@mfuko/sdk/browser'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../kit/button.tsx'
import { ChoiceField, TextField } from '../kit/field.tsx'
import { Empty, Loaded, MoreButton, RowBones, usePages } from '../kit/loaded.tsx'

/** What a list of the API holds. */
export type Item<R extends Route> = Reply<R> extends { data: (infer Row)[] } ? Row : never

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  number?: boolean
}

interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
}

export const Table = <Row,>({ label, rows, columns, keyOf }: TableProps<Row>) => (
  <table className="table console-table" aria-label={label}>
    <thead>
      <tr>
        {columns.map(({ head, number }) => (
          <th key={head} scope="col" className={number ? 'number' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ head, cell, number }) => (
            <td key={head} data-head={head} className={number ? 'number' : undefined}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

export interface Filter {
  name: string
  label: string
  /** Absent: free text. The first one is what nothing was chosen means. */
  options?: readonly { value: string; text: string }[]
  hint?: string
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  name: string
  filters?: readonly Filter[]
  /** `wanted`: the filters that are set. */
  pageAt: (
    wanted: Record<string, string>,
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<Page<Row>>
  empty: string
}

export const List = <Row,>({ name, filters = [], pageAt, empty, ...table }: ListProps<Row>) => {
  const [search] = useSearchParams()
  const wanted = Object.fromEntries(
    filters.flatMap((filter) => {
      const value = search.get(filter.name)
      return value === null || value === '' ? [] : [[filter.name, value]]
    }),
  )
  const query = usePages<Row>(['operator', name, wanted], (cursor, signal) => pageAt(wanted, cursor, signal))
  return (
    <>
      {filters.length > 0 && <Filters filters={filters} />}
      <Loaded query={query} skeleton={<RowBones />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={empty} />
          ) : (
            <>
              <Table {...table} rows={rows} />
              <MoreButton query={query} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

const Filters = ({ filters }: { filters: readonly Filter[] }) => {
  const [search, setSearch] = useSearchParams()
  const asked = Object.fromEntries(filters.map(({ name }) => [name, search.get(name) ?? '']))
  const [form, setForm] = useState(asked)
  const address = String(search)
  const [shown, setShown] = useState(address)
  // By the way back, or by the menu: the fields follow.
  if (shown !== address) {
    setShown(address)
    setForm(asked)
  }
  const show = (next: Record<string, string>) =>
    setSearch(Object.entries(next).filter(([, value]) => value !== ''))
  const change = (name: string, value: string) => {
    const next = { ...form, [name]: value }
    setForm(next)
    return next
  }
  const hasText = filters.some(({ options }) => options === undefined)
  return (
    <form
      className="console-filters"
      onSubmit={(event) => {
        event.preventDefault()
        show(form)
      }}
    >
      {filters.map(({ name, label, hint, options }) =>
        options === undefined ? (
          <TextField
            key={name}
            label={label}
            hint={hint}
            value={form[name] ?? ''}
            onChange={(value) => change(name, value)}
            autoCapitalize="none"
            spellCheck={false}
          />
        ) : (
          <ChoiceField
            key={name}
            label={label}
            value={form[name] ?? ''}
            onChange={(value) => show(change(name, value))}
            options={options}
          />
        ),
      )}
      {hasText && (
        <Button type="submit" className="console-search">
          Search
        </Button>
      )}
    </form>
  )
}

export const all = (text: string) => ({ value: '', text })
export const choices = (...values: string[]) => values.map((value) => ({ value, text: sentence(value) }))

/** `paid_already` → “Paid already” */
export const sentence = (word: string): string => {
  const text = word.replaceAll(/[_.]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The place of a page in a list, for a query. */
export const at = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })
export const pageOf = <Item,>({ data, meta }: { data: Item[]; meta: { next_cursor: string | null } }) => ({
  items: data,
  nextCursor: meta.next_cursor,
})

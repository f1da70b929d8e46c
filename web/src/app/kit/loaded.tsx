// What is asked of the service, while it is asked, when it can't be had, and when there is nothing.
import type { Page } from '@mfuko/sdk/browser'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useErrorText } from './errors.ts'
import { useWords } from './language.ts'
import { Notice } from './notice.tsx'
import { common } from './words.ts'

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  /** Of the real layout, so that nothing jumps. */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** What was there stays when asking again fails. */
export const Loaded = <T,>({ query, skeleton, children }: LoadedProps<T>) => {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error !== null)
    return <Failed error={query.error} busy={query.isFetching} again={() => void query.refetch()} />
  return <Waiting>{skeleton}</Waiting>
}

export const Failed = ({ error, busy, again }: { error: unknown; busy: boolean; again: () => void }) => {
  const t = useWords(common)
  const text = useErrorText()
  return (
    <Notice
      kind="problem"
      title={text(error)}
      action={
        <Button busy={busy} onClick={again}>
          {t.tryAgain}
        </Button>
      }
    />
  )
}

export const Waiting = ({ children }: { children: ReactNode }) => {
  const t = useWords(common)
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        {t.loading}
      </span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

/** Grey lines in the place of rows. */
export const RowBones = ({ rows = 5 }: { rows?: number }) => (
  <div className="rows">
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className="row">
        <span className="bone bone-round" />
        <div className="row-main">
          <span className="bone w-40" />
          <span className="bone mt-2 w-24" />
        </div>
        <span className="bone w-20" />
      </div>
    ))}
  </div>
)

interface EmptyProps {
  title: string
  children?: ReactNode
  /** What fills it. */
  action?: ReactNode
}

export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children !== undefined && <p className="empty-text">{children}</p>}
    {action !== undefined && <div className="mt-5">{action}</div>}
  </div>
)

/** A long list, page after page. `key` begins with what it lists: `['transactions', filters]`. */
export function usePages<Item>(
  key: readonly unknown[],
  pageAt: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => pageAt(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: Page<Item>) => nextCursor ?? undefined,
  })
  const { error, isFetching, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    query
  const data = query.data?.pages.flatMap(({ items }) => items)
  return {
    ...{ data, error, isFetching, refetch },
    ...{ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage },
  }
}

interface MoreProps {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: unknown
    fetchNextPage: () => Promise<unknown>
  }
}

export const MoreButton = ({ query }: MoreProps) => {
  const t = useWords(common)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = query
  if (!hasNextPage) return null
  const more = () => void query.fetchNextPage()
  return (
    <div className="mt-4">
      {isFetchNextPageError ? (
        <Failed error={error} busy={isFetchingNextPage} again={more} />
      ) : (
        <Button className="w-full" busy={isFetchingNextPage} onClick={more}>
          {t.more}
        </Button>
      )}
    </div>
  )
}

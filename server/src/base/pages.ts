// Keyset pages. The next page is asked for before the one at hand is worked on, so that the database and this process
// work at the same time; never more than two pages are in memory.

export interface Paging<Row, Key> {
  read(after: Key | undefined): Promise<Row[]>
  keyOf(row: Row): Key
  limit: number
  signal: AbortSignal | undefined
}

export async function* pagesOf<Row, Key>({
  read,
  keyOf,
  limit,
  signal,
}: Paging<Row, Key>): AsyncGenerator<Row[]> {
  let coming: Promise<Row[]> | undefined = read(undefined)
  while (coming !== undefined) {
    const page: Row[] = await coming
    signal?.throwIfAborted()
    const last = page.at(-1)
    coming = last === undefined || page.length < limit ? undefined : read(keyOf(last))
    // It is awaited above. If it fails before that, or the work on this page does, that is no news to the process.
    coming?.catch(() => undefined)
    if (page.length > 0) yield page
  }
}

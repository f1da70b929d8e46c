// The checker's own way into the database: one connection, one snapshot, and cursors, so that a table of any length goes
// by in pages. Numbers of 64 bits come as text, and are made into bigint where they are counted with.
import type pg from 'pg'

export interface Database {
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Row by row, a page at a time. Several may be open at once. */
  stream<Row extends object>(text: string, values?: readonly unknown[]): AsyncGenerator<Row>
}

const pageRows = 5_000

/** The caller has opened a transaction: cursors live in one. */
export function databaseOf(client: pg.Client): Database {
  let opened = 0
  const rows = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query(text, [...values])).rows as Row[]
  return {
    rows,
    stream: async function* <Row extends object>(text: string, values: readonly unknown[] = []) {
      opened += 1
      const name = `check_${opened}`
      await client.query(`declare ${name} no scroll cursor for ${text}`, [...values])
      try {
        for (;;) {
          const page = await rows<Row>(`fetch ${pageRows} from ${name}`)
          yield* page
          if (page.length < pageRows) return
        }
      } finally {
        await client.query(`close ${name}`)
      }
    },
  }
}

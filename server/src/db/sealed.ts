// Sealing anew what an older key has sealed (base/seal.ts), in bites, while others read and write it.
import type { Place, Seal, SealedColumn } from '../base/seal.ts'
import { placeIn } from '../base/seal.ts'
import type { Queries } from './db.ts'

const most = 200
const bitesMax = 10_000

export interface SealedAnew {
  sealed: number
  /** The rows that no key opens: they were damaged, or their key is not set any more. The others don't wait for them. */
  closed: string[]
}

/** What somebody else writes meanwhile stays as they wrote it. */
export async function sealAnew(db: Queries, sealed: SealedColumn, seal: Seal): Promise<SealedAnew> {
  const result: SealedAnew = { sealed: 0, closed: [] }
  let after = ''
  for (let bites = 0; bites < bitesMax; bites++) {
    const rows = await sealedByOthers(db, sealed, { head: seal.head, after })
    for (const { row, value } of rows) {
      const place = placeIn(sealed, row)
      const plain = opened(seal, { value, place })
      if (plain === undefined) {
        result.closed.push(row)
        continue
      }
      const anew = seal.seal(plain, place)
      result.sealed += (await replace(db, sealed, { row, before: value, anew })).length
    }
    after = rows.at(-1)?.row ?? after
    if (rows.length < most) break
  }
  return result
}

function opened(seal: Seal, { value, place }: { value: Buffer; place: Place }): string | undefined {
  try {
    return seal.open(value, place)
  } catch {
    return undefined
  }
}

// The names are those that the code has for its columns, and nobody else's.
const sealedByOthers = (
  db: Queries,
  { table, key, column }: SealedColumn,
  { head, after }: { head: Buffer; after: string },
) =>
  db.rows<{ row: string; value: Buffer }>(
    `select ${key}::text as row, ${column} as value from ${table}
     where ${column} is not null and ${key}::text > $2
       and substring(${column} from 1 for length($1::bytea)) <> $1
     order by ${key}::text limit ${most}`,
    [head, after],
  )

const replace = (
  db: Queries,
  { table, key, column }: SealedColumn,
  { row, before, anew }: { row: string; before: Buffer; anew: Buffer },
) =>
  db.rows(`update ${table} set ${column} = $3 where ${key}::text = $1 and ${column} = $2 returning 1`, [
    row,
    before,
    anew,
  ])

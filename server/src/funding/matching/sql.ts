import type { Queries, Tx } from '../../db/db.ts'
import type { Mode, ProviderId } from '../../providers/providers.ts'
import type { DifferenceKind } from './rules.ts'

export interface MatchRow {
  id: string
  provider: ProviderId
  mode: Mode
  day: string
  has_records: boolean
  operations: number
  postings: number
  records: number
  repaired: number
  differences: number
  /** By currency: what each of the three says came in and left, in minor units as text. */
  totals: Record<string, Record<'operations' | 'ledger' | 'provider', { in: string; out: string }>>
  compared_at: Date
}

const columns = `id, provider, mode, to_char(day, 'YYYY-MM-DD') as day, has_records, operations, postings, records, repaired,
  differences, totals, compared_at`

/** The same day again takes the place of what was found before. */
export const forgetMatch = (tx: Tx, { provider, mode, day }: Pick<MatchRow, 'provider' | 'mode' | 'day'>) =>
  tx.rows('delete from funding.matches where provider = $1 and mode = $2 and day = $3::date', [
    provider,
    mode,
    day,
  ])

export const insertMatch = (tx: Tx, row: MatchRow) =>
  tx.rows(
    `insert into funding.matches (id, provider, mode, day, has_records, operations, postings, records, repaired, differences,
       totals, compared_at)
     values ($1, $2, $3, $4::date, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      row.id,
      row.provider,
      row.mode,
      row.day,
      row.has_records,
      row.operations,
      row.postings,
      row.records,
      row.repaired,
      row.differences,
      JSON.stringify(row.totals),
      row.compared_at,
    ],
  )

export interface DifferenceRow {
  number: number
  kind: DifferenceKind
  operation_id: string | null
  posting_id: bigint | null
  provider_reference: string | null
  amount: bigint | null
  currency: string | null
  detail: string
  repaired: boolean
}

export const insertDifferences = (tx: Tx, match: string, rows: readonly DifferenceRow[]) =>
  tx.rows(
    `insert into funding.differences (match_id, number, kind, operation_id, posting_id, provider_reference, amount, currency,
       detail, repaired)
     select $1, number, kind, operation_id, posting_id, provider_reference, amount, currency, detail, repaired
     from unnest($2::int[], $3::text[], $4::uuid[], $5::bigint[], $6::text[], $7::bigint[], $8::text[], $9::text[],
       $10::boolean[])
       as n (number, kind, operation_id, posting_id, provider_reference, amount, currency, detail, repaired)`,
    [
      match,
      rows.map(({ number }) => number),
      rows.map(({ kind }) => kind),
      rows.map(({ operation_id }) => operation_id),
      rows.map(({ posting_id }) => posting_id),
      rows.map(({ provider_reference }) => provider_reference),
      rows.map(({ amount }) => amount),
      rows.map(({ currency }) => currency),
      rows.map(({ detail }) => detail),
      rows.map(({ repaired }) => repaired),
    ],
  )

export interface MatchesPage {
  provider: string | null
  mode: string | null
  /** Only those with differences. */
  differing: boolean
  before: { at: Date; id: string } | undefined
  limit: number
}

export const listMatches = (db: Queries, { provider, mode, differing, before, limit }: MatchesPage) =>
  db.rows<MatchRow>(
    `select ${columns} from funding.matches
     where ($1::text is null or provider = $1) and ($2::text is null or mode = $2) and (not $3 or differences > 0)
       and ($4::timestamptz is null or (compared_at, id) < ($4, $5))
     order by compared_at desc, id desc limit $6`,
    [provider, mode, differing, before?.at ?? null, before?.id ?? '', limit],
  )

export const readMatch = (db: Queries, id: string) =>
  db.row<MatchRow>(`select ${columns} from funding.matches where id = $1`, [id])

export const readDifferences = (db: Queries, id: string) =>
  db.rows<DifferenceRow>(
    `select number, kind, operation_id, posting_id, provider_reference, amount, currency, detail, repaired
     from funding.differences where match_id = $1 order by number`,
    [id],
  )

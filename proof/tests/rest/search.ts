// Looks for many things at once in many bytes: all tables as text, and the files of the database as they lie on the disk.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Stage } from '../../rig/stage.ts'
import type { Secret, Vault } from './planted.ts'

export interface Needle {
  what: string
  bytes: Buffer
}

export interface Search {
  scan(bytes: Buffer, where: string): void
  /** What was found, and the first place. */
  found: Map<string, string>
  bytes(): number
}

/** Two bytes say at once that nothing begins here; four say what may. */
export function openSearch(needles: readonly Needle[]): Search {
  const begins = new Uint8Array(65_536)
  const byHead = new Map<number, Needle[]>()
  for (const needle of needles) {
    begins[needle.bytes.readUInt16BE(0)] = 1
    const head = needle.bytes.readUInt32BE(0)
    byHead.set(head, [...(byHead.get(head) ?? []), needle])
  }
  const found = new Map<string, string>()
  let scanned = 0
  const tryAt = (bytes: Buffer, { at, where }: { at: number; where: string }) => {
    for (const { what, bytes: wanted } of byHead.get(bytes.readUInt32BE(at)) ?? [])
      if (!found.has(what) && bytes.subarray(at, at + wanted.length).equals(wanted)) found.set(what, where)
  }
  return {
    found,
    bytes: () => scanned,
    scan: (bytes, where) => {
      scanned += bytes.length
      let before = bytes[0] ?? 0
      for (let at = 0; at + 4 <= bytes.length; at++) {
        const next = bytes[at + 1] as number
        if (begins[(before << 8) | next] === 1) tryAt(bytes, { at, where })
        before = next
      }
    },
  }
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()

/** Public: a key is looked up by it. */
const publicPart = /^svc_(?:live|test)_[0-9A-Za-z]{12}/

/** A secret in every dress in which it could lie somewhere by mistake. */
export function needlesOf({ kind, text, hashMayStay = false }: Secret): Needle[] {
  const part = text.replace(publicPart, '')
  const plain = Buffer.from(part)
  const forms: Record<string, Buffer | string> = {
    plain,
    hex: plain.toString('hex'),
    HEX: plain.toString('hex').toUpperCase(),
    ...Object.fromEntries([0, 1, 2].map((shift) => [`base64, ${shift} bytes in`, inBase64(plain, shift)])),
  }
  // What is random bytes in letters may lie there as bytes.
  const coded = /^(?:whsec_)?([\w+/-]{40,}=*)$/.exec(text)?.[1]
  if (coded !== undefined) {
    const bytes = Buffer.from(coded, 'base64')
    Object.assign(forms, { 'its bytes': bytes, 'its bytes in hex': bytes.toString('hex') })
  }
  if (!hashMayStay)
    for (const [name, digest] of [
      ['SHA-256', sha256(text)],
      ['MD5', createHash('md5').update(text).digest()],
    ] as const)
      Object.assign(forms, {
        [name]: digest,
        [`${name} in hex`]: digest.toString('hex'),
        [`${name} in base64`]: digest.toString('base64').replace(/=+$/, ''),
        [`${name} in base64url`]: digest.toString('base64url'),
      })
  return Object.entries(forms).map(([form, bytes]) => ({
    what: `${kind} (${form}) ${sha256(text).toString('hex').slice(0, 8)}`,
    bytes: Buffer.from(bytes),
  }))
}

/** The letters that stay the same whatever stands around it. */
function inBase64(plain: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), plain]).toString('base64')
  const whole = Math.floor((shift + plain.length) / 3) * 4
  return text.slice(shift === 0 ? 0 : 4, whole)
}

/** Six digits are anywhere; as a field of that name, or hashed as they are, they are not. */
export const needlesOfPin = (pin: string): Needle[] => [
  ...needlesOf({ kind: 'PIN', text: pin }).filter(({ what }) => /SHA-256|MD5/.test(what)),
  ...['"pin":"', '"pin": "', '""pin"":""', '""pin"": ""', 'pin='].map((name) => ({
    what: `PIN (after ${name})`,
    bytes: Buffer.from(`${name}${pin}`),
  })),
]

/** All rows of all tables, as text; bytes in hex. */
export async function scanTables({ cluster, database }: Stage, search: Search): Promise<number> {
  const tables = await cluster.query<{ name: string }>(
    database,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const client = new pg.Client({ connectionString: cluster.adminUrlOf(database) })
  await client.connect()
  try {
    for (const { name } of tables) {
      await client.query(`begin; declare each_row no scroll cursor for select t::text as row from ${name} t`)
      for (;;) {
        const { rows } = await client.query<{ row: string }>('fetch 5000 from each_row')
        if (rows.length === 0) break
        search.scan(Buffer.from(rows.map(({ row }) => row).join('\n')), `table ${name}`)
      }
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
  return tables.length
}

/** A PIN that is all of a field. */
export async function cellsWithPins({ cluster, database }: Stage, { pins }: Vault): Promise<string[]> {
  const columns = await cluster.query<{ table: string; column: string; type: string }>(
    database,
    `select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as column, data_type as type
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and data_type in ('text', 'character varying', 'bytea')
       and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const asked = columns.map(({ table, column, type }) => {
    const wanted = type === 'bytea' ? `encode(${column}, 'escape')` : column
    return `select '${table}.${column}' as place from ${table} where ${wanted} = any ($1::text[])`
  })
  const rows = await cluster.query<{ place: string }>(database, asked.join(' union all '), [pins])
  return [...new Set(rows.map(({ place }) => place))]
}

/** What this database has on the disk, and what was written ahead since the proof began. */
export async function scanFiles({ cluster, database, since }: Stage, search: Search): Promise<number> {
  await cluster.query(database, 'checkpoint')
  const [row] = await cluster.query<{ oid: number }>(
    database,
    'select oid::int as oid from pg_database where datname = current_database()',
  )
  const folder = join(cluster.dataDir, 'postgres')
  const own = filesIn(join(folder, 'base', String(row?.oid)))
  const written = filesIn(join(folder, 'pg_wal')).filter((path) => statSync(path).mtime >= since)
  const logs = filesIn(cluster.dataDir).filter((path) => path.endsWith('.log'))
  const files = [...own, ...written, ...logs]
  for (const path of files) search.scan(readFileSync(path), path.slice(cluster.dataDir.length + 1))
  return files.length
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(folder, name))
    : []

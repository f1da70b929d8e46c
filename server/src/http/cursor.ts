// Pages by keyset: a cursor holds the sort key of the last row shown. It is opaque to clients, holds nothing
// secret, and a made-up one can only start a page at another place of the caller's own list.
import type { FastifyRequest } from 'fastify'
import { AppError, fieldsOf } from '../base/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a list reads its cursor: with it a bad one is named beside other wrong fields of the query. */
    readCursor?: ReadCursor
  }
}

/** Throws a 422 on `cursor`. The query may be anything: the schema speaks for itself. */
export type ReadCursor = (cursor: string, query: Record<string, unknown>) => unknown

export const encodeCursor = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

/** The sort key, or a 422 on `cursor`. `parts` is how many values the key has. */
export function decodeCursor(cursor: string, parts: number): string[] {
  let key: unknown
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    key = undefined
  }
  const fits = Array.isArray(key) && key.length === parts && key.every((part) => typeof part === 'string')
  if (!fits || encodeCursor(key as string[]) !== cursor || JSON.stringify(key).includes('\\u0000'))
    throw unknown()
  return key as string[]
}

const unknown = () => {
  const errors = { cursor: 'Cursor is not one that this list gave out; start again without it' }
  return new AppError('validation_failed', { errors })
}

export interface TimePlace {
  at: string
  id: string
}

/** Of a list that is sorted by time, then by id: both are in the form that we write, so the database can read them. */
export const timeCursor =
  (idForm: RegExp) =>
  (cursor: string): TimePlace => {
    const [at = '', id = ''] = decodeCursor(cursor, 2)
    if (!isCursorTime(at) || !idForm.test(id)) throw unknown()
    return { at, id }
  }

/** Of a list that is sorted by numbers. */
export function numberCursor(cursor: string): bigint {
  const [number = ''] = decodeCursor(cursor, 1)
  if (!/^\d{1,18}$/.test(number)) throw unknown()
  return BigInt(number)
}

/** A day that there is, as we write it: the database would stumble over 2026-02-30 and the year 0. */
export function isCursorTime(text: string): boolean {
  const time = new Date(text)
  return /^[1-9]\d{3}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** What is wrong with the cursor, as an error of its field, where the route says how it is read. */
export function cursorProblem({ query, routeOptions }: FastifyRequest): Record<string, string> {
  const { readCursor } = routeOptions.config
  const given = query as Record<string, unknown>
  if (readCursor === undefined || typeof given.cursor !== 'string') return {}
  try {
    readCursor(given.cursor, given)
    return {}
  } catch (error) {
    return fieldsOf(error)
  }
}

/** From one row more than asked for: the page, and where the next one starts. */
export function pageOf<T>(rows: T[], limit: number, keyOf: (row: T) => readonly string[]) {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

// Arrays as PostgreSQL keeps them, for statements that are sent thousands of times a second: as text each number is
// written out here and read again there. The driver sends a Buffer in this form, and the casts in the statement say which
// type it is. What must stay true: a number that does not fit is refused, never cut.
import { check } from '../../base/check.ts'

const headBytes = 20
const lengthBytes = 4
const types = { bigint: 20, integer: 23, text: 25 } as const

/** One dimension, no nulls, counted from 1. */
function open(type: keyof typeof types, count: number, valueBytes: number): DataView {
  const bytes = Buffer.allocUnsafe(headBytes + count * lengthBytes + valueBytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  view.setInt32(0, 1)
  view.setInt32(4, 0)
  view.setInt32(8, types[type])
  view.setInt32(12, count)
  view.setInt32(16, 1)
  return view
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

export function bigints<Row>(rows: readonly Row[], pick: (row: Row) => bigint): Buffer {
  const view = open('bigint', rows.length, rows.length * 8)
  let at = headBytes
  for (const row of rows) {
    const value = pick(row)
    check(BigInt.asIntN(64, value) === value, 'a number of the ledger fits into 64 bits')
    view.setInt32(at, 8)
    view.setBigInt64(at + lengthBytes, value)
    at += lengthBytes + 8
  }
  return bytesOf(view)
}

export function integers(values: readonly number[]): Buffer {
  const view = open('integer', values.length, values.length * 4)
  let at = headBytes
  for (const value of values) {
    check((value | 0) === value, 'a place or a status fits into 32 bits')
    view.setInt32(at, 4)
    view.setInt32(at + lengthBytes, value)
    at += lengthBytes + 4
  }
  return bytesOf(view)
}

export function texts(values: readonly string[]): Buffer {
  let size = 0
  for (const value of values) size += Buffer.byteLength(value)
  const view = open('text', values.length, size)
  const bytes = bytesOf(view)
  let at = headBytes
  for (const value of values) {
    const length = bytes.write(value, at + lengthBytes)
    view.setInt32(at, length)
    at += lengthBytes + length
  }
  return bytes
}

/** A value that is its own row. */
export const itself = (value: bigint): bigint => value

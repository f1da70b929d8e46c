// Reads what a form of our own pages sends: application/x-www-form-urlencoded, strictly. A field that comes twice, a
// broken escape and a NUL are refused, as in a JSON body: nobody's browser sends them.
import { AppError } from '../base/errors.ts'

const fieldsMax = 20
const utf8 = new TextDecoder('utf-8', { fatal: true })

export function readForm(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>()
  const text = decoded(() => utf8.decode(bytes))
  if (text === '') return fields
  const parts = text.split('&', fieldsMax + 1)
  if (parts.length > fieldsMax) throw unreadable(`it has more than ${fieldsMax} fields`)
  for (const part of parts) {
    const at = part.indexOf('=')
    const [name, value] = at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    const key = unescaped(name)
    if (fields.has(key)) throw unreadable('a field appears twice')
    fields.set(key, unescaped(value))
  }
  return fields
}

function unescaped(text: string): string {
  const plain = decoded(() => decodeURIComponent(text.replaceAll('+', ' ')))
  if (plain.includes('\0')) throw unreadable('it holds a NUL character')
  return plain
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw unreadable('it is not UTF-8')
  }
}

const unreadable = (why: string) => new AppError('bad_request', { detail: `The form can't be read: ${why}.` })

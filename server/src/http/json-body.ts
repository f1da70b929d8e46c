// Reads a request body. Stricter than JSON.parse, and it remembers how numbers were written:
// duplicate keys, deep nesting, very many keys or values, lone surrogates and NUL are refused, because what follows
// (validation, fingerprints, the database) must not see two readings of one body; and money must be read from
// its decimal text, since 9007199254740993 as a float is quietly another amount.
import { AppError } from '../base/errors.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const depthMax = 20
const keysMax = 200
const valuesMax = 1_000

/** Only numbers whose text differs from how JavaScript would print their value need an entry. */
const numberTexts = new WeakMap<object, Map<string, string>>()

/** The text a number had in the body. `holder[key]` is that number. */
export const numberText = (holder: object, key: string | number, value: number): string =>
  numberTexts.get(holder)?.get(String(key)) ?? String(value)

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function readJson(bytes: Uint8Array): Json {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw unreadable('it is not UTF-8')
  }
  const reader: Reader = { text, at: 0, depth: 0, keys: 0, values: 0 }
  const value = readValue(reader)
  skipSpace(reader)
  if (reader.at < text.length) throw unreadable('something follows after its end')
  return typeof value === 'object' && value !== null && isNumberToken(value)
    ? Number(value.number)
    : (value as Json)
}

interface Reader {
  text: string
  at: number
  depth: number
  keys: number
  values: number
}

/** A number stays a token until its holder is known. */
interface NumberToken {
  number: string
  [numberToken]: true
}
const numberToken = Symbol('number')
const isNumberToken = (value: object): value is NumberToken => numberToken in value

const unreadable = (why: string) =>
  new AppError('bad_request', { detail: `The body can't be read as JSON: ${why}.` })
const unexpected = ({ text, at }: Reader) =>
  unreadable(at < text.length ? `unexpected character at position ${at}` : 'it ends too early')

function readValue(reader: Reader): Json | NumberToken {
  skipSpace(reader)
  reader.values += 1
  if (reader.values > valuesMax) throw unreadable(`it has more than ${valuesMax} values`)
  switch (reader.text[reader.at]) {
    case '{':
      return nested(reader, readObject)
    case '[':
      return nested(reader, readArray)
    case '"':
      return readString(reader)
    case 't':
      return readWord(reader, { word: 'true', value: true })
    case 'f':
      return readWord(reader, { word: 'false', value: false })
    case 'n':
      return readWord(reader, { word: 'null', value: null })
    default:
      return { number: match(reader, numberForm), [numberToken]: true }
  }
}

function nested<T>(reader: Reader, read: (reader: Reader) => T): T {
  reader.at += 1
  reader.depth += 1
  if (reader.depth > depthMax) throw unreadable(`it is nested deeper than ${depthMax} levels`)
  const value = read(reader)
  reader.depth -= 1
  return value
}

function readObject(reader: Reader): Json {
  // Without a prototype `__proto__` is a key like any other.
  const object: { [key: string]: Json } = Object.create(null)
  if (closes(reader, '}')) return object
  for (;;) {
    skipSpace(reader)
    const key = readString(reader)
    if (key in object) throw unreadable(`the key ${JSON.stringify(key.slice(0, 64))} appears twice`)
    reader.keys += 1
    if (reader.keys > keysMax) throw unreadable(`it has more than ${keysMax} keys`)
    skipSpace(reader)
    if (reader.text[reader.at] !== ':') throw unexpected(reader)
    reader.at += 1
    place(object, key, readValue(reader))
    if (closes(reader, '}')) return object
    step(reader)
  }
}

function readArray(reader: Reader): Json {
  const array: Json[] = []
  if (closes(reader, ']')) return array
  for (;;) {
    place(array, array.length, readValue(reader))
    if (closes(reader, ']')) return array
    step(reader)
  }
}

function place(
  holder: Json[] | { [key: string]: Json },
  key: string | number,
  value: Json | NumberToken,
): void {
  const slots = holder as { [key: string | number]: Json }
  if (typeof value !== 'object' || value === null || !isNumberToken(value)) {
    slots[key] = value as Json
    return
  }
  const number = Number(value.number)
  slots[key] = number
  if (String(number) === value.number) return
  const texts = numberTexts.get(holder) ?? new Map<string, string>()
  texts.set(String(key), value.number)
  numberTexts.set(holder, texts)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids just these inside a string
const stringForm = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const spaces = [' ', '\t', '\n', '\r'].map((space) => space.charCodeAt(0))

function readString(reader: Reader): string {
  const token = match(reader, stringForm)
  const value: string = token.includes('\\') ? JSON.parse(token) : token.slice(1, -1)
  if (!value.isWellFormed()) throw unreadable('it holds half of a character (a lone surrogate)')
  if (value.includes('\0')) throw unreadable('it holds a NUL character')
  return value
}

function readWord<T>(reader: Reader, { word, value }: { word: string; value: T }): T {
  if (!reader.text.startsWith(word, reader.at)) throw unexpected(reader)
  reader.at += word.length
  return value
}

function match(reader: Reader, form: RegExp): string {
  form.lastIndex = reader.at
  const found = form.exec(reader.text)?.[0]
  if (found === undefined) throw unexpected(reader)
  reader.at += found.length
  return found
}

function skipSpace(reader: Reader): void {
  while (spaces.includes(reader.text.charCodeAt(reader.at))) reader.at += 1
}

function closes(reader: Reader, bracket: '}' | ']'): boolean {
  skipSpace(reader)
  if (reader.text[reader.at] !== bracket) return false
  reader.at += 1
  return true
}

function step(reader: Reader): void {
  if (reader.text[reader.at] !== ',') throw unexpected(reader)
  reader.at += 1
}

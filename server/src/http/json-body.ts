// Reads a request body. Stricter than JSON.parse, and it remembers how numbers were written:
// duplicate keys, deep nesting, very many keys or values, lone surrogates and NUL are refused, because what follows
// (validation, fingerprints, the database) must not see two readings of one body; and money must be read from
// its decimal text, since 9007199254740993 as a float is quietly another amount.
import { isAscii } from 'node:buffer'
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

export function readJson(bytes: Buffer): Json {
  const text = textOf(bytes)
  const reader: Reader = { text, at: 0, depth: 0, keys: 0, values: 0, oddNumber: undefined }
  const value = readValue(reader)
  skipSpace(reader)
  if (reader.at < text.length) throw unreadable('something follows after its end')
  return value
}

function textOf(bytes: Buffer): string {
  // Most bodies are; and then every byte is one character.
  if (isAscii(bytes)) return bytes.toString('latin1')
  try {
    return utf8.decode(bytes)
  } catch {
    throw unreadable('it is not UTF-8')
  }
}

interface Reader {
  text: string
  at: number
  depth: number
  keys: number
  values: number
  /** The text of the number that was just read, when its value would be printed in another way. */
  oddNumber: string | undefined
}

const unreadable = (why: string) =>
  new AppError('bad_request', { detail: `The body can't be read as JSON: ${why}.` })
const unexpected = ({ text, at }: Reader) =>
  unreadable(at < text.length ? `unexpected character at position ${at}` : 'it ends too early')

function readValue(reader: Reader): Json {
  skipSpace(reader)
  reader.values += 1
  if (reader.values > valuesMax) throw unreadable(`it has more than ${valuesMax} values`)
  switch (reader.text.charCodeAt(reader.at)) {
    case quote:
      return readString(reader)
    case openBrace:
      return nested(reader, readObject)
    case openBracket:
      return nested(reader, readArray)
    case letterT:
      return readWord(reader, { word: 'true', value: true })
    case letterF:
      return readWord(reader, { word: 'false', value: false })
    case letterN:
      return readWord(reader, { word: 'null', value: null })
    default:
      return readNumber(reader)
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

/**
 * What an object of a body is made by. It inherits nothing, so `__proto__` is a key like any other. `Object.create(null)`
 * would make dictionaries, which everybody who reads them later is slow with.
 */
function NoFields() {}
NoFields.prototype = Object.freeze(Object.create(null))
const Fields = NoFields as unknown as new () => { [key: string]: Json }

function readObject(reader: Reader): Json {
  const object = new Fields()
  if (closes(reader, closeBrace)) return object
  for (;;) {
    skipSpace(reader)
    const key = readString(reader)
    if (object[key] !== undefined)
      throw unreadable(`the key ${JSON.stringify(key.slice(0, 64))} appears twice`)
    reader.keys += 1
    if (reader.keys > keysMax) throw unreadable(`it has more than ${keysMax} keys`)
    skipSpace(reader)
    if (reader.text.charCodeAt(reader.at) !== colon) throw unexpected(reader)
    reader.at += 1
    object[key] = readValue(reader)
    if (reader.oddNumber !== undefined) keepText(reader, object, key)
    if (closes(reader, closeBrace)) return object
    step(reader)
  }
}

function readArray(reader: Reader): Json {
  const array: Json[] = []
  if (closes(reader, closeBracket)) return array
  for (;;) {
    array.push(readValue(reader))
    if (reader.oddNumber !== undefined) keepText(reader, array, array.length - 1)
    if (closes(reader, closeBracket)) return array
    step(reader)
  }
}

function keepText(reader: Reader, holder: object, key: string | number): void {
  const texts = numberTexts.get(holder) ?? new Map<string, string>()
  texts.set(String(key), reader.oddNumber ?? '')
  numberTexts.set(holder, texts)
  reader.oddNumber = undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids just these inside a string
const stringForm = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash, colon, comma] = [codeOf('"'), codeOf('\\'), codeOf(':'), codeOf(',')]
const [openBrace, closeBrace, openBracket, closeBracket] = [
  codeOf('{'),
  codeOf('}'),
  codeOf('['),
  codeOf(']'),
]
const [letterT, letterF, letterN] = [codeOf('t'), codeOf('f'), codeOf('n')]
const [space, tab, lineFeed, carriageReturn] = [codeOf(' '), codeOf('\t'), codeOf('\n'), codeOf('\r')]
const surrogates = 0xd800

/** Most strings are plain, and then end at the next quote. */
function readString(reader: Reader): string {
  const { text, at } = reader
  if (text.charCodeAt(at) !== quote) throw unexpected(reader)
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === quote) {
      reader.at = end + 1
      return text.slice(at + 1, end)
    }
    if (code === backslash || code < space || code >= surrogates) break
  }
  return readOddString(reader)
}

function readOddString(reader: Reader): string {
  const token = match(reader, stringForm)
  const value: string = token.includes('\\') ? JSON.parse(token) : token.slice(1, -1)
  if (!value.isWellFormed()) throw unreadable('it holds half of a character (a lone surrogate)')
  if (value.includes('\0')) throw unreadable('it holds a NUL character')
  return value
}

function readNumber(reader: Reader): number {
  const text = match(reader, numberForm)
  const value = Number(text)
  if (String(value) !== text) reader.oddNumber = text
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
  for (;;) {
    const code = reader.text.charCodeAt(reader.at)
    if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) return
    reader.at += 1
  }
}

function closes(reader: Reader, bracket: number): boolean {
  skipSpace(reader)
  if (reader.text.charCodeAt(reader.at) !== bracket) return false
  reader.at += 1
  return true
}

function step(reader: Reader): void {
  if (reader.text.charCodeAt(reader.at) !== comma) throw unexpected(reader)
  reader.at += 1
}

// API keys of merchants: `svc_live_` or `svc_test_`, 43 random characters (256 bits), 6 of a checksum. The checksum tells
// a key from a typo, and a leaked one from any other text, without a look at the database.
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from './ids.ts'

export interface ApiKey {
  text: string
  mode: 'live' | 'test'
  /** May be shown and stored: it names the key, and leaves 184 bits to guess. */
  prefix: string
}

const randomPlaces = 43
const checkPlaces = 6
const prefixPlaces = 12
const rest = `[0-9A-Za-z]{${randomPlaces + checkPlaces}}`
const wholeForm = new RegExp(`^svc_(live|test)_${rest}$`)
const insideForm = new RegExp(`svc_(?:live|test)_${rest}`, 'g')

export function newApiKey(mode: ApiKey['mode']): ApiKey {
  const start = `svc_${mode}_${randomBase62(randomPlaces)}`
  const text = start + checksum(start)
  return { text, mode, prefix: prefixOf(text, mode) }
}

/** Only one that was made as ours are; whether it opens anything is another question. */
export function readApiKey(text: string): ApiKey | undefined {
  const mode = wholeForm.exec(text)?.[1]
  if (mode === undefined || checksum(text.slice(0, -checkPlaces)) !== text.slice(-checkPlaces))
    return undefined
  return { text, mode: mode === 'live' ? 'live' : 'test', prefix: prefixOf(text, mode) }
}

/** The first one in a text of any kind. */
export function findApiKey(text: string): ApiKey | undefined {
  for (const [candidate] of text.matchAll(insideForm)) {
    const key = readApiKey(candidate)
    if (key !== undefined) return key
  }
  return undefined
}

const prefixOf = (text: string, mode: string) => text.slice(0, `svc_${mode}_`.length + prefixPlaces)

const checksum = (text: string) => toBase62(crc32(text), checkPlaces)

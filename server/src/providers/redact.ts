// What may be kept of a request and its answer: everything but secrets. A secret is known by the name of its field, by
// its value, or by its form (an address that only the provider knows).
import { Secret } from '../base/secret.ts'

/** For one provider with its settings. */
export interface Redactor {
  headers(headers: Record<string, string>): string
  body(text: string): string
  /** A value that was learned on the way: a token. */
  learn(value: string): void
}

const alwaysSecret = [
  'authorization',
  'access_token',
  'refresh_token',
  'api_key',
  'apikey',
  'client_secret',
  'consumer_secret',
  'cookie',
  'set-cookie',
  'initiatorpassword',
  'ocp-apim-subscription-key',
  'passkey',
  'password',
  'pin',
  'secret',
  'securitycredential',
  'x-key',
  'x-signature',
]
const settingIsSecret = /secret|password|passkey|credential|key$|pin$/i
const hidden = '***'
/** Shorter ones would be found in amounts and dates; they are known by their names only. */
const valueLengthMin = 8
const depthMax = 5
const keptMax = 16_384
const learnedMax = 20

export function openRedactor(secretFields: readonly string[], settings: object): Redactor {
  const names = new Set([...alwaysSecret, ...secretFields.map((name) => name.toLowerCase())])
  const values = [...secretValues(settings)]
  const learned: string[] = []
  const isSecret = (name: string) => names.has(name.toLowerCase())
  const withoutValues = (text: string) => {
    let clean = text.replace(callbackAddress, `$1${hidden}`)
    for (const value of [...values, ...learned]) clean = clean.replaceAll(value, hidden)
    return clean
  }
  return {
    headers: (headers) =>
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${isSecret(name) ? hidden : withoutValues(value)}`)
        .join('\n')
        .slice(0, keptMax),
    body: (text) => withoutValues(withoutFields(text.slice(0, 16 * keptMax), isSecret)).slice(0, keptMax),
    learn: (value) => {
      if (value.length < valueLengthMin || learned.includes(value)) return
      learned.push(value)
      if (learned.length > learnedMax) learned.shift()
    },
  }
}

const callbackAddress = /(\/hooks\/p\/)[A-Za-z0-9_-]{43}/g

function withoutFields(text: string, isSecret: (name: string) => boolean): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // A form, a page, garbage: what looks like a named value is hidden by its name.
    return text.replace(/([\w-]{2,40})(["']?\s*[=:]\s*["']?)([^\s"'&,;<>]+)/g, (whole, name, sign) =>
      isSecret(name) ? `${name}${sign}${hidden}` : whole,
    )
  }
  if (typeof parsed !== 'object' || parsed === null) return text
  // Only what holds a secret is written anew: numbers keep the text they had.
  if (!holdsSecret(parsed, isSecret)) return text
  return JSON.stringify(parsed, (name, value: unknown) =>
    name !== '' && isSecret(name) && value !== null ? hidden : value,
  )
}

function holdsSecret(value: unknown, isSecret: (name: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => isSecret(name) || holdsSecret(inner, isSecret))
}

function* secretValues(settings: object, depth = 0): Generator<string> {
  if (depth > depthMax) return
  for (const [name, value] of Object.entries(settings)) {
    if (value instanceof Secret) {
      const text = value.reveal().toString()
      if (text.length >= valueLengthMin) yield text
    } else if (typeof value === 'string') {
      if (settingIsSecret.test(name) && value.length >= valueLengthMin) yield value
    } else if (typeof value === 'object' && value !== null) yield* secretValues(value, depth + 1)
  }
}

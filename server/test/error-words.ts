// Is an error that people meet there in all three languages? What only a programmer meets (a body that can't be read, a
// credential in the wrong place) and the operators' side are English.
import { inLanguage, said } from '../src/http/error-language.ts'
import { catalogue, type ErrorBody } from '../src/http/error-reply.ts'

const elsewhere = /^\/api\/(?:operator|v1|pay)\b|^\/api\/merchant\/events\b/
const forProgrammers =
  /^(?:bad_request|unauthenticated)$|API key|session cookie|POST \/api|Rotate this one|network address/
const usualMessages = new Set(Object.values(catalogue).map(({ message }) => message))
const languages = ['sw', 'fr'] as const
const known = new Map<string, boolean>()

/** The first text of it that has no translation. */
export function untranslated(path: string, payload: string): string | undefined {
  if (!path.startsWith('/api/') || elsewhere.test(path)) return undefined
  const body = JSON.parse(payload) as ErrorBody
  if (!usualMessages.has(body.message) && !isFor(body) && !isKnown(body.message, messageIn(body)))
    return body.message
  return Object.values(body.errors ?? {}).find((text) => !isKnown(text, (language) => said(text, language)))
}

const isFor = ({ code, message }: ErrorBody) => forProgrammers.test(code) || forProgrammers.test(message)

const messageIn = (body: ErrorBody) => (language: (typeof languages)[number]) =>
  inLanguage(body, { language, usual: false }).message

/** Looked up once: the same few sentences come thousands of times. */
function isKnown(text: string, inOther: (language: (typeof languages)[number]) => string): boolean {
  const found = known.get(text) ?? languages.every((language) => inOther(language) !== text)
  known.set(text, found)
  return found
}

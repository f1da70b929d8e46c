// Is an error that people meet there in all three languages? What only a programmer meets (a body that can't be read, a
// credential in the wrong place) and the operators' side are English.
import { detailed, said } from '../src/http/error-language.ts'
import { catalogue, type ErrorBody } from '../src/http/error-reply.ts'

const elsewhere = /^\/api\/(?:operator|v1|pay)\b|^\/api\/merchant\/events\b/
const codesForProgrammers = new Set(['bad_request', 'unauthenticated'])
const forProgrammers = /API key|session cookie|POST \/api|network address/
const usualMessages = new Set(Object.values(catalogue).map(({ message }) => message))
const languages = ['sw', 'fr'] as const

/** The first text of it that has no translation. */
export function untranslated(path: string, payload: string): string | undefined {
  if (!path.startsWith('/api/') || elsewhere.test(path)) return undefined
  const { code, message, errors = {} } = JSON.parse(payload) as ErrorBody
  const mayBeEnglish =
    usualMessages.has(message) || codesForProgrammers.has(code) || forProgrammers.test(message)
  if (!mayBeEnglish && !isMessageKnown(message)) return message
  return Object.values(errors).find((text) => !isFieldKnown(text))
}

const isMessageKnown = lookedUpOnce((text) =>
  languages.every((language) => detailed(text, language) !== undefined),
)
const isFieldKnown = lookedUpOnce((text) => languages.every((language) => said(text, language) !== text))

/** The same few sentences come thousands of times. */
function lookedUpOnce(look: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>()
  return (text) => {
    const found = known.get(text) ?? look(text)
    known.set(text, found)
    return found
  }
}

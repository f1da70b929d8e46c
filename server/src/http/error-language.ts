// Errors in the language of who asked: what is for people (`message`, the texts of `errors`), never the codes. English is
// what the rooms write; the other languages are found by it, so a sentence that has no row stays English.
import type { FastifyRequest } from 'fastify'
import { acceptedLocale } from '../base/accepted-locale.ts'
import type { ErrorBody } from './error-reply.ts'
import { details } from './translations/details.ts'
import { predicates, sentences } from './translations/fields.ts'
import { messages } from './translations/messages.ts'

/** English, Kiswahili, French. `{n}` is any text, `{word}` one without spaces, `{amount}` like UGX 500; `{1}` the first. */
export type Row = readonly [en: string, sw: string, fr: string]

const languages = ['en', 'sw', 'fr'] as const
export type Language = (typeof languages)[number]

/** English, unless another is asked for. */
export const languageOf = (request: FastifyRequest): Language =>
  acceptedLocale(request.headers['accept-language'], languages) ?? 'en'

/** `usual`: the message is the one of its code, and no more exact one. */
export function inLanguage(
  body: ErrorBody,
  { language, usual }: { language: Language; usual: boolean },
): ErrorBody {
  if (language === 'en') return body
  const { code, message, errors } = body
  const exact = usual ? messages[code][language] : detailed(message, language)
  const texts = Object.entries(errors ?? {}).map(([field, text]) => [field, said(text, language)])
  return {
    ...body,
    message: exact ?? message,
    ...(errors === undefined ? {} : { errors: Object.fromEntries(texts) }),
  }
}

/** What is said beyond the message of a code; some of it is also said of a field. */
export const detailed = (text: string, language: Exclude<Language, 'en'>): string | undefined =>
  found(known.details, text, language) ?? found(known.sentences, text, language)

/** What is said of a field. */
export const said = (text: string, language: Exclude<Language, 'en'>): string =>
  found(known.sentences, text, language) ?? found(known.predicates, text, language) ?? text

interface Known {
  form: RegExp
  sw: string
  fr: string
}

const kinds: Record<string, string> = {
  n: '(.{1,300}?)',
  word: '(\\S{1,60})',
  amount: '([A-Z]{3} \\S{1,40})',
}
/** `Goal amount`, `IPN URL`, `Idempotency-Key`: the words before the verb. */
const label = '[A-Z][A-Za-z-]*(?: (?!must |is |has |or )[A-Za-z-]+){0,3} '

const knownOf = (rows: readonly Row[], before = ''): Known[] =>
  rows.map(([en, sw, fr]) => {
    const parts = en
      .split(/(\{\w+\})/)
      .map((part) => kinds[part.slice(1, -1)] ?? part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return { form: new RegExp(`^${before}${parts.join('')}$`, 'u'), sw, fr }
  })

const known = {
  sentences: knownOf(sentences),
  predicates: knownOf(predicates, label),
  details: knownOf(details),
}

function found(rows: readonly Known[], text: string, language: Exclude<Language, 'en'>): string | undefined {
  for (const row of rows) {
    const match = row.form.exec(text)
    if (match !== null)
      return row[language].replaceAll(/\{(\w+)\}/g, (_, name) => match[Number(name) || 1] ?? '')
  }
  return undefined
}

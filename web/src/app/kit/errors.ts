// What went wrong, in words. The service's own words come in the language of the page; those that people meet every day
// are written here, by their code. A code that is said of different things has the service's words: it knows which one.
import { MfukoError } from '@mfuko/sdk/browser'
import { inLanguages, useWords } from './language.ts'

const words = inLanguages({
  en: {
    connection_failed: 'The service could not be reached. Check your connection, then try again.',
    timed_out: 'The service did not answer in time. Try again.',
    unreadable_answer: 'Something on the way answered instead of the service. Try again.',
    unavailable: 'The service is not available just now. Try again in a moment.',
    rate_limited: (minutes: number) =>
      minutes <= 1
        ? 'That was too often. Wait a moment, then try again.'
        : `That was too often. Try again in ${minutes} minutes.`,
    pin_incorrect: (left: number | undefined) =>
      left === undefined ? 'The PIN is wrong.' : `The PIN is wrong. Tries left: ${left}.`,
    pin_not_set: 'You have no PIN yet. Set one under Account, Security.',
    unknown: 'Something went wrong here. Reload the page and try again.',
  },
  sw: {
    connection_failed: 'Huduma haipatikani. Angalia mtandao wako, kisha jaribu tena.',
    timed_out: 'Huduma haikujibu kwa wakati. Jaribu tena.',
    unreadable_answer: 'Kitu kingine kimejibu badala ya huduma. Jaribu tena.',
    unavailable: 'Huduma haipatikani kwa sasa. Jaribu tena baada ya muda mfupi.',
    rate_limited: (minutes: number) =>
      minutes <= 1
        ? 'Umejaribu mara nyingi mno. Subiri kidogo, kisha jaribu tena.'
        : `Umejaribu mara nyingi mno. Jaribu tena baada ya dakika ${minutes}.`,
    pin_incorrect: (left: number | undefined) =>
      left === undefined ? 'PIN si sahihi.' : `PIN si sahihi. Majaribio yaliyobaki: ${left}.`,
    pin_not_set: 'Bado huna PIN. Iweke kwenye Akaunti, Usalama.',
    unknown: 'Kuna hitilafu hapa. Pakia ukurasa upya kisha jaribu tena.',
  },
  fr: {
    connection_failed: 'Le service est injoignable. Vérifiez votre connexion, puis réessayez.',
    timed_out: 'Le service n’a pas répondu à temps. Réessayez.',
    unreadable_answer: 'Autre chose a répondu à la place du service. Réessayez.',
    unavailable: 'Le service n’est pas disponible pour le moment. Réessayez dans un instant.',
    rate_limited: (minutes: number) =>
      minutes <= 1
        ? 'C’était trop souvent. Attendez un instant, puis réessayez.'
        : `C’était trop souvent. Réessayez dans ${minutes} minutes.`,
    pin_incorrect: (left: number | undefined) =>
      left === undefined ? 'Le code PIN est faux.' : `Le code PIN est faux. Essais restants : ${left}.`,
    pin_not_set: 'Vous n’avez pas encore de code PIN. Choisissez-le sous Compte, Sécurité.',
    unknown: 'Une erreur s’est produite ici. Rechargez la page et réessayez.',
  },
})

type Words = (typeof words)['en']

function textOf(error: unknown, t: Words): string {
  if (!(error instanceof MfukoError)) return t.unknown
  const { code, attemptsLeft, retryAfterSeconds = 0 } = error
  if (code === 'pin_incorrect') return t.pin_incorrect(attemptsLeft)
  if (code === 'rate_limited') return t.rate_limited(Math.ceil(retryAfterSeconds / 60))
  const known = Object.hasOwn(t, code) ? t[code as keyof Words] : undefined
  return typeof known === 'string' ? known : error.message
}

/** The words for an error, in the language of the page. */
export function useErrorText(): (error: unknown) => string {
  const t = useWords(words)
  return (error) => textOf(error, t)
}

/** What the service says of a field; undefined when it says nothing. */
export const fieldError = (error: unknown, field: string): string | undefined =>
  error instanceof MfukoError ? error.errors[field] : undefined

/** Nobody knows yet whether it happened: no answer, or one that is none. The same order may be given again. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof MfukoError &&
  (error.status === 0 || error.status >= 500 || error.code === 'unreadable_answer')

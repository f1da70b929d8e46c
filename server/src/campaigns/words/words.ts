// What the public page of a campaign says, in the languages that people read. One shape: a language that lacks a sentence
// does not compile.
import type { Locale } from '../../base/money.ts'
import type { Category } from '../rules.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { kiswahili } from './kiswahili.ts'

/** Which of the two it is, the language decides. `{n}` is the number. */
export interface Counted {
  one: string
  other: string
}

export type PageProblem = 'amount_form' | 'amount_small' | 'amount_large' | 'text_long' | 'closed'

export interface Words {
  language: string
  languages: string
  skip: string
  by: (name: string) => string
  categories: Record<Category, string>
  raisedOf: (goal: string) => string
  progress: (told: { percent: string; raised: string; goal: string }) => string
  contributors: Counted
  daysLeft: Counted
  lastDay: string
  noEnd: string
  ended: string
  pausedTitle: string
  pausedText: string
  returnedTitle: string
  returnedText: string
  reason: string

  giveTitle: string
  amount: (currency: string) => string
  amountHint: (told: { least: string; most: string }) => string
  more: string
  name: string
  nameHint: string
  message: string
  messageHint: string
  anonymous: string
  anonymousHint: string
  goOn: string
  how: (brand: string) => string
  problems: Record<PageProblem, string>

  story: string
  updates: string
  contributions: string
  nobodyYet: string
  anonymousName: string
  someone: string
  moreUpdates: string
  moreContributions: string
  newest: string
  share: string
  shareText: string
  shareBy: string
  safety: (brand: string) => string

  missingTitle: string
  missingText: string
  troubleTitle: string
  troubleText: string
}

export const words: Record<Locale, Words> = { en: english, sw: kiswahili, fr: french }
export const locales = Object.keys(words) as Locale[]

export function counted(count: number, { locale, forms }: { locale: Locale; forms: Counted }): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? forms.one : forms.other
  return form.replace('{n}', new Intl.NumberFormat(locale).format(count))
}

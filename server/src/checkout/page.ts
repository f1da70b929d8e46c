// What the parts of a page share.
import { html, type Markup } from '../base/html.ts'
import type { Locale } from '../base/money.ts'
import { address, icon, type Setting } from './layout.ts'
import type { Problem, Step, Try, View } from './view.ts'
import { counted, type TriedCode, type Words } from './words/words.ts'

export type Of<S extends Step['step']> = Extract<Step, { step: S }>

/** Everything a template needs. */
export interface Page extends View {
  setting: Setting
  say: Words
  locale: Locale
}

export const cancelLink = ({ say, setting }: Page): Markup =>
  html`<a class="quiet quiet-way" href="${address(setting, { step: 'cancel' })}">${say.cancel}</a>`

export const otherLink = ({ say, setting, hasOther }: Page): Markup =>
  hasOther ? html`<a class="quiet" href="${address(setting, { step: 'other' })}">${say.otherWay}</a>` : html``

/** What nobody has answered yet, in words. */
export const openText = (say: Words, asked: Try): string =>
  asked.kind === 'card' ? say.open.card : say.open.phone(asked)

export function problemPart({ say, locale }: Page, problem: Problem): Markup {
  const { code, attemptsLeft } = problem
  const left =
    attemptsLeft === undefined ? '' : ` ${counted(attemptsLeft, { locale, forms: say.attemptsLeft })}`
  const text = code === 'tried' ? triedText(say, problem) : say.problems[code]
  return html`<p class="problem" id="problem" role="alert">${icon('alert')}<span>${text}${left}</span></p>`
}

/** What became of the money first. */
function triedText(say: Words, { tried = 'other' }: Problem): string {
  const why = say.tried[tried as TriedCode] ?? say.tried.other
  return tried === 'not_taken' ? why : `${say.noMoney} ${why}`
}

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

/** Nobody says that no money has left before that is known. `none`: said when no provider was asked. */
export function movedText({ say, tries }: Page, none: string): string {
  const { made, open, notTaken } = tries
  const told = [
    ...(notTaken === undefined ? [] : [say.notTaken[notTaken]]),
    ...(open === undefined ? [] : [say.moneyOpen(openText(say, open))]),
  ]
  return told.length > 0 ? told.join(' ') : made ? say.noMoney : none
}

/** Before somebody pays again. */
export function noticesPart({ say, tries }: Page, problem: Problem | undefined): Markup {
  const { open } = tries
  // The problem says so itself.
  const notTaken = problem?.tried === 'not_taken' ? undefined : tries.notTaken
  const notice = (mark: 'wait' | 'alert', text: string) =>
    html`<p class="problem notice">${icon(mark)}<span>${text}</span></p>`
  return html`${notTaken === undefined ? html`` : notice('alert', say.notTaken[notTaken])}
${open === undefined ? html`` : notice('wait', say.stillOpen(openText(say, open)))}`
}

export function problemPart(page: Page, problem: Problem): Markup {
  const { say, locale } = page
  const { code, attemptsLeft } = problem
  const left =
    attemptsLeft === undefined ? '' : ` ${counted(attemptsLeft, { locale, forms: say.attemptsLeft })}`
  const text = code === 'tried' ? triedText(page, problem) : say.problems[code]
  return html`<p class="problem" id="problem" role="alert">${icon('alert')}<span>${text}${left}</span></p>`
}

/** What became of the money first. */
function triedText({ say, tries }: Page, { tried = 'other' }: Problem): string {
  if (tried === 'not_taken' && tries.notTaken !== undefined) return say.notTaken[tries.notTaken]
  const why = say.tried[tried as TriedCode] ?? say.tried.other
  return tries.notTaken !== undefined || tries.open !== undefined ? why : `${say.noMoney} ${why}`
}

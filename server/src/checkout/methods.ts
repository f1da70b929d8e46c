// The ways to pay, as a list: the open one shows its form, the others are links that open theirs.
import { html, type Markup } from '../base/html.ts'
import { address, form, icon, moneyText } from './layout.ts'
import { cancelLink, noticesPart, type Of, type Page, problemPart } from './page.ts'
import { diallingOf } from './rules.ts'
import {
  type SandboxOutcome,
  sandboxCustomers,
  sandboxOutcomes,
  sandboxPassword,
  sandboxPin,
} from './sandbox.ts'
import type { Method, Network } from './view.ts'
import type { Words } from './words/words.ts'

export function choosePart(page: Page, step: Of<'choose'>): Markup {
  const { say, setting, tries } = page
  const { methods, open, problem } = step
  const rows = methods.map((method) =>
    method.id === open
      ? html`<li class="method" aria-current="true">${head(page, method)}${formPart(page, step, method)}</li>`
      : html`<li class="method"><a class="method-link" href="${address(setting, { step: method.id })}">${head(page, method)}</a></li>`,
  )
  const isAbove = problem !== undefined && (open === undefined || problem.code === 'tried')
  return html`${methods.length === 0 ? html`` : html`<h2>${say.how}</h2>`}
${noticesPart(page, problem)}
${isAbove ? problemPart(page, problem) : html``}
${methods.length === 0 ? html`` : html`<ul class="methods">${rows}</ul>`}
<div class="ways-out">${tries.open === undefined ? html`` : html`<a class="quiet" href="${address(setting)}">${say.lookAgain}</a>`}${cancelLink(page)}</div>`
}

function head({ say, setting: { brand } }: Page, method: Method): Markup {
  const row = (mark: 'wallet' | 'phone' | 'card', { name, hint }: { name: string; hint: string }) =>
    html`<p class="head">${icon(mark)}<span><strong>${name}</strong><br><span class="soft">${hint}</span></span></p>`
  switch (method.kind) {
    case 'wallet':
      return row('wallet', { name: say.wallet(brand), hint: say.walletHint })
    case 'mobile_money': {
      const names = method.networks.map(({ name }) => name).join(', ')
      return row('phone', { name: say.mobile, hint: say.mobileHint(names) })
    }
    case 'card':
      return row('card', { name: say.card, hint: method.down ? say.troubled : say.cardHint })
    default:
      return method satisfies never
  }
}

function formPart(page: Page, step: Of<'choose'>, method: Method): Markup {
  const { problem } = step
  const told = problem === undefined || problem.code === 'tried' ? html`` : problemPart(page, problem)
  switch (method.kind) {
    case 'wallet':
      return html`${told}${loginPart(page, step)}`
    case 'mobile_money':
      return html`${told}${mobilePart(page, step, method.networks)}`
    case 'card':
      return html`${told}${cardPart(page, step, method.id)}`
    default:
      return method satisfies never
  }
}

/** A field that is wrong says so, has the focus, and is told apart by more than its colour. */
const described = (wrong: boolean, hint: string): Markup =>
  wrong
    ? html` aria-invalid="true" aria-describedby="problem ${hint}" autofocus`
    : html` aria-describedby="${hint}"`

function loginPart(page: Page, { typed, problem }: Of<'choose'>): Markup {
  const { say, setting, forms, payment } = page
  const wrong = problem?.code === 'login_wrong' || problem?.code === 'login_incomplete'
  const state = wrong ? html` aria-invalid="true" aria-describedby="problem"` : html``
  return html`${form(setting, {
    place: '/login',
    proof: forms.anybody,
    busy: say.goingOn,
    content: html`<label for="name">${say.name}</label>
<p class="hint" id="name-hint">${say.nameHint}</p>
<input id="name" name="name" value="${typed?.name ?? ''}" maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false" required${described(wrong, 'name-hint')}>
<label for="password">${say.password}</label>
<input id="password" name="password" type="password" maxlength="128" autocomplete="current-password" required${state}>
<button class="button main">${say.goOn}</button>`,
  })}${payment.mode === 'test' ? customersPart(page) : html``}`
}

function customersPart({ say }: Page): Markup {
  const rows = sandboxCustomers.map(
    ({ handle, poor }) => html`<li><code>${handle}</code> ${poor ? say.testPoor : say.testPays}</li>`,
  )
  return html`<div class="sandbox"><h3>${say.testCustomers}</h3>
<ul>${rows}</ul>
<p>${say.password} <code>${sandboxPassword}</code> · PIN <code>${sandboxPin}</code></p></div>`
}

function mobilePart(page: Page, { typed, problem }: Of<'choose'>, networks: readonly Network[]): Markup {
  const { say, setting, forms, payment, locale } = page
  const { code, example } = diallingOf(payment.amount.currency)
  const wrong = problem?.code === 'phone_wrong'
  return form(setting, {
    place: '/start',
    proof: forms.anybody,
    busy: say.asking,
    content: html`<input type="hidden" name="method" value="mobile">
<label for="phone">${say.phone}</label>
<p class="hint" id="phone-hint">${say.phoneHint(example)}</p>
<input id="phone" name="phone" type="tel" value="${typed?.phone ?? ''}" maxlength="24" autocomplete="tel" required data-code="${code}"${described(wrong, 'phone-hint')}>
${networks.length < 2 ? html`` : networksPart(page, networks, typed?.network ?? '')}
<button class="button main">${say.payAmount(moneyText(payment.amount, locale))}</button>
${payment.mode === 'test' ? outcomesPart(page) : html``}`,
  })
}

/** Guessed from the number, unless the customer says which one it is: numbers can be taken along to another network. */
function networksPart({ say }: Page, networks: readonly Network[], chosen: string): Markup {
  const option = ({ id, name, down, prefixes }: Network) =>
    html`<label class="option"><input type="radio" name="network" value="${id}" data-starts="${prefixes.join(' ')}"${id === chosen ? html` checked` : html``}><span>${name}${down ? html`<br><span class="soft">${say.troubled}</span>` : html``}</span></label>`
  const known = networks.some(({ id }) => id === chosen)
  return html`<fieldset><legend>${say.network}</legend>
<label class="option"><input type="radio" name="network" value=""${known ? html`` : html` checked`}><span>${say.networkByNumber}</span></label>
${networks.map(option)}</fieldset>`
}

/** Each outcome of the sandbox by a click: see docs/guides/simulator.md. */
function outcomesPart({ say }: Page): Markup {
  const rows = sandboxOutcomes.map(
    (digits) =>
      html`<button class="outcome" name="outcome" value="${digits}" formnovalidate><code>${digits}</code> <span>${outcomeText(say, digits)}</span></button>`,
  )
  return html`<details class="sandbox"><summary>${say.testOutcomes}</summary>${rows}</details>`
}

function outcomeText({ outcomes, tried }: Words, digits: SandboxOutcome): string {
  switch (digits) {
    case '019':
      return tried.payer_limit_reached
    case '029':
      return tried.payer_not_found
    case '039':
      return tried.cancelled_by_customer
    case '049':
      return tried.insufficient_balance
    case '059':
      return tried.wrong_pin
    case '069':
      return tried.other
    case '079':
      return tried.phone_unreachable
    default:
      return outcomes[digits]
  }
}

function cardPart(page: Page, { typed, problem }: Of<'choose'>, method: string): Markup {
  const { say, setting, forms } = page
  const wrong = problem?.code === 'email_wrong'
  return form(setting, {
    place: '/start',
    proof: forms.anybody,
    busy: say.opening,
    content: html`<input type="hidden" name="method" value="${method}">
<label for="email">${say.email}</label>
<p class="hint" id="email-hint">${say.emailHint}</p>
<input id="email" name="email" type="email" value="${typed?.email ?? ''}" maxlength="254" autocomplete="email" required${described(wrong, 'email-hint')}>
<button class="button main">${say.toCard}</button>`,
  })
}

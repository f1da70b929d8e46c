// The pages of the checkout. They say what becomes of the money first, and name the act and the amount on the button.
import { html, type Markup } from '../base/html.ts'
import type { Locale } from '../base/money.ts'
import {
  address,
  type Fact,
  facts,
  form,
  framed,
  icon,
  money,
  moneyText,
  type Setting,
  telling,
} from './layout.ts'
import { receiptFacts, timeText } from './receipt.ts'
import { sandboxCustomers, sandboxPassword, sandboxPin } from './sandbox.ts'
import type { Problem, Step, Trouble, View, Wallet } from './view.ts'
import { counted, type Telling, type Words, words } from './words/words.ts'

type Of<S extends Step['step']> = Extract<Step, { step: S }>

/** Everything a template needs. */
interface Page extends View {
  setting: Setting
  say: Words
  locale: Locale
}

export function viewPage(setting: Setting, view: View): string {
  const { locale } = setting
  const say = words[locale]
  const page: Page = { ...view, setting, say, locale }
  const { step, payment } = view
  const test = payment.mode === 'test'
  const watch = { state: payment.status, every: step.step === 'waiting' }
  switch (step.step) {
    case 'choose':
    case 'confirm':
    case 'cancel':
      return framed(setting, {
        title: step.step === 'cancel' ? say.cancelTitle : say.pay(payment.merchantName),
        test,
        order: orderPart(page),
        content: html`${stepPart(page, step)}${safetyPart(page)}`,
        watch,
      })
    case 'paid':
      return framed(setting, { ...paidPart(page, step), test })
    case 'failed':
      return framed(setting, { ...failedPart(page, step), test })
    case 'waiting':
      return framed(setting, { ...toldPart(page, { mark: 'wait', told: say.waiting }), test, watch })
    case 'suspended': {
      const told = say.suspended(payment.merchantName)
      return framed(setting, { ...toldPart(page, { mark: 'failed', told }), test })
    }
    default:
      return step satisfies never
  }
}

/** Where there is no payment to speak of. */
export function troublePage(setting: Setting, { code, token }: Trouble): string {
  const say = words[setting.locale]
  const told = say.troubles[code]
  const back = code === 'unreadable' ? say.backToPayment : say.lookAgain
  return framed(setting, {
    title: told.title,
    test: false,
    content: html`<section class="card">
<p class="mark mark-quiet">${icon(code === 'missing' ? 'failed' : 'alert')}</p>
<h1>${told.title}</h1>
${telling(told)}
${token === undefined ? html`` : html`<a class="button main" href="${address({ ...setting, token })}">${back}</a>`}
</section>`,
  })
}

function stepPart(page: Page, step: Of<'choose' | 'confirm' | 'cancel'>): Markup {
  switch (step.step) {
    case 'choose':
      return choosePart(page, step)
    case 'confirm':
      return confirmPart(page, step)
    case 'cancel':
      return cancelPart(page)
    default:
      return step satisfies never
  }
}

function orderPart({ payment, say, locale, secondsLeft }: Page): Markup {
  const { merchantName, amount, description, refTrx } = payment
  const minutes = Math.floor(secondsLeft / 60)
  const left = minutes === 0 ? say.underAMinute : counted(minutes, { locale, forms: say.minutesLeft })
  return html`<section class="what" aria-label="${say.order}">
<h1>${say.pay(merchantName)}</h1>
<p class="total">${money(amount, locale)}</p>
${description === null ? html`` : html`<p class="description">${description}</p>`}
${refTrx === null ? html`` : html`<p class="small">${say.orderNumber} <span class="text">${refTrx}</span></p>`}
<p class="small left">${icon('wait')}<span data-seconds="${String(secondsLeft)}" data-one="${say.minutesLeft.one}" data-other="${say.minutesLeft.other}" data-under="${say.underAMinute}">${left}</span></p>
</section>`
}

const safetyPart = ({ payment, say, setting: { brand } }: Page): Markup =>
  html`<p class="safety">${icon('lock')}<span>${say.safety({ merchant: payment.merchantName, brand })}</span></p>`

/** The open method shows its form; the others are links that open theirs. */
function choosePart(page: Page, step: Of<'choose'>): Markup {
  const { say, setting } = page
  const { methods, open, problem } = step
  const rows = methods.map(({ id }) =>
    id === open
      ? html`<li class="method" aria-current="true">${methodHead(page)}${loginPart(page, step)}</li>`
      : html`<li class="method"><a class="method-link" href="${address(setting, { step: id })}">${methodHead(page)}</a></li>`,
  )
  return html`${methods.length === 0 ? html`` : html`<h2>${say.how}</h2>`}
${open === undefined && problem !== undefined ? problemPart(page, problem) : html``}
${methods.length === 0 ? html`` : html`<ul class="methods">${rows}</ul>`}
<div class="ways-out">${cancelLink(page)}</div>`
}

const methodHead = ({ say, setting: { brand } }: Page): Markup =>
  html`<p class="head">${icon('wallet')}<span><strong>${say.wallet(brand)}</strong><br><span class="soft">${say.walletHint}</span></span></p>`

function loginPart(page: Page, { typed = '', problem }: Of<'choose'>): Markup {
  const { say, setting, forms, payment } = page
  const wrong = problem?.code === 'login_wrong' || problem?.code === 'login_incomplete'
  const state = wrong ? html` aria-invalid="true" aria-describedby="problem"` : html``
  return html`${problem === undefined ? html`` : problemPart(page, problem)}${form(setting, {
    place: '/login',
    proof: forms.anybody,
    busy: say.goingOn,
    content: html`<label for="name">${say.name}</label>
<p class="hint" id="name-hint">${say.nameHint}</p>
<input id="name" name="name" value="${typed}" maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false" required${wrong ? html` aria-invalid="true" aria-describedby="problem name-hint" autofocus` : html` aria-describedby="name-hint"`}>
<label for="password">${say.password}</label>
<input id="password" name="password" type="password" maxlength="128" autocomplete="current-password" required${state}>
<button class="button main">${say.goOn}</button>`,
  })}${payment.mode === 'test' ? sandboxPart(page) : html``}`
}

function sandboxPart({ say }: Page): Markup {
  const rows = sandboxCustomers.map(
    ({ handle, poor }) => html`<li><code>${handle}</code> ${poor ? say.testPoor : say.testPays}</li>`,
  )
  return html`<div class="sandbox"><h3>${say.testCustomers}</h3>
<ul>${rows}</ul>
<p>${say.password} <code>${sandboxPassword}</code> · PIN <code>${sandboxPin}</code></p></div>`
}

function confirmPart(page: Page, { wallet, mayPay, problem }: Of<'confirm'>): Markup {
  const { say, setting, payment, forms, locale } = page
  const { amount, merchantName } = payment
  const { spendable } = wallet
  const after = spendable === 'endless' ? undefined : { ...spendable, minor: spendable.minor - amount.minor }
  const all: Fact[] = [
    [say.payingAs, party(wallet)],
    [say.payTo, html`<span class="text">${merchantName}</span>`],
    [say.from, html`${say.walletIn(wallet.currency)}`],
    [say.balance, spendable === 'endless' ? html`${say.endless}` : money(spendable, locale)],
    [say.fee, html`${say.noFee}`],
    [say.balanceAfter, after === undefined || after.minor < 0n || !mayPay ? undefined : money(after, locale)],
  ]
  return html`<h2>${say.confirm}</h2>
${problem === undefined ? html`` : problemPart(page, problem)}
${facts(all)}
${mayPay ? pinPart(page, problem) : html`<a class="button main" href="${address(setting)}">${say.lookAgain}</a>`}
<div class="ways-out">${form(setting, {
    place: '/logout',
    proof: forms.customer,
    content: html`<button class="quiet">${mayPay ? say.notYou : say.otherWallet}</button>`,
  })}${cancelLink(page)}</div>`
}

function pinPart({ say, setting, payment, forms, locale }: Page, problem: Problem | undefined): Markup {
  const wrong = problem?.code === 'pin_wrong' || problem?.code === 'pin_form'
  const state = wrong
    ? html` aria-invalid="true" aria-describedby="problem pin-hint" autofocus`
    : html` aria-describedby="pin-hint"`
  return form(setting, {
    place: '/pay',
    proof: forms.customer,
    busy: say.paying,
    content: html`<label for="pin">${say.pin}</label>
<p class="hint" id="pin-hint">${say.pinHint}</p>
<input id="pin" name="pin" type="password" inputmode="numeric" pattern="[0-9]{4,6}" minlength="4" maxlength="6" autocomplete="off" required${state}>
<button class="button main">${say.payAmount(moneyText(payment.amount, locale))}</button>`,
  })
}

const party = ({ name, handle }: Wallet): Markup =>
  html`<span class="text">${name}</span> <span class="soft">@${handle}</span>`

const cancelLink = ({ say, setting }: Page): Markup =>
  html`<a class="quiet quiet-way" href="${address(setting, { step: 'cancel' })}">${say.cancel}</a>`

function cancelPart({ say, setting, payment, forms }: Page): Markup {
  return html`<h2>${say.cancelTitle}</h2>
<p>${say.cancelText(payment.merchantName)}</p>
<div class="choices">
<a class="button main" href="${address(setting)}">${say.cancelNo}</a>
${form(setting, { place: '/cancel', proof: forms.anybody, content: html`<button class="button">${say.cancelYes}</button>` })}
</div>`
}

function problemPart({ say, locale }: Page, { code, attemptsLeft }: Problem): Markup {
  const left =
    attemptsLeft === undefined ? '' : ` ${counted(attemptsLeft, { locale, forms: say.attemptsLeft })}`
  return html`<p class="problem" id="problem" role="alert">${icon('alert')}<span>${say.problems[code]}${left}</span></p>`
}

function paidPart(page: Page, { wallet, loggedIn }: Of<'paid'>): { title: string; content: Markup } {
  const { say, payment, locale } = page
  const refunded = payment.status === 'refunded'
  const other = wallet === undefined && loggedIn
  const title = refunded ? say.refundedTitle : other ? say.paidOther.title : say.paidTitle
  const content = html`<section class="card receipt">
<p class="mark${refunded || other ? html` mark-quiet` : html``}">${icon(refunded ? 'back' : 'done')}</p>
<h1>${title}</h1>
${other ? html`<p class="moved">${say.paidOther.mine}</p><p>${say.paidOther.text}</p>` : html``}
${refunded ? html`<p>${say.refundedText}</p>` : html``}
<p class="total">${money(payment.amount, locale)}</p>
${referencePart(page)}
${receiptFacts({ payment, wallet, say, locale })}
${returnPart(page, { forward: !refunded })}
${refunded ? html`` : keepPart(page)}
</section>`
  return { title, content }
}

const referencePart = ({ say, payment }: Page): Markup => html`<div class="reference">
<h2>${say.reference}</h2>
<p>${payment.reference}</p>
<p class="hint">${say.keep}</p>
</div>`

/** Both need the script, and are shown by it. */
function keepPart({ say, payment, locale }: Page): Markup {
  const { merchantName: merchant, reference } = payment
  const text = say.shareText({ amount: moneyText(payment.amount, locale), merchant, reference })
  return html`<p class="keep"><button class="quiet" type="button" data-share="${text}" hidden>${say.share}</button><button class="quiet" type="button" data-print hidden>${say.print}</button></p>`
}

function failedPart(page: Page, { code }: Of<'failed'>): { title: string; content: Markup } {
  const { say, payment, locale } = page
  const told: Telling = say.failed[code as keyof Words['failed']] ?? say.failed.other
  const next = say.startAgain(payment.merchantName)
  const content = html`<section class="card">
<p class="mark ${code === 'cancelled_by_customer' ? 'mark-quiet' : 'mark-bad'}">${icon(code === 'expired' ? 'wait' : 'failed')}</p>
<h1>${told.title}</h1>
${telling({ ...told, next })}
${facts([
  [say.payTo, html`<span class="text">${payment.merchantName}</span>`],
  [say.amount, money(payment.amount, locale)],
  [say.reference, html`<span class="code-text">${payment.reference}</span>`],
  [say.time, payment.failedAt === null ? undefined : timeText(payment.failedAt, payment, locale)],
])}
${returnPart(page, { forward: code === 'cancelled_by_customer' })}
</section>`
  return { title: told.title, content }
}

/** With the script the page goes on by itself, and says so: who wants to stay, stays. */
function returnPart({ say, setting, payment, hasReturn }: Page, { forward }: { forward: boolean }): Markup {
  if (!hasReturn) return html`<p class="soft">${say.close}</p>`
  const target = address(setting, { place: '/return' })
  return html`<a class="button main" href="${target}">${say.returnTo(payment.merchantName)}</a>
${forward ? html`<p class="forward" data-forward="${target}" data-one="${say.forward.one}" data-other="${say.forward.other}" hidden><span></span> <button class="quiet" type="button">${say.stay}</button></p>` : html``}`
}

interface Told {
  mark: 'wait' | 'failed'
  told: Telling
}

function toldPart(page: Page, { mark, told }: Told): { title: string; content: Markup } {
  const { say, setting, payment, locale } = page
  const content = html`<section class="card" aria-live="polite">
<p class="mark ${mark === 'wait' ? 'mark-wait' : 'mark-bad'}">${icon(mark)}</p>
<h1>${told.title}</h1>
${telling(told)}
${facts([
  [say.payTo, html`<span class="text">${payment.merchantName}</span>`],
  [say.amount, money(payment.amount, locale)],
  [say.reference, html`<span class="code-text">${payment.reference}</span>`],
])}
<a class="button${mark === 'wait' ? html` main` : html``}" href="${address(setting)}">${say.lookAgain}</a>
</section>`
  return { title: told.title, content }
}

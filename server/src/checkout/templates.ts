// The pages of the checkout. They say what becomes of the money first, and name the act and the amount on the button.
import { html, type Markup } from '../base/html.ts'
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
import { choosePart } from './methods.ts'
import {
  cancelLink,
  movedText,
  noticesPart,
  type Of,
  openText,
  otherLink,
  type Page,
  problemPart,
} from './page.ts'
import { receiptFacts, timeText } from './receipt.ts'
import type { Problem, Trouble, View, Wallet } from './view.ts'
import { counted, type Telling, type Words, words } from './words/words.ts'

export function viewPage(setting: Setting, view: View): string {
  const { locale } = setting
  const { step, payment } = view
  const common = words[locale]
  const say = payment.campaign === null ? common : { ...common, ...common.ofCampaign }
  const page: Page = { ...view, setting, say, locale }
  const test = payment.mode === 'test'
  const waits =
    step.step === 'waiting' ||
    step.step === 'asked' ||
    ((step.step === 'failed' || step.step === 'suspended') && view.tries.open !== undefined)
  const watch = { state: view.state, every: waits }
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
    case 'asked': {
      const { told, content } = askedPart(page, step)
      const forward = step.forward ? step.page : undefined
      return framed(setting, { title: told.title, test, order: orderPart(page), content, watch, forward })
    }
    case 'paid':
      return framed(setting, { ...paidPart(page, step), test })
    case 'failed':
      return framed(setting, { ...failedPart(page, step), test, ...(waits ? { watch } : {}) })
    case 'waiting':
      return framed(setting, { ...toldPart(page, { mark: 'wait', told: say.waiting }), test, watch })
    case 'suspended': {
      const told = suspendedTelling(page)
      return framed(setting, {
        ...toldPart(page, { mark: 'failed', told }),
        test,
        ...(waits ? { watch } : {}),
      })
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
${noticesPart(page, problem)}
${problem === undefined ? html`` : problemPart(page, problem)}
${facts(all)}
${mayPay ? pinPart(page, problem) : html`<a class="button main" href="${address(setting)}">${say.lookAgain}</a>`}
<div class="ways-out">${form(setting, {
    place: '/logout',
    proof: forms.customer,
    content: html`<button class="quiet">${mayPay ? say.notYou : say.otherWallet}</button>`,
  })}${otherLink(page)}${cancelLink(page)}</div>`
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

function cancelPart(page: Page): Markup {
  const { say, setting, payment, forms, tries } = page
  return html`<h2>${say.cancelTitle}</h2>
<p>${movedText(page, say.noneLeft)} ${tries.open === undefined ? '' : say.cancelOpen}</p>
<p>${say.cancelText(payment.merchantName)}</p>
<div class="choices">
<a class="button main" href="${address(setting)}">${say.cancelNo}</a>
${form(setting, { place: '/cancel', proof: forms.anybody, content: html`<button class="button">${say.cancelYes}</button>` })}
</div>`
}

/** The customer is asked elsewhere, and this page follows. */
function askedPart(page: Page, step: Of<'asked'>): { told: Telling; content: Markup } {
  const { say, setting, payment, locale } = page
  const { asked, page: theirs, virtualPhone, mayTryOther } = step
  const { name, contact: phone } = asked
  const told =
    asked.kind === 'card'
      ? say.askedCard
      : say.askedPhone({ name, phone, amount: moneyText(payment.amount, locale) })
  const content = html`<section class="asked" aria-live="polite">
<p class="mark mark-wait">${icon(asked.kind === 'card' ? 'card' : 'phone')}</p>
<h2>${told.title}</h2>
${telling(told)}
</section>
${theirs === undefined ? html`` : html`<a class="button main" href="${theirs}">${say.toPage}</a>`}
${virtualPhone === undefined ? html`` : html`<a class="button main" href="${virtualPhone}" target="_blank" rel="noopener">${say.virtualPhone}</a>`}
<a class="button" href="${address(setting)}">${say.lookAgain}</a>
<div class="ways-out">${mayTryOther ? otherLink(page) : html``}${cancelLink(page)}</div>`
  return { told, content }
}

function paidPart(page: Page, { wallet, loggedIn, paid }: Of<'paid'>): { title: string; content: Markup } {
  const { say, payment, locale } = page
  const refunded = payment.status === 'refunded'
  const again = againTelling(page)
  const other = wallet === undefined && loggedIn && paid === undefined
  const title = refunded ? say.refundedTitle : other ? say.paidOther.title : say.paidTitle
  const content = html`<section class="card receipt">
<p class="mark${refunded || other ? html` mark-quiet` : html``}">${icon(refunded ? 'back' : 'done')}</p>
<h1>${title}</h1>
${other ? html`<p class="moved">${say.paidOther.mine}</p><p>${say.paidOther.text}</p>` : html``}
${refunded ? html`<p>${say.refundedText}</p>` : html``}
${payment.late && !refunded ? html`<p>${say.late}</p>` : html``}
${again === undefined ? html`` : telling(again)}
<p class="total">${money(payment.amount, locale)}</p>
${referencePart(page)}
${receiptFacts({ payment, wallet, paid, say, locale })}
${returnPart(page, { forward: !refunded && again === undefined })}
${refunded ? html`` : keepPart(page)}
</section>`
  return { title, content }
}

/** Of what came, or may come, beside the money that has paid. */
function againTelling({ say, tries: { open, notTaken } }: Page): Omit<Telling, 'title'> | undefined {
  const came = notTaken && say.notTaken[notTaken]
  if (open === undefined) return came === undefined ? undefined : { money: came }
  const { money: act = '', why = '' } = say.failedOpen.cancelled_by_customer(openText(say, open))
  return came === undefined ? { money: act, why } : { money: came, why: `${act} ${why}` }
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

function failedPart(page: Page, step: Of<'failed'>): { title: string; content: Markup } {
  const { say, payment, locale, tries } = page
  const { code } = step
  const waits = tries.open !== undefined
  const told = failedTelling(page, step)
  const next = waits && code !== 'cancelled_by_customer' ? undefined : say.startAgain(payment.merchantName)
  const content = html`<section class="card">
<p class="mark ${code === 'cancelled_by_customer' ? 'mark-quiet' : waits ? 'mark-wait' : 'mark-bad'}">${icon(code === 'expired' ? 'wait' : 'failed')}</p>
<h1>${told.title}</h1>
${telling(next === undefined ? told : { ...told, next })}
${facts([
  [say.payTo, html`<span class="text">${payment.merchantName}</span>`],
  [say.amount, money(payment.amount, locale)],
  [say.reference, html`<span class="code-text">${payment.reference}</span>`],
  [say.time, payment.failedAt === null ? undefined : timeText(payment.failedAt, payment, locale)],
])}
${returnPart(page, { forward: code === 'cancelled_by_customer' && !waits && tries.notTaken === undefined })}
</section>`
  return { title: told.title, content }
}

function failedTelling(page: Page, { code }: Of<'failed'>): Telling {
  const {
    say,
    tries: { open, notTaken },
  } = page
  if (open !== undefined) {
    const told = say.failedOpen[code === 'cancelled_by_customer' ? code : 'other'](openText(say, open))
    return notTaken === undefined ? told : { ...told, money: `${say.notTaken[notTaken]} ${told.money}` }
  }
  const told: Telling = say.failed[code as keyof Words['failed']] ?? say.failed.other
  return { ...told, money: movedText(page, told.money ?? say.noneLeft) }
}

function suspendedTelling(page: Page): Telling {
  const { say, payment, tries } = page
  const told = say.suspended(payment.merchantName)
  const money = movedText(page, told.money ?? say.noneLeft)
  return tries.open === undefined ? { ...told, money } : { ...told, money, next: say.suspendedOpen }
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

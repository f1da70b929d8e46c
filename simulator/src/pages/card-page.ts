// The hosted page of the card provider, as a customer sees it who was sent there to pay. Nobody can type a card here, so
// nobody types a real one.
import type { Assets } from './assets.ts'
import { html, htmlText, type Markup, nothing } from './html.ts'
import { head, icon, testBand } from './layout.ts'
import { type CardOutcome, type CardPayment, cardOutcomes } from './network.ts'
import { money, plainAmount } from './words.ts'

export interface CardPage {
  assets: Assets
  payment: CardPayment
}

/** A click pays; the others are what can go wrong. */
const troubles: Record<Exclude<CardOutcome, 'paid'>, { title: string; what: string }> = {
  declined: { title: 'Decline it', what: 'The bank says no, without a reason.' },
  insufficient_funds: {
    title: 'Too little money',
    what: 'The bank says that the account has less than that.',
  },
  wrong_pin: { title: 'Wrong PIN', what: 'The customer fails the check of the bank.' },
  limit_reached: { title: 'Over the limit', what: 'The bank says that the card is used up for today.' },
  cancelled: { title: 'Cancel', what: 'The customer presses Cancel.' },
  silent: { title: 'Pay, and lose the news', what: 'Paid, but no webhook leaves. Who asks hears the truth.' },
  twice: { title: 'Pay, and tell it twice', what: 'Paid, and the webhook comes two times.' },
  late: { title: 'Pay, very late', what: 'Paid when nobody waits for it any more.' },
  forged: {
    title: 'Pay, after a forged webhook',
    what: 'Somebody else sends one first, with a wrong signature.',
  },
  abandoned: { title: 'Walk away', what: 'The customer closes the page. Nothing is paid.' },
}

const names = cardOutcomes.filter((outcome) => outcome !== 'paid')

export function cardPage({ assets, payment }: CardPage): string {
  const { amount, currency, email, reference, state } = payment
  return bare(assets, {
    title: `Pay ${currency} ${plainAmount(amount)}`,
    content: html`<header class="sheet-head"><p class="sheet-brand">${icon('lock')}Paystack, simulated</p><p class="sheet-email">${email}</p></header>
<h1 class="sheet-amount"><span class="hidden-text">To pay: </span>${money(amount, currency)}</h1>
<p class="soft">Reference <code>${reference}</code></p>
${state === 'waiting' ? choices(payment) : ended(payment)}`,
  })
}

function choices({ amount, currency, accessCode }: CardPayment): Markup {
  const action = `/paystack/pay/${encodeURIComponent(accessCode)}`
  return html`<div class="plastic" role="img" aria-label="A card for tests, 4084 0840 8408 4081">
<span class="plastic-chip">${icon('chip')}</span><span class="plastic-number">4084 0840 8408 4081</span>
<span class="plastic-foot"><span>TEST CUSTOMER</span><span>12/30</span></span></div>
<form method="post" action="${action}"><button class="button main" name="outcome" value="paid">Pay ${currency} ${plainAmount(amount)}</button></form>
<section aria-labelledby="else-title"><h2 id="else-title">Or let something go wrong</h2>
<form method="post" action="${action}"><ul class="outcomes">${names.map(
    (outcome) =>
      html`<li><button class="outcome" name="outcome" value="${outcome}"><strong>${troubles[outcome].title}</strong><span class="soft">${troubles[outcome].what}</span></button></li>`,
  )}</ul></form></section>`
}

function ended({ state, reason, returnUrl }: CardPayment): Markup {
  return html`<p class="sheet-end state-${state}"><strong>${state === 'paid' ? 'Paid' : 'Not paid'}</strong>${reason === undefined ? nothing : html` ${reason}`}</p>
${returnUrl === undefined ? nothing : html`<p><a class="button main" href="${returnUrl}">Return to where you came from</a></p>`}`
}

export const missingCardPage = (assets: Assets): string =>
  bare(assets, {
    title: 'No such payment',
    content: html`<h1>No such payment</h1><p>This address belongs to no payment. Start again where you came from.</p>`,
  })

function bare(assets: Assets, { title, content }: { title: string; content: Markup }): string {
  return htmlText(html`${head(assets, { title })}
<body class="counter">
${testBand('No real card, no real money.')}
<main class="sheet" id="main">${content}</main>
</body>
</html>
`)
}

// The receipt: one page without scripts, read on a phone or printed on one sheet. Its style is a file of its own, made
// from the tokens that all pages share: pages with a strict policy can show the receipt inside them, which an inline
// style would not survive.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { momentText } from '../base/dates.ts'
import { html, htmlText, type Markup, trusted } from '../base/html.ts'
import { type Amount, type Locale, toText } from '../base/money.ts'
import { type ReceiptWords, receiptWords } from './receipt-words.ts'
import type { Party } from './rules.ts'
import type { Transaction } from './transactions.ts'

export interface ReceiptPerson {
  name: string
  handle: string
  locale: Locale
  /** Two letters; decides in which time zone the time is told. */
  country: string
}

export const receiptHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=()',
  'x-robots-tag': 'noindex',
}

const ours = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Its address changes with its text, so that a browser may keep it. */
export function readReceiptStyle(): { path: string; address: string; text: string } {
  const text = `${ours('../../../web/tokens.css')}\n${ours('./receipt.css')}`
  const path = '/receipt.css'
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return { path, address: `${path}?v=${version}`, text }
}

const logo = trusted(ours('../../../web/parts/logo.svg').trim())

export interface Receipt {
  transaction: Transaction
  person: ReceiptPerson
  /** Where its style is. */
  style: string
  brandName: string
}

export function receiptPage({ transaction, person, style, brandName }: Receipt): string {
  const { locale } = person
  const words = receiptWords[locale]
  const { reference, amount: minor, currency, status } = transaction
  const page = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.receipt} ${reference} · ${brandName}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main class="receipt">
<p class="brand">${logo}${brandName}</p>
<h1>${titleOf(transaction, words)}</h1>
<p class="total">${money({ minor, currency }, locale)}</p>
<p class="status status-${status}">${words.statuses[status]}</p>
${explanation(transaction, words)}
<div class="reference">
<h2>${words.reference}</h2>
<p>${reference}</p>
</div>
<dl>
${factsOf(transaction, person).map(factRow)}</dl>
<p class="keep">${words.keep}</p>
</main>
</body>
</html>
`
  return htmlText(page)
}

interface Fact {
  name: string
  value: Markup | undefined
  /** Words of any length. */
  wide?: boolean
}

const factRow = ({ name, value = html``, wide = false }: Fact): Markup =>
  html`<div class="${wide ? 'wide' : 'fact'}"><dt>${name}</dt><dd>${value}</dd></div>\n`

function titleOf({ type, direction }: Transaction, { titles }: ReceiptWords): string {
  return type === 'transfer' ? titles.transfer[direction] : titles[type]
}

/** What happened to the money comes first. */
function explanation({ status, direction }: Transaction, words: ReceiptWords): Markup {
  if (status === 'completed') return html``
  return html`<p class="why">${status === 'failed' ? words.nothingMoved[direction] : words.waiting}</p>`
}

/** Those that have a value. Of what has failed nothing was paid, and nobody gets anything. */
function factsOf(transaction: Transaction, person: ReceiptPerson): Fact[] {
  const { locale } = person
  const words = receiptWords[locale]
  const { amount, fee, currency, direction, counterparty, note, balanceAfter, createdAt, status } =
    transaction
  const shown = (minor: bigint) => money({ minor, currency }, locale)
  const isOut = direction === 'out'
  const [sender, recipient] = isOut ? [person, counterparty] : [counterparty, person]
  const paysFee = status !== 'failed' && (isOut || fee > 0n)
  const facts: Fact[] = [
    { name: words.from, value: party(sender) },
    { name: words.to, value: party(recipient) },
    { name: words.amount, value: shown(amount) },
    { name: words.fee, value: paysFee ? shown(fee) : undefined },
    { name: words.recipientGets, value: paysFee && isOut && fee > 0n ? shown(amount - fee) : undefined },
    { name: words.date, value: when(createdAt, person) },
    { name: words.balanceAfter, value: balanceAfter === undefined ? undefined : shown(balanceAfter) },
    { name: words.note, value: note === undefined ? undefined : html`${note}`, wide: true },
  ]
  return facts.filter(({ value }) => value !== undefined)
}

const party = ({ name, handle }: Party): Markup =>
  handle === undefined ? html`${name}` : html`${name} <span class="soft">@${handle}</span>`

/** Never a bare number: the code stands before it, lighter and smaller. */
function money(amount: Amount, locale: Locale): Markup {
  const [code = '', number = ''] = toText(amount, locale).split(/ (.*)/)
  return html`<span class="amount"><span class="code">${code}</span> ${number}</span>`
}

const zones: Record<string, string> = {
  UG: 'Africa/Kampala',
  KE: 'Africa/Nairobi',
  TZ: 'Africa/Dar_es_Salaam',
  RW: 'Africa/Kigali',
  NG: 'Africa/Lagos',
  ZA: 'Africa/Johannesburg',
}

function when(time: Date, { locale, country }: ReceiptPerson): Markup {
  const text = momentText(time, { locale, timeZone: zones[country] ?? 'UTC', month: 'long' })
  return html`<time datetime="${time.toISOString()}">${text}</time>`
}

// The frame of every page, and the parts that pages share.
import { readFileSync } from 'node:fs'
import { html, htmlText, type Markup, trusted } from '../base/html.ts'
import { type Amount, type Locale, toText } from '../base/money.ts'
import { locales, type Telling, words } from './words/words.ts'

/** What all pages are written with. */
export interface Setting {
  locale: Locale
  /** True when it was chosen by a link, and not by the browser: the choice goes along. */
  chosen: boolean
  token: string | undefined
  brand: string
  files: { style: string; script: string }
}

export interface Frame {
  title: string
  test: boolean
  /** Beside the content on a wide screen, above it on a phone. */
  order?: Markup
  content: Markup
  /** For the script: see script.js. `every`: a page that waits; without a script it is loaded again every few seconds. */
  watch?: { state: string; every: boolean }
  /** Where the browser goes on by itself. */
  forward?: string | undefined
}

const part = (path: string): Markup => trusted(readFileSync(new URL(path, import.meta.url), 'utf8').trim())
const logo = part('../../../web/parts/logo.svg')

export function framed(setting: Setting, frame: Frame): string {
  const { title, test, order, content, watch } = frame
  const { locale, brand, files, token } = setting
  const say = words[locale]
  const header = html`<header>
<p class="brand">${logo}<span>${brand}</span></p>
${languageLinks(setting)}
</header>`
  const page = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title} · ${brand}</title>
${goingOn(setting, frame)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
<body${watch === undefined ? html`` : watched(watch, token)}>
<a class="skip" href="#main">${say.skip}</a>
${test ? html`<section class="test" aria-label="${say.testMode}"><strong>${say.testMode}</strong> ${say.testText}</section>` : html``}
${
  order === undefined
    ? html`<div class="single">${header}<main id="main" tabindex="-1">${content}</main></div>`
    : html`<div class="split"><div class="order">${header}${order}</div><main id="main" tabindex="-1"><div class="step">${content}</div></main></div>`
}
</body>
</html>
`
  return htmlText(page)
}

const refreshSeconds = 5

/** A page with a script asks by itself, and is not taken away from who reads it. */
function goingOn(setting: Setting, { watch, forward }: Frame): Markup {
  if (forward !== undefined) return html`<meta http-equiv="refresh" content="0;url=${forward}">`
  if (!watch?.every) return html``
  return html`<noscript><meta http-equiv="refresh" content="${String(refreshSeconds)};url=${address(setting)}"></noscript>`
}

const watched = ({ state, every }: { state: string; every: boolean }, token = '') =>
  html` data-state="${state}" data-ask="/checkout/state?token=${token}"${every ? html` data-every` : html``}`

/** In their own names, so that everybody finds theirs. The page is the same one, so nothing typed elsewhere is lost. */
function languageLinks(setting: Setting): Markup {
  const { locale, token } = setting
  const links = locales.map((one) => {
    const { language } = words[one]
    const here = one === locale ? html` aria-current="true"` : html``
    return html`<li><a class="language" href="${address({ ...setting, token, locale: one, chosen: true })}" lang="${one}" hreflang="${one}"${here}>${language}</a></li>`
  })
  return html`<nav class="languages" aria-label="${words[locale].languages}"><ul>${links}</ul></nav>`
}

type Place = '' | '/login' | '/pay' | '/start' | '/logout' | '/cancel' | '/return'

/** An address of this checkout. The token is in the address that the customer came by, and in no other place. */
export function address(
  setting: Setting,
  { place = '', step }: { place?: Place; step?: string } = {},
): string {
  const query = new URLSearchParams()
  if (setting.token !== undefined) query.set('token', setting.token)
  if (setting.chosen) query.set('lang', setting.locale)
  if (step !== undefined) query.set('step', step)
  return `/checkout${place}?${query}`
}

/** Never a bare number: the code stands before it, lighter and smaller. */
export function money(amount: Amount, locale: Locale): Markup {
  const [code = '', number = ''] = toText(amount, locale).split(/ (.*)/)
  return html`<span class="amount"><span class="code">${code}</span> ${number}</span>`
}

/** On a button nothing is lighter; the space does not break. */
export const moneyText = (amount: Amount, locale: Locale): string =>
  toText(amount, locale).replace(' ', '\u00a0')

export type Fact = [name: string, value: Markup | undefined]

export const facts = (all: readonly Fact[]): Markup =>
  html`<dl>${all.map(([name, value]) => (value === undefined ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>`

export interface Form {
  place: Place
  /** Proves that the form was on a page of ours. */
  proof: string
  /** Shown on the button while it is sent. */
  busy?: string
  content: Markup
}

export const form = (setting: Setting, { place, proof, busy, content }: Form): Markup =>
  html`<form method="post" action="${address(setting, { place })}"${busy === undefined ? html`` : html` data-busy="${busy}"`}>
<input type="hidden" name="proof" value="${proof}">
${content}
</form>`

export const telling = ({ money: moved, why, next }: Omit<Telling, 'title'>): Markup =>
  html`${moved === undefined ? html`` : html`<p class="moved">${moved}</p>`}${[why, next].map((text) => (text === undefined ? html`` : html`<p>${text}</p>`))}`

type Mark = 'done' | 'failed' | 'wait' | 'back' | 'wallet' | 'phone' | 'card' | 'lock' | 'alert'

// Lucide's check, x, clock, undo-2, wallet, smartphone, credit-card, lock and circle-alert (ISC licence).
const shapes: Record<Mark, string> = {
  done: '<path d="M20 6 9 17l-5-5"/>',
  failed: '<path d="M18 6 6 18M6 6l12 12"/>',
  wait: '<circle cx="12" cy="12" r="10"/><path d="M12 6v6l4 2"/>',
  back: '<path d="M9 14 4 9l5-5"/><path d="M4 9h10.5a5.5 5.5 0 0 1 0 11H11"/>',
  wallet:
    '<path d="M19 7V4a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h15a1 1 0 0 1 1 1v4h-3a2 2 0 0 0 0 4h3a1 1 0 0 0 1-1v-2a1 1 0 0 0-1-1"/><path d="M3 5v14a2 2 0 0 0 2 2h15a1 1 0 0 0 1-1v-4"/>',
  phone: '<rect width="14" height="20" x="5" y="2" rx="2"/><path d="M12 18h.01"/>',
  card: '<rect width="20" height="14" x="2" y="5" rx="2"/><path d="M2 10h20"/>',
  lock: '<rect width="18" height="11" x="3" y="11" rx="2"/><path d="M7 11V7a5 5 0 0 1 10 0v4"/>',
  alert: '<circle cx="12" cy="12" r="10"/><path d="M12 8v4M12 16h.01"/>',
}

export const icon = (mark: Mark): Markup =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${trusted(shapes[mark])}</svg>`

// The public page of a campaign. It needs no script, says the numbers first, and names the act on the button.
import { readFileSync } from 'node:fs'
import { currencyZones, dayText } from '../base/dates.ts'
import { html, htmlText, type Markup, trusted } from '../base/html.ts'
import { type Amount, type Currency, type Locale, toText } from '../base/money.ts'
import { type Campaign, hasEnded, messageMax, nameMax, progressOf } from './rules.ts'
import type { ContributionRow, UpdateRow } from './sql.ts'
import { counted, locales, type PageProblem, type Words, words } from './words/words.ts'

export interface Setting {
  locale: Locale
  /** True when it was chosen by a link, and not by the browser: the choice goes along. */
  chosen: boolean
  brand: string
  style: string
  baseUrl: string
}

/** What was in the form. */
export interface Typed {
  amount: string
  name: string
  message: string
  anonymous: boolean
}

export interface CampaignView {
  campaign: Campaign
  ownerName: string
  /** The newest first; one more than are shown, when there are older ones. */
  updates: readonly UpdateRow[]
  contributions: readonly ContributionRow[]
  /** They begin somewhere in the middle. */
  isOlder: { updates: boolean; contributions: boolean }
  isOpen: boolean
  limits: { least: Amount; most: Amount }
  now: Date
  typed?: Typed | undefined
  problem?: PageProblem | undefined
}

export const updatesShown = 3
export const contributionsShown = 10

interface Page extends CampaignView {
  setting: Setting
  say: Words
  locale: Locale
}

export function campaignPage(setting: Setting, view: CampaignView): string {
  const { locale } = setting
  const page: Page = { ...view, setting, say: words[locale], locale }
  const { campaign } = view
  return framed(setting, {
    title: campaign.title,
    head: previewTags(page),
    path: pathOf(campaign.id),
    content: html`<main id="main" tabindex="-1">
${introPart(page)}
<div class="columns"><div class="side">${progressPart(page)}${givePart(page)}</div>
<div class="text-side">${storyPart(page)}${updatesPart(page)}${contributionsPart(page)}${sharePart(page)}</div></div>
</main>`,
  })
}

/** Where there is no campaign to speak of. */
export function troublePage(setting: Setting, trouble: 'missing' | 'trouble'): string {
  const say = words[setting.locale]
  const [title, text] =
    trouble === 'missing' ? [say.missingTitle, say.missingText] : [say.troubleTitle, say.troubleText]
  return framed(setting, {
    title,
    head: html`<meta name="robots" content="noindex">`,
    content: html`<main id="main" tabindex="-1"><h1>${title}</h1><p>${text}</p></main>`,
  })
}

const part = (path: string): Markup => trusted(readFileSync(new URL(path, import.meta.url), 'utf8').trim())
const logo = part('../../../web/parts/logo.svg')

const pathOf = (id: string): string => `/c/${id}`

function linkTo({ locale, chosen }: Setting, path: string, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...(chosen ? { lang: locale } : {}), ...query })
  return all.size === 0 ? path : `${path}?${all}`
}

interface Frame {
  title: string
  head: Markup
  /** Of the page in another language; absent: there is none. */
  path?: string
  content: Markup
}

function framed(setting: Setting, { title, head, path, content }: Frame): string {
  const { locale, brand, style } = setting
  const say = words[locale]
  const links = locales.map((one) => {
    const here = one === locale ? html` aria-current="true"` : html``
    const address = linkTo({ ...setting, locale: one, chosen: true }, path ?? '')
    return html`<li><a href="${address}" lang="${one}" hreflang="${one}"${here}>${words[one].language}</a></li>`
  })
  const languages =
    path === undefined
      ? html``
      : html`<nav aria-label="${say.languages}"><ul class="languages">${links}</ul></nav>`
  return htmlText(html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand}</title>
${head}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body>
<a class="skip" href="#main">${say.skip}</a>
<header><p class="brand"><a href="/">${logo}<span>${brand}</span></a></p>${languages}</header>
${content}
</body>
</html>
`)
}

const previewMost = 200

/** For those who show a link with a picture and some words. */
function previewTags({ campaign, setting }: Page): Markup {
  const { id, title, story, raised } = campaign
  const address = `${setting.baseUrl}${pathOf(id)}`
  const words = story.replaceAll(/\s+/g, ' ')
  const text = words.length <= previewMost ? words : `${words.slice(0, previewMost).replace(/\s\S*$/, '')}…`
  // Another address when there is more: who keeps pictures asks for it anew.
  const picture = `${address}/share.png?v=${raised.minor}`
  return html`<meta name="description" content="${text}">
<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${setting.brand}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${picture}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`
}

/** Never a bare number: the code stands before it, lighter and smaller. */
function money(amount: Amount, locale: Locale): Markup {
  const [code = '', number = ''] = toText(amount, locale).split(/ (.*)/)
  return html`<span class="amount"><span class="code">${code}</span> ${number}</span>`
}

/** The day that it is where the currency is spent. */
const timeText = (at: Date, { locale, currency }: { locale: Locale; currency: Currency }): Markup =>
  html`<time datetime="${at.toISOString()}">${dayText(at, { locale, timeZone: currencyZones[currency] })}</time>`

const dayMs = 86_400_000

function introPart({ campaign, ownerName, say }: Page): Markup {
  const { title, category, coverUrl } = campaign
  return html`<div class="intro"><p class="kind">${say.categories[category]}</p>
<h1 class="text">${title}</h1>
<p class="soft">${say.by(ownerName)}</p>
${coverUrl === null ? html`` : html`<img class="cover" src="${coverUrl}" alt="" loading="lazy" referrerpolicy="no-referrer">`}</div>`
}

function progressPart(page: Page): Markup {
  const { campaign, say, locale, now } = page
  const { raised, goal, contributors } = campaign
  const percent = progressOf(campaign)
  const shown = new Intl.NumberFormat(locale, { style: 'percent' }).format(percent / 100)
  const told = say.progress({ percent: shown, raised: toText(raised, locale), goal: toText(goal, locale) })
  return html`<section class="progress"><p class="total">${money(raised, locale)}</p>
<p class="soft">${say.raisedOf(toText(goal, locale))}</p>
<svg class="bar" viewBox="0 0 100 3" preserveAspectRatio="none" role="img" aria-label="${told}"><rect class="track" width="100" height="3"/><rect class="done" width="${String(Math.min(100, percent))}" height="3"/></svg>
<p class="facts"><strong>${shown}</strong> <span>${counted(contributors, { locale, forms: say.contributors })}</span> <span>${hasEnded(campaign, now) ? html`` : html`${endText(page)}`}</span></p></section>`
}

function endText({ campaign: { endsAt }, say, locale, now }: Page): string {
  if (endsAt === null) return say.noEnd
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs)
  return days === 0 ? say.lastDay : counted(days, { locale, forms: say.daysLeft })
}

function givePart(page: Page): Markup {
  const { campaign, say, now, isOpen, problem } = page
  const { returned, paused } = campaign
  if (returned !== null)
    return stopped(say, { title: say.returnedTitle, text: say.returnedText, reason: returned.reason })
  if (paused !== null)
    return stopped(say, { title: say.pausedTitle, text: say.pausedText, reason: paused.reason })
  if (hasEnded(campaign, now)) return html`<p class="notice">${say.ended}</p>`
  return isOpen || problem !== undefined ? giveForm(page) : html`<p class="notice">${say.problems.closed}</p>`
}

const stopped = (
  say: Words,
  { title, text, reason }: { title: string; text: string; reason: string },
): Markup =>
  html`<section class="notice" role="status"><h2>${title}</h2><p>${text}</p><p><strong>${say.reason}</strong> <span class="text">${reason}</span></p></section>`

function giveForm({ campaign, say, setting, locale, limits, typed, problem }: Page): Markup {
  const range = { least: toText(limits.least, locale), most: toText(limits.most, locale) }
  const wrong = problem?.startsWith('amount') ?? false
  const state = wrong
    ? html` aria-invalid="true" aria-describedby="problem amount-hint" autofocus`
    : html` aria-describedby="amount-hint"`
  return html`<section class="give"><h2>${say.giveTitle}</h2>
${problem === undefined ? html`` : html`<p class="problem" id="problem" role="alert">${say.problems[problem]}</p>`}
<form method="post" action="${linkTo(setting, `${pathOf(campaign.id)}/contribute`)}">
<label for="amount">${say.amount(campaign.currency)}</label>
<p class="hint" id="amount-hint">${say.amountHint(range)}</p>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="24" value="${typed?.amount ?? ''}" required${state}>
<details${hasTyped(typed) ? html` open` : html``}><summary>${say.more}</summary>
<label for="name">${say.name}</label>
<p class="hint" id="name-hint">${say.nameHint}</p>
<input id="name" name="name" autocomplete="name" maxlength="${String(nameMax)}" value="${typed?.name ?? ''}" aria-describedby="name-hint">
<label for="message">${say.message}</label>
<p class="hint" id="message-hint">${say.messageHint}</p>
<textarea id="message" name="message" rows="2" maxlength="${String(messageMax)}" aria-describedby="message-hint">${typed?.message ?? ''}</textarea>
<label class="option"><input type="checkbox" name="anonymous" value="yes"${typed?.anonymous ? html` checked` : html``}><span>${say.anonymous}<br><span class="hint">${say.anonymousHint}</span></span></label>
</details>
<button class="button">${say.goOn}</button>
<p class="hint">${say.how(setting.brand)}</p>
</form></section>`
}

const hasTyped = (typed: Typed | undefined): boolean =>
  typed !== undefined && (typed.name !== '' || typed.message !== '' || typed.anonymous)

/** Empty lines part paragraphs; other lines stay lines by the style. */
const paragraphs = (text: string): Markup =>
  html`${text.split(/\n{2,}/).map((paragraph) => html`<p class="written">${paragraph}</p>`)}`

const storyPart = ({ campaign, say }: Page): Markup =>
  html`<section class="text"><h2>${say.story}</h2>${paragraphs(campaign.story)}</section>`

function updatesPart({ updates, isOlder, say, locale, setting, campaign }: Page): Markup {
  if (updates.length === 0 && !isOlder.updates) return html``
  const shown = updates.slice(0, updatesShown)
  const rows = shown.map(
    ({ text, created_at }) =>
      html`<li class="text"><p class="soft">${timeText(created_at, { locale, currency: campaign.currency })}</p>${paragraphs(text)}</li>`,
  )
  const older = moreLink(setting, campaign, {
    name: 'news',
    last: updates.length > updatesShown ? shown.at(-1)?.seq : undefined,
    text: say.moreUpdates,
  })
  return html`<section id="news"><h2>${say.updates}</h2><ul>${rows}</ul>${older}${isOlder.updates ? newestLink(setting, campaign, say) : html``}</section>`
}

function contributionsPart(page: Page): Markup {
  const { contributions, isOlder, say, locale, setting, campaign, isOpen } = page
  const { currency } = campaign
  const shown = contributions.slice(0, contributionsShown)
  const rows = shown.map(
    ({ name, anonymous, amount, message, created_at }) =>
      html`<li><p class="giver"><span class="text">${anonymous ? say.anonymousName : (name ?? say.someone)}</span> ${money({ minor: amount, currency }, locale)}</p>${message === null ? html`` : html`<p class="written text">${message}</p>`}<p class="soft">${timeText(created_at, { locale, currency })}</p></li>`,
  )
  const older = moreLink(setting, campaign, {
    name: 'given',
    last: contributions.length > contributionsShown ? shown.at(-1)?.seq : undefined,
    text: say.moreContributions,
  })
  const empty = isOpen && !isOlder.contributions ? html`<p>${say.nobodyYet}</p>` : html``
  return html`<section id="given"><h2>${say.contributions}</h2>${rows.length === 0 ? empty : html`<ul>${rows}</ul>`}${older}${isOlder.contributions ? newestLink(setting, campaign, say) : html``}</section>`
}

interface More {
  name: 'news' | 'given'
  /** The last one that is shown, when there are older ones. */
  last: bigint | undefined
  text: string
}

const moreLink = (setting: Setting, { id }: Campaign, { name, last, text }: More): Markup =>
  last === undefined
    ? html``
    : html`<p><a class="quiet" href="${linkTo(setting, pathOf(id), { [name]: String(last) })}#${name}">${text}</a></p>`

const newestLink = (setting: Setting, { id }: Campaign, say: Words): Markup =>
  html`<p><a class="quiet" href="${linkTo(setting, pathOf(id))}">${say.newest}</a></p>`

function sharePart({ campaign, say, setting }: Page): Markup {
  const address = `${setting.baseUrl}${pathOf(campaign.id)}`
  const whatsapp = `https://wa.me/?text=${encodeURIComponent(`${campaign.title} ${address}`)}`
  return html`<section><h2>${say.share}</h2><p>${say.shareText}</p><p class="address">${address}</p>
<p><a class="quiet" href="${whatsapp}" rel="noreferrer">${say.shareBy}</a></p>
<p class="safety">${say.safety(setting.brand)}</p></section>`
}

// The frame of every page, and what several pages show alike.
import { createHash } from 'node:crypto'
import type { Assets } from './assets.ts'
import { html, htmlText, type Markup, nothing, trusted } from './html.ts'
import type { ShownOperation } from './network.ts'
import { clock, kindName, money, stateWords } from './words.ts'

/** A part of a page that is sent anew when it changes. */
export interface Region {
  id: string
  content: Markup
}

export interface Frame {
  title: string
  /** Which entry of the menu this is. */
  here?: 'phones' | 'numbers' | 'activity' | 'developers'
  content: Markup
  /** Where changes of its regions come from. */
  live?: string
  /** Without a script the page is loaded again after so many seconds. */
  reloadSeconds?: number
}

const menu = [
  { id: 'phones', path: '/', name: 'Phones' },
  { id: 'numbers', path: '/numbers', name: 'Numbers' },
  { id: 'activity', path: '/activity', name: 'Activity' },
  { id: 'developers', path: '/developers', name: 'Developers' },
] as const

export function framed(assets: Assets, frame: Frame): string {
  const { title, here, content, live, reloadSeconds } = frame
  return htmlText(html`${head(assets, { title, reloadSeconds })}
<body${live === undefined ? nothing : html` data-live="${live}"`}>
<a class="skip" href="#main">To the content</a>
${testBand('No real phone, no real money.')}
<header class="top"><div class="inner">
<a class="brand" href="/">${assets.logo}<span>Mfuko <span class="brand-what">simulator</span></span></a>
<nav aria-label="Main"><ul>${menu.map(
    ({ id, path, name }) =>
      html`<li><a class="menu-link" href="${path}"${here === id ? html` aria-current="page"` : nothing}>${name}</a></li>`,
  )}</ul></nav>
</div></header>
<main id="main" tabindex="-1">${content}</main>
</body>
</html>
`)
}

export const head = (
  assets: Assets,
  { title, reloadSeconds }: { title: string; reloadSeconds?: number | undefined },
): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Mfuko simulator</title>
${reloadSeconds === undefined ? nothing : html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`}
<link rel="icon" href="${assets.icon.address}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.address}">
<script src="${assets.script.address}" defer></script>
</head>`

export const testBand = (words: string): Markup =>
  html`<section class="test" aria-label="Test mode"><strong>TEST MODE</strong> ${words}</section>`

/** The version lets a browser keep what it shows already, a half typed PIN for example. */
export const regionVersion = ({ content }: Region): string =>
  createHash('sha256').update(htmlText(content)).digest('hex').slice(0, 16)

export function regionBox(region: Region, attributes: Markup = nothing): Markup {
  return html`<div id="${region.id}" data-version="${regionVersion(region)}" ${attributes}>${region.content}</div>`
}

export const regionsText = (regions: readonly Region[]): string =>
  JSON.stringify(
    Object.fromEntries(
      regions.map((region) => [
        region.id,
        { version: regionVersion(region), html: htmlText(region.content) },
      ]),
    ),
  )

export function stateBadge(state: ShownOperation['state']): Markup {
  return html`<span class="state state-${state}">${stateWords[state]}</span>`
}

/** One line of it, where the phone is known: what was asked, how much, and what became of it. */
export function operationLine(operation: ShownOperation): Markup {
  const { id, amount, currency, state, startedAt, reference } = operation
  return html`<li><a class="operation" href="/activity/${encodeURIComponent(id)}">
<span class="operation-what"><span class="operation-kind">${kindName(operation)}</span><span class="soft">${clock(startedAt)} · ${reference}</span></span>
<span class="operation-amount">${money(amount, currency)}${stateBadge(state)}</span></a></li>`
}

const drawings = {
  phone: '<rect x="6" y="2" width="12" height="20" rx="3"/><path d="M11 18h2"/>',
  signal: '<path d="M4 20v-3M9.3 20v-7M14.7 20V9M20 20V4"/>',
  battery:
    '<rect x="1" y="6.5" width="19" height="11" rx="3"/><path d="M22.5 11v2"/><path d="M4.5 10h9v4h-9z" fill="currentColor"/>',
  back: '<path d="M15 18l-6-6 6-6"/>',
  erase: '<path d="M10 5h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10l-7-7z"/><path d="M17 9.5l-5 5M12 9.5l5 5"/>',
  message: '<path d="M21 12a8 8 0 0 1-11.6 7.1L4 20.5l1.4-4.6A8 8 0 1 1 21 12z"/>',
  lock: '<rect x="4" y="11" width="16" height="10" rx="2"/><path d="M8 11V7a4 4 0 0 1 8 0v4"/>',
  chip: '<rect x="3" y="5" width="18" height="14" rx="3"/><path d="M3 10h6v4H3M21 10h-6v4h6M9 5v14M15 5v14"/>',
} as const

/** Drawn in the current colour; says nothing to a screen reader. */
export const icon = (name: keyof typeof drawings): Markup =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${trusted(drawings[name])}</svg>`

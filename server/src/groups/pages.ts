// The page where anybody checks a receipt of a group. It is plain and works in the browser alone, so it needs JavaScript,
// and says so where there is none.
import { readFileSync } from 'node:fs'
import { html, htmlText, type Markup, trusted } from '../base/html.ts'
import type { Locale } from '../base/money.ts'
import { pageHeaders } from '../http/headers.ts'
import type { App } from '../http/instance.ts'
import { type VerifyWords, verifyWords } from './verify/words.ts'

const locales = ['en', 'sw', 'fr'] as const
const ours = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const headers = { ...pageHeaders, 'cache-control': 'no-cache' }
const hidden = { schema: { hide: true } }

export function groupPages(app: App, { brandName }: { brandName: string }): void {
  const logo = trusted(ours('../../../web/parts/logo.svg').trim())
  const files = [
    {
      path: '/verify.css',
      type: 'text/css; charset=utf-8',
      text: `${ours('../../../web/tokens.css')}\n${ours('./verify/style.css')}`,
    },
    { path: '/verify.js', type: 'text/javascript; charset=utf-8', text: ours('./verify/page.js') },
    { path: '/verify-checks.js', type: 'text/javascript; charset=utf-8', text: ours('./verify/checks.js') },
  ]
  const pages = new Map(locales.map((locale) => [locale, htmlText(verifyPage({ locale, brandName, logo }))]))
  app.get('/verify', hidden, async (request, reply) => {
    const { lang } = request.query as { lang?: unknown }
    const locale = locales.find((one) => one === lang) ?? accepted(request.headers['accept-language'])
    return reply
      .headers({ ...headers, vary: 'accept-language' })
      .type('text/html; charset=utf-8')
      .send(pages.get(locale))
  })
  for (const { path, type, text } of files)
    app.get(path, hidden, async (_request, reply) => reply.headers(headers).type(type).send(text))
}

/** The first of ours that the browser names. */
function accepted(header: string | undefined): Locale {
  const named = (header ?? '').slice(0, 200).toLowerCase().split(',')
  const found = named.map((range) => locales.find((one) => range.trim().startsWith(one)))
  return found.find((one) => one !== undefined) ?? 'en'
}

interface Shown {
  locale: Locale
  brandName: string
  logo: Markup
}

function verifyPage({ locale, brandName, logo }: Shown): Markup {
  const words = verifyWords[locale]
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title} · ${brandName}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/verify.css">
<script type="module" src="/verify.js"></script>
</head>
<body>
<div class="page">
<header>
<p class="brand">${logo}<span>${brandName}</span></p>
${languageLinks(locale)}
</header>
<main>
<h1>${words.title}</h1>
<p>${words.lead}</p>
<div class="needs" id="needs"><p>${words.needsScript}</p></div>
<form id="check" hidden>
${field('paper', { words, label: words.paper, hint: words.paperHint, required: true })}
${field('head', { words, label: words.head, hint: words.headHint, required: false })}
<button>${words.check}</button>
</form>
<section id="found" tabindex="-1" aria-live="polite" hidden${foundWords(words)}></section>
</main>
</div>
</body>
</html>
`
}

function languageLinks(locale: Locale): Markup {
  const links = locales.map((one) => {
    const here = one === locale ? html` aria-current="true"` : html``
    return html`<li><a href="/verify?lang=${one}" lang="${one}" hreflang="${one}"${here}>${verifyWords[one].language}</a></li>`
  })
  return html`<nav aria-label="${verifyWords[locale].languages}"><ul>${links}</ul></nav>`
}

interface Field {
  words: VerifyWords
  label: string
  hint: string
  required: boolean
}

const field = (
  name: string,
  { words, label, hint, required }: Field,
): Markup => html`<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
<textarea id="${name}" aria-describedby="${name}-hint" autocapitalize="off" autocomplete="off" spellcheck="false"${required ? html` required` : html``}></textarea>
<input class="file" id="${name}-file" type="file" accept="application/json,.json" aria-label="${words.orFile}: ${label}">`

/** `withHead` → `data-with-head`: what the script calls `dataset.withHead`. */
const foundWords = ({ found }: VerifyWords): Markup[] =>
  Object.entries(found).map(([name, text]) => {
    const attribute = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return html` ${trusted(`data-${attribute}`)}="${text}"`
  })

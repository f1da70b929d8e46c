// A mail as text and as HTML, both complete. Pure. What a person chose comes in through `plain`, which leaves one line
// of printable text, and goes into the HTML through `escaped`, and nowhere else.
import { check } from '../base/check.ts'
import { momentText } from '../base/dates.ts'
import type { Locale } from '../base/money.ts'
import { fonts, look } from './look.ts'
import { neededFields, type TemplateName } from './templates.ts'
import { english } from './words/english.ts'
import { french } from './words/french.ts'
import { kiswahili } from './words/kiswahili.ts'
import type { Letter, Shown, Words } from './words/words.ts'

export interface Rendered {
  subject: string
  text: string
  html: string
}

export interface Rendering {
  template: TemplateName
  locale: Locale
  name: string
  /** As it was stored: every value is text, a time in ISO 8601. */
  data: object
  brand: string
  baseUrl: string
}

const languages: Record<Locale, Words> = { en: english, sw: kiswahili, fr: french }
const valueMax = 300
const subjectMax = 150

export function render({ template, locale, data, name, brand, baseUrl }: Rendering): Rendered {
  const words = languages[locale]
  const letter = letterOf(words, { template, shown: shownData(template, { data, locale }), brand })
  const frame = {
    greeting: words.greeting(plain(name)),
    colon: words.colon,
    footer: words.footer(brand),
    brand,
    baseUrl,
    locale,
  }
  return {
    subject: plain(letter.subject).slice(0, subjectMax).toWellFormed(),
    text: asText(letter, frame),
    html: asHtml(letter, frame),
  }
}

interface Filling {
  template: TemplateName
  shown: Record<string, string>
  brand: string
}

/** The fields were looked for by shownData, which the types can't follow. */
const letterOf = (words: Words, { template, shown, brand }: Filling): Letter =>
  words.letters[template](shown as Shown<TemplateName> & never, brand)

function shownData(template: TemplateName, { data, locale }: Pick<Rendering, 'data' | 'locale'>) {
  const shown: Record<string, string> = {}
  const { timeZone = 'UTC' } = data as { timeZone?: string }
  for (const [field, value] of Object.entries(data)) {
    if (value === undefined || value === null) continue
    check(typeof value === 'string', `${field} of a mail is text`)
    shown[field] =
      field === 'time' ? momentText(new Date(value), { locale, timeZone, month: 'long' }) : plain(value)
  }
  for (const field of neededFields[template])
    check(shown[field] !== undefined, `a mail ${template} has its ${field}`)
  return shown
}

/** One line, whole characters, nothing that turns the direction of what follows. */
export const plain = (text: string): string =>
  text
    .slice(0, valueMax)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()

interface Frame {
  greeting: string
  colon: string
  footer: string
  brand: string
  baseUrl: string
  locale: Locale
}

function asText(
  { opening, code, facts = [], closing }: Letter,
  { greeting, colon, footer, brand, baseUrl }: Frame,
): string {
  const parts = [
    greeting,
    ...opening,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}${colon}${value}`).join('\n')]),
    ...closing,
    `-- \n${brand}, ${baseUrl}\n${footer}`,
  ]
  return `${parts.join('\n\n')}\n`
}

function asHtml({ subject, opening, code, facts = [], closing }: Letter, frame: Frame): string {
  const { greeting, footer, brand, baseUrl, locale } = frame
  const inner = [
    paragraph(greeting),
    ...opening.map(paragraph),
    ...(code === undefined ? [] : [codeBox(code)]),
    ...(facts.length === 0 ? [] : [factTable(facts)]),
    ...closing.map(paragraph),
  ].join('\n')
  const small = `margin: 16px 8px; font-size: 13px; line-height: 1.5; color: ${look['ink-soft']};`
  const card = `background: ${look.surface}; border: 1px solid ${look.line}; border-radius: ${look.radius}; padding: 24px;`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escaped(plain(subject))}</title>
</head>
<body style="margin: 0; padding: 16px; background: ${look.ground}; color: ${look.ink}; font-family: ${fonts.text}; font-size: 16px; line-height: 1.5;">
<div style="max-width: 560px; margin: 0 auto;">
<p style="margin: 8px; font-size: 20px; font-weight: 700; color: ${look.brand};">${escaped(brand)}</p>
<div style="${card}">
${inner}
</div>
<p style="${small}"><a href="${escaped(baseUrl)}" style="color: ${look.brand};">${escaped(baseUrl)}</a><br>${escaped(footer)}</p>
</div>
</body>
</html>
`
}

const paragraph = (text: string): string => `<p style="margin: 0 0 16px;">${escaped(text)}</p>`

const codeBox = (code: string): string =>
  `<p style="margin: 0 0 16px; padding: 16px; background: ${look.sunk}; border-radius: ${look.radius}; font-family: ${fonts.code}; font-size: 28px; font-weight: 700; letter-spacing: 4px; text-align: center;">${escaped(code)}</p>`

function factTable(facts: readonly (readonly [string, string])[]): string {
  const cell = `padding: 8px 0; border-top: 1px solid ${look.line}; vertical-align: top; text-align: left;`
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" style="${cell} width: 36%; padding-right: 12px; font-weight: 400; color: ${look['ink-soft']};">${escaped(label)}</th>` +
      `<td style="${cell} font-variant-numeric: tabular-nums;">${escaped(value)}</td></tr>`,
  )
  return `<table style="width: 100%; margin: 0 0 16px; border-collapse: collapse;">\n${rows.join('\n')}\n</table>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

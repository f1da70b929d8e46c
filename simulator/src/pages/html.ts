// Pages that the simulator writes itself. Whatever is put into a page is escaped, unless it is markup that was made here.
const made: unique symbol = Symbol('markup')

export interface Markup {
  readonly [made]: string
}

type Part = Markup | string | number | readonly Markup[]

/** `` html`<p>${name}</p>` ``: escapes every part that is text. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  let text = texts[0] ?? ''
  parts.forEach((part, at) => {
    text += textOf(part) + (texts[at + 1] ?? '')
  })
  return { [made]: text }
}

/** For files of our own, a drawing for example. Never for anything that somebody sent. */
export const trusted = (text: string): Markup => ({ [made]: text })

export const htmlText = (markup: Markup): string => markup[made]

export const nothing = trusted('')

function textOf(part: Part): string {
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escaped(part)
  return made in part ? part[made] : part.map(htmlText).join('')
}

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For text between elements and for attributes in quotes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => names[character] ?? '')

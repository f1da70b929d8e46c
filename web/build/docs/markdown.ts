// A page of the documentation: Markdown becomes HTML that needs neither a script nor a style attribute, a table of
// contents, and the sections that are searched. Raw HTML is refused, but comments; `<!-- tabs -->` opens a place where
// the same is shown in several languages, each under its name in bold, and `<!-- /tabs -->` closes it.
import { Marked, type Token, type Tokens, type TokensList } from 'marked'
import { escapeHtml, highlight } from './highlight.ts'

export interface Heading {
  depth: number
  id: string
  /** As plain text. */
  text: string
}

export interface Section {
  /** Empty for what stands before the first heading. */
  id: string
  heading: string
  text: string
}

export interface Rendered {
  title: string
  description: string
  html: string
  headings: Heading[]
  sections: Section[]
}

export interface RenderOptions {
  /** For messages about what is wrong in it. */
  file: string
  markdown: string
  /** Where a link leads; undefined when that is not on the site. */
  link: (target: string) => string | undefined
  /** Where a picture is. */
  image: (target: string) => { src: string; width: number; height: number }
}

export function renderMarkdown(options: RenderOptions): Rendered {
  const { file, markdown } = options
  const marked = new Marked()
  const slugs = openSlugs()
  const headings: Heading[] = []
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = plainText(tokens)
        const id = slugs(plain)
        headings.push({ depth, id, text: plain })
        if (/<[a-z]/i.test(text.replaceAll(/`[^`]*`/g, '')))
          throw new Error(`${file}: a heading has HTML in it.`)
        const inside = this.parser.parseInline(tokens)
        return depth === 1
          ? `<h1 id="${id}">${inside}</h1>\n`
          : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inside}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inside = this.parser.parseInline(tokens)
        const target = options.link(href)
        // What is in the tree and not on the site is named, and leads nowhere.
        if (target === undefined) return `<span class="elsewhere">${inside}</span>`
        return `<a class="link" href="${escapeHtml(target)}">${inside}</a>`
      },
      image({ href, text }) {
        const { src, width, height } = options.image(href)
        const size = `width="${width}" height="${height}"`
        return `<img src="${src}" ${size} alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang = '' }) {
        return codeBlock(text, lang)
      },
      table(token) {
        // A wide one is scrolled by itself; the keyboard must reach it for that.
        const table = tableOf(token, (tokens) => this.parser.parseInline(tokens))
        return `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
      },
      // A thing to tick off on paper: no control, so nothing for a keyboard to stop at.
      checkbox: () => '<span class="tick" aria-hidden="true">☐ </span>',
      html({ text }) {
        if (/^\s*<!--[\s\S]*-->\s*$/.test(text)) return ''
        throw new Error(`${file}: HTML in a page of the documentation: ${text.trim().slice(0, 60)}`)
      },
    },
  })
  const tokens = withoutNames(marked.lexer(markdown))
  const title = tokens.find((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1)
  if (title === undefined) throw new Error(`${file} begins with no heading.`)
  const parse = (some: Token[]) => marked.parser(Object.assign(some, { links: tokens.links }))
  const html = withTabs(tokens, { file, parse })
  return {
    title: plainText(title.tokens),
    description: descriptionOf(tokens),
    html,
    headings,
    sections: sectionsOf(tokens, headings),
  }
}

/** Before a file stands its name, for code hosts, which don't show that of the block; here the block has it. */
function withoutNames(tokens: TokensList): TokensList {
  const isNamed = (token: Token, at: number) => {
    const next = tokens.slice(at + 1).find(({ type }) => type !== 'space')
    const name = token.type === 'paragraph' ? /^`([^`]+)`:$/.exec(token.text)?.[1] : undefined
    return (
      name !== undefined && next?.type === 'code' && next.lang?.split(' ').includes(`file=${name}`) === true
    )
  }
  return Object.assign(
    tokens.filter((token, at) => !isNamed(token, at)),
    { links: tokens.links },
  )
}

/** As code hosts make them, so that `page.md#a-heading` leads to the same place everywhere. */
export function openSlugs(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .trim()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

function codeBlock(code: string, info: string): string {
  const [name = '', ...rest] = info.split(' ')
  const file = rest.find((word) => word.startsWith('file='))?.slice('file='.length)
  const caption = file === undefined ? '' : `<p class="code-file">${escapeHtml(file)}</p>`
  const label = file ?? (name === '' ? 'Text' : name)
  const attributes = `tabindex="0" role="group" aria-label="${escapeHtml(label)}"`
  return `<div class="code">${caption}<pre ${attributes}><code>${highlight(code, name)}</code></pre></div>\n`
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const cell = ({ align, tokens }: Tokens.TableCell, tag: string, more = '') =>
    `<${tag}${more}${align === null ? '' : ` class="${align}"`}>${inline(tokens)}</${tag}>`
  // An empty one would be announced as a heading without a name.
  const head = header.map((one) => (one.text.trim() === '' ? '<td></td>' : cell(one, 'th', ' scope="col"')))
  const body = rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('\n')
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body}</tbody></table>`
}

interface Tabbing {
  file: string
  parse: (tokens: Token[]) => string
}

const isMark = (token: Token | undefined, mark: string) =>
  token?.type === 'html' && token.raw.trim() === `<!-- ${mark} -->`

function withTabs(tokens: readonly Token[], { file, parse }: Tabbing): string {
  let html = ''
  let from = 0
  tokens.forEach((token, at) => {
    if (!isMark(token, 'tabs')) return
    const length = tokens.slice(at).findIndex((one) => isMark(one, '/tabs'))
    if (length < 0) throw new Error(`${file}: tabs are opened and not closed.`)
    html += parse(tokens.slice(from, at)) + tabs(tokens.slice(at + 1, at + length), { file, parse })
    from = at + length + 1
  })
  return html + parse(tokens.slice(from))
}

function tabs(tokens: readonly Token[], { file, parse }: Tabbing): string {
  const groups: { label: string; tokens: Token[] }[] = []
  for (const token of tokens) {
    const label = labelOf(token)
    if (label !== undefined) groups.push({ label, tokens: [] })
    else if (groups.length > 0) groups.at(-1)?.tokens.push(token)
    else if (token.type !== 'space') throw new Error(`${file}: a tab begins with its language in bold.`)
  }
  const panels = groups.map(({ label, tokens: inside }) => {
    const heading = `<p class="tab-label">${escapeHtml(label)}</p>`
    return `<div class="tab" data-language="${escapeHtml(label)}">${heading}\n${parse(inside)}</div>\n`
  })
  return `<div class="tabs">${panels.join('')}</div>\n`
}

/** A paragraph that is one bold word. */
function labelOf(token: Token): string | undefined {
  if (token.type !== 'paragraph') return undefined
  const [only, ...more] = token.tokens ?? []
  return only?.type === 'strong' && more.length === 0 ? plainText([only]) : undefined
}

/** What is read aloud: the words of it without their marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => textOf(token)).join('')
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join('\n')
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join('\n')
    case 'html':
    case 'space':
      return ' '
    case 'br':
      return '\n'
    default:
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      return unescaped('text' in token ? String(token.text) : token.raw)
  }
}

/** The lexer has escaped what stands in plain text. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const descriptionMost = 160

function descriptionOf(tokens: readonly Token[]): string {
  const first = tokens.find((token) => token.type === 'paragraph')
  const text = first === undefined ? '' : textOf(first).replaceAll(/\s+/g, ' ').trim()
  if (text.length <= descriptionMost) return text
  return `${text.slice(0, descriptionMost).replace(/\s+\S*$/, '')}…`
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: Section[] = [{ id: '', heading: '', text: '' }]
  let count = 0
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, id, text } = headings[count] ?? { depth: 1, id: '', text: '' }
      count += 1
      if (depth > 1) sections.push({ id, heading: text, text: '' })
      continue
    }
    const last = sections.at(-1)
    if (last !== undefined) last.text += ` ${textOf(token)}`
  }
  return sections
    .map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
}

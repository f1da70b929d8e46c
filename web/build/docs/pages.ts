// All pages of the documentation, read from the tree and put into the template: navigation, table of contents, the page
// before and the page after. The navigation is docs/README.md: its headings, and the links in its lists.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './highlight.ts'
import { type Heading, plainText, type Rendered, renderMarkdown } from './markdown.ts'
import { type DocFile, docFiles, openResolve, type Resolve, startFile } from './site-map.ts'

export interface DocPage extends DocFile, Rendered {}

interface NavSection {
  title: string
  links: { title: string; address: string }[]
}

export interface Documentation {
  pages: DocPage[]
  nav: NavSection[]
}

export interface ReadOptions {
  root: string
  /** Where a picture of the tree is, given its path from the root. */
  imageAddress: (file: string) => string
}

export function readDocumentation({ root, imageAddress }: ReadOptions): Documentation {
  const files = docFiles(root)
  const resolve = openResolve(files)
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const pages = files.map(({ file, address }) => ({
    file,
    address,
    ...renderMarkdown({
      file,
      markdown: read(file),
      link: (target) => resolve(file, target),
      image: (target) => {
        const path = posix.join(posix.dirname(file), target)
        return { src: imageAddress(path), ...pngSize(readFileSync(join(root, path))) }
      },
    }),
  }))
  const nav = navigation(read(startFile), resolve)
  const listed = new Set(['/docs', ...nav.flatMap(({ links }) => links.map(({ address }) => address))])
  const lost = pages.filter(({ address }) => !listed.has(address)).map(({ file }) => file)
  if (lost.length > 0) throw new Error(`${startFile} must link to ${lost.join(', ')}: nobody would find it.`)
  return { pages, nav }
}

/** Width and height are in the first chunk, always at the same place. */
function pngSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.toString('latin1', 1, 4) !== 'PNG')
    throw new Error('Pictures in the documentation are PNG files.')
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function navigation(markdown: string, resolve: Resolve): NavSection[] {
  const sections: NavSection[] = []
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2) sections.push({ title: token.text, links: [] })
    if (token.type !== 'list') continue
    for (const item of (token as Tokens.List).items) {
      const link = firstLink(item.tokens)
      const address = link && resolve(startFile, link.href)
      if (link && address) sections.at(-1)?.links.push({ title: plainText(link.tokens), address })
    }
  }
  return sections.filter(({ links }) => links.length > 0)
}

function firstLink(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    if (token.type === 'link') return token as Tokens.Link
    const inside = 'tokens' in token && token.tokens ? firstLink(token.tokens) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

/** Fills the places of the template; each must be there. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  let html = template
  for (const [name, value] of Object.entries(values)) {
    const mark = `[[${name}]]`
    if (!html.includes(mark)) throw new Error(`The template of the documentation has no ${mark}.`)
    html = html.replaceAll(mark, () => value)
  }
  return html
}

export function pageHtml(page: DocPage, { template, nav }: { template: string; nav: readonly NavSection[] }) {
  return fillTemplate(template, {
    title: page.address === '/docs' ? 'Documentation' : escapeHtml(page.title),
    description: escapeHtml(page.description),
    nav: navHtml(nav, page.address),
    place: placeHtml(nav, page),
    contents: contentsHtml(page.headings),
    article: page.html,
    turn: turnHtml(nav, page.address),
  })
}

const navHtml = (nav: readonly NavSection[], current: string) =>
  nav
    .map(({ title, links }) => {
      const items = links.map((link) => {
        const mark = link.address === current ? ' aria-current="page"' : ''
        return `<li><a href="${link.address}"${mark}>${escapeHtml(link.title)}</a></li>`
      })
      return `<p>${escapeHtml(title)}</p><ul>${items.join('')}</ul>`
    })
    .join('\n')

/** What the menu of a small screen says while it is closed. */
function placeHtml(nav: readonly NavSection[], { address }: DocPage): string {
  const section = nav.find(({ links }) => links.some((link) => link.address === address))
  return section === undefined ? 'All pages' : escapeHtml(section.title)
}

function contentsHtml(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="docs-contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}

function turnHtml(nav: readonly NavSection[], address: string): string {
  const order = [{ title: 'Documentation', address: '/docs' }, ...nav.flatMap(({ links }) => links)]
  const at = order.findIndex((link) => link.address === address)
  const turn = (link: { title: string; address: string } | undefined, rel: 'prev' | 'next') =>
    link === undefined
      ? ''
      : `<a class="turn-${rel}" rel="${rel}" href="${link.address}"><span>${rel === 'prev' ? 'Before' : 'Next'}</span>${escapeHtml(link.title)}</a>`
  return turn(order[at - 1], 'prev') + turn(order[at + 1], 'next')
}

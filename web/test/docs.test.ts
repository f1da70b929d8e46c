// Documents lead somewhere. Every link in every Markdown file of the tree names a file that is there, and a heading that it
// has; and what the pages of the site are made from says what it should.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, test } from 'node:test'
import { Marked, type Token } from 'marked'
import { highlight } from '../build/docs/highlight.ts'
import { openSlugs, plainText, renderMarkdown } from '../build/docs/markdown.ts'
import { readDocumentation } from '../build/docs/pages.ts'
import { searchEntries } from '../build/docs/search-index.ts'
import { type Entry, find } from '../src/docs/find.ts'

const root = join(import.meta.dirname, '../..')
const ignored = new Set(['node_modules', 'dist', '.data', '.git'])
const files = globSync('**/*.md', {
  cwd: root,
  exclude: (path) => path.split('/').some((part) => ignored.has(part)),
}).sort()

const tokensOf = (file: string) => new Marked().lexer(readFileSync(join(root, file), 'utf8'))

function linksIn(tokens: readonly Token[]): string[] {
  const links: string[] = []
  new Marked().walkTokens([...tokens], (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token.href))
  })
  return links
}

const headings = new Map<string, Set<string>>()

function headingsOf(file: string): Set<string> {
  const known = headings.get(file)
  if (known !== undefined) return known
  const slugs = openSlugs()
  const found = tokensOf(file).flatMap((token) =>
    token.type === 'heading' ? [slugs(plainText(token.tokens ?? []))] : [],
  )
  const made = new Set(found)
  headings.set(file, made)
  return made
}

/** Undefined: it leads somewhere. */
function brokenBy(file: string, link: string): string | undefined {
  if (/^(?:[a-z]+:|\/)/.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : posix.join(posix.dirname(file), path)
  if (!existsSync(join(root, target))) return `${file}: ${link} does not exist`
  if (anchor === undefined || !target.endsWith('.md')) return undefined
  return headingsOf(target).has(anchor) ? undefined : `${file}: ${link}: there is no such heading`
}

describe('links in Markdown', () => {
  test('all of them lead somewhere', () => {
    const broken = files.flatMap((file) =>
      linksIn(tokensOf(file)).flatMap((link) => brokenBy(file, link) ?? []),
    )
    assert.ok(files.length > 30)
    assert.deepEqual(broken, [])
  })

  test('one that does not is found', () => {
    assert.match(brokenBy('README.md', 'docs/nothing.md') ?? '', /does not exist/)
    assert.match(brokenBy('README.md', 'docs/crypto.md#nothing') ?? '', /no such heading/)
    assert.match(brokenBy('README.md', '#nothing') ?? '', /no such heading/)
    assert.equal(brokenBy('README.md', '#try-it'), undefined)
  })
})

const documentation = readDocumentation({ root, imageAddress: (file) => `/${file}` })

/** Markdown → what is in the HTML of it. */
const rendered: [markdown: string, html: string | RegExp][] = [
  ['# A\n\n[x](b.md#c)', '<a class="link" href="/b#c">x</a>'],
  ['# A\n\n[x](gone.md)', '<span class="elsewhere">x</span>'],
  ['# A\n\n## What is *it*? `a_b`', '<h2 id="what-is-it-a_b"><a class="anchor" href="#what-is-it-a_b">'],
  ['# A\n\n## B\n\n## B', '<h2 id="b-1">'],
  ['# A\n\n```js file=a.mjs\nconst a = "<b>"\n```', /<p class="code-file">a\.mjs<\/p>.*&lt;b&gt;/s],
  ['# A\n\n`a.mjs`:\n\n```js file=a.mjs\nb\n```', /<h1 id="a">A<\/h1>\n<div class="code">/],
  [
    '# A\n\n<!-- tabs -->\n\n**PHP**\n\none\n\n**Go**\n\ntwo\n\n<!-- /tabs -->\n\nthree',
    /<div class="tabs"><div class="tab" data-language="PHP">.*one.*data-language="Go">.*two.*<\/div>\n<\/div>\n<p>three/s,
  ],
  [
    '# A\n\n| a | |\n|--:|---|\n| 1 | 2 |',
    /<th scope="col" class="right">a<\/th><td><\/td>.*<td class="right">1/,
  ],
]

describe('pages', () => {
  const render = (markdown: string) =>
    renderMarkdown({
      file: 'a.md',
      markdown,
      link: (target) => (target.startsWith('gone') ? undefined : `/${target.replace('.md', '')}`),
      image: (target) => ({ src: target, width: 1, height: 1 }),
    }).html

  for (const [markdown, html] of rendered)
    test(markdown.slice(5).replaceAll('\n', ' '), () => {
      const made = render(markdown)
      assert.ok(typeof html === 'string' ? made.includes(html) : html.test(made), made)
    })

  test('HTML in a document is refused', () => {
    for (const markdown of ['# A\n\n<div>b</div>', '# A\n\na <b>c</b>', '# A\n\n<!-- tabs -->', 'no heading'])
      assert.throws(() => render(markdown), /a\.md/, markdown)
  })

  test('need no style attribute and no script, which the policy forbids', () => {
    for (const { file, html } of documentation.pages)
      assert.doesNotMatch(html, /<[^>]+ (?:style|on\w+)=|<script/, file)
  })

  test('what is highlighted is the same text', () => {
    const code = 'const a = `x "y"` // "z" <b>\nreturn 12.5 & 3'
    const text = highlight(code, 'js').replaceAll(/<[^>]+>/g, '')
    assert.equal(
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      code,
    )
    assert.match(
      highlight('x = "a" # b', 'python'),
      /<span class="code-text">&quot;a&quot;<\/span> <span class="code-comment"># b<\/span>/,
    )
  })
})

/** What somebody types → where the first places lead. */
const searches: [typed: string, leads: RegExp][] = [
  ['idempotency', /idempotency/],
  ['refund', /refund/],
  ['json_encode', /receive-notifications|php/],
  ['SMTP_URL', /configuration#mail|deploy|mail/],
  ['initiate-payment', /reference\/api#tag\/payment-gateway\/POST\/api\/v1\/initiate-payment/],
  ['back up', /backup/],
  ['payer_limit', /test-mode|simulator|notifications/],
  ['pin lock', /accounts|errors|api/],
]

describe('search', () => {
  const entries: readonly Entry[] = searchEntries(documentation, root)
  for (const [typed, leads] of searches)
    test(typed, () => {
      const found = find(entries, typed).map(({ address }) => address)
      assert.ok(
        found.slice(0, 3).some((address) => leads.test(address)),
        found.join('\n'),
      )
    })

  test('finds nothing where nothing is, and takes what people type', () => {
    for (const typed of ['', '   ', 'xylophone', '([.*+?^{}$|\\', 'refund xylophone'])
      assert.deepEqual(find(entries, typed), [], typed)
  })

  test('every word must begin a word of the place', () => {
    const hits = find(entries, 'client grace')
    assert.ok(hits.length > 0)
    for (const { address } of hits) {
      const [, ...texts] = entries.find((entry) => entry[0] === address) ?? []
      for (const word of [/\bclient/i, /\bgrace/i]) assert.match(texts.join(' '), word, address)
    }
    assert.deepEqual(find(entries, 'dempotency'), [])
  })
})

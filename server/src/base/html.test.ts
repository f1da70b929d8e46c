// Markup: text is escaped wherever it stands, what was made here is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, htmlText, type Markup, trusted } from './html.ts'

const inner = html`<b>${'<&"\'>'}</b>`
const rows: [what: string, markup: Markup, text: string][] = [
  ['no parts', html`<p></p>`, '<p></p>'],
  ['text', html`<p>${'a < b & "c"'}</p>`, '<p>a &lt; b &amp; &quot;c&quot;</p>'],
  ['an attribute', html`<p title="${`"' onclick=`}"></p>`, '<p title="&quot;&#39; onclick="></p>'],
  ['markup inside markup', html`<p>${inner}</p>`, '<p><b>&lt;&amp;&quot;&#39;&gt;</b></p>'],
  ['a list', html`<p>${[html`1`, html`${'<'}`]}</p>`, '<p>1&lt;</p>'],
  ['a file of our own', html`${trusted('<svg/>')}`, '<svg/>'],
]
for (const [what, markup, text] of rows) {
  test(what, () => assert.equal(htmlText(markup), text))
}

// Our own measure of contrast finds what axe finds, and lets pass what axe lets pass.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faintText } from '../../server/test/faint-text.ts'
import { axeFinds } from '../../server/test/looks.ts'
import { openBrowser } from '../../server/test/visits.ts'

const browser = await openBrowser()
const page = await browser.newPage()

for (const [what, html, isFaint] of [
  ['black on white', '<p style="color: #000">Pay</p>', false],
  ['grey on white', '<p style="color: #999">Pay</p>', true],
  ['the last grey that is enough', '<p style="color: #767676">Pay</p>', false],
  ['the first that is not', '<p style="color: #777">Pay</p>', true],
  ['large text needs less', '<p style="color: #949494; font-size: 24px">Pay</p>', false],
  ['bold text is large sooner', '<p style="color: #949494; font: bold 19px serif">Pay</p>', false],
  ['and not at any size', '<p style="color: #949494; font: bold 18px serif">Pay</p>', true],
  ['on what an ancestor paints', '<div style="background: #222"><p style="color: #333">Pay</p></div>', true],
  [
    'through a veil',
    '<div style="background: #000"><p style="background: rgb(255 255 255 / 90%); color: #000">Pay</p></div>',
    false,
  ],
  ['ink that is thin', '<p style="color: rgb(0 0 0 / 40%)">Pay</p>', true],
  ['an ancestor that is faint', '<div style="opacity: 0.4"><p style="color: #000">Pay</p></div>', true],
  ['in another notation', '<p style="color: oklch(0.75 0.02 250)">Pay</p>', true],
  ['a word inside', '<p style="color: #000">Pay <b style="color: #aaa">now</b></p>', true],
  ['in a field', '<label>Amount <input style="color: #aaa" value="500"></label>', true],
  ['switched off', '<button disabled style="color: #aaa; background: #fff">Pay</button>', false],
  ['not shown', '<p style="color: #aaa; display: none">Pay</p>', false],
  [
    'kept for listeners',
    '<p style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); color: #aaa">Pay</p>',
    false,
  ],
  ['on a picture', '<p style="background: linear-gradient(#fff, #eee); color: #aaa">Pay</p>', false],
] as const) {
  test(`${what}: ${isFaint ? 'too faint' : 'good'}`, async () => {
    await page.setContent(
      `<!doctype html><html lang="en"><title>Pay</title><body style="background: #fff">${html}`,
    )
    const [ours, axes] = [await faintText(page), await axeFinds(page, { runOnly: ['color-contrast'] })]
    assert.equal(ours.length > 0, isFaint, ours.join('\n'))
    assert.equal(axes.length > 0, isFaint, axes.join('\n'))
  })
}

test('and it says what and where', async () => {
  await page.setContent('<body style="background: #fff"><p style="color: #999">Pay</p>')
  assert.deepEqual(await faintText(page), ['2.85 instead of 4.5: Pay in <p style="color: #999">Pay</p>'])
})

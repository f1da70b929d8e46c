// The tokens promise: text is readable in both themes (4.5 : 1, amounts 7 : 1, marks 3 : 1), and each theme has
// every colour. A new pair of text and ground is one row.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const text = 4.5
const amount = 7
/** Borders of controls and marks that carry a meaning (WCAG 1.4.11). */
const mark = 3

const pairs: [front: string, ground: string, contrastMin: number][] = [
  ['ink', 'ground', amount],
  ['ink', 'surface', amount],
  ['ink', 'sunk', amount],
  ['ink-soft', 'ground', text],
  ['ink-soft', 'surface', text],
  ['ink-soft', 'sunk', text],
  ['brand', 'ground', text],
  ['brand', 'surface', text],
  ['brand', 'sunk', text],
  ['brand', 'brand-soft', text],
  ['ink', 'brand-soft', amount],
  ['on-brand', 'brand', text],
  ['on-brand', 'brand-hover', text],
  ['danger', 'ground', text],
  ['danger', 'surface', text],
  ['danger', 'danger-soft', text],
  ['ink', 'danger-soft', amount],
  ['on-field', 'field', amount],
  ['on-field-soft', 'field', text],
  ['on-test', 'test-stripe', amount],
  ['on-test', 'test-stripe-alternate', amount],
  ['line-strong', 'ground', mark],
  ['line-strong', 'surface', mark],
  ['brand', 'ground', mark],
]

/** Colours that are never behind or in front of text. */
const decoration = ['line', 'accent']

const [lightPart = '', darkPart = ''] = read('../tokens.css').split('@media (prefers-color-scheme: dark)')
const themes = { light: colours(lightPart), dark: colours(darkPart) }

for (const [theme, tokens] of Object.entries(themes)) {
  describe(`${theme} theme`, () => {
    for (const [front, ground, contrastMin] of pairs) {
      test(`${front} on ${ground} has ${contrastMin} : 1`, () => {
        const found = contrast(tokens.get(front), tokens.get(ground))
        assert.ok(found >= contrastMin, `${found.toFixed(2)} : 1`)
      })
    }
  })
}

test('both themes have the same colours', () => {
  assert.deepEqual([...themes.light.keys()].sort(), [...themes.dark.keys()].sort())
})

test('every colour is in a pair', () => {
  const paired = new Set<string | number>([...pairs.flat(), ...decoration])
  assert.deepEqual(
    [...themes.light.keys()].filter((name) => !paired.has(name)),
    [],
  )
})

test('styles name no colour of their own', () => {
  for (const file of ['styles.css', 'landing.css', 'docs/docs.css', 'app/app.css']) {
    // A mask is a shape: its black and clear are no colours that anybody sees.
    const css = read(`../src/${file}`).replaceAll(/(-webkit-)?mask:[^;]+;/g, '')
    assert.deepEqual(css.match(/#[0-9a-f]{3,8}\b/gi) ?? [], [], file)
  }
})

test('the icon of the browser tab is the logo, in the colours of both themes', () => {
  const icon = read('../public/favicon.svg')
  const shapes = (svg: string) => [...svg.matchAll(/ d="([^"]+)"/g)].map(([, shape]) => shape)
  assert.deepEqual(shapes(icon), shapes(read('../parts/logo.svg')))
  for (const { brand } of Object.values(themes).map((tokens) => ({ brand: tokens.get('brand') ?? '' }))) {
    assert.ok(icon.includes(brand), brand)
  }
})

test('contrast is computed as WCAG does', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})

function colours(css: string): Map<string, string> {
  return new Map(
    [...css.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function contrast(one = '', other = ''): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  assert.match(hex, /^#[0-9a-f]{6}$/, 'the colour exists')
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

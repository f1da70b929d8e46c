// How a page that is open in a browser looks: it fits its screen, passes axe, and has targets wide enough for a thumb. The
// thorough form looks at each size and in each colours; the page is loaded once and the screen around it changes, as when
// a phone is turned.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { faintText } from './faint-text.ts'
import { thorough } from './thorough.ts'

const touchMin = 48

export interface Sight {
  width: number
  colorScheme: 'light' | 'dark'
}

/** What every page is seen in by the thorough form; it should be opened in the first one. */
export const sights: readonly [Sight, Sight] = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
]

export interface Looking {
  /** Names the pictures of PHOTOGRAPHS. */
  name: string
  /** What a thumb must hit. */
  targets?: string
  height?: number
}

/** The short form: on a phone, half of the pages in light and half in dark. A picture is taken of everything. */
const sightsOf = (name: string): readonly Sight[] =>
  thorough || process.env.PHOTOGRAPHS
    ? sights
    : [{ ...sights[0], colorScheme: name.length % 2 === 0 ? 'light' : 'dark' }]

/** Ends in the first of the sights. */
export async function checkLooks(page: Page, { name, targets, height = 740 }: Looking): Promise<void> {
  for (const { width, colorScheme } of sightsOf(name)) {
    const where = `${name}, ${width} px, ${colorScheme}`
    await showIn(page, { width, colorScheme, height })
    if (process.env.PHOTOGRAPHS) {
      const file = `${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`
      await page.screenshot({ path: `${process.env.PHOTOGRAPHS}/${file}`, fullPage: true })
    }
    assert.equal(await overflow(page), 0, `${where}: no horizontal scroll`)
    if (targets !== undefined) assert.deepEqual(await tooSmall(page, targets), [], `${where}: targets`)
    assert.deepEqual(await complaints(page), [], `${where}: axe`)
  }
  await showIn(page, { ...sights[0], height })
}

/** Ends when the colours have changed, where that takes a moment. */
export async function showIn(
  page: Page,
  { width, colorScheme, height = 740 }: Sight & { height?: number },
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height })
  await page.evaluate(
    `Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))
      .then(() => undefined)`,
  )
}

export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** All measured at once: a question for each would take longer than everything else. */
const tooSmall = (page: Page, targets: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(targets)})]
      .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < ${touchMin})
      .map((one) => one.getBoundingClientRect().height + ' px: ' + one.outerHTML)`,
  )

/** The small form: each page reads it anew. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Two thirds of what axe takes is for the contrast of text: the short form measures that more simply. */
export async function complaints(
  page: Page,
  { rules = {} }: Pick<RunOptions, 'rules'> = {},
): Promise<string[]> {
  if (thorough) return axeFinds(page, { rules })
  const others = await axeFinds(page, { rules: { ...rules, 'color-contrast': { enabled: false } } })
  return [...others, ...(await faintText(page))]
}

/** Evaluated, not added as a script element, which the policy would refuse. */
export async function axeFinds(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  // What passes is not described, and stays there: that would take longer than to look.
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options })
  const violations = (await page.evaluate(
    `axe.run(${asked}).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

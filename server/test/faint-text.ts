// Text that stands out too little from what is behind it, by the rule of WCAG (1.4.3). axe measures the same much
// slower, since it also finds out what lies over what; here text stands on what its ancestors paint, which is how our
// pages are made. So the thorough form asks axe for it, and the short one this.
import type { Page } from 'playwright-core'

export const faintText = (page: Page): Promise<string[]> => page.evaluate(inPage)

/** Runs in the page. What stands on a picture or a gradient is not judged, as with axe; nor is what is switched off. */
const inPage = `(() => {
  const once = (work) => {
    const known = new Map()
    return (one) => known.get(one) ?? known.set(one, work(one)).get(one)
  }
  const styleOf = once((element) => getComputedStyle(element))
  const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const colourOf = once((text) => {
    const plain = /^rgba?\\(([\\d.]+), ([\\d.]+), ([\\d.]+)(?:, ([\\d.]+))?\\)$/.exec(text)
    if (plain) return [plain[1], plain[2], plain[3], plain[4] ?? 1].map(Number)
    dot.clearRect(0, 0, 1, 1)
    dot.fillStyle = text
    dot.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = dot.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  })
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1]
  const behind = once((element) => {
    if (element === null) return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0, 1] : [255, 255, 255, 1]
    const { backgroundColor, backgroundImage } = styleOf(element)
    if (backgroundImage !== 'none') return 'picture'
    const own = colourOf(backgroundColor)
    if (own[3] === 1) return own
    const under = behind(element.parentElement)
    return under === 'picture' ? under : over(own, under)
  })
  const opacityOf = once((element) =>
    element === null ? 1 : Number(styleOf(element).opacity) * opacityOf(element.parentElement))
  const isClipped = once((element) => {
    if (element === null) return false
    const { width, height } = element.getBoundingClientRect()
    const clips = styleOf(element).overflow !== 'visible' && (width <= 1 || height <= 1)
    return clips || isClipped(element.parentElement)
  })
  const linear = (part) => (part <= 10.3 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  const lightOf = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  const judged = (element, text) => {
    const ground = behind(element)
    if (ground === 'picture') return []
    const { color, fontSize, fontWeight } = styleOf(element)
    const ink = colourOf(color)
    const [one, other] = [over([...ink.slice(0, 3), ink[3] * opacityOf(element)], ground), ground].map(lightOf)
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    const size = Number.parseFloat(fontSize)
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
    if (contrast >= least) return []
    return [contrast.toFixed(2) + ' instead of ' + least + ': ' + text.trim().slice(0, 60) + ' in ' + element.outerHTML.slice(0, 120)]
  }
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !isClipped(element) && element.closest(':disabled, [aria-disabled="true"]') === null
  const faint = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    const text = texts.currentNode
    if (text.data.trim() === '' || !isSeen(text.parentElement)) continue
    range.selectNodeContents(text)
    if (range.getClientRects().length > 0) faint.push(...judged(text.parentElement, text.data))
  }
  for (const field of document.querySelectorAll('input, select, textarea'))
    if (isSeen(field)) faint.push(...judged(field, field.value))
  return faint
})()`

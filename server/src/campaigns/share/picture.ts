// The picture that others show with a link to a campaign: its title, how much there is, and how far that is. Drawn here,
// with letters of our own, because such a picture must be a PNG and no reader of links runs a page.
import { toText } from '../../base/money.ts'
import { type Campaign, progressOf } from '../rules.ts'
import { drawable, type Point, placed, widthOf, wrapped } from './letters.ts'
import { type Colour, toPng } from './png.ts'

export const pictureWidth = 1_200
export const pictureHeight = 630

/** As `--field`, `--on-field`, `--on-field-soft` and `--accent` in web/tokens.css. */
const field: Colour = [0x0f, 0x5c, 0x3f]
const inks: readonly Colour[] = [
  [0xf3, 0xf7, 0xf0],
  [0xc9, 0xe0, 0xd2],
  [0xe8, 0xa3, 0x17],
]
const white = 0
const soft = 1
const accent = 2
/** Between the field and an ink, so that edges are smooth. */
const shades = 40

const colours: readonly Colour[] = [
  field,
  ...inks.flatMap((ink) =>
    Array.from({ length: shades }, (_, shade): Colour => {
      const part = (shade + 1) / shades
      const mixed = (at: 0 | 1 | 2) => Math.round(field[at] + (ink[at] - field[at]) * part)
      return [mixed(0), mixed(1), mixed(2)]
    }),
  ),
]

const margin = 80

export async function sharePicture(campaign: Campaign, brand: string): Promise<Buffer> {
  const pixels = new Uint8Array(pictureWidth * pictureHeight)
  const say = (text: string, place: Omit<Writing, 'text'>) =>
    write(pixels, { ...place, text: drawable(text) })
  say(brand, { x: margin, y: 60, size: 30, thick: 4.4, ink: soft })
  const lines = titleLines(campaign.title)
  lines.forEach((text, at) => {
    say(text, { x: margin, y: 138 + at * 90, size: 52, thick: 8, ink: white })
  })
  const percent = progressOf(campaign)
  line(pixels, {
    from: [margin + 14, 446],
    to: [pictureWidth - margin - 14, 446],
    half: 14,
    ink: soft,
    most: 0.28,
  })
  const full = pictureWidth - 2 * margin - 28
  if (percent > 0) {
    const to = margin + 14 + (full * Math.min(100, percent)) / 100
    line(pixels, { from: [margin + 14, 446], to: [to, 446], half: 14, ink: accent, most: 1 })
  }
  say(toText(campaign.raised), { x: margin, y: 500, size: 44, thick: 7, ink: white })
  const part = `${percent} %`
  const size = 44
  say(part, { x: pictureWidth - margin - (widthOf(part) * size) / 10, y: 500, size, thick: 7, ink: white })
  say(`/ ${toText(campaign.goal)}`, { x: margin, y: 566, size: 24, thick: 3.6, ink: soft })
  return toPng({ width: pictureWidth, height: pictureHeight, colours, pixels })
}

const titleWidth = ((pictureWidth - 2 * margin) * 10) / 52

/** Nothing, when it is in letters that were not drawn: half a title would say something else. */
function titleLines(title: string): string[] {
  const text = drawable(title)
  const asked = title.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '').length
  const kept = text.replaceAll(/[^\p{L}\p{N}]/gu, '').length
  return kept < asked ? [] : wrapped(text, { width: titleWidth, lines: 3 })
}

interface Writing {
  text: string
  x: number
  y: number
  /** Of a capital, in pixels. */
  size: number
  thick: number
  ink: number
}

function write(pixels: Uint8Array, { text, x, y, size, thick, ink }: Writing): void {
  const scale = size / 10
  for (const { letter, x: begin } of placed(text)) {
    const at = ([px, py]: Point): Point => [x + (begin + px) * scale, y + py * scale]
    for (const stroke of letter.strokes) {
      for (let point = 1; point < stroke.length; point++) {
        const from = at(stroke[point - 1] as Point)
        line(pixels, { from, to: at(stroke[point] as Point), half: thick / 2, ink, most: 1 })
      }
    }
  }
}

interface Line {
  from: Point
  to: Point
  /** Half of its thickness; its ends are round. */
  half: number
  ink: number
  /** How much of the ink: 1 is all of it. */
  most: number
}

function line(pixels: Uint8Array, { from, to, half, ink, most }: Line): void {
  const [x1, y1] = from
  const dx = to[0] - x1
  const dy = to[1] - y1
  const length2 = dx * dx + dy * dy || 1
  const reach = half + 1
  const left = Math.max(0, Math.floor(Math.min(x1, to[0]) - reach))
  const right = Math.min(pictureWidth - 1, Math.ceil(Math.max(x1, to[0]) + reach))
  const top = Math.max(0, Math.floor(Math.min(y1, to[1]) - reach))
  const bottom = Math.min(pictureHeight - 1, Math.ceil(Math.max(y1, to[1]) + reach))
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const along = Math.min(1, Math.max(0, ((x + 0.5 - x1) * dx + (y + 0.5 - y1) * dy) / length2))
      const offX = x + 0.5 - x1 - along * dx
      const offY = y + 0.5 - y1 - along * dy
      const away = Math.sqrt(offX * offX + offY * offY)
      const covered = Math.min(1, Math.max(0, half + 0.5 - away)) * most
      const shade = Math.round(covered * shades)
      const place = y * pictureWidth + x
      const before = pixels[place] ?? 0
      if (shade > 0) pixels[place] = darker(before, 1 + ink * shades + shade - 1)
    }
  }
}

/** Where two lines of one ink meet, the stronger counts; another ink covers what was there. */
const darker = (before: number, after: number): number =>
  before > 0 && Math.floor((before - 1) / shades) === Math.floor((after - 1) / shades)
    ? Math.max(before, after)
    : after

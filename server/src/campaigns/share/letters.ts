// Letters for the share picture: lines of one thickness, drawn for it. No font has to be there, and none is sent.
// A letter is its width and its strokes, in tenths of the height of a capital: `M` and `L` go to a point, `O` is a part of
// an ellipse (centre, radii, from and to in degrees, 0 to the right and 90 down). Capitals stand from 0 to 10, small
// letters from 4, and go down to 13.

export type Point = readonly [x: number, y: number]
export interface Letter {
  width: number
  /** Each a line through its points. */
  strokes: readonly (readonly Point[])[]
}

const arcStepDegrees = 12

const drawn: Record<string, string> = {
  A: '8|M0 10L4 0L8 10M1.4 6.5L6.6 6.5',
  B: '6.7|M0 0L0 10M0 0L3.5 0O3.5 2.4 2.6 2.4 270 450M0 4.8L3.7 4.8O3.7 7.4 3 2.6 270 450M3.7 10L0 10',
  C: '8.2|O4.7 5 4.7 5 312 48',
  D: '8|M0 0L0 10M0 0L3 0O3 5 5 5 270 450M3 10L0 10',
  E: '6.2|M6.2 0L0 0L0 10L6.2 10M0 5L5.4 5',
  F: '6|M6 0L0 0L0 10M0 5L5.2 5',
  G: '9|O4.6 5 4.6 5 315 0M9.2 5L5.6 5',
  H: '7.6|M0 0L0 10M7.6 0L7.6 10M0 5L7.6 5',
  I: '0|M0 0L0 10',
  J: '5|M5 0L5 7O2.5 7 2.5 3 0 170',
  K: '7|M0 0L0 10M6.8 0L0 6M2.6 3.8L7 10',
  L: '6|M0 0L0 10L6 10',
  M: '9.4|M0 10L0 0L4.7 7L9.4 0L9.4 10',
  N: '7.8|M0 10L0 0L7.8 10L7.8 0',
  O: '9.6|O4.8 5 4.8 5 0 360',
  P: '6.6|M0 10L0 0L3.6 0O3.6 2.8 3 2.8 270 450M3.6 5.6L0 5.6',
  Q: '9.6|O4.8 5 4.8 5 0 360M6.2 7.2L9.4 10.6',
  R: '6.8|M0 10L0 0L3.6 0O3.6 2.8 3 2.8 270 450M3.6 5.6L0 5.6M3.4 5.6L6.8 10',
  S: '6.6|O3.3 2.6 3 2.6 320 90O3.3 7.6 3.3 2.4 270 510',
  T: '7.4|M0 0L7.4 0M3.7 0L3.7 10',
  U: '7.4|M0 0L0 6.3O3.7 6.3 3.7 3.7 180 0M7.4 6.3L7.4 0',
  V: '8|M0 0L4 10L8 0',
  W: '11|M0 0L2.8 10L5.5 1.5L8.2 10L11 0',
  X: '7.4|M0 0L7.4 10M7.4 0L0 10',
  Y: '7.6|M0 0L3.8 5L7.6 0M3.8 5L3.8 10',
  Z: '7|M0 0L7 0L0 10L7 10',
  a: '5.6|O2.8 7 2.8 3 0 360M5.6 4L5.6 10',
  b: '5.6|M0 0L0 10O2.8 7 2.8 3 0 360',
  c: '5.1|O2.9 7 2.9 3 315 45',
  d: '5.6|O2.8 7 2.8 3 0 360M5.6 0L5.6 10',
  e: '5.8|M0 7L5.8 7O2.9 7 2.9 3 360 45',
  f: '3.4|M1.3 10L1.3 2.2O3.3 2.2 2 2.2 180 280M0 4L3.3 4',
  g: '5.6|O2.8 7 2.8 3 0 360M5.6 4L5.6 10.4O2.8 10.4 2.8 2.6 0 160',
  h: '5.2|M0 0L0 10O2.6 6.6 2.6 2.6 180 360M5.2 6.6L5.2 10',
  i: '0|M0 4L0 10M0 1.5L0 1.6',
  j: '1.5|M1.5 4L1.5 11O0 11 1.5 2 0 100M1.5 1.5L1.5 1.6',
  k: '4.8|M0 0L0 10M4.5 4L0 8M1.8 6.4L4.8 10',
  l: '0|M0 0L0 10',
  m: '8.4|M0 4L0 10O2.1 6.1 2.1 2.1 180 360M4.2 6.1L4.2 10O6.3 6.1 2.1 2.1 180 360M8.4 6.1L8.4 10',
  n: '5.2|M0 4L0 10O2.6 6.6 2.6 2.6 180 360M5.2 6.6L5.2 10',
  o: '6|O3 7 3 3 0 360',
  p: '5.6|M0 4L0 13O2.8 7 2.8 3 0 360',
  q: '5.6|O2.8 7 2.8 3 0 360M5.6 4L5.6 13',
  r: '3.2|M0 4L0 10O2.6 6.6 2.6 2.6 180 285',
  s: '4.6|O2.3 5.5 2.1 1.5 325 90O2.3 8.5 2.3 1.5 270 505',
  t: '3.6|M1.4 1.6L1.4 8O3.2 8 1.8 2 180 80M0 4L3.4 4',
  u: '5.2|M0 4L0 7.4O2.6 7.4 2.6 2.6 180 0M5.2 4L5.2 10',
  v: '5.6|M0 4L2.8 10L5.6 4',
  w: '8.2|M0 4L2.1 10L4.1 4.8L6.1 10L8.2 4',
  x: '5.2|M0 4L5.2 10M5.2 4L0 10',
  y: '5.6|M0 4L2.9 10M5.6 4L2.2 12.2L0.8 13',
  z: '5|M0 4L5 4L0 10L5 10',
  '0': '6.4|O3.2 5 3.2 5 0 360',
  '1': '2.8|M0 2L2.8 0L2.8 10',
  '2': '6.2|O3 3 2.9 3 190 390L0 10L6.2 10',
  '3': '5.9|O2.9 2.5 2.6 2.5 200 450O2.8 7.4 3.1 2.6 270 520',
  '4': '6.6|M4.8 10L4.8 0L0 7L6.6 7',
  '5': '6|M5.6 0L0.9 0L0.5 4.7O2.9 6.8 3.1 3.2 222 515',
  '6': '6.2|O3.1 6.9 3.1 3.1 0 360M4.6 0L0.6 5.2',
  '7': '6|M0 0L6 0L1.8 10',
  '8': '6.2|O3.1 2.5 2.6 2.5 0 360O3.1 7.5 3.1 2.5 0 360',
  '9': '6.2|O3.1 3.1 3.1 3.1 0 360M1.6 10L5.6 4.8',
  '.': '0|M0 9.9L0 10',
  ',': '0.5|M0.5 9.8L0 11.6',
  ':': '0|M0 5L0 5.1M0 9.9L0 10',
  ';': '0.5|M0.5 5L0.5 5.1M0.5 9.8L0 11.6',
  '!': '0|M0 0L0 6.6M0 9.9L0 10',
  '?': '5|O2.5 2.5 2.5 2.5 190 420L2.5 6L2.5 6.8M2.5 9.9L2.5 10',
  "'": '0|M0 0L0 2',
  '"': '1.8|M0 0L0 2M1.8 0L1.8 2',
  '-': '3.4|M0 6L3.4 6',
  '+': '5.4|M2.7 3.4L2.7 8.6M0 6L5.4 6',
  '/': '4.4|M4.4 0L0 10',
  '&': '8|M8 10L2 3O3.5 1.9 1.8 1.9 145 395M5 3L1.6 5.2O2.9 7.4 2.9 2.6 235 45M5 9.2L7.6 6',
  '%': '8.8|O1.9 2.2 1.9 2.2 0 360O6.9 7.8 1.9 2.2 0 360M7.2 0L1.6 10',
  '(': '2|O4 5 4 6 235 125',
  ')': '2|O-2 5 4 6 -55 55',
  ' ': '2.2|',
}

const known = new Map<string, Letter>(Object.entries(drawn).map(([name, text]) => [name, letterOf(text)]))

function letterOf(text: string): Letter {
  const [width = '0', path = ''] = text.split('|')
  const strokes: Point[][] = []
  for (const [, act = '', numbers = ''] of path.matchAll(/([MLO])([^MLO]*)/g)) {
    const values = numbers.trim().split(/\s+/).map(Number)
    const [x = 0, y = 0] = values
    if (act === 'M') strokes.push([[x, y]])
    else if (act === 'L') strokes.at(-1)?.push([x, y])
    else strokes.push(arc(values))
  }
  return { width: Number(width), strokes }
}

function arc([x = 0, y = 0, rx = 0, ry = 0, from = 0, to = 0]: readonly number[]): Point[] {
  const steps = Math.max(2, Math.ceil(Math.abs(to - from) / arcStepDegrees))
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)]
  })
}

/** Only what can be drawn: accents are left out, other quotes and dashes become the plain ones. */
export function drawable(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/[“”«»]/g, '"')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/\s/g, ' ')
  return [...plain].filter((character) => known.has(character)).join('')
}

/** Between two letters. */
const gap = 2.4

/** In units, without what comes after the last letter. */
export function widthOf(text: string): number {
  const widths = [...text].map((character) => (known.get(character)?.width ?? 0) + gap)
  return Math.max(0, widths.reduce((sum, width) => sum + width, 0) - gap)
}

export interface Placed {
  letter: Letter
  /** Where it begins. */
  x: number
}

export function placed(text: string): Placed[] {
  let x = 0
  return [...text].flatMap((character) => {
    const letter = known.get(character)
    if (letter === undefined) return []
    const place = { letter, x }
    x += letter.width + gap
    return [place]
  })
}

/** In lines of at most this width; what does not fit ends with dots. */
export function wrapped(text: string, { width, lines: most }: { width: number; lines: number }): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const cut = lines.length > most
  return lines.slice(0, most).map((line, at) => fitted(line, { width, dots: cut && at === most - 1 }))
}

function fitted(line: string, { width, dots }: { width: number; dots: boolean }): string {
  const end = dots ? '...' : ''
  if (widthOf(line + end) <= width) return line + end
  let short = line
  while (short !== '' && widthOf(`${short.trimEnd()}...`) > width) short = short.slice(0, -1)
  return `${short.trimEnd()}...`
}

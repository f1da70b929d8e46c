// Where everything of the volume chart is, in pixels. Only for drawing: no amount that is shown is worked out here.
import type { GetMerchantVolumeData } from '@mfuko/sdk/browser'

export const height = 220
const top = 20
const bottom = 22
/** Of the room for a bar, what it fills. */
const filled = 0.72
const barMost = 40

interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Bar {
  accepted: Box
  failed: Box
  refunded: Box
  column: Box
}

export interface Drawing {
  bars: Bar[]
  /** The line that the bars stand on. */
  base: number
  lines: { y: number; value: number }[]
  days: { x: number; place: number; anchor: 'start' | 'middle' | 'end' }[]
}

type Periods = GetMerchantVolumeData['periods']

export function drawingOf({ periods }: { periods: Periods }, width: number): Drawing {
  const up = niceAbove(Math.max(0, ...periods.map(({ accepted, failed }) => accepted.amount + failed.amount)))
  const down = Math.max(0, ...periods.map(({ refunded }) => refunded.amount))
  const room = height - top - bottom
  const scale = room / Math.max(up + down, 1)
  const base = up + down === 0 ? height - bottom : top + up * scale
  const step = width / Math.max(periods.length, 1)
  const thick = Math.min(barMost, Math.max(1, step * filled))
  const bars = periods.map(({ accepted, failed, refunded }, place) => {
    const x = place * step + (step - thick) / 2
    const box = (y: number, tall: number): Box => ({ x, y, width: thick, height: seen(tall) })
    const solid = seen(accepted.amount * scale)
    const hollow = seen(failed.amount * scale)
    return {
      accepted: box(base - solid, solid),
      failed: box(base - solid - hollow, hollow),
      refunded: box(base, refunded.amount * scale),
      column: { x: place * step, y: 0, width: step, height: height - bottom },
    }
  })
  const lines = up === 0 ? [] : [up, up / 2].map((value) => ({ value, y: base - value * scale }))
  return { bars, base, lines, days: daysOf(periods.length, { width, step }) }
}

/** What happened is at least two pixels tall. */
const seen = (tall: number): number => (tall > 0 ? Math.max(2, tall) : 0)

/** The first, the middle and the last. */
function daysOf(count: number, { width, step }: { width: number; step: number }): Drawing['days'] {
  if (count === 0) return []
  const middle = Math.floor((count - 1) / 2)
  return [
    { x: 0, place: 0, anchor: 'start' },
    ...(count > 2 ? [{ x: middle * step + step / 2, place: middle, anchor: 'middle' as const }] : []),
    ...(count > 1 ? [{ x: width, place: count - 1, anchor: 'end' as const }] : []),
  ]
}

/** 1, 2 or 5 with zeros: what the eye divides easily. */
export function niceAbove(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const nice = [1, 2, 5, 10].find((times) => times * power >= value) ?? 10
  return nice * power
}

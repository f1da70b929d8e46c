// Bars over time. What each is can be told by place and pattern, not by colour alone: accepted stands solid on the line,
// failed stands hollow on top of it, refunded hangs hatched below the line. The same figures are a table, for screen
// readers always, for everybody else on demand.
import type { GetMerchantVolumeData } from '@mfuko/sdk/browser'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Amount, type Currency } from '../kit/amount.tsx'
import { Button } from '../kit/button.tsx'
import { useLanguage, useWords } from '../kit/language.ts'
import { dateLanguage } from '../kit/time.tsx'
import { type Drawing, drawingOf, height } from './chart-drawing.ts'
import { money } from './words-money.ts'

type Volume = GetMerchantVolumeData
type Period = Volume['periods'][number]
type Figures = Volume['totals']

export const VolumeChart = ({ volume }: { volume: Volume }) => {
  const t = useWords(money)
  const language = useLanguage()
  const [at, setAt] = useState<number>()
  const [isTable, showTable] = useState(false)
  const chosen = at === undefined ? undefined : volume.periods[at]
  const isEmpty = Object.values(volume.totals).every(({ count }) => count === 0)
  return (
    <div className="business-chart">
      <Legend figures={chosen ?? volume.totals} currency={volume.currency} />
      <p className="business-chart-when" aria-hidden="true">
        {isEmpty ? t.nothing : spanText(chosen ?? wholeOf(volume), language)}
      </p>
      <Bars volume={volume} at={at} onChoose={setAt} />
      <Button look="quiet" aria-expanded={isTable} onClick={() => showTable(!isTable)}>
        {isTable ? t.hideTable : t.showTable}
      </Button>
      <section
        className={isTable ? 'table-box' : 'sr-only'}
        aria-label={t.chartOf(volume.currency)}
        // On a narrow screen it scrolls, and must be reached by the keyboard to do so.
        tabIndex={isTable ? 0 : undefined}
      >
        <Table volume={volume} />
      </section>
    </div>
  )
}

const wholeOf = ({ periods }: Volume): { from: string; to: string } => ({
  from: periods[0]?.from ?? '',
  to: periods.at(-1)?.to ?? '',
})

const Legend = ({ figures, currency }: { figures: Figures; currency: Currency }) => {
  const t = useWords(money)
  const rows = [
    ['accepted', t.accepted, t.payments(figures.accepted.count)],
    ['failed', t.failed, t.payments(figures.failed.count)],
    ['refunded', t.refunded, t.refunds(figures.refunded.count)],
  ] as const
  return (
    <dl className="business-legend">
      {rows.map(([kind, name, count]) => (
        <div key={kind}>
          <dt>
            <span className={`business-mark business-mark-${kind}`} aria-hidden="true" />
            {name}
          </dt>
          <dd>
            <Amount value={figures[kind].amount} currency={currency} />
            <span className="business-count">{count}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface BarsProps {
  volume: Volume
  at: number | undefined
  onChoose: (at: number | undefined) => void
}

const Bars = ({ volume, at, onChoose }: BarsProps) => {
  const t = useWords(money)
  const language = useLanguage()
  const hatch = useId()
  const [box, width] = useWidth()
  const drawing = drawingOf(volume, width)
  return (
    <div ref={box} className="business-bars">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={t.chartOf(volume.currency)}
        onPointerLeave={() => onChoose(undefined)}
      >
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" className="business-hatch-ground" />
            <rect width="3" height="6" className="business-hatch-line" />
          </pattern>
        </defs>
        <Scale drawing={drawing} width={width} language={language} currency={volume.currency} />
        {drawing.bars.map((bar, place) => (
          <g
            key={volume.periods[place]?.from}
            data-chosen={place === at || undefined}
            className="business-bar"
          >
            <rect {...bar.accepted} className="business-bar-accepted" />
            {bar.failed.height > 0 && <rect {...bar.failed} className="business-bar-failed" />}
            {bar.refunded.height > 0 && (
              <rect {...bar.refunded} fill={`url(#${hatch})`} className="business-bar-refunded" />
            )}
            {/* The whole column: bars may be too small to hit. */}
            <rect
              {...bar.column}
              className="business-bar-column"
              onPointerEnter={() => onChoose(place)}
              onPointerDown={() => onChoose(place)}
            />
          </g>
        ))}
        <line x1={0} x2={width} y1={drawing.base} y2={drawing.base} className="business-base" />
        {drawing.days.map(({ x, anchor, place }) => (
          <text key={place} x={x} y={height - 4} textAnchor={anchor} className="business-scale">
            {dayShort(volume.periods[place]?.from ?? '', language)}
          </text>
        ))}
      </svg>
    </div>
  )
}

interface ScaleProps {
  drawing: Drawing
  width: number
  language: string
  currency: string
}

const Scale = ({ drawing, width, language, currency }: ScaleProps) => (
  <>
    {drawing.lines.map(({ y, value }) => (
      <g key={y}>
        <line x1={0} x2={width} y1={y} y2={y} className="business-line" />
        <text x={0} y={y - 4} className="business-scale">
          {currency} {new Intl.NumberFormat(language, { notation: 'compact' }).format(value)}
        </text>
      </g>
    ))}
  </>
)

const Table = ({ volume }: { volume: Volume }) => {
  const t = useWords(money)
  const language = useLanguage()
  const { currency, by, periods } = volume
  // The newest first: it is what most people look for.
  const rows = periods.toReversed()
  return (
    <table className="table">
      <caption className="sr-only">{t.chartOf(currency)}</caption>
      <thead>
        <tr>
          <th scope="col">{by === 'day' ? t.day : t.week}</th>
          <th scope="col" className="number">
            {t.accepted}
          </th>
          <th scope="col" className="number">
            {t.failed}
          </th>
          <th scope="col" className="number">
            {t.refunded}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((period) => (
          <tr key={period.from}>
            <th scope="row">
              <time dateTime={period.from}>{dayShort(period.from, language)}</time>
            </th>
            <Cell figure={period.accepted} currency={currency} count={t.payments} />
            <Cell figure={period.failed} currency={currency} count={t.payments} />
            <Cell figure={period.refunded} currency={currency} count={t.refunds} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellProps {
  figure: Period['accepted']
  currency: Currency
  count: (count: number) => string
}

const Cell = ({ figure, currency, count }: CellProps) => (
  <td className="number">
    {figure.count === 0 ? (
      <>
        <span aria-hidden="true">–</span>
        <span className="sr-only">{count(0)}</span>
      </>
    ) : (
      <>
        <Amount value={figure.amount} currency={currency} />
        <span className="business-count">{count(figure.count)}</span>
      </>
    )}
  </td>
)

/** As wide as there is room, in whole pixels, so that letters keep their size. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(320)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = () => setWidth(Math.max(200, Math.floor(element.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}

/** A day of the calendar is the same day everywhere: it is read and written without a time zone. */
const dayForm = (day: string, language: string, options: Intl.DateTimeFormatOptions): string =>
  day === ''
    ? ''
    : new Intl.DateTimeFormat(dateLanguage(language), { ...options, timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      )

const dayShort = (day: string, language: string) => dayForm(day, language, { day: 'numeric', month: 'short' })
const dayLong = (day: string, language: string) => dayForm(day, language, { dateStyle: 'medium' })

const spanText = ({ from, to }: { from: string; to: string }, language: string): string =>
  from === to ? dayLong(from, language) : `${dayLong(from, language)} – ${dayLong(to, language)}`

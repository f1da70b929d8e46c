// What was accepted, failed and was refunded over time. Which time, which steps and which currency are in the address.
import type { GetMerchantVolumeQuery } from '@mfuko/sdk/browser'
import { useSearchParams } from 'wouter'
import { type Currency, currencyCodes } from '../kit/amount.tsx'
import { ChoiceField } from '../kit/field.tsx'
import { useWords } from '../kit/language.ts'
import { Loaded } from '../kit/loaded.tsx'
import { common } from '../kit/words.ts'
import { VolumeChart } from './chart.tsx'
import { type Business, type Mode, useBalances, useVolume } from './data.ts'
import { money } from './words-money.ts'

const ranges = ['7', '30', '90', '365'] as const
const rangeUsual = '30'

export const Volume = ({ business, mode }: { business: Business; mode: Mode }) => {
  const t = useWords(money)
  const c = useWords(common)
  const [search, setSearch] = useSearchParams()
  const days = ranges.find((one) => one === search.get('days')) ?? rangeUsual
  const by = stepOf(search.get('by'), days)
  const currency =
    currencyCodes.find((code) => code === search.get('currency')) ?? business.settlement_currency
  const earned = useBalances(mode).data?.map((one) => one.currency) ?? []
  const offered = currencyCodes.filter((code) => earned.includes(code) || code === currency)
  const change = (name: string, value: string) =>
    setSearch(
      (before) => {
        before.set(name, value)
        return before
      },
      { replace: true },
    )
  return (
    <section aria-labelledby="volume">
      <div className="business-volume-head">
        <h2 id="volume" className="section-title">
          {t.volume}
        </h2>
        <div className="business-choices">
          <ChoiceField
            label={t.range}
            hiddenLabel
            value={days}
            onChange={(value) => change('days', value)}
            options={ranges.map((value) => ({
              value,
              text: value === '365' ? t.year : t.days(Number(value)),
            }))}
          />
          <ChoiceField
            label={t.step}
            hiddenLabel
            value={by}
            onChange={(value) => change('by', value)}
            options={[
              { value: 'day', text: t.byDay },
              { value: 'week', text: t.byWeek },
            ]}
          />
          <ChoiceField
            label={c.currency}
            hiddenLabel
            value={currency as Currency}
            onChange={(value) => change('currency', value)}
            options={offered.map((code) => ({ value: code, text: code }))}
          />
        </div>
      </div>
      <Loaded
        query={useVolume({ mode, currency, by, ...rangeOf(Number(days)) })}
        skeleton={<div className="bone business-chart-bone" />}
      >
        {(volume) => <VolumeChart volume={volume} />}
      </Loaded>
    </section>
  )
}

/** Days of a year would be thinner than a line. */
const stepOf = (wanted: string | null, days: string): 'day' | 'week' =>
  wanted === 'week' || (wanted === null && days === '365') ? 'week' : 'day'

/** The days of where the person is. */
function rangeOf(days: number): Pick<GetMerchantVolumeQuery, 'from' | 'to' | 'time_zone'> {
  const today = new Date()
  const first = new Date(today)
  first.setDate(today.getDate() - days + 1)
  return { from: dayText(first), to: dayText(today), time_zone: zoneHere() }
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'

const dayText = (time: Date): string =>
  [
    time.getFullYear(),
    String(time.getMonth() + 1).padStart(2, '0'),
    String(time.getDate()).padStart(2, '0'),
  ].join('-')

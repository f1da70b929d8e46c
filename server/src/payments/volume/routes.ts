import type { FastifyRequest } from 'fastify'
import { check } from '../../base/check.ts'
import { toJson } from '../../base/money.ts'
import { refuseFields } from '../../http/fields.ts'
import type { App } from '../../http/instance.ts'
import { ok } from '../../http/schema.ts'
import type { PaymentRoutes } from '../routes.ts'
import { dayOf, openZone, type Zone } from './days.ts'
import * as schema from './schema.ts'
import { daysMax, type Figure, type Figures } from './volume.ts'

/** Scope: the merchant's API key, or the owner's token. */
export function volumeRoute(app: App, { payments, callerOf, clock }: PaymentRoutes): void {
  const show = {
    tags: ['Merchant'],
    summary: 'Show the volume over time',
    description:
      'How much was accepted, failed and was refunded, by day or by week, in one currency. Each counts when it happened.',
    operationId: 'getMerchantVolume',
    querystring: schema.VolumeQuery,
    response: { 200: schema.VolumeReply },
  }
  const options = { schema: show, attachValidation: true, config: { limit: 'merchantReads' } } as const
  app.get('/api/merchant/volume', options, async (request) => {
    const range = readRange(request, { query: request.query, now: clock.now() })
    const { merchant, mode: own } = await callerOf(request)
    const { currency, by = 'day', time_zone = 'UTC', mode: wanted = 'live' } = request.query
    const mode = own ?? wanted
    const { totals, periods } = await payments.volume({ merchant, mode, currency, by, ...range })
    return ok('Volume', {
      ...{ mode, currency, by, time_zone, totals: shown(totals) },
      periods: periods.map(({ from, to, ...figures }) => ({ from, to, ...shown(figures) })),
    })
  })
}

const daysUsual = 30

/** The range that is asked for, or a refusal that names every wrong field. */
function readRange(request: FastifyRequest, { query, now }: { query: schema.VolumeQuery; now: Date }) {
  let range: { from: number; to: number; zone: Zone } | undefined
  refuseFields(request, (refused) => {
    const errors: Record<string, string> = {}
    const isGood = (field: string) => !(field in refused)
    const zone = isGood('time_zone') ? openZone(query.time_zone ?? 'UTC') : undefined
    if (zone === undefined) errors.time_zone = 'Time zone must be one that is known, like Africa/Kampala'
    const dayIn = (field: 'from' | 'to', label: string) => {
      const { [field]: text } = query
      if (text === undefined || !isGood(field)) return undefined
      const day = dayOf(text)
      if (day === undefined) errors[field] = `${label} must be a day of the calendar`
      return day
    }
    const given = { from: dayIn('from', 'From'), to: dayIn('to', 'To') }
    const to = query.to === undefined ? zone?.dayAt(now) : given.to
    const from = query.from === undefined ? (to ?? 0) - daysUsual + 1 : given.from
    if (to === undefined || from === undefined) return errors
    if (from > to) errors.from = 'From must not be after to'
    else if (to - from >= daysMax) errors.from = `From must be less than ${daysMax} days before to`
    else if (zone !== undefined) range = { from, to, zone }
    return errors
  })
  check(range !== undefined, 'a range that was not refused is one')
  return range
}

const shown = ({ accepted, failed, refunded }: Figures) => ({
  accepted: shownFigure(accepted),
  failed: shownFigure(failed),
  refunded: shownFigure(refunded),
})

const shownFigure = ({ count, amount }: Figure) => ({ count, amount: toJson(amount) })

import { AppError } from '../../base/errors.ts'
import { toJson } from '../../base/money.ts'
import type { App } from '../../http/instance.ts'
import { ok } from '../../http/schema.ts'
import type { PaymentRoutes } from '../routes.ts'
import { dayOf, openZone } from './days.ts'
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
  app.get('/api/merchant/volume', { schema: show, config: { limit: 'merchantReads' } }, async (request) => {
    const { merchant, mode: own } = await callerOf(request)
    const { currency, by = 'day', time_zone = 'UTC', mode: wanted = 'live' } = request.query
    const mode = own ?? wanted
    const range = readRange(request.query, { now: clock.now(), timeZone: time_zone })
    const { totals, periods } = await payments.volume({ merchant, mode, currency, by, ...range })
    return ok('Volume', {
      ...{ mode, currency, by, time_zone, totals: shown(totals) },
      periods: periods.map(({ from, to, ...figures }) => ({ from, to, ...shown(figures) })),
    })
  })
}

const daysUsual = 30

function readRange(query: schema.VolumeQuery, { now, timeZone }: { now: Date; timeZone: string }) {
  const zone = openZone(timeZone)
  if (zone === undefined) throw wrong('time_zone', 'Time zone must be one that is known, like Africa/Kampala')
  const to = query.to === undefined ? zone.dayAt(now) : dayOf(query.to)
  const from = query.from === undefined ? (to ?? 0) - daysUsual + 1 : dayOf(query.from)
  if (to === undefined) throw wrong('to', 'To must be a day of the calendar')
  if (from === undefined) throw wrong('from', 'From must be a day of the calendar')
  if (from > to) throw wrong('from', 'From must not be after to')
  if (to - from >= daysMax) throw wrong('from', `From must be less than ${daysMax} days before to`)
  return { from, to, zone }
}

const wrong = (field: string, problem: string) =>
  new AppError('validation_failed', { errors: { [field]: problem } })

const shown = ({ accepted, failed, refunded }: Figures) => ({
  accepted: shownFigure(accepted),
  failed: shownFigure(failed),
  refunded: shownFigure(refunded),
})

const shownFigure = ({ count, amount }: Figure) => ({ count, amount: toJson(amount) })

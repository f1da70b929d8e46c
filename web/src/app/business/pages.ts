import { lazyPage, type Pages } from '../kit/pages.ts'

export const businessPages: Pages = {
  '/business': lazyPage(async () => (await import('./overview.tsx')).Overview),
  '/business/apply': lazyPage(async () => (await import('./apply.tsx')).Apply),
  '/business/payments': lazyPage(async () => (await import('./payments.tsx')).Payments),
  '/business/payments/:reference': lazyPage(async () => (await import('./payment.tsx')).Payment),
  '/business/payments/:reference/refund': lazyPage(async () => (await import('./refund.tsx')).Refund),
  '/business/notifications': lazyPage(async () => (await import('./notifications.tsx')).Notifications),
  '/business/notifications/:id': lazyPage(async () => (await import('./notification.tsx')).NotificationPage),
  '/business/earnings': lazyPage(async () => (await import('./earnings.tsx')).Earnings),
  '/business/earnings/payout': lazyPage(async () => (await import('./payout.tsx')).Payout),
  '/business/keys': lazyPage(async () => (await import('./keys.tsx')).Keys),
  '/business/integrate': lazyPage(async () => (await import('./integrate.tsx')).Integrate),
  '/business/settings': lazyPage(async () => (await import('./settings.tsx')).Settings),
}

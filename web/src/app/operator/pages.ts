import { lazyPage, type Pages } from '../kit/pages.ts'

export const operatorPages: Pages = {
  '/operator': lazyPage(async () => (await import('./overview.tsx')).Overview),
  '/operator/applications': lazyPage(async () => (await import('./businesses.tsx')).Applications),
  '/operator/businesses': lazyPage(async () => (await import('./businesses.tsx')).Businesses),
  '/operator/businesses/:id': lazyPage(async () => (await import('./businesses.tsx')).BusinessDetail),
  '/operator/payments/:reference': lazyPage(async () => (await import('./businesses.tsx')).PaymentDetail),
  '/operator/people': lazyPage(async () => (await import('./people.tsx')).People),
  '/operator/people/:id': lazyPage(async () => (await import('./people.tsx')).PersonDetail),
  '/operator/orders': lazyPage(async () => (await import('./orders.tsx')).Orders),
  '/operator/orders/:id': lazyPage(async () => (await import('./orders.tsx')).OrderDetail),
  '/operator/unmatched': lazyPage(async () => (await import('./unmatched.tsx')).Unmatched),
  '/operator/unmatched/:id': lazyPage(async () => (await import('./unmatched.tsx')).UnmatchedDetail),
  '/operator/matches': lazyPage(async () => (await import('./matches.tsx')).Matches),
  '/operator/matches/:id': lazyPage(async () => (await import('./matches.tsx')).MatchDetail),
  '/operator/notifications': lazyPage(async () => (await import('./notifications.tsx')).Troubled),
  '/operator/notifications/:id': lazyPage(
    async () => (await import('./notifications.tsx')).NotificationDetail,
  ),
  '/operator/books': lazyPage(async () => (await import('./books.tsx')).Books),
  '/operator/groups': lazyPage(async () => (await import('./together.tsx')).Groups),
  '/operator/groups/:id': lazyPage(async () => (await import('./together.tsx')).GroupDetail),
  '/operator/campaigns': lazyPage(async () => (await import('./together.tsx')).Campaigns),
  '/operator/campaigns/:id': lazyPage(async () => (await import('./together.tsx')).CampaignDetail),
  '/operator/mails': lazyPage(async () => (await import('./records.tsx')).Mails),
  '/operator/mails/:id': lazyPage(async () => (await import('./records.tsx')).MailDetail),
  '/operator/audit': lazyPage(async () => (await import('./records.tsx')).Audit),
}

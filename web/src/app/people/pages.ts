import { lazyPage, type Pages } from '../kit/pages.ts'

export const peoplePages: Pages = {
  '/': lazyPage(async () => (await import('./home.tsx')).Home),
  '/send': lazyPage(async () => (await import('./send.tsx')).Send),
  '/requests': lazyPage(async () => (await import('./requests.tsx')).Requests),
  '/requests/new': lazyPage(async () => (await import('./request-new.tsx')).RequestNew),
  '/requests/:id': lazyPage(async () => (await import('./request.tsx')).Request),
  '/deposit': lazyPage(async () => (await import('./deposit.tsx')).Deposit),
  '/withdraw': lazyPage(async () => (await import('./withdraw.tsx')).Withdraw),
  '/history': lazyPage(async () => (await import('./history.tsx')).History),
  '/history/:reference': lazyPage(async () => (await import('./transaction.tsx')).TransactionPage),
  // Where providers' pages send people back to.
  '/transactions/:reference': lazyPage(async () => (await import('./transaction.tsx')).TransactionRedirect),
  '/account': lazyPage(async () => (await import('./account/account.tsx')).Account),
  '/account/profile': lazyPage(async () => (await import('./account/profile.tsx')).Profile),
  '/account/security': lazyPage(async () => (await import('./account/security.tsx')).Security),
  '/account/sessions': lazyPage(async () => (await import('./account/sessions.tsx')).Sessions),
  '/account/wallets': lazyPage(async () => (await import('./account/wallets.tsx')).Wallets),
  '/account/look': lazyPage(async () => (await import('./account/look.tsx')).Look),
  '/account/limits': lazyPage(async () => (await import('./account/limits.tsx')).Limits),
}

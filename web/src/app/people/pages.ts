import { lazyPage, type Pages } from '../kit/pages.ts'

export const peoplePages: Pages = {
  '/': lazyPage(async () => (await import('./home.tsx')).Home),
}

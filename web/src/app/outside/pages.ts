// For who is not signed in.
import { lazyPage, type Pages } from '../kit/pages.ts'

export const outsidePages: Pages = {
  '/signin': lazyPage(async () => (await import('./sign-in.tsx')).SignIn),
  '/signup': lazyPage(async () => (await import('./sign-up.tsx')).SignUp),
  '/forgot': lazyPage(async () => (await import('./forgot.tsx')).Forgot),
}

import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

export type LazyPage = LazyExoticComponent<ComponentType>

/** Path below /app → its page. Parameters come by `useParams` of wouter. */
export type Pages = Readonly<Record<string, LazyPage>>

/** Loaded when it is first needed: `lazyPage(async () => (await import('./home.tsx')).Home)` */
export const lazyPage = (load: () => Promise<ComponentType>): LazyPage =>
  lazy(async () => ({ default: await load() }))

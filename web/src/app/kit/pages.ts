import { type ComponentType, createElement, lazy } from 'react'

/** Path below /app → its page. Parameters come by `useParams` of wouter. */
export type Pages = Readonly<Record<string, ComponentType>>

/** Loaded when it is first needed: `lazyPage(async () => (await import('./home.tsx')).Home)` */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        failed.add(again)
        throw error
      }
    })
  let page = begin()
  const again = () => {
    page = begin()
  }
  return () => createElement(page)
}

const failed = new Set<() => void>()

/**
 * React keeps a failure for ever. When it has been shown, the page is asked for anew the next time; not earlier, since
 * what is still being drawn would ask again and again.
 */
export function forgetFailures(): void {
  for (const again of failed) again()
  failed.clear()
}

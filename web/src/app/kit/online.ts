import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** What the browser knows: `true` does not say that the service can be reached. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)

import { createStore } from './store.ts'

const shownMs = 5_000
const store = createStore<{ id: number; text: string } | undefined>(undefined)
let count = 0

/** A short word that something is done: “Saved”. Never for what a person must not miss. */
export function say(text: string): void {
  const id = ++count
  store.set({ id, text })
  setTimeout(() => {
    if (store.get()?.id === id) store.set(undefined)
  }, shownMs)
}

export const Toasts = () => {
  const toast = store.use()
  return (
    <div className="toasts" role="status">
      {toast !== undefined && (
        <p key={toast.id} className="toast">
          {toast.text}
        </p>
      )}
    </div>
  )
}

// An order that changes something: pay, send, withdraw, invite. Its key is made before the first try and stays the same
// for the same order, also after a lost connection and a reload of the page, so that trying again never pays twice.
import { newIdempotencyKey } from '@mfuko/sdk/browser'
import { useRef, useState } from 'react'
import { refreshAll } from '../session.ts'
import { isUnsure } from './errors.ts'
import { keep, readKept } from './kept.ts'

export interface Acting<Order, Result> {
  /** Of the kind of order, and of what it is about: `send`, `group-7-contribute`. */
  name: string
  run: (order: Order, call: { idempotencyKey: string }) => Promise<Result>
  onDone?: ((result: Result, order: Order) => void) | undefined
}

export interface Act<Order> {
  state: 'idle' | 'busy' | 'refused' | 'unsure'
  /** Why it was refused, or what is not known. */
  error: unknown
  submit(order: Order): Promise<void>
  /** Again, exactly as before. */
  again(): Promise<void>
  /** The person changes something: what was said of the order before no longer fits. */
  reset(): void
}

export function useAct<Order, Result>({ name, run, onDone }: Acting<Order, Result>): Act<Order> {
  const [{ state, error }, show] = useState<{ state: Act<Order>['state']; error?: unknown }>({
    state: 'idle',
  })
  const last = useRef<Order | undefined>(undefined)
  const busy = useRef(false)
  const submit = async (order: Order) => {
    // A second tap on the button.
    if (busy.current) return
    busy.current = true
    last.current = order
    show({ state: 'busy' })
    try {
      const result = await run(order, { idempotencyKey: keyFor(name, order) })
      keep(`act.${name}`, undefined, 'tab')
      void refreshAll()
      show({ state: 'idle' })
      onDone?.(result, order)
    } catch (caught) {
      show({ state: isUnsure(caught) ? 'unsure' : 'refused', error: caught })
    } finally {
      busy.current = false
    }
  }
  return {
    state,
    error,
    submit,
    again: async () => {
      if (last.current !== undefined) await submit(last.current)
    },
    reset: () => show({ state: 'idle' }),
  }
}

const secrets = new Set(['pin', 'password', 'code'])

/** The key of this very order, or a new one when it is another than the last. What is secret is not kept. */
function keyFor(name: string, order: unknown): string {
  const text = JSON.stringify(order ?? null, (field, value) => (secrets.has(field) ? undefined : value))
  const known = parsed(readKept(`act.${name}`, 'tab'))
  if (known?.order === text) return known.key
  const key = newIdempotencyKey()
  keep(`act.${name}`, JSON.stringify({ order: text, key }), 'tab')
  return key
}

function parsed(text: string | undefined): { order: string; key: string } | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as { order: string; key: string })
  } catch {
    return undefined
  }
}

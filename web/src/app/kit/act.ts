// An order that changes something: pay, send, withdraw, invite. Its key is made before the first try and stays the same
// for the same order, also after a lost connection and a reload of the page, so that trying again never pays twice. Who
// gives the order anew, perhaps hours later, may mean a second one: they are told that it was carried out, and asked.
import { MfukoError, newIdempotencyKey } from '@mfuko/sdk/browser'
import { useRef, useState } from 'react'
import { refreshAll } from '../session.ts'
import { isUnsure } from './errors.ts'
import { keep, readKept } from './kept.ts'

export interface Acting<Order, Result> {
  /** Of the kind of order, and of what it is about: `send`, `group-7-contribute`. */
  name: string
  run: (order: Order, call: Call) => Promise<Result>
  onDone?: ((result: Result, order: Order) => void) | undefined
}

/** For the call of the library that carries the order out. */
export interface Call {
  idempotencyKey: string
  onReplayed: () => void
}

export interface Act<Order> {
  /** `repeated`: the same order was given before, and that one has been carried out. */
  state: 'idle' | 'busy' | 'refused' | 'unsure' | 'repeated'
  /** Why it was refused, or what is not known. */
  error: unknown
  /** `unsure`: the order has a key by which the service knows it, so that it happens once at most. */
  isOnce: boolean
  /** `repeated`: when it was given before. ISO 8601 */
  before: string | undefined
  submit(order: Order): Promise<void>
  /** Again, exactly as before. */
  again(): Promise<void>
  /** After `repeated`: a second one is wanted. */
  once(): Promise<void>
  /** After `repeated`: the first one was meant; as if its answer had just come. */
  accept(): void
  /** The person changes something: what was said of the order before no longer fits. */
  reset(): void
}

interface Shown {
  state: Act<unknown>['state']
  error?: unknown
  isOnce?: boolean
  before?: string
  accept?: () => void
}

interface Given<Order> {
  order: Order
  key: string
  /** When the same order was given before and nobody knows what became of it. */
  before: string | undefined
  /** An answer was lost since. */
  isOpen?: boolean
}

export function useAct<Order, Result>({ name, run, onDone }: Acting<Order, Result>): Act<Order> {
  const [shown, show] = useState<Shown>({ state: 'idle' })
  const last = useRef<Given<Order> | undefined>(undefined)
  const busy = useRef(false)
  const give = async (given: Given<Order>) => {
    // A second tap on the button.
    if (busy.current) return
    busy.current = true
    last.current = given
    show({ state: 'busy' })
    try {
      show(await carryOut(given))
    } catch (caught) {
      if (isUnsure(caught)) last.current = { ...given, isOpen: true }
      else if (given.before === undefined && !given.isOpen) settleKey(name)
      const state = isUnsure(caught) ? 'unsure' : 'refused'
      show({ state, error: caught, isOnce: hasKey(caught, given.key) })
    } finally {
      busy.current = false
    }
  }
  const carryOut = async (given: Given<Order>): Promise<Shown> => {
    const { order, key, before } = given
    let isReplayed = false
    const onReplayed = () => {
      isReplayed = true
    }
    const result = await run(order, { idempotencyKey: key, onReplayed })
    void refreshAll()
    const accept = () => {
      forgetKey(name)
      show({ state: 'idle' })
      onDone?.(result, order)
    }
    if (isReplayed && before !== undefined) return { state: 'repeated', before, accept }
    accept()
    return { state: 'idle' }
  }
  return {
    state: shown.state,
    error: shown.error,
    isOnce: shown.isOnce ?? false,
    before: shown.before,
    submit: (order) => give({ order, ...keyFor(name, order) }),
    again: async () => {
      if (last.current !== undefined) await give(last.current)
    },
    once: async () => {
      if (last.current === undefined) return
      const { order } = last.current
      forgetKey(name)
      await give({ order, ...keyFor(name, order) })
    },
    accept: () => shown.accept?.(),
    reset: () => show({ state: 'idle' }),
  }
}

/** Routes that take none have sent none. */
const hasKey = (error: unknown, key: string): boolean =>
  error instanceof MfukoError && error.idempotencyKey === key

const secrets = new Set(['pin', 'password', 'code'])

interface Kept {
  order: string
  key: string
  /** When it was given; absent after a refusal, since then it is known what became of it. */
  at?: string
}

/** The key of this very order, or a new one when it is another than the last. What is secret is not kept. */
function keyFor(name: string, order: unknown): { key: string; before: string | undefined } {
  const text = JSON.stringify(order ?? null, (field, value) => (secrets.has(field) ? undefined : value))
  const known = readKey(name)
  const { key, at }: Omit<Kept, 'order'> = known?.order === text ? known : { key: newIdempotencyKey() }
  keepKey(name, { order: text, key, at: at ?? new Date().toISOString() })
  return { key, before: at }
}

/** It stays the key of the order: a refusal may also be one of the second try, after the first got through. */
function settleKey(name: string): void {
  const known = readKey(name)
  if (known !== undefined) keepKey(name, { order: known.order, key: known.key })
}

const forgetKey = (name: string): void => keep(`act.${name}`, undefined, 'tab')
const keepKey = (name: string, kept: Kept): void => keep(`act.${name}`, JSON.stringify(kept), 'tab')

function readKey(name: string): Kept | undefined {
  try {
    return JSON.parse(readKept(`act.${name}`, 'tab') ?? '') as Kept
  } catch {
    return undefined
  }
}

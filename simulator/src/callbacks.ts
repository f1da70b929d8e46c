// Telling callers what became of their orders, as well or as badly as the knobs say. What must stay true: what has to be
// told is written down before it is sent, so a restart forgets none of it; and an address that hangs hinders nobody.
import { randomUUID } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Chance } from './chance.ts'
import type { Delays } from './delays.ts'
import type { Journal } from './journal.ts'
import type { Knobs } from './knobs.ts'
import type { Plan } from './outcomes.ts'
import type { Schedule } from './schedule.ts'

export interface Parcel {
  url: string
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  body: string
  /** Sent again until somebody answers 2xx. */
  repeats?: boolean
}

export type Fate = 'sent' | 'lost' | 'late' | 'reordered' | 'doubled' | 'forged'

export interface Told {
  at: number
  url: string
  fate: Fate
  /** What the receiver answered; undefined: not sent yet, or nobody answered. */
  status: number | undefined
}

interface Delivery {
  id: string
  order: string
  parcel: Parcel
  fate: Fate
  dueAt: number
  tries: number
}

export interface Message {
  parcel: Parcel
  /** What somebody else would send in its place. */
  forged?: Parcel | undefined
  manner?: Plan['tell']
  /** Milliseconds from now. */
  after?: number
}

export interface Callbacks {
  /** Tells the truth about an order, in the plan's manner and by the knobs. */
  tell(order: string, message: Message): void
  /** Exactly this, exactly then. */
  send(order: string, message: { parcel: Parcel; fate: Fate; at: number }): void
  /** Takes up what an earlier process left. */
  resume(): void
}

export interface CallbackOptions {
  journal: Journal
  schedule: Schedule
  chance: Chance
  delays: Delays
  knobs: () => Knobs
  now: () => number
  /** Each thing that was told, or not, for who looks at it. */
  onTold: (order: string, told: Told) => void
}

export function openCallbacks(options: CallbackOptions): Callbacks {
  const { journal, schedule, chance, delays, knobs, now, onTold } = options
  const deliveries = journal.map<Delivery>('deliveries')
  /** Those that wait for another one to overtake them. */
  const held = new Set<string>()

  const attempt = async (id: string) => {
    const delivery = deliveries.get(id)
    if (delivery === undefined) return
    held.delete(id)
    // First, so that a crash while it is sent loses it rather than the others; who repeats is put back below.
    deliveries.delete(id)
    const status = await post(delivery.parcel)
    onTold(delivery.order, { at: now(), url: delivery.parcel.url, fate: delivery.fate, status })
    const again = nextTry(delivery, { status, delays, now: now() })
    if (again !== undefined) queue(again)
    for (const waiting of held) schedule.at(now(), () => attempt(waiting))
  }
  const queue = (delivery: Delivery) => {
    deliveries.set(delivery.id, delivery)
    schedule.at(delivery.dueAt, () => attempt(delivery.id))
  }
  const send: Callbacks['send'] = (order, { parcel, fate, at }) => {
    const delivery = { id: randomUUID(), order, parcel, fate, dueAt: at, tries: 0 }
    if (fate === 'reordered') held.add(delivery.id)
    queue(delivery)
  }

  return {
    send,
    resume: () => {
      for (const { id, dueAt } of deliveries.values()) schedule.at(dueAt, () => attempt(id))
    },
    tell: (order, { parcel, forged, manner = 'once', after = 0 }) => {
      const { lost, late, reordered, doubled, forged: forgedShare } = knobs()
      let at = now() + after
      if (forged !== undefined && chance.happens(forgedShare)) {
        send(order, { parcel: forged, fate: 'forged', at })
        at += delays.between
      }
      if (manner === 'never' || chance.happens(lost)) {
        onTold(order, { at, url: parcel.url, fate: 'lost', status: undefined })
        return
      }
      const fate = chance.happens(late) ? 'late' : chance.happens(reordered) ? 'reordered' : 'sent'
      if (fate === 'late') at += delays.late_callback
      if (fate === 'reordered') at += delays.reordered
      send(order, { parcel, fate, at })
      if (manner === 'twice' || chance.happens(doubled))
        send(order, { parcel, fate: 'doubled', at: at + delays.between })
    },
  }
}

/** Four times after three minutes, then hourly, for three days. */
const triesMax = 4 + 71

function nextTry(
  delivery: Delivery,
  { status, delays, now }: { status: number | undefined; delays: Delays; now: number },
): Delivery | undefined {
  const taken = status !== undefined && status >= 200 && status < 300
  // Who forges does not come back.
  const repeats = delivery.parcel.repeats === true && delivery.fate !== 'forged'
  if (taken || !repeats || delivery.tries >= triesMax) return undefined
  const tries = delivery.tries + 1
  return { ...delivery, tries, dueAt: now + delays.retry * (tries <= 4 ? 1 : 20) }
}

const answerMs = 10_000

/** The status, or undefined when nobody answered in time. Never rejects. */
function post({ url, method, headers, body }: Parcel): Promise<number | undefined> {
  return new Promise((resolve) => {
    const target = URL.parse(url)
    if (target === null) return resolve(undefined)
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    const bytes = Buffer.from(body)
    // A connection of its own: nobody has to wait for the one before.
    const outgoing = send(target, {
      method,
      agent: false,
      headers: { 'content-type': 'application/json', ...headers, 'content-length': bytes.length },
      signal: AbortSignal.timeout(answerMs),
    })
    outgoing.on('response', (answer) => {
      answer.resume()
      answer.on('error', () => undefined)
      answer.on('close', () => resolve(answer.statusCode))
    })
    outgoing.on('error', () => resolve(undefined))
    outgoing.end(bytes)
  })
}

// The virtual phones: what each screen shows, and what the person who holds it answers. A phone exists for every number;
// one that a person has open is *watched*, and a prompt on it waits for them instead of for the digits of the number.
// What must stay true: each prompt ends once, by an answer or by silence, and tells exactly that to who asked.
import { randomUUID } from 'node:crypto'
import type { Kept } from './journal.ts'

export interface PromptOrder {
  /** International, without the plus: `256770000001`. */
  msisdn: string
  provider: string
  /** What the network writes on the screen. */
  text: string
  /** As people write it: `1250.50`. */
  amount: string
  currency: string
  reference: string
  needsPin: boolean
  /** How long the prompt stays on the screen; 0 or less: it is gone before anybody sees it. */
  waitMs: number
}

export type PromptAnswer =
  | { answer: 'approved'; pin: string }
  | { answer: 'refused' }
  /** Nobody touched the phone. */
  | { answer: 'silence' }

export interface Prompt extends PromptOrder {
  id: string
  openedAt: number
  closesAt: number
}

export interface Sms {
  id: string
  msisdn: string
  /** Who sent it, as the phone shows it: `M-PESA`. */
  from: string
  text: string
  at: number
}

export interface Phones {
  prompt(order: PromptOrder): Promise<PromptAnswer>
  sms(message: { msisdn: string; from: string; text: string }): void
  /** A person has this phone open, or had it in their hand a moment ago. */
  isWatched(msisdn: string): boolean
  /** Somebody looks at the phone from now until the returned function is called. */
  watch(msisdn: string): () => void
  /** Somebody looked at the phone once, with a page that can't stay connected. */
  glance(msisdn: string): void
  /** False: that prompt is not open any more. */
  answer(promptId: string, answer: Exclude<PromptAnswer, { answer: 'silence' }>): boolean
  /** Open ones, the oldest first. */
  prompts(msisdn?: string): Prompt[]
  /** The newest first. */
  messages(msisdn: string): Sms[]
  /** Numbers that have had a prompt, a message or a person, the latest first. */
  recent(limit: number): string[]
  /** Calls on every change, with the number it concerns. */
  onChange(listener: (msisdn: string) => void): () => void
  /** Ends all prompts by silence. */
  close(): void
}

export interface PhonesOptions {
  now?: () => number
  /** By number, the newest first: they outlive a restart. Open prompts do not: who asked asks again. */
  messages?: Kept<Sms[]>
}

/** After the last connection has gone: a reload, or a link that broke for a moment. */
const graceMs = 4_000
/** After a glance. Its page asks again every few seconds. */
const glanceMs = 20_000
const messagesMax = 20
const phonesMax = 2_000

interface Phone {
  watchers: number
  watchedUntil: number
}

export function openPhones({ now = Date.now, messages = inMemory() }: PhonesOptions = {}): Phones {
  const listeners = new Set<(msisdn: string) => void>()
  const changed = (msisdn: string) => {
    for (const listener of listeners) listener(msisdn)
  }
  const shelf = openShelf(messages)
  const prompts = openPrompts({ now, changed })
  return {
    prompt: (order) => {
      shelf.use(order.msisdn)
      return prompts.open(order)
    },
    answer: prompts.answer,
    prompts: (msisdn) => prompts.list().filter((prompt) => msisdn === undefined || prompt.msisdn === msisdn),
    sms: (message) => {
      const sms = { ...message, id: randomUUID(), at: now() }
      shelf.use(sms.msisdn)
      messages.set(sms.msisdn, [sms, ...(messages.get(sms.msisdn) ?? [])].slice(0, messagesMax))
      changed(sms.msisdn)
    },
    messages: (msisdn) => messages.get(msisdn) ?? [],
    isWatched: (msisdn) => {
      const phone = shelf.find(msisdn)
      return phone !== undefined && (phone.watchers > 0 || phone.watchedUntil > now())
    },
    watch: (msisdn) => {
      const phone = shelf.use(msisdn)
      phone.watchers += 1
      let looking = true
      return () => {
        if (!looking) return
        looking = false
        phone.watchers -= 1
        phone.watchedUntil = Math.max(phone.watchedUntil, now() + graceMs)
      }
    },
    glance: (msisdn) => {
      const phone = shelf.use(msisdn)
      phone.watchedUntil = Math.max(phone.watchedUntil, now() + glanceMs)
    },
    recent: shelf.recent,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: prompts.close,
  }
}

interface PromptsOptions {
  now: () => number
  changed: (msisdn: string) => void
}

/** What is on the screens just now. */
function openPrompts({ now, changed }: PromptsOptions) {
  const waiting = new Map<string, { prompt: Prompt; end(answer: PromptAnswer): void }>()
  return {
    open: (order: PromptOrder): Promise<PromptAnswer> =>
      new Promise((resolve) => {
        const openedAt = now()
        const prompt: Prompt = { ...order, id: randomUUID(), openedAt, closesAt: openedAt + order.waitMs }
        const end = (answer: PromptAnswer) => {
          clearTimeout(timer)
          waiting.delete(prompt.id)
          resolve(answer)
          changed(order.msisdn)
        }
        const timer = setTimeout(end, order.waitMs, { answer: 'silence' })
        waiting.set(prompt.id, { prompt, end })
        changed(order.msisdn)
      }),
    answer: (promptId: string, answer: PromptAnswer): boolean => {
      const found = waiting.get(promptId)
      found?.end(answer)
      return found !== undefined
    },
    list: (): Prompt[] => [...waiting.values()].map(({ prompt }) => prompt),
    close: (): void => {
      for (const { end } of [...waiting.values()]) end({ answer: 'silence' })
    },
  }
}

/** The phones that were ever used, in the order of their last use. */
function openShelf(messages: Kept<Sms[]>) {
  const phones = new Map<string, Phone>()
  for (const [latest] of messages.values().sort(byLatest))
    if (latest !== undefined) phones.set(latest.msisdn, { watchers: 0, watchedUntil: 0 })
  return {
    find: (msisdn: string): Phone | undefined => phones.get(msisdn),
    use: (msisdn: string): Phone => {
      const phone = phones.get(msisdn) ?? { watchers: 0, watchedUntil: 0 }
      phones.delete(msisdn)
      phones.set(msisdn, phone)
      for (const old of oldest(phones)) {
        phones.delete(old)
        messages.delete(old)
      }
      return phone
    },
    recent: (limit: number): string[] => [...phones.keys()].reverse().slice(0, limit),
  }
}

const byLatest = ([one]: Sms[], [other]: Sms[]): number => (one?.at ?? 0) - (other?.at ?? 0)

/** Beyond the bound. A phone that somebody looks at is in use, however long ago it was picked up. */
function oldest(phones: ReadonlyMap<string, Phone>): string[] {
  if (phones.size <= phonesMax) return []
  for (const [msisdn, { watchers }] of phones) if (watchers === 0) return [msisdn]
  return []
}

function inMemory(): Kept<Sms[]> {
  const map = new Map<string, Sms[]>()
  return {
    get: (key) => map.get(key),
    set: (key, value) => void map.set(key, value),
    delete: (key) => void map.delete(key),
    values: () => [...map.values()],
    get size() {
      return map.size
    },
  }
}

// What the networks were asked to do, each from its taking to its end. What must stay true: an order ends once; its end,
// its movement in the books and what has to be told about it are kept together; a restart goes on where it stopped.
import type { Books } from './books.ts'
import type { Callbacks, Parcel, Told } from './callbacks.ts'
import type { Chance } from './chance.ts'
import type { Delays } from './delays.ts'
import type { Journal } from './journal.ts'
import type { Knobs, ProviderId } from './knobs.ts'
import { toDecimal } from './money.ts'
import { type OrderStore, openOrderStore } from './order-store.ts'
import { endOfPin, type Kind, type Plan, planOf, type Reason } from './outcomes.ts'
import { doneText, failedText, promptText, senders } from './phone-texts.ts'
import type { Phones } from './phones.ts'
import type { Schedule } from './schedule.ts'

export interface Order {
  provider: ProviderId
  /** What the status is asked by; one of its kind with the provider. */
  id: string
  kind: Kind
  /** The caller's name for it. */
  reference: string
  /** What decides over it: the phone's number, international without the plus, or that of a bank account. */
  number: string | undefined
  minor: bigint
  currency: string
  plan: Plan
  state: 'waiting' | 'paid' | 'failed'
  reason: Reason | undefined
  receipt: string | undefined
  createdAt: number
  /** When the prompt goes from the screen. */
  promptEndsAt: number
  /** When it ends by itself; undefined: never. */
  dueAt: number | undefined
  endedAt: number | undefined
  callbackUrl: string | undefined
  /** Of a refund: the id of what it gives back. */
  original: string | undefined
  /** What only the protocol knows. */
  details: Readonly<Record<string, string>>
  told: readonly Told[]
}

/** How a provider speaks of an order. Functions of values. */
export interface Protocol {
  newReceipt(): string
  /** What is told when it has ended. */
  told(order: Order, portal: readonly string[]): Parcel[]
  /** What somebody else would send to make believe that it was paid, with another amount. */
  forged(order: Order, portal: readonly string[]): Parcel[]
  /** What is told when nothing has happened for too long. */
  timedOut?(order: Order): Parcel[]
  /** Why it failed, in the provider's words. */
  reasonText(order: Order): string
}

export interface NewOrder
  extends Pick<
    Order,
    'provider' | 'id' | 'kind' | 'reference' | 'number' | 'minor' | 'currency' | 'callbackUrl' | 'details'
  > {
  original?: string | undefined
  /** Instead of what the number says. */
  plan?: Plan
}

export interface Orders extends Omit<OrderStore, 'get' | 'keep'> {
  /** The answer to this would be HTTP 500. */
  isBroken(order: Pick<Order, 'number' | 'kind'>): boolean
  place(order: NewOrder): Order
  /** A person has decided. False: it had ended before. */
  end(order: Pick<Order, 'provider' | 'id'>, end: 'paid' | Reason): boolean
  change(order: Order, changes: Partial<Pick<Order, 'plan' | 'dueAt' | 'details'>>): Order
  protocolOf(provider: ProviderId): Protocol
  noteTold(key: string, told: Told): void
  /** Takes up what an earlier process left. */
  resume(): void
}

export interface OrdersOptions {
  journal: Journal
  schedule: Schedule
  chance: Chance
  delays: Delays
  knobs: () => Knobs
  now: () => number
  books: Books
  phones: Phones
  protocols: Record<ProviderId, Protocol>
  /** Where a provider tells things that were registered with it, not with the order. */
  portal: (provider: ProviderId) => string[]
  /** Opened behind, because it notes here what it told. */
  callbacks: () => Callbacks
}

const toldMax = 20

export function openOrders(options: OrdersOptions): Orders {
  const { journal, now, books, protocols } = options
  const store = openOrderStore(journal)
  const { keep, keyOf, get } = store

  const newReceipt = (provider: ProviderId): string => {
    let receipt = protocols[provider].newReceipt()
    while (books.hasReceipt(provider, receipt)) receipt = protocols[provider].newReceipt()
    return receipt
  }
  const end: Orders['end'] = (which, result) => {
    const order = get(keyOf(which))
    if (order === undefined || order.state !== 'waiting') return false
    const ended = journal.together(() => {
      const after = keep({ ...order, ...endOf(result, newReceipt(order.provider)), endedAt: now() })
      if (after.state === 'paid') books.book(movementOf(after, store, now()))
      tell(options, keyOf(after), after)
      return after
    })
    sendSms(options, ended)
    return true
  }
  const follow = (order: Order) => followOrder(options, order, end)

  return {
    ...store,
    isBroken: (order) => planFor(options, order).answer === 'broken',
    place: (order) => {
      const placed = journal.together(() => {
        const made = keep(newOrder(options, order))
        foretell(options, keyOf(made), made)
        return made
      })
      follow(placed)
      return placed
    },
    end,
    change: (order, changes) => {
      const changed = keep({ ...(get(keyOf(order)) ?? order), ...changes })
      follow(changed)
      return changed
    },
    protocolOf: (provider) => protocols[provider],
    noteTold: (key, told) => {
      const order = get(key)
      if (order !== undefined) keep({ ...order, told: [...order.told, told].slice(-toldMax) })
    },
    resume: () => {
      for (const order of store.list({ limit: Number.POSITIVE_INFINITY }))
        if (order.state === 'waiting') follow(order)
    },
  }
}

/** By the digits, unless a person has that phone in their hand: then they decide. */
function planFor({ phones }: OrdersOptions, { number, kind }: Pick<Order, 'number' | 'kind'>): Plan {
  const plan = planOf({ number, kind })
  const watched = kind === 'collect' && number !== undefined && phones.isWatched(number)
  return watched ? { end: 'paid', when: 'person', tell: 'once', answer: 'accepted' } : plan
}

function newOrder(options: OrdersOptions, order: NewOrder): Order {
  const { now, delays, chance, knobs } = options
  const failing = order.kind === 'refund' && chance.happens(knobs().failed_refunds)
  const byNumber = order.plan ?? planFor(options, order)
  const plan: Plan = failing ? { ...byNumber, end: 'provider_error' } : byNumber
  const createdAt = now()
  const waits = { soon: delays.pay, silence: delays.prompt, late: delays.late, person: undefined }
  const wait = waits[plan.when]
  return {
    ...order,
    original: order.original,
    plan,
    state: 'waiting',
    reason: undefined,
    receipt: undefined,
    createdAt,
    promptEndsAt: createdAt + delays.prompt,
    dueAt: wait === undefined ? undefined : createdAt + wait,
    endedAt: undefined,
    told: [],
  }
}

/** Makes sure that it ends when its time comes, or when the person has decided. */
function followOrder(options: OrdersOptions, order: Order, end: Orders['end']): void {
  const { schedule, now, phones } = options
  if (order.dueAt !== undefined) schedule.at(order.dueAt, () => void end(order, order.plan.end))
  else if (order.number !== undefined && order.plan.when === 'person') {
    // A prompt waits for a person, so nobody waits for it.
    void phones.prompt(promptOf(order, order.promptEndsAt - now())).then((answer) => {
      if (answer.answer === 'approved') end(order, endOfPin(answer.pin))
      // While the simulator stops, all prompts go; the order waits for the next start.
      else if (answer.answer === 'refused') end(order, 'cancelled_by_customer')
      else if (now() >= order.promptEndsAt - 5) end(order, 'phone_unreachable')
    })
  }
}

const promptOf = (order: Order, waitMs: number) => ({
  msisdn: order.number ?? '',
  provider: order.provider,
  text: promptText(order),
  amount: toDecimal(order.minor, order.currency),
  currency: order.currency,
  reference: order.reference,
  needsPin: order.kind === 'collect',
  waitMs: Math.max(0, waitMs),
})

const endOf = (result: 'paid' | Reason, receipt: string) =>
  result === 'paid'
    ? { state: 'paid' as const, reason: undefined, receipt }
    : { state: 'failed' as const, reason: result, receipt: undefined }

function movementOf(order: Order, store: OrderStore, at: number) {
  const { provider, kind, currency, id, reference, receipt = '' } = order
  const original = order.original === undefined ? undefined : store.find(provider, order.original)
  const isPhone = order.details.account_type === undefined
  return {
    ...{ provider, kind, currency, id, reference, receipt, at },
    minor: kind === 'collect' ? order.minor : -order.minor,
    msisdn: isPhone ? order.number : undefined,
    original: original?.receipt,
  }
}

/** What is told before the end: by somebody else, or because nothing happens. */
function foretell({ protocols, portal, callbacks, delays }: OrdersOptions, key: string, order: Order): void {
  const protocol = protocols[order.provider]
  if (order.plan.tell === 'forged_first') {
    for (const parcel of protocol.forged(order, portal(order.provider)))
      callbacks().send(key, { parcel, fate: 'forged', at: order.createdAt + delays.pay / 2 })
  }
  if (order.plan.when === 'late') {
    for (const parcel of protocol.timedOut?.(order) ?? [])
      callbacks().send(key, { parcel, fate: 'sent', at: order.promptEndsAt })
  }
}

function tell({ protocols, portal, callbacks }: OrdersOptions, key: string, order: Order): void {
  const protocol = protocols[order.provider]
  const forged = protocol.forged(order, portal(order.provider))
  for (const parcel of protocol.told(order, portal(order.provider))) {
    const twin = forged.find(({ url }) => url === parcel.url)
    callbacks().tell(key, { parcel, forged: twin, manner: order.plan.tell })
  }
}

/** Who was to get money and does not is told nothing: they never knew. */
function sendSms({ phones }: OrdersOptions, order: Order): void {
  const { number, reason, provider } = order
  if (number === undefined || order.details.account_type !== undefined) return
  if (reason !== undefined && order.kind !== 'collect') return
  const text = reason === undefined ? doneText(order) : failedText(order, reason)
  phones.sms({ msisdn: number, from: senders[provider], text })
}

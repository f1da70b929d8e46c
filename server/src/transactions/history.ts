// From a selection to a walk: which streams there are, where each begins and ends, and how it is read.
import { check } from '../base/check.ts'
import { type Currency, isCurrency } from '../base/money.ts'
import * as ledgers from '../ledger/ledger.ts'
import { chooserOf, type Happening, happeningOf, otherKinds, plainMention, type Selection } from './rules.ts'
import type { HistorySource, TransactionDeps } from './transactions.ts'
import { openWalk, type Places, type Stream, type Walk } from './walk.ts'

export interface HistoryAsked {
  userId: string
  selection: Selection
  /** Where another walk has ended; absent: from the newest on. */
  places?: Places | undefined
  /** How many lines may be looked at, about. */
  budget?: number
  /** How many lines will do; absent: all of them. */
  expected?: number
}

export async function openHistory(deps: TransactionDeps, asked: HistoryAsked): Promise<Walk> {
  const wallets = await walletStreams(deps, asked)
  const sources = sourceStreams(deps, asked)
  const choose = chooserOf(asked.selection)
  // A page needs few lines, a search may need many: the windows grow while nothing is found.
  let size = asked.expected === undefined ? ledgers.windowMost : BigInt(asked.expected)
  const look = async (empty: readonly Stream[]): Promise<number> => {
    const looks = [
      lookInWallets(deps, {
        asked,
        choose,
        size,
        streams: wallets.filter((stream) => empty.includes(stream)),
      }),
      ...sources
        .filter((stream) => empty.includes(stream))
        .map((stream) => lookInSource(deps, { asked, choose, stream })),
    ]
    size = size < ledgers.windowMost / 4n ? size * 4n : ledgers.windowMost
    return (await Promise.all(looks)).reduce((sum, count) => sum + count, 0)
  }
  const { budget } = asked
  return openWalk({ streams: [...wallets, ...sources], look, ...(budget === undefined ? {} : { budget }) })
}

interface WalletStream extends Stream {
  currency: Currency
  /** The lowest number that can belong to the selection. */
  floor: bigint
}

const ownerOf = (userId: string): ledgers.AccountOwner => ({ kind: 'user', owner: userId, mode: 'live' })

async function walletStreams(
  deps: TransactionDeps,
  { userId, selection, places }: HistoryAsked,
): Promise<WalletStream[]> {
  // What is in the ledger has happened.
  if (selection.status !== undefined && selection.status !== 'completed') return []
  const accounts = await deps.ledger.accountsOf(deps.db, ownerOf(userId))
  const streams = accounts
    .filter(({ seq, currency }) => seq > 0n && (selection.currency ?? currency) === currency)
    .map(({ seq, currency }): WalletStream => {
      const before = beginningOf(places, { key: currency, top: seq + 1n })
      return { key: currency, currency, before, floor: 1n, ended: false, waiting: [] }
    })
  await narrow(deps, { userId, selection, streams })
  for (const stream of streams) stream.ended = stream.before <= stream.floor
  return streams
}

/** A stream that a cursor doesn't name had ended when it was made; what came since belongs to another first page. */
function beginningOf(places: Places | undefined, { key, top }: { key: string; top: bigint }): bigint {
  if (places === undefined) return top
  const place = places.get(key) ?? 0n
  return place < top ? place : top
}

/** Writers' clocks differ, and some wait for a lock: neighbours in the ledger may be out of order by so much. */
const disorderMs = 60_000

interface Narrowed {
  userId: string
  selection: Selection
  streams: readonly WalletStream[]
}

/** Only what is near the asked times is looked at; which of it fits, each line says. */
async function narrow(deps: TransactionDeps, { userId, selection, streams }: Narrowed): Promise<void> {
  const { from, to } = selection
  const seqs = async (time: Date, ms: number) =>
    deps.ledger.seqsAt(deps.db, {
      owner: ownerOf(userId),
      moments: streams.map(({ currency }) => ({ currency, time: new Date(time.getTime() + ms) })),
    })
  const [floors, tops] = await Promise.all([
    from === undefined ? undefined : seqs(from, -disorderMs),
    to === undefined ? undefined : seqs(to, disorderMs),
  ])
  streams.forEach((stream, at) => {
    stream.floor = floors?.[at] ?? stream.floor
    const top = tops?.[at]
    if (top !== undefined && top < stream.before) stream.before = top
  })
}

interface Looking {
  asked: HistoryAsked
  choose: (line: Happening) => boolean
}

/** The next window of each, in one look. */
async function lookInWallets(
  deps: TransactionDeps,
  { asked, choose, size, streams }: Looking & { size: bigint; streams: readonly WalletStream[] },
): Promise<number> {
  if (streams.length === 0) return 0
  const { userId, selection } = asked
  const windows = streams.map(({ currency, before, floor }) => {
    const isLast = before - floor <= size
    return { currency, before, from: isLast ? floor : before - size }
  })
  const lists = await deps.ledger.windows(deps.db, {
    owner: ownerOf(userId),
    windows,
    direction: selection.direction,
    notKinds: otherKinds(selection.type),
    mention: plainMention(selection.q, deps.config.BRAND_NAME),
  })
  let looked = 0
  streams.forEach((stream, at) => {
    const from = windows[at]?.from ?? stream.floor
    looked += Number(stream.before - from)
    stream.before = from
    stream.ended = from <= stream.floor
    for (const side of lists[at] ?? []) {
      const line = happeningOf(side, deps.config.BRAND_NAME)
      if (choose(line)) stream.waiting.push({ place: side.seq, line })
    }
  })
  return looked
}

interface SourceStream extends Stream {
  source: HistorySource
}

const placeMost = 9_223_372_036_854_775_807n
const sourcePageSize = 100

const sourceStreams = ({ historySources = [] }: TransactionDeps, { places }: HistoryAsked): SourceStream[] =>
  historySources.map((source) => {
    const before = beginningOf(places, { key: source.name, top: placeMost })
    return { key: source.name, source, before, ended: before === 0n, waiting: [] }
  })

async function lookInSource(
  deps: TransactionDeps,
  { asked, choose, stream }: Looking & { stream: SourceStream },
): Promise<number> {
  const { userId, selection } = asked
  const { before, source } = stream
  const found = await source.page(deps.db, { userId, selection, before, limit: sourcePageSize })
  check(
    found.every(({ place }) => place > 0n && place < before),
    'a source goes on below what it has shown',
  )
  stream.before = found.at(-1)?.place ?? 0n
  stream.ended = found.length < sourcePageSize
  stream.waiting = found.filter(({ line }) => choose(line))
  return found.length
}

const keyForm = /^[a-z_]{1,20}$/

/** `UGX.120,KES.7`: what a cursor holds. */
export const writePlaces = (places: Places): string =>
  [...places].map(([key, place]) => `${key}.${place}`).join()

/** Nothing, when it is not what `writePlaces` makes. */
export function readPlaces(text: string): Places | undefined {
  const places = new Map<string, bigint>()
  for (const part of text.split(',')) {
    const [, key = '', digits = ''] = /^(\w{1,20})\.([1-9]\d{0,18})$/.exec(part) ?? []
    if (!isCurrency(key) && !keyForm.test(key)) return undefined
    const place = BigInt(digits)
    if (place > placeMost || places.has(key)) return undefined
    places.set(key, place)
  }
  return places
}

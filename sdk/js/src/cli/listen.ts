// Forwards the events of test mode to a program on this computer, which needs no public address for it: they are asked for,
// not sent. Each goes out once, in order, with the bytes and the signature that the service would send.
import { setTimeout as sleep } from 'node:timers/promises'
import { MfukoError } from '../errors.ts'
import type { ListEventsReply } from '../operations.ts'
import { messageOf, oneOf, openShop, plain, readTold, type Terminal, timeOf, UsageError } from './terminal.ts'

type Event = ListEventsReply['data'][number]

const everyMs = 1_000
const awayMs = 5_000
/** As long as the service itself waits for a receiver. */
const answerMs = 15_000

export async function listen(args: string[], terminal: Terminal): Promise<number> {
  const told = readTold(args, ['forward-to', 'kind'])
  const target = targetOf(told.values['forward-to'])
  const kind =
    told.values.kind === undefined
      ? undefined
      : oneOf(told.values.kind, { words: ['gateway', 'callback'], what: '--kind' })
  const shop = openShop(told, terminal)
  const { meta } = await shop.events({ limit: 1 }, { signal: terminal.stop })
  terminal.out(`Listening to the events of test mode at ${shop.baseUrl}`)
  terminal.out(`Forwarding them to ${target}. Stop with Ctrl-C.`)
  const counts = { good: 0, bad: 0 }
  let after = meta.next_after
  let isAway = false
  while (!terminal.stop.aborted) {
    try {
      const page = await shop.events({ after, limit: 100 }, { signal: terminal.stop, retries: 0 })
      if (isAway) terminal.out('The service is back.')
      isAway = false
      for (const event of page.data) {
        if (kind !== undefined && event.kind !== kind) continue
        const isGood = await forward(event, { target, terminal })
        counts[isGood ? 'good' : 'bad'] += 1
      }
      after = page.meta.next_after
      await pause(everyMs, terminal.stop)
    } catch (error) {
      if (terminal.stop.aborted) break
      if (!(error instanceof MfukoError) || !passes(error)) throw error
      if (!isAway) terminal.err(`${error.message}; trying again.`)
      isAway = true
      await pause(awayMs, terminal.stop)
    }
  }
  terminal.out(`${counts.good} taken, ${counts.bad} not.`)
  return 0
}

/** It will be over some time: nothing is lost meanwhile. */
const passes = ({ status }: MfukoError): boolean => status === 0 || status === 429 || status >= 500

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

export function targetOf(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError('Where to? Give a whole address, like http://localhost:3000/ipn')
  return url.href
}

async function forward(
  event: Event,
  { target, terminal }: { target: string; terminal: Terminal },
): Promise<boolean> {
  const begun = performance.now()
  const what = `${timeOf(new Date())}  ${event.event.padEnd(18)} ${event.reference.padEnd(20)}`
  try {
    const reply = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      headers: event.headers,
      body: event.body,
      signal: AbortSignal.any([terminal.stop, AbortSignal.timeout(answerMs)]),
    })
    const text = await reply.text()
    const line = `${what} → ${reply.status} in ${Math.round(performance.now() - begun)} ms`
    if (reply.ok) terminal.out(line)
    else terminal.err(`${line}: ${plain(text.slice(0, 200))}`)
    return reply.ok
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error)
    terminal.err(`${what} → no answer: ${plain(cause)}`)
    return false
  }
}

// Decisions about operations, as functions of values.
import { createHmac, hash } from 'node:crypto'
import type { Amount } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Heard } from '../providers/providers.ts'
import type { Health } from './methods.ts'

/** Of the address where the provider tells what came of it, and of the one where it answers our questions. */
export const callbackToken = (secret: Secret, id: string): string =>
  tokenOf(secret, `operation callback ${id}`)
export const answerToken = (secret: Secret, id: string): string => tokenOf(secret, `operation answer ${id}`)

const tokenOf = (secret: Secret, what: string): string =>
  createHmac('sha256', secret.reveal()).update(what).digest('base64url')

export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')
export const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** No name of a provider in it: some refuse addresses that have one. */
export const callbackUrl = (baseUrl: string, token: string): string => `${baseUrl}/hooks/p/${token}`

const dayMs = 86_400_000
const secondMs = 1_000

/** When the provider is asked next; null: it has been silent for a day, and only an operator can help. */
export function nextAsk(sentAt: Date, now: Date, askAfter: readonly number[]): Date | null {
  const passedMs = now.getTime() - sentAt.getTime()
  if (passedMs >= dayMs) return null
  const next = askAfter.find((seconds) => seconds * secondMs > passedMs)
  const last = askAfter.at(-1) ?? 60
  const atMs = next === undefined ? now.getTime() + last * secondMs : sentAt.getTime() + next * secondMs
  return new Date(Math.min(atMs, sentAt.getTime() + dayMs))
}

export const resendsMax = 2
export const absencesMin = 3
/** However fast a provider says it is: one of our own processes may have been stopped for a while. */
const settlesMsMin = 60_000

export interface Absent {
  idempotent: boolean
  /** It has said before that it has it. */
  accepted: boolean
  firstSentAt: Date
  sentAt: Date
  now: Date
  sends: number
  /** This one included. */
  absences: number
  settlesWithinSeconds: number
}

/**
 * What it means that the provider does not know an operation. It may still be on its way; the same id can be sent again
 * for a while, where that is safe; and when it is surely not there, it has failed.
 */
export function afterAbsent(absent: Absent): 'wait' | 'send again' | 'failed' {
  const { now, firstSentAt, sentAt } = absent
  // It contradicts itself: nothing of that is clear.
  if (absent.accepted) return 'wait'
  const settlesMs = settledAfterMs(absent.settlesWithinSeconds)
  const youngEnough = now.getTime() - firstSentAt.getTime() < settlesMs
  if (absent.idempotent && youngEnough && absent.sends <= resendsMax) return 'send again'
  const settled = now.getTime() - sentAt.getTime() >= settlesMs
  return settled && absent.absences >= absencesMin ? 'failed' : 'wait'
}

const settledAfterMs = (settlesWithinSeconds: number): number =>
  Math.max(settlesWithinSeconds * secondMs, settlesMsMin)

/** When to ask again for what is absent: when that would mean something, and not too often. */
export function absenceDue(sentAt: Date, now: Date, settlesWithinSeconds: number): Date {
  const settledMs = sentAt.getTime() + settledAfterMs(settlesWithinSeconds)
  return new Date(Math.max(settledMs, now.getTime() + absencePauseMs))
}

const absencePauseMs = 30_000

/** A callback that claims another amount than was asked for. */
export const claimsOther = (heard: Heard, asked: Amount): boolean =>
  heard.state === 'completed' &&
  heard.amount !== undefined &&
  (heard.amount.minor !== asked.minor || heard.amount.currency !== asked.currency)

export function grade({ calls, technical }: { calls: number; technical: number }): Health {
  if (technical < 3) return 'up'
  const share = technical / calls
  return share >= 0.8 ? 'down' : share >= 0.2 ? 'degraded' : 'up'
}

/** When its owner is told again how it ended: a few seconds, doubling up to five minutes. */
export const endAgainMs = (endings: number): number => Math.min(5_000 * 2 ** endings, 300_000)

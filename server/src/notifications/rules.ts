// What follows from an attempt: is it delivered, when is it sent again, what does that say of the target. Pure.

/** Why an attempt did not count. */
export const problems = [
  'address_not_allowed',
  'could_not_connect',
  'tls',
  'timed_out',
  'no_answer',
  'bad_answer',
  'redirect',
  'status',
  'gone',
  'no_secret',
  'interrupted',
] as const
export type Problem = (typeof problems)[number]

/** For the merchant. What tells addresses or ports apart is left out: the log must be no scanner of networks. */
export const problemSentences: Readonly<Record<Problem, string>> = {
  address_not_allowed: 'The address could not be looked up or is not allowed.',
  could_not_connect: 'Could not connect.',
  tls: 'Could not make a safe connection (TLS): the certificate is missing, wrong or out of date.',
  timed_out: 'No answer within 15 seconds.',
  no_answer: 'The connection was closed without an answer.',
  bad_answer: 'The answer was no HTTP that we understand.',
  redirect: 'Redirects are not followed.',
  status: 'The answer was not a status from 200 to 299.',
  gone: 'Status 410: nothing more is sent there.',
  no_secret: 'There is no Client Secret to sign with.',
  interrupted: 'Our side was interrupted; it is sent again.',
}

/** What came of one attempt. */
export interface Sent {
  durationMs: number
  /** What was connected to. */
  address: string | undefined
  status: number | undefined
  problem: Problem | undefined
  /** What the merchant may know besides. */
  detail: string | undefined
  /** What operators may know. */
  cause: string | undefined
  retryAfter: string | undefined
  /** The beginning of the answer. */
  response: Buffer | undefined
}

export function problemOfStatus(status: number): Problem | undefined {
  if (status >= 200 && status <= 299) return undefined
  if (status === 410) return 'gone'
  return status >= 300 && status <= 399 ? 'redirect' : 'status'
}

export type Step =
  | { kind: 'delivered' }
  /** Nothing more is sent. */
  | { kind: 'failed' }
  | { kind: 'again'; at: Date }
  /** Not the target's fault: it does not count. */
  | { kind: 'back'; at: Date }

export interface Standing {
  mode: 'live' | 'test'
  /** Before this attempt. */
  failures: number
  /** Seconds after each failed attempt. */
  schedule: readonly number[]
  now: Date
  /** From 0 to 1. */
  random: () => number
}

/** In test mode a mistake should be seen today. */
const testDelays = 4
/** Shorter ones are not spread: a buyer is waiting. */
const spreadFromSeconds = 5
const spread = 0.2
const leastSeconds = 1
const slowDownSeconds = 60
const slowDownStatuses: readonly number[] = [429, 502, 503, 504]

export function nextStep(sent: Sent, standing: Standing): Step {
  if (sent.problem === undefined) return { kind: 'delivered' }
  if (sent.problem === 'gone') return { kind: 'failed' }
  if (sent.problem === 'interrupted') return { kind: 'back', at: standing.now }
  const delays = standing.mode === 'test' ? standing.schedule.slice(0, testDelays) : standing.schedule
  const delay = delays[standing.failures]
  if (delay === undefined) return { kind: 'failed' }
  const seconds = waitSeconds(sent, { delay, now: standing.now, random: standing.random })
  return { kind: 'again', at: new Date(standing.now.getTime() + Math.round(seconds * 1_000)) }
}

function waitSeconds(
  sent: Sent,
  { delay, now, random }: { delay: number; now: Date; random: () => number },
): number {
  const spreadDelay = delay >= spreadFromSeconds ? delay * (1 - spread + 2 * spread * random()) : delay
  const isOverloaded =
    sent.problem === 'timed_out' || (sent.status !== undefined && slowDownStatuses.includes(sent.status))
  const planned = Math.max(spreadDelay, isOverloaded ? slowDownSeconds : leastSeconds)
  const wished = retryAfterSeconds(sent.retryAfter, now)
  return wished === undefined ? planned : Math.min(Math.max(wished, planned), 2 * planned)
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds or a date; anything else is as good as nothing. */
export function retryAfterSeconds(text: string | undefined, now: Date): number | undefined {
  const value = text?.trim() ?? ''
  if (/^\d{1,12}$/.test(value)) return Number(value)
  const time = httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, (time - now.getTime()) / 1_000)
}

/** What is known of a target that fails. */
export interface Failing {
  failingSince: Date
  failures: number
  failedDays: number
}

const suspendAfterMs = 120 * 3_600_000
const suspendFailures = 20
const suspendDays = 3

/** Nothing but failures, for long, and not only now and then. */
export const isHopeless = ({ failingSince, failures, failedDays }: Failing, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= suspendAfterMs &&
  failures >= suspendFailures &&
  failedDays >= suspendDays

/** The merchant hears of it when one event has failed this often; not for every time that a target comes and goes. */
export const warnFailures = 4
export const warnHours = 24
/** And then every week, while the target is suspended. */
export const remindDays = 7

export const probeSeconds = 60

// Attacks a receiver as the internet will, and says what to fix. The order matters: first what must not be believed, while
// the order is unpaid; then the good one; then everything that comes after it and must change nothing.
import type { Currency } from '../amounts.ts'
import { currencies } from '../amounts.ts'
import { isSecret } from '../signatures.ts'
import {
  type Answer,
  bodyOf,
  deliver,
  newId,
  type Order,
  type Wrapping,
  webhookSignature,
  wrapped,
} from './deliveries.ts'
import { diagnose } from './diagnosis.ts'
import { targetOf } from './listen.ts'
import { oneOf, openShop, plain, readTold, type Terminal, type Told, UsageError } from './terminal.ts'

export interface Patient {
  order: Order
  secret: string
  send(wrapping: Omit<Wrapping, 'secret'> & { secret?: string }, pauseMs?: number): Promise<Answer>
  /** What the page of the order says. Undefined: nobody said where it is. */
  look(): Promise<string | undefined>
  report: Report
}

export interface Report {
  good(what: string): void
  fix(what: string, how: string): void
  note(what: string, how: string): void
}

export async function doctor(args: string[], terminal: Terminal): Promise<number> {
  const told = readTold(args, ['secret', 'kind', 'payment', 'state', 'amount', 'currency', 'ref'])
  const target = targetOf(told.words[0])
  const secret = told.values.secret ?? terminal.env.MFUKO_CLIENT_SECRET ?? ''
  if (!isSecret(secret))
    throw new UsageError('Which Client Secret? Set MFUKO_CLIENT_SECRET to the one of test mode, whsec_…')
  const order = await orderOf(told, { terminal, target })
  const prefix = told.values.prefix ?? terminal.env.MFUKO_HEADER_PREFIX ?? 'SVC'
  const { report, faults } = openReport(terminal)
  const patient: Patient = {
    order,
    secret,
    send: (wrapping, pauseMs = 0) =>
      deliver(target, wrapped(prefix, { secret, ...wrapping }), { pauseMs, signal: terminal.stop }),
    look: openLook(told.values.state, order),
    report,
  }
  terminal.out(`Examining ${target} with the order ${order.ref}, ${order.currency} ${order.amount}`)
  await forgeries(patient)
  await wrongAmount(patient)
  if (await accepts(patient)) {
    const paid = await patient.look()
    await repetitions(patient)
    await unchanged(patient, { since: paid, what: 'when a delivery was repeated' })
    await latecomers(patient)
    await unchanged(patient, { since: paid, what: 'when an older event came late' })
    await recording(patient)
    await manners(patient)
  }
  const { count } = faults
  terminal.out(count === 0 ? 'Healthy.' : `${count} to fix.`)
  return count === 0 ? 0 : 1
}

function openReport({ out }: Terminal) {
  const faults = { count: 0 }
  const report: Report = {
    good: (what) => out(`  ok    ${what}`),
    fix: (what, how) => {
      faults.count += 1
      out(`  FIX   ${what}`)
      out(`        ${how}`)
    },
    note: (what, how) => {
      out(`  note  ${what}`)
      out(`        ${how}`)
    },
  }
  return { report, faults }
}

async function orderOf(
  told: Told,
  { terminal, target }: { terminal: Terminal; target: string },
): Promise<Order> {
  const { payment, amount = '1000', ref, currency = 'UGX', kind: given = 'gateway' } = told.values
  const kind = oneOf(given, { words: ['gateway', 'callback'], what: '--kind' })
  const made = { kind, url: target, merchantId: '10000001', merchantName: 'Your shop' }
  if (payment === undefined) {
    if (!/^\d{1,12}(\.\d{1,2})?$/.test(amount)) throw new UsageError('--amount is a number, like 1000')
    const words = Object.keys(currencies) as Currency[]
    const code = oneOf(currency, { words, what: '--currency' })
    return { ...made, ref: ref ?? `DOCTOR-${newId().slice(4, 12)}`, amount: Number(amount), currency: code }
  }
  const shop = openShop(told, terminal)
  const [found, profile] = await Promise.all([shop.payments.get(payment), shop.profile()])
  return {
    ...made,
    ref: kind === 'gateway' ? (found.ref_trx ?? found.reference) : found.reference,
    amount: found.amount,
    currency: found.currency,
    merchantId: String(profile.merchant_id),
    merchantName: profile.business_name,
  }
}

function openLook(pattern: string | undefined, { ref }: Order): Patient['look'] {
  if (pattern === undefined) return async () => undefined
  const address = targetOf(pattern.replaceAll('{ref}', encodeURIComponent(ref)))
  return async () => {
    const reply = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
    if (reply === undefined) throw new UsageError(`${address} can not be opened. Check --state.`)
    return `${reply.status} ${await reply.text()}`
  }
}

const isTaken = ({ status }: Answer) => status >= 200 && status < 300
const said = ({ status, text }: Answer) => (status === 0 ? plain(text) : `status ${status}`)

const verifyFirst =
  'Verify the signature before anything else, and answer 403. An empty or missing signature is a wrong one.'

async function forgeries({ order, send, look, report }: Patient): Promise<void> {
  const before = await look()
  const body = bodyOf(order, 'payment.completed')
  const stranger = `whsec_${Buffer.alloc(32, 'stranger').toString('base64')}`
  const rows: [what: string, wrapping: Parameters<typeof send>[0]][] = [
    ['signed by somebody else', { body, secret: stranger }],
    ['without a signature', { body, bodySignature: '', webhookSignature: '' }],
    ['with signatures that are the word true', { body, bodySignature: 'true', webhookSignature: 'v1,true' }],
  ]
  for (const [what, wrapping] of rows) {
    const answer = await send(wrapping)
    if (answer.status === 0)
      report.fix(`A delivery ${what} got no answer (${said(answer)})`, 'Is the receiver running?')
    else if (isTaken(answer)) report.fix(`A delivery ${what} was taken (${said(answer)})`, verifyFirst)
    else report.good(`refused: ${what} (${said(answer)})`)
  }
  const after = await look()
  if (before !== after)
    report.fix('A forged delivery has changed the order, whatever was answered', verifyFirst)
}

async function wrongAmount({ order, send, look, report }: Patient): Promise<void> {
  const before = await look()
  const amount = order.amount + 1
  const answer = await send({ body: bodyOf(order, 'payment.completed', { amount }), sequence: 2 })
  const after = await look()
  const how = 'Compare amount and currency with the order before it is marked as paid.'
  if (before !== after) report.fix('A payment of another amount has changed the order', how)
  else if (before !== undefined) report.good(`another amount changed nothing (${said(answer)})`)
  else if (isTaken(answer))
    report.note(
      `A payment of another amount was answered with ${said(answer)}`,
      `${how} Use --state to have it checked.`,
    )
  else report.good(`refused: another amount (${said(answer)})`)
}

/** Is a good one taken? If not, why not. */
async function accepts(patient: Patient): Promise<boolean> {
  const { order, send, report } = patient
  const plainWords = await send({ body: bodyOf(order, 'payment.completed'), sequence: 2 })
  const words = 'Coffee/Kahawa ☕ "Nº 1" <b>&</b>'
  const rich = await send({ body: bodyOf(order, 'payment.completed', { words }), sequence: 2 })
  if (isTaken(plainWords) && isTaken(rich)) {
    report.good(`a good delivery was taken in ${Math.round(plainWords.ms)} ms`)
    slowness(report, Math.max(plainWords.ms, rich.ms))
    return true
  }
  await diagnose(patient, { answer: isTaken(plainWords) ? rich : plainWords, onlyRich: isTaken(plainWords) })
  return false
}

function slowness(report: Report, ms: number): void {
  const how = 'Answer first, then work: put the order into a queue.'
  if (ms > 15_000)
    report.fix(`The answer took ${Math.round(ms / 1_000)} s; after 15 s it counts as failed`, how)
  else if (ms > 5_000) report.note(`The answer took ${Math.round(ms / 1_000)} s`, how)
}

async function repetitions({ order, send, report }: Patient): Promise<void> {
  const id = newId()
  const again = { body: bodyOf(order, 'payment.completed'), id, sequence: 2 }
  const first = await send(again)
  const second = await send(again)
  if (isTaken(first) && isTaken(second)) report.good('the same delivery a second time was taken')
  else
    report.fix(
      `The same delivery a second time was answered with ${said(second)}`,
      'Answer 2xx to what you have already: else it is sent again for 75 hours.',
    )
  const both = { ...again, id: newId() }
  const answers = await Promise.all([send(both), send(both)])
  const broken = answers.find(({ status }) => status === 0 || status >= 500)
  if (broken === undefined) report.good('two at the same moment were dealt with')
  else
    report.fix(
      `Of two at the same moment one was answered with ${said(broken)}`,
      'Remember the webhook id with a unique constraint, in the transaction that changes the order.',
    )
}

async function latecomers({ order, send, report }: Patient): Promise<void> {
  const early = order.kind === 'callback' ? 'payment.pending' : 'payment.failed'
  const late = await send({ body: bodyOf(order, early), sequence: 1 })
  if (isTaken(late)) report.good(`an older ${early} that came late was taken`)
  else
    report.fix(
      `An older ${early} that came late was answered with ${said(late)}`,
      'Answer 2xx and do nothing: its Event-Sequence is lower than what you had. Across a failure the order is not kept.',
    )
}

async function recording({ order, send, report }: Patient): Promise<void> {
  const old = await send({ body: bodyOf(order, 'payment.completed'), sequence: 2, ageSeconds: 3_600 })
  if (!isTaken(old)) report.good(`refused: signed an hour ago (${said(old)})`)
  else
    report.note(
      'A delivery that was signed an hour ago was taken',
      'Verify the webhook-… headers, which cover the time, and refuse what is more than 300 s off: a recorded request could be played again.',
    )
}

async function unchanged(
  { look, report }: Patient,
  { since, what }: { since: string | undefined; what: string },
) {
  if (since === undefined) return
  if ((await look()) === since) report.good(`the order is as it was ${what}`)
  else
    report.fix(
      `The order has changed ${what}`,
      'Work on each webhook id once, and go by Event-Sequence: what is older than you had changes nothing.',
    )
}

async function manners({ order, secret, send, report }: Patient): Promise<void> {
  const slow = await send({ body: bodyOf(order, 'payment.completed'), sequence: 2 }, 1_500)
  if (isTaken(slow)) report.good('a body that arrived slowly was taken')
  else
    report.fix(
      `A body that arrived in two pieces was answered with ${said(slow)}`,
      'Read the whole body before you verify it.',
    )
  const next = `whsec_${Buffer.alloc(32, 'next').toString('base64')}`
  const rotating = await send({
    body: bodyOf(order, 'payment.completed'),
    sequence: 2,
    webhookSignature: (signed) => [next, secret].map((key) => webhookSignature(key, signed)).join(' '),
  })
  if (isTaken(rotating)) report.good('two signatures, while the Client Secret is being replaced')
  else
    report.fix(
      `A delivery with two signatures was answered with ${said(rotating)}`,
      'While a Client Secret is being replaced webhook-signature holds several, separated by spaces: any one that fits will do.',
    )
}

import { oneOf, openShop, plain, readTold, type Terminal, UsageError } from './terminal.ts'

const statuses = ['pending', 'completed', 'failed', 'refunded'] as const

/** A line a payment, the newest first. */
export async function listPayments(args: string[], terminal: Terminal): Promise<number> {
  const told = readTold(args, ['status', 'q', 'limit'])
  if (told.words[0] !== 'list') throw new UsageError('Try: mfuko payments list')
  const { status, q, limit = '25' } = told.values
  if (!/^([1-9]\d?|100)$/.test(limit)) throw new UsageError('--limit is from 1 to 100')
  const shop = openShop(told, terminal)
  const { items, nextCursor } = await shop.payments.list({
    limit: Number(limit),
    ...(status === undefined ? {} : { status: oneOf(status, { words: statuses, what: '--status' }) }),
    ...(q === undefined ? {} : { q }),
  })
  if (items.length === 0) terminal.out('No payments. Make one: mfuko trigger payment.completed')
  for (const { reference, created_at: at, status: state, amount, currency, failure, ref_trx: ref } of items) {
    const shown = failure === null ? state : `${state}: ${failure.code}`
    const name = ref === null ? '' : `  ${plain(ref)}`
    terminal.out(
      `${at.slice(0, 19)}Z  ${reference.padEnd(20)} ${`${currency} ${amount}`.padStart(16)}  ${shown}${name}`,
    )
  }
  if (nextCursor !== null) terminal.out('There are more: use --limit, or look for one with --q.')
  return 0
}

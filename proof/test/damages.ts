// Damage of every kind, one at a time, to the day of check-stage.ts: to rows, to what clients wrote down, to what receivers
// wrote down. Each has the words by which the checker must name it. Here: rules 6 to 10, and the list of all.
import type { ReceiverEntry } from '../check/journal.ts'
import { type Damage, latest, rent, rows, stranger, wallet } from './damage.ts'
import { books } from './damages-books.ts'
import { requests } from './damages-requests.ts'

const paid = `ref_trx = 'ORDER-1'`
const bare = `alter table payments.payments drop constraint payment_completed, drop constraint payment_refunded_whole,
  drop constraint payment_refunds_bounded, drop constraint payment_refunded, drop constraint payment_failed;`

const payments: Damage[] = [
  rows(
    `${bare} update payments.payments set status = 'pending' where ${paid}`,
    /^rule 6: payment \d+ \(pending\): it was completed once/,
    'back to pending',
  ),
  rows(
    `${bare} update payments.payments set failed_at = now() where ${paid}`,
    /^rule 6: payment \d+ \(completed\): it failed once/,
    'two ends',
  ),
  rows(
    `update payments.payments set late = true where ${paid}`,
    /^rule 6: payment \d+ \(completed\): it never failed/,
    'late without a failure',
  ),
  rows(
    `update payments.payments set posting_id = null where ${paid}`,
    /^rule 6: payment \d+ \(completed\): no posting paid it/,
    'no posting',
  ),
  rows(
    `update payments.payments set posting_id = ${rent} where ${paid}`,
    /^rule 6: .*posting \d+ is transfer/,
    'a posting of another kind',
  ),
  rows(
    `update payments.payments set posting_id = (select posting_id from payments.payments where ${paid}) where source = 'pay' and mode = 'live' and posting_id is not null`,
    /^rule 6: posting \d+ is named by payment \d+, payment \d+/,
    'one posting for two',
  ),
  rows(
    `drop index payments.attempt_succeeded_once;
     insert into payments.attempts (id, number, method, status, created_at, ended_at)
     select 'att_x', number, 'wallet', 'succeeded', now(), now() from payments.payments where ${paid}`,
    /^rule 6: payment \d+ \(completed\): 2 tries succeeded/,
    'two tries succeeded',
  ),
  rows(
    `update payments.payments set refunded = refunded + 1 where ${paid}`,
    /^rule 6: .*its refunds add up to 0, not to 1/,
    'refunded without a refund',
  ),
  rows(
    `${bare} update payments.payments set refunded = amount + 1 where ${paid}`,
    /^rule 6: .*20001 went back and 0 will, of 20000/,
    'more than was paid',
  ),
  rows(
    `update payments.payments set refunding = 5 where ${paid}`,
    /^rule 6: .*its open refunds add up to 0, not to 5/,
    'on its way without a refund',
  ),
  rows(
    `update payments.refunds set posting_id = 999999 where amount = 3000`,
    /^rule 6: refund rfd_\w+ names posting 999999, which is not there/,
    'a refund without its posting',
  ),
  rows(
    `delete from notifications.events where event = 'payment.pending'`,
    /^rule 6: payment \d+ \(PY-[\w-]+\) should have told "payment.pending, payment.completed/,
    'not told',
  ),
  rows(
    `update notifications.events set event = 'payment.failed' where event = 'payment.completed'`,
    /^rule 6: payment \d+ .* should have told "payment.completed", and told "payment.failed"/,
    'told otherwise',
  ),
  rows(
    `insert into notifications.events (merchant, mode, id, subject, sequence, event, kind, url, origin, body, at)
     select merchant, mode, 'msg_x', subject, sequence + 9, event, kind, url, origin, body, at from notifications.events
     where event = 'payment.completed' and kind = 'gateway'`,
    /^rule 6: .* should have told "payment.completed", and told "payment.completed, payment.completed"/,
    'told twice',
  ),
  rows(
    `update payments.payments set events = 0`,
    /^rule 6: .* has 0 events, and notification \w+ has the number \d/,
    'a number too high',
  ),
  rows(
    `update notifications.events set mode = 'test' where kind = 'gateway'`,
    /^rule 6: notification \w+ is in test mode, and payment/,
    'told in the other mode',
  ),
  rows(
    `update notifications.events set subject = 'PY-XXXXX' where event = 'payment.failed'`,
    /^rule 6: 1 notifications are of no payment/,
    'told of nothing',
  ),
]

const altered = (name: string) => (entries: ReceiverEntry[]) => {
  for (const { headers } of entries)
    headers[name] = String(headers[name]).replace(/.$/, (letter) => (letter === '0' ? '1' : '0'))
  return entries
}

const receivers: Damage[] = [
  {
    name: 'one never came',
    receivers: (entries) => entries.slice(1),
    finds: /^rule 7: notification \w+ \(PY-[\w-]+, \d\) counts as delivered, and no receiver took it/,
  },
  {
    name: 'none was taken',
    receivers: (entries) => entries.map((entry) => ({ ...entry, status: 500 })),
    finds: /^rule 7: .*no receiver took it/,
  },
  {
    name: 'other bytes the second time',
    receivers: (entries) => [
      ...entries,
      ...entries.map((entry) => ({ ...entry, body: Buffer.from('{}').toString('base64') })),
    ],
    finds: /^rule 7: notification \w+ came with other bytes than before/,
  },
  {
    name: 'the signature of the body',
    receivers: altered('svc-signature'),
    finds: /^rule 7: notification \w+: its svc-signature does not fit/,
  },
  {
    name: 'the time of the attempt',
    receivers: altered('webhook-timestamp'),
    finds: /^rule 7: notification \w+: its webhook-signature does not fit/,
  },
  {
    name: 'the other signature',
    receivers: (entries) =>
      entries.map((entry) => ({ ...entry, headers: { ...entry.headers, 'webhook-signature': 'v1,AAAA' } })),
    finds: /^rule 7: notification \w+: its webhook-signature does not fit/,
  },
  { name: 'two ids', receivers: altered('svc-webhook-id'), finds: /^rule 7: a delivery to \S+ has the ids/ },
  {
    name: 'out of order',
    receivers: (entries) => entries.toReversed(),
    finds: /^rule 7: notification \w+ \(.*\) came before notification/,
  },
  rows(
    `delete from notifications.events where kind = 'gateway'`,
    /^rule 7: notification \w+ came to \S+, and was never written down/,
    'sent and not written down',
  ),
  rows(
    `update notifications.events set body = body || ' '`,
    /^rule 7: notification \w+ came with other bytes than were written down/,
    'other bytes are written down',
  ),
  rows(
    `update notifications.events set status = 'pending', done_at = null where kind = 'gateway'`,
    /^rule 7: notification \w+ .* is pending, though a receiver took it/,
    'delivered and still pending',
  ),
]

const long = `'2020-01-01T00:00:00Z'`
const queued = (
  more: string,
) => `insert into notifications.queue (merchant, mode, number, origin, subject, sequence, due_at, leased_until)
  select merchant, mode, number, origin, subject, sequence, at, ${more} from notifications.events where kind = 'gateway'`

const leftovers: Damage[] = [
  rows(queued(long), /^rule 8: notification number \d+ is leased until 2020/, 'a lease that ran out'),
  rows(
    queued('null'),
    /^rule 8: notification number \d+ is in the queue, and it is delivered/,
    'in the queue without need',
  ),
  rows(
    `update notifications.events set status = 'pending', done_at = null where kind = 'gateway'`,
    /^rule 8: notification \w+ of \S+ is pending, and not in the queue/,
    'pending and not in the queue',
  ),
  rows(
    `update operations.operations set due_at = ${long} where ended_at is null`,
    /^rule 8: operation \S+ is \w+ since .*nobody looks after it/,
    'an order that nobody looks after',
  ),
  rows(
    `update operations.deliveries set due_at = ${long}, result = null`,
    /^rule 8: callback \d+ of \S+ was not worked on/,
    'a callback is left',
  ),
  rows(
    `update funding.orders set answer = null, created_at = ${long} where kind = 'deposit'`,
    /^rule 8: order \d+ \(deposit of .*\) has a key and no answer/,
    'a key without its answer',
  ),
  rows(
    `update ledger.answers set status = 500`,
    /^rule 8: the answer of key \S+ has the status 500/,
    'a failure is kept',
  ),
  rows(
    `update funding.orders set status = 'failed', failure_code = 'x', ended_at = now() where status = 'pending'`,
    /^rule 8: hold \d+ has 10100 set aside for nothing that is open/,
    'money held for nothing',
  ),
  rows(
    `update ledger.holds set remaining = 0 where remaining > 0`,
    /^rule 8: withdrawal \d+ is pending, and hold \d+ does not hold its money/,
    'a withdrawal without its hold',
  ),
  rows(
    `insert into ledger.answers values (gen_random_uuid(), gen_random_uuid(), 200, '{"data":{"reference":"${stranger}"}}', now())`,
    /^rule 8: the answer of key \S+ tells of ledger.postings 999999, which is not there/,
    'a key was committed without its money',
  ),
]

const lastLink = `(day, position) = (select day, position from audit.chain order by day desc, position desc limit 1)`

const audit: Damage[] = [
  rows(
    `update audit.events set address = '10.0.0.1' where action = 'pin.failed'`,
    /^rule 9: audit event \d+ \(.*\) or its hash was altered/,
    'an event',
  ),
  rows(
    `delete from audit.events where action = 'pin.failed'`,
    /^rule 9: audit event \d+ \(.*\) is gone/,
    'an event is gone',
  ),
  rows(
    `delete from audit.chain where position = 2`,
    /^rule 9: audit event \d+ \(.*, position 3\) comes after position 1: a gap/,
    'a gap',
  ),
  rows(
    `delete from audit.chain where ${lastLink}`,
    /^rule 9: the tip says that \S+ has \d+ events, and \d+ are there/,
    'the last link is gone',
  ),
  rows(
    `update audit.chain set prev_hash = sha256('x') where position = 2`,
    /^rule 9: audit event \d+ .* does not follow from the one before it/,
    'a link',
  ),
  rows(
    `update audit.heads set events = events + 1`,
    /^rule 9: the head of \S+ says \d+ events, and \d+ are there/,
    'a head',
  ),
  rows(
    `update audit.heads set signature = sha256('x')`,
    /^rule 9: the signature of the head of \S+ does not fit/,
    'the signature of a head',
  ),
  rows(
    `delete from audit.heads`,
    /^rule 9: \S+ is over, and the audit log has no head of it/,
    'a head is gone',
  ),
  rows(
    `update audit.tip set signature = sha256('x')`,
    /^rule 9: the signature of the tip of the audit log does not fit/,
    'the signature of the tip',
  ),
  rows(`delete from audit.tip`, /^rule 9: the audit log has no tip/, 'the tip is gone'),
  rows(
    `insert into audit.events (at, actor_kind, actor_id, action, result, details) values (date_trunc('milliseconds', now()), 'user', 'x', 'login', 'ok', '{}')`,
    /^rule 9: audit event \d+ has no place in the chain, and waits for none/,
    'an event was slipped in',
  ),
  rows(
    `insert into audit.waiting select id, ${long} from audit.events limit 1`,
    /^rule 9: audit event \d+ waits to be sealed/,
    'an event waits too long',
  ),
  rows(
    `insert into audit.waiting values (999999, now())`,
    /^rule 9: audit event 999999 waits to be sealed, and is gone/,
    'what waits is gone',
  ),
  rows(
    `delete from audit.events where action = 'pin.failed'`,
    /^rule 9: 1 refusals \(pin usr_\w+\) were answered, and the audit log has 0/,
    'a wrong PIN is not told',
  ),
  rows(
    `delete from audit.events where action = 'login.failed'`,
    /^rule 9: 1 refusals \(login usr_\w+\) were answered, and the audit log has 0/,
    'a wrong login is not told',
  ),
  rows(
    `delete from audit.events where actor_kind = 'name'`,
    /^rule 9: 1 refusals \(login of nobody\)/,
    "a stranger's wrong login is not told",
  ),
]

/** Two transfers between the same two change places in one of the wallets, and not in the other. */
const crossed = `do $$
declare
  wallet bigint := ${wallet};
  one bigint := ${rent};
  other bigint := (select id from ledger.postings where details ->> 'amount' = '900');
  here bigint; there bigint;
begin
  select seq into here from ledger.entries where account_id = wallet and posting_id = one;
  select seq into there from ledger.entries where account_id = wallet and posting_id = other;
  update ledger.entries set posting_id = case posting_id when one then other else one end
    where account_id = wallet and posting_id in (one, other);
  update ledger.postings set seqs[array_position(accounts, wallet)] = case id when one then there else here end
    where id in (one, other);
end $$`

const replay: Damage[] = [
  rows(crossed, /^rule 10: posting \d+ fits no order/, 'no order fits'),
  rows(
    `update ledger.postings set details = replace(details::text, '"30000"', '"30001"')::json where id = ${rent}`,
    /^rule 10: posting \d+ \(transfer\) should have moved .*-30001 user/,
    'a transfer of another amount',
  ),
  rows(
    `update payments.payments set fee = fee + 1 where ${paid}`,
    /^rule 10: posting \d+ \(payment\) should have moved/,
    'a payment with another fee',
  ),
  rows(
    `update payments.payments set payer_id = 'usr_other' where ${paid}`,
    /^rule 10: user usr_other UGX live should have -20000, and there is no such account/,
    'a payment by another',
  ),
  rows(
    `update payments.refunds set amount = amount + 1`,
    /^rule 10: posting \d+ \(refund\) should have moved/,
    'a refund of another amount',
  ),
  rows(
    `update funding.orders set amount = amount + 1 where status = 'completed'`,
    /^rule 10: posting \d+ \(withdrawal\) should have moved/,
    'a withdrawal of another amount',
  ),
  rows(
    `update campaigns.contributions set amount = amount + 1`,
    /^rule 10: posting \d+ \(campaign_contribution\) should have moved/,
    'a gift of another amount',
  ),
  rows(
    `update campaigns.withdrawals set fee = fee + 1`,
    /^rule 10: posting \d+ \(campaign_payout\) should have moved/,
    'money taken out with another fee',
  ),
  rows(
    `update ledger.entries set balance_after = balance_after + 1 where ${latest}`,
    /^rule 10: user usr_\w+ UGX live has \d+, and \d+ when all is done again/,
    'another balance in the end',
  ),
]

export const damages: Damage[] = [
  ...books,
  ...requests,
  ...payments,
  ...receivers,
  ...leftovers,
  ...audit,
  ...replay,
]

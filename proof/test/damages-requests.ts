// Damage to what clients were promised, in the rows and in their journal: rules 1 and 2.
import type { Answered, JournalEntry } from '../check/journal.ts'
import { type Damage, rent, rows, stranger } from './damage.ts'

const isSent = (entry: JournalEntry, key: string) => entry.phase === 'sent' && entry.key === key

/** Nobody wrote it down. */
const forget = (key: string) => (entries: JournalEntry[]) => {
  const gone = entries.filter((entry) => isSent(entry, key)).map(({ n }) => n)
  return entries.filter(({ n }) => !gone.includes(n))
}

const forgetAct = (act: string) => (entries: JournalEntry[]) => {
  const gone = entries.filter((entry) => entry.phase === 'sent' && entry.act === act).map(({ n }) => n)
  return entries.filter(({ n }) => !gone.includes(n))
}

/** The last answer under this key says something else. */
const retell = (key: string, change: (answer: Answered) => void) => (entries: JournalEntry[]) => {
  const n = entries.findLast((entry) => isSent(entry, key))?.n
  for (const entry of entries) if (entry.n === n && entry.phase === 'answered') change(entry)
  return entries
}

const reword = (key: string, from: string | RegExp, to: string) =>
  retell(key, (answer) => {
    answer.body = answer.body.replace(from, to)
  })

export const requests: Damage[] = [
  rows(
    `delete from ledger.entries where posting_id = ${rent}; delete from ledger.postings where id = ${rent}`,
    /^rule 1: request 1 \(send, key s1\), which was told of posting \d+: it is not there/,
    'what was answered is gone',
  ),
  rows(
    `update ledger.postings set details = replace(details::text, '"baraka"', '"chausiku"')::json where id = ${rent}`,
    /^rule 1: request 1 .*: it went to chausiku/,
    'it went to another',
  ),
  rows(
    `update ledger.entries set amount = amount + 7 where posting_id = ${rent} and amount > 10000`,
    /^rule 1: request 1 .*: 29707 minor UGX came to user usr_\w+, not 29700/,
    'more came than was answered',
  ),
  rows(
    `update funding.orders set amount = amount + 1 where kind = 'deposit'`,
    /^rule 1: request \d+ \(deposit, key d1\), which was told of order \d+: its amount is 10001/,
    'the amount of a deposit',
  ),
  rows(
    `update funding.orders set user_id = 'usr_other' where kind = 'withdrawal'`,
    /^rule 1: request \d+ \(withdraw, key w1\).*: it is of usr_other/,
    'a withdrawal of another',
  ),
  rows(
    `update funding.orders set fee = fee + 1`,
    /^rule 1: request \d+ \(withdraw, key w1\).*: the answer has another fee/,
    'a fee',
  ),
  rows(
    `delete from funding.orders where kind = 'deposit'`,
    /^rule 1: request \d+ \(deposit, key d1\).*: it is not there/,
    'a deposit is gone',
  ),
  rows(
    `update payments.payments set amount = amount + 1 where ref_trx = 'ORDER-1'`,
    /^rule 1: request \d+ \(initiate\).*: its amount is 20001/,
    'the amount of a payment',
  ),
  rows(
    `update payments.payments set ref_trx = 'ORDER-9' where ref_trx = 'ORDER-1'`,
    /^rule 1: request \d+ \(initiate\).*: the shop's name for it is ORDER-9/,
    'the name of a payment',
  ),
  rows(
    `update payments.payments set merchant_id = 10000001 where source = 'pay'`,
    /^rule 1: request \d+ \(ask, key p1\).*: it is of merchant 10000001/,
    'a payment to another',
  ),
  rows(
    `update payments.payments set payer_id = 'usr_other' where ref_trx = 'ORDER-1'`,
    /^rule 1: request \d+ \(pay\).*: it was paid by usr_other/,
    'paid by another',
  ),
  rows(
    `delete from payments.payments where amount = 1500`,
    /^rule 1: request \d+ \(ask, key p2\).*: it is not there/,
    'a payment is gone',
  ),
  {
    name: 'an amount in the answer',
    journal: reword('s2', /12\.50?/, '13'),
    finds: /^rule 1: .*key s2.*another amount: 1300/,
  },
  {
    name: 'a fee in the answer',
    journal: reword('s3', '"fee":40', '"fee":41'),
    finds: /^rule 1: .*key s3.*its details have another fee/,
  },
  {
    name: 'a reference that leads nowhere',
    journal: reword('s2', /TR-[\w-]+/, 'TR-00000'),
    finds: /^rule 1: request \d+ \(send\) was told of "TR-00000", which is no reference/,
  },
  {
    name: 'yes was said to what never was',
    journal: retell('s5', (answer) => {
      answer.status = 200
      answer.body = `{"data":{"reference":"${stranger}","amount":800000,"currency":"UGX","fee":5000,"recipient_gets":795000}}`
    }),
    finds: /^rule 1: .*key s5\), which was told of posting 999999: it is not there/,
  },
  {
    name: 'two were told of the same',
    journal: (entries) =>
      entries.map((entry) => (entry.phase === 'sent' && entry.n === 2 ? { ...entry, key: 's9' } : entry)),
    finds: /^rule 1: key s1 \(request 1\) and key s9 \(request 2\) were both told of posting/,
  },
  {
    name: 'another answer the second time',
    journal: reword('s1', 'Money sent', 'Sent'),
    finds: /^rule 2: request 2 \(send, key s1\) was answered otherwise/,
  },
  rows(
    `update ledger.answers set body = replace(body, '"fee":300', '"fee":299')`,
    /^rule 2: .*key s1.*another answer is kept for its key/,
    'another answer is kept',
  ),
  rows(`delete from ledger.answers`, /^rule 2: .*key s1.*no answer is kept for its key/, 'no answer is kept'),
  rows(
    `update funding.orders set answer = '{}' where kind = 'deposit'`,
    /^rule 2: .*key d1.*another answer is kept/,
    'another answer to a deposit',
  ),
  rows(
    `update payments.payments set idem_key = gen_random_uuid() where idem_key is not null and source = 'pay'`,
    /^rule 2: .*its row has another key/,
    'another key',
  ),
  {
    name: 'a transfer nobody asked for',
    journal: forget('s2'),
    finds: /^rule 2: posting \d+ \(transfer of 1250 .* to chausiku\) is there, and nobody asked/,
  },
  {
    name: 'one unanswered wish, two transfers',
    journal: forget('s3'),
    finds: /^rule 2: posting \d+ \(transfer of 4000 .*nobody asked/,
  },
  {
    name: 'an unanswered wish that was none',
    journal: forget('s4'),
    finds: /^rule 2: posting \d+ \(transfer of 900 .*nobody asked/,
  },
  {
    name: 'a contribution nobody asked for',
    journal: forget('g2'),
    finds: /^rule 2: posting \d+ \(6000 of usr_\w+ to grp_\w+\)/,
  },
  {
    name: 'a gift nobody asked for',
    journal: forget('c1'),
    finds: /^rule 2: posting \d+ \(7000 of usr_\w+ to cmp_\w+\)/,
  },
  {
    name: 'a withdrawal nobody asked for',
    journal: forget('w3'),
    finds: /^rule 2: order \d+ \(withdrawal of usr_\w+\)/,
  },
  { name: 'a payment nobody asked for', journal: forget('p2'), finds: /^rule 2: payment \d+ .*nobody asked/ },
  {
    name: 'a gateway payment nobody asked for',
    journal: forgetAct('initiate'),
    finds: /^rule 2: token \w+ \(payment \d+ to merchant/,
  },
  {
    name: 'paid by who did not want to',
    journal: forgetAct('pay'),
    finds: /^rule 2: payment \d+ was paid by usr_\w+, who did not ask/,
  },
  {
    name: 'a refund too many',
    journal: forget('r1'),
    finds: /^rule 2: payment \d+ was refunded 2 times, 1 too often/,
  },
  rows(
    `delete from payments.refunds where amount = 3000`,
    /^rule 2: payment \d+: a refund that was promised is not there/,
    'a refund is gone',
  ),
  {
    name: 'earnings nobody asked for',
    journal: forget('m1'),
    finds: /^rule 2: posting \d+ \(transfer .*nobody asked/,
  },
]

// Damage to the books: rules 3, 4 and 5.
import { type Damage, latest, rent, rows, second, wallet } from './damage.ts'

export const books: Damage[] = [
  rows(
    `update ledger.entries set amount = amount + 1 where ${second}`,
    /^rule 3: posting \d+ sums to 1 minor UGX/,
    'an amount',
  ),
  rows(
    `update ledger.entries set amount = amount + 1 where ${second}`,
    /^rule 3: all entries of live UGX sum to 1,/,
    'the sum of all',
  ),
  rows(
    `update ledger.accounts set currency = 'KES' where kind = 'group'`,
    /^rule 3: posting \d+ mixes live KES, live UGX/,
    'a currency',
  ),
  rows(
    `update ledger.accounts set mode = 'test' where kind = 'group'`,
    /^rule 3: posting \d+ mixes live UGX, test UGX/,
    'test money among live money',
  ),
  rows(
    `delete from ledger.entries where ${latest}`,
    /^rule 3: posting \d+ names entry \d+ of account \d+, which is not/,
    'an entry is gone',
  ),
  rows(
    `update ledger.entries set posting_id = ${rent} where ${latest}`,
    /^rule 3: entry \d+ of account \d+ says that it is of posting \d+, and posting \d+ names it/,
    'an entry of another posting',
  ),
  rows(
    `insert into ledger.postings values (999999, 'transfer', '{}', '{}', '{}', now())`,
    /^rule 3: posting 999999 \(transfer\) has no entries/,
    'a posting of nothing',
  ),
  rows(
    `delete from ledger.postings where id = ${rent}`,
    /^rule 4: entry \d+ of account -?\d+ belongs to posting \d+, which is not there/,
    'a posting is gone',
  ),
  rows(
    `update ledger.entries set balance_after = balance_after + 1 where ${second}`,
    /^rule 4: entry 2 of account \d+ leaves \d+, and/,
    'a balance',
  ),
  rows(
    `update ledger.entries set balance_after = balance_after + 1 where ${latest}`,
    /^rule 4: account \d+ has \d+, and its entries add up to/,
    'the last balance',
  ),
  rows(
    `delete from ledger.entries where ${second}`,
    /^rule 4: entry 3 of account \d+ comes after entry 1: a gap/,
    'a gap',
  ),
  rows(
    `update ledger.entries e set seq = 2 where (select count(*) from ledger.entries o where o.account_id = e.account_id) = 1`,
    /^rule 4: entry 2 of account -?\d+ comes after entry 0: a gap/,
    'no first entry',
  ),
  rows(
    `update ledger.entries set hash = sha256('x') where ${second}`,
    /^rule 4: entry 2 of account \d+ \(posting \d+\) does not follow/,
    'a hash',
  ),
  rows(
    `update ledger.postings set details = replace(details::text, 'Rent', 'Rant')::json where id = ${rent}`,
    /^rule 4: entry \d+ of account \d+ \(posting \d+\) does not follow by its hash/,
    'a word of the details',
  ),
  rows(
    `update ledger.postings set kind = 'present' where id = ${rent}`,
    /^rule 4: .* does not follow by its hash/,
    'the kind of a posting',
  ),
  rows(
    `update ledger.postings set created_at = created_at + interval '1 ms' where id = ${rent}`,
    /^rule 4: .* does not follow by its hash/,
    'the time of a posting',
  ),
  rows(
    `update ledger.postings set created_at = created_at + interval '1 us' where id = ${rent}`,
    /^rule 4: .*the time of posting \d+ is not in whole milliseconds/,
    'the time of a posting, by a little',
  ),
  rows(
    `delete from ledger.accounts where id = ${wallet}`,
    /^rule 4: entry 1 of account \d+ has no account/,
    'an account is gone',
  ),
  rows(
    `alter table ledger.entries drop constraint entry_above_floor;
     update ledger.entries set balance_after = -5 where ${second}`,
    /^rule 5: entry 2 of account \d+ leaves -5 in an account that can't owe/,
    'a debt in between',
  ),
  rows(
    `update ledger.entries set held_after = held_after + 1 where ${latest}`,
    /^rule 5: account \d+ holds 1, and its open holds add up to 0/,
    'more is held',
  ),
  rows(
    `update ledger.entries set held_after = held_after + 1 where ${second}`,
    /^rule 5: entry 2 of account \d+ holds 1 more, and posting \d+ opened a hold of 0/,
    'something was held for a while',
  ),
  rows(
    `update ledger.holds set remaining = remaining - 1 where remaining > 0`,
    /^rule 5: account \d+ holds 10100, and its open holds add up to 10099/,
    'less of a hold',
  ),
  rows(
    `delete from ledger.holds where remaining > 0`,
    /^rule 5: account \d+ holds 10100, and its open holds add up to 0/,
    'a hold is gone',
  ),
  rows(
    `insert into ledger.holds values (999999, ${wallet}, 'user', 5, 0, now())`,
    /^rule 5: hold 999999 of account \d+ was opened by no posting/,
    'a hold of nobody',
  ),
  rows(
    `alter table ledger.accounts drop constraint account_may_owe; update ledger.accounts set kind = 'unmatched' where kind = 'fees'`,
    /^rule 5: account -\d+ is of kind unmatched, which does not fit its number/,
    'the kind of an account',
  ),
]

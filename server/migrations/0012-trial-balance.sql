-- Operators see what is in the books by kind of account, as the latest check counted it.
alter table ledger.checks add column balances json not null default '[]';

-- The books: accounts, postings of balanced entries, holds, and the answers kept for repeated requests.
-- Indexes are the larger part of what a posting costs, so there are only those that a read needs. Foreign keys from
-- entries would cost one locked look-up a row; the nightly check of the books looks for the same and more.
create schema ledger;

create table ledger.accounts (
  id bigint generated always as identity primary key,
  mode text not null constraint account_mode check (mode in ('live', 'test')),
  kind text not null constraint account_kind check (kind ~ '^[a-z_]{1,32}$'),
  owner text not null,
  currency text not null constraint account_currency check (currency ~ '^[A-Z]{3}$'),
  -- Accounts that every posting touches exist several times, so that writers need not wait for each other.
  stripe smallint not null default 0,
  -- The least that balance less held may be; null for accounts of the system, which may be negative.
  floor bigint,
  balance bigint not null default 0,
  held bigint not null default 0 constraint account_held_not_negative check (held >= 0),
  -- Another with every change, and never one that was before: so a writer can tell whether what it knows is still so.
  version bigint not null default 0,
  -- Number and hash of the latest entry.
  seq bigint not null default 0,
  head bytea not null default decode(repeat('00', 32), 'hex') constraint account_head check (length(head) = 32),
  created_at timestamptz not null default now(),
  constraint account_once unique (owner, kind, currency, mode, stripe),
  constraint account_above_floor check (floor is null or balance - held >= floor)
) with (fillfactor = 60);

-- Ids are taken in blocks, so that a batch knows them before it writes.
create sequence ledger.posting_ids increment by 1000 cache 1;

create table ledger.postings (
  id bigint primary key,
  kind text not null,
  -- As text, not jsonb: the hash of each entry covers it byte by byte.
  details json not null,
  -- Where its entries are: the primary key of each.
  accounts bigint[] not null,
  seqs bigint[] not null,
  created_at timestamptz not null
);

create table ledger.entries (
  account_id bigint not null,
  seq bigint not null,
  posting_id bigint not null,
  amount bigint not null constraint entry_moves_something check (amount <> 0),
  balance_after bigint not null,
  hash bytea not null constraint entry_hash check (length(hash) = 32),
  primary key (account_id, seq)
);

create table ledger.holds (
  id bigint primary key,
  account_id bigint not null references ledger.accounts (id),
  kind text not null,
  amount bigint not null constraint hold_amount check (amount > 0),
  -- What is still held. 0: settled or released.
  remaining bigint not null constraint hold_remaining check (remaining between 0 and amount),
  created_at timestamptz not null
);
create index holds_open on ledger.holds (account_id) where remaining > 0;

create table ledger.answers (
  -- A keyed hash of who asked, where, and with which key.
  key uuid primary key,
  fingerprint uuid not null,
  status smallint not null,
  body text not null,
  created_at timestamptz not null
);
-- What the checks of the books found. The latest one decides whether the service is ready.
create table ledger.checks (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  seconds double precision not null,
  ok boolean not null,
  accounts bigint not null,
  entries bigint not null,
  postings bigint not null,
  -- The first ones, each a sentence that names its row.
  problems text[] not null
);
create index checks_latest on ledger.checks (started_at);

create index answers_age on ledger.answers using brin (created_at) with (pages_per_range = 32);

-- What was written once is never changed. A correction is a new posting.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of ledger.% is not allowed: its rows are never changed', tg_op, tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_append_only';
end
$$;
create trigger entries_append_only before update or delete or truncate on ledger.entries
  for each statement execute function ledger.refuse_change();
create trigger postings_append_only before update or delete or truncate on ledger.postings
  for each statement execute function ledger.refuse_change();

-- A batch is written from what its process remembers of the accounts. When fewer rows than expected were still so,
-- somebody else was faster: nothing of the batch is kept, and it is decided anew.
create function ledger.expect_rows(actual bigint, expected bigint) returns boolean language plpgsql stable as $$
begin
  if actual <> expected then
    raise exception 'an account has changed' using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;

-- The books balance, whatever the program thinks: every posting sums to zero. One look a statement, for all its rows.
create function ledger.check_entries() returns trigger language plpgsql as $$
declare
  wrong bigint;
begin
  select posting_id into wrong from written group by posting_id having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'posting % does not balance', wrong using errcode = 'check_violation', constraint = 'posting_balances';
  end if;
  return null;
end
$$;
create trigger entries_check after insert on ledger.entries
  referencing new table as written
  for each statement execute function ledger.check_entries();

-- The books: accounts, postings of balanced entries, holds, and the answers kept for repeated requests.
-- Indexes are the larger part of what a posting costs, so there are only those that a read needs. Foreign keys from
-- entries would cost one locked look-up a row; the nightly check of the books looks for the same and more.
create schema ledger;

-- Who an account belongs to. What is in it is told by its latest entry: nothing is ever updated when money moves.
create table ledger.accounts (
  -- Negative for accounts of the system, which may owe.
  id bigint primary key,
  mode text not null constraint account_mode check (mode in ('live', 'test')),
  kind text not null constraint account_kind check (kind ~ '^[a-z_]{1,32}$'),
  owner text not null,
  currency text not null constraint account_currency check (currency ~ '^[A-Z]{3}$'),
  -- Accounts that every posting touches exist several times, so that writers need not wait for each other.
  stripe smallint not null default 0,
  created_at timestamptz not null default now(),
  constraint account_once unique (owner, kind, currency, mode, stripe),
  constraint account_may_owe check ((id < 0) = (kind in ('clearing', 'fees')))
);
create sequence ledger.account_ids cache 1;

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
  -- Without gaps, from 1 on. Two writers that both know the same latest entry write the same number, and only one can.
  seq bigint not null,
  posting_id bigint not null,
  -- 0 when something was only held or released.
  amount bigint not null,
  balance_after bigint not null,
  held_after bigint not null constraint entry_held_not_negative check (held_after >= 0),
  hash bytea not null constraint entry_hash check (length(hash) = 32),
  primary key (account_id, seq),
  constraint entry_above_floor check (account_id < 0 or balance_after >= held_after)
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
-- What a permission rests on (somebody's PIN, an account that is not frozen) may change while a posting that it allowed is
-- on its way. So whoever changes it gives it another version here, and a posting may name the version it was allowed by.
create table ledger.guards (
  owner text primary key,
  version bigint not null
);
create sequence ledger.guard_versions cache 1;

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
create trigger accounts_append_only before update or delete or truncate on ledger.accounts
  for each statement execute function ledger.refuse_change();
create trigger postings_append_only before update or delete or truncate on ledger.postings
  for each statement execute function ledger.refuse_change();

-- A batch may build on one that was sent just before it. If nothing came of that one, nothing may come of this one.
create function ledger.expect(holds boolean) returns boolean language plpgsql stable as $$
begin
  if not holds then
    raise exception 'an account has changed' using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;

-- Rows of other rooms that are written with a posting: each finds the state it expects, or the posting is undone.
create function ledger.expect_also(written bigint, expected bigint) returns boolean language plpgsql stable as $$
begin
  if written <> expected then
    raise exception 'what belongs to a posting could not be written'
      using errcode = 'check_violation', constraint = 'posting_also';
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

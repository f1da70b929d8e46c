-- Money that comes in by providers and leaves by them for people, money that could be matched with nobody, and the daily
-- comparison of our books with the providers' own.
create schema funding;

-- Far above the numbers of postings: a reference that is made of a number here is never that of a posting.
create sequence funding.numbers start with 1099511627776 cache 1;

-- Deposits and withdrawals.
create table funding.orders (
  number bigint primary key,
  kind text not null constraint order_kind check (kind in ('deposit', 'withdrawal')),
  user_id text not null,
  provider text not null,
  -- As people knew it at the time.
  provider_name text not null,
  amount bigint not null constraint order_amount check (amount > 0),
  -- Beside the amount; both leave the wallet.
  fee bigint not null constraint order_fee check (fee >= 0),
  currency text not null,
  phone text,
  account text,
  -- The order that was given to the provider.
  operation_id uuid not null,
  -- What the wallet holds for a withdrawal.
  hold_id bigint,
  status text not null default 'pending' constraint order_status check (status in ('pending', 'completed', 'failed')),
  failure_code text,
  -- The provider confirmed it after it had said that it failed.
  late boolean not null default false,
  posting_id bigint,
  -- Of a request that may be repeated: keyed hashes of its key and of its body, and the answer, once it was made.
  idem_key uuid,
  idem_body uuid,
  answer text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint order_held check ((kind = 'withdrawal') = (hold_id is not null)),
  constraint order_failed check (status <> 'failed' or failure_code is not null),
  constraint order_ended check ((status = 'pending') = (ended_at is null)),
  constraint order_posted check (status <> 'completed' or posting_id is not null)
);
create unique index order_of_operation on funding.orders (operation_id);
create unique index order_key_once on funding.orders (idem_key) where idem_key is not null;
-- What a person's history shows that is not in the ledger.
create index orders_not_completed on funding.orders (user_id, number) where status <> 'completed';

-- What has ended stays so, but for a success that the provider tells of late.
create function funding.check_order() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (
    old.status = 'pending' or (old.status = 'failed' and new.status = 'completed' and new.late)
  ) then
    raise exception 'order % can not go from % to %', old.number, old.status, new.status
      using errcode = 'check_violation', constraint = 'order_ended_stays';
  end if;
  return new;
end
$$;
create trigger order_ended_stays before update on funding.orders
  for each row execute function funding.check_order();

-- Money that a provider confirmed and nothing could take. It lies in the ledger's unmatched account of the provider.
create table funding.unmatched (
  id text primary key,
  provider text not null,
  mode text not null constraint unmatched_mode check (mode in ('live', 'test')),
  amount bigint not null constraint unmatched_amount check (amount > 0),
  currency text not null,
  -- What brought it.
  operation_id uuid not null,
  why text not null,
  -- The reference of what it was meant for.
  meant_for text,
  phone text,
  status text not null default 'open'
    constraint unmatched_status check (status in ('open', 'matched', 'returning', 'returned')),
  -- The one that brought it here.
  posting_id bigint not null,
  -- It goes back then, if nobody matches it; null: only an operator can say.
  due_at timestamptz,
  -- How often it could not be given back, and why the last time.
  returns_failed integer not null default 0,
  problem text,
  return_operation_id uuid,
  -- A wallet (of a user id) or a payment (its reference).
  matched_kind text constraint unmatched_matched_kind check (matched_kind in ('wallet', 'payment')),
  matched_to text,
  -- The one that took it away.
  ended_posting_id bigint,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint unmatched_ended check ((status in ('matched', 'returned')) = (ended_at is not null)),
  constraint unmatched_matched check ((status = 'matched') = (matched_to is not null))
);
create unique index unmatched_of_operation on funding.unmatched (operation_id);
create index unmatched_due on funding.unmatched (due_at) where status = 'open' and due_at is not null;
create index unmatched_latest on funding.unmatched (created_at, id);

create function funding.check_unmatched() returns trigger language plpgsql as $$
begin
  if old.status in ('matched', 'returned') and new.status <> old.status then
    raise exception 'unmatched money % can not go from % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'unmatched_ended_stays';
  end if;
  return new;
end
$$;
create trigger unmatched_ended_stays before update on funding.unmatched
  for each row execute function funding.check_unmatched();

-- One comparison of a provider's day: our orders, the ledger's clearing account, the provider's own records.
create table funding.matches (
  id text primary key,
  provider text not null,
  mode text not null constraint match_mode check (mode in ('live', 'test')),
  day date not null,
  -- Does the provider tell what it did? If not, only our own two are compared.
  has_records boolean not null,
  operations integer not null,
  postings integer not null,
  records integer not null,
  repaired integer not null,
  differences integer not null,
  -- By currency: what came in and what left, after each of the three.
  totals json not null,
  compared_at timestamptz not null
);
create unique index match_once on funding.matches (provider, mode, day);
create index matches_latest on funding.matches (compared_at, id);

create table funding.differences (
  match_id text not null references funding.matches (id) on delete cascade,
  number integer not null,
  kind text not null,
  operation_id uuid,
  posting_id bigint,
  -- What the provider calls it.
  provider_reference text,
  amount bigint,
  currency text,
  detail text not null,
  -- Was it sure enough to be mended at once?
  repaired boolean not null,
  primary key (match_id, number)
);

-- Businesses that take payments, their review by an operator, and what they authenticate with. API keys are here only as
-- keyed hashes, Client Secrets only sealed: the keys to both are not in the database.
create schema merchants;

create table merchants.merchants (
  -- By chance: it gives away no count.
  id integer primary key constraint merchant_id_form check (id between 10000000 and 999999999),
  owner_id text not null constraint merchant_owner unique,
  business_name text not null constraint merchant_name_length check (char_length(business_name) between 1 and 80),
  category text not null constraint merchant_category_length check (char_length(category) between 1 and 60),
  website_url text not null,
  ipn_url text,
  callback_url text,
  settlement_currency text not null,
  -- Where customers may be sent back to, besides the website.
  redirect_hosts text[] not null default '{}' constraint merchant_hosts check (cardinality(redirect_hosts) <= 10),
  -- Networks that the API keys may be used from. Empty: all.
  allowed_addresses text[] not null default '{}'
    constraint merchant_addresses check (cardinality(allowed_addresses) <= 20),
  status text not null constraint merchant_status check (status in ('pending', 'approved', 'rejected', 'suspended')),
  created_at timestamptz not null,
  -- When the present application was made.
  applied_at timestamptz not null,
  reviewed_at timestamptz,
  reviewed_by text,
  rejection_reason text,
  suspended_at timestamptz,
  suspension_reason text,
  constraint merchant_reviewed check ((status = 'pending') = (reviewed_at is null)),
  constraint merchant_rejected check ((status = 'rejected') = (rejection_reason is not null)),
  constraint merchant_suspended check ((status = 'suspended') = (suspended_at is not null and suspension_reason is not null))
);
-- The oldest application first.
create index merchants_to_review on merchants.merchants (applied_at, id) where status = 'pending';
create index merchants_by_age on merchants.merchants (created_at desc, id desc);

-- pending → approved | rejected; rejected → pending, when it applies again; approved ↔ suspended. Nothing else.
create function merchants.check_status() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (
    (old.status = 'pending' and new.status in ('approved', 'rejected'))
    or (old.status = 'rejected' and new.status = 'pending')
    or (old.status = 'approved' and new.status = 'suspended')
    or (old.status = 'suspended' and new.status = 'approved')
  ) then
    raise exception 'merchant % can not go from % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'merchant_transition';
  end if;
  if (new.id, new.owner_id) is distinct from (old.id, old.owner_id) then
    raise exception 'merchant % can not become another', old.id
      using errcode = 'check_violation', constraint = 'merchant_stays';
  end if;
  return new;
end
$$;
create trigger merchant_status_change before update on merchants.merchants
  for each row execute function merchants.check_status();

create table merchants.api_keys (
  id text primary key,
  merchant_id integer not null references merchants.merchants (id),
  mode text not null constraint api_key_mode check (mode in ('live', 'test')),
  -- The part that may be shown; it is looked up by.
  prefix text not null constraint api_key_prefix unique
    constraint api_key_prefix_form check (prefix ~ ('^svc_' || mode || '_[0-9A-Za-z]{12}$')),
  -- Which of the service's keys made the mac.
  mac_key_id text not null,
  mac bytea not null constraint api_key_mac check (length(mac) = 32),
  created_at timestamptz not null,
  -- To the minute.
  last_used_at timestamptz,
  -- Absent: until it is replaced.
  expires_at timestamptz
);
create unique index api_key_current on merchants.api_keys (merchant_id, mode) where expires_at is null;
create index api_keys_of on merchants.api_keys (merchant_id, mode, created_at);
create index api_keys_over on merchants.api_keys (expires_at) where expires_at is not null;

create table merchants.client_secrets (
  id text primary key,
  merchant_id integer not null references merchants.merchants (id),
  mode text not null constraint client_secret_mode check (mode in ('live', 'test')),
  -- Opens only in this row (server/src/base/seal.ts).
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create unique index client_secret_current on merchants.client_secrets (merchant_id, mode) where expires_at is null;
create index client_secrets_of on merchants.client_secrets (merchant_id, mode, created_at);
create index client_secrets_over on merchants.client_secrets (expires_at) where expires_at is not null;

-- Answers that showed a secret and may be asked for again, with the same Idempotency-Key, for ten minutes. After that
-- only the fact remains, for a week.
create table merchants.answers (
  id uuid primary key,
  fingerprint uuid not null,
  status integer not null,
  sealed bytea,
  created_at timestamptz not null
);
create index answers_age on merchants.answers (created_at);
create index answers_shown on merchants.answers (created_at) where sealed is not null;

-- What the other processes must hear of: merchants to be read anew (server/src/db/feed.ts).
create table merchants.changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  merchant_id integer not null
);
create index changes_of on merchants.changes (xid);
create index changes_age on merchants.changes (at);

create function merchants.tell_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('merchants_changes', '');
  return null;
end
$$;
create trigger changes_told after insert on merchants.changes
  for each statement execute function merchants.tell_changes();

-- Payments to merchants, from the request to the refund. The money itself is in the ledger; what is here changes in the
-- same transaction.
create schema payments;

-- Numbers are taken in blocks, so that a batch knows them before it writes.
create sequence payments.numbers increment by 1000 cache 1;

create table payments.payments (
  number bigint primary key,
  merchant_id integer not null,
  merchant_name text not null,
  mode text not null constraint payment_mode check (mode in ('live', 'test')),
  -- Which interface asked for it; it decides what the notifications look like.
  source text not null constraint payment_source check (source in ('gateway', 'pay')),
  -- The merchant's own name for it.
  ref_trx text,
  amount bigint not null constraint payment_amount check (amount > 0),
  currency text not null,
  description text,
  notify_url text,
  success_redirect text,
  failure_url text,
  cancel_redirect text,
  -- Of the token in the checkout address. The token is made anew from the number when it is needed.
  token_hash bytea not null constraint payment_token check (length(token_hash) = 32),
  status text not null default 'pending'
    constraint payment_status check (status in ('pending', 'completed', 'failed', 'refunded')),
  failure_code text,
  failure_message text,
  -- Confirmed by the provider after it had expired.
  late boolean not null default false,
  method text,
  -- What the merchant may know of who paid.
  customer text,
  fee bigint not null default 0 constraint payment_fee check (fee >= 0 and fee < amount),
  refunded bigint not null default 0 constraint payment_refunded check (refunded between 0 and amount),
  -- How many notifications were made of it, to number them.
  events integer not null default 0,
  attempts integer not null default 0,
  -- Who paid from a wallet, to give it back there.
  payer_id text,
  posting_id bigint,
  -- Of a request that may be repeated: keyed hashes of its key and of its body.
  idem_key uuid,
  idem_body uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  failed_at timestamptz,
  constraint payment_ref_of_gateway check (source <> 'gateway' or ref_trx is not null),
  constraint payment_failed check ((status = 'failed') = (failure_code is not null)),
  constraint payment_completed check ((status in ('completed', 'refunded')) = (completed_at is not null)),
  constraint payment_refunded_whole check ((status = 'refunded') = (refunded = amount))
) with (fillfactor = 80);

create unique index payment_token_once on payments.payments (token_hash);
-- A merchant's name for a payment is used once, unless it failed.
create unique index payment_ref_once on payments.payments (merchant_id, mode, ref_trx)
  where status <> 'failed' and ref_trx is not null;
create unique index payment_key_once on payments.payments (idem_key) where idem_key is not null;
create index payments_of on payments.payments (merchant_id, mode, created_at desc, number desc);
create index payments_due on payments.payments (expires_at) where status = 'pending';

-- pending → completed | failed; completed → refunded; failed by expiry → completed, late. Nothing else, and nothing twice.
create function payments.check_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (
    (old.status = 'pending' and new.status in ('completed', 'failed'))
    or (old.status = 'completed' and new.status = 'refunded')
    or (old.status = 'failed' and old.failure_code = 'expired' and new.status = 'completed' and new.late)
  ) then
    raise exception 'payment % can not go from % to %', old.number, old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_transition';
  end if;
  if (new.amount, new.currency, new.merchant_id, new.mode) is distinct from
     (old.amount, old.currency, old.merchant_id, old.mode) then
    raise exception 'payment % can not become another', old.number
      using errcode = 'check_violation', constraint = 'payment_stays';
  end if;
  return new;
end
$$;
create trigger payment_transition before update on payments.payments
  for each row execute function payments.check_transition();

create table payments.refunds (
  id text primary key,
  number bigint not null references payments.payments (number),
  amount bigint not null constraint refund_amount check (amount > 0),
  reason text,
  posting_id bigint not null,
  created_at timestamptz not null
);
create index refunds_of on payments.refunds (number, created_at);

-- Each try of a customer to pay, whatever came of it.
create table payments.attempts (
  id text primary key,
  number bigint not null,
  method text not null,
  status text not null constraint attempt_status check (status in ('pending', 'succeeded', 'failed')),
  failure_code text,
  failure_message text,
  customer text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index attempts_of on payments.attempts (number, created_at);

-- Orders to providers are written down before they are sent, so that a process that dies leaves nothing in doubt for ever.
create schema operations;

create table operations.operations (
  -- Known to the provider too, wherever it takes an id of ours.
  id uuid primary key,
  provider text not null,
  mode text not null constraint operation_mode check (mode in ('live', 'test')),
  kind text not null constraint operation_kind check (kind in ('collect', 'payout', 'refund')),
  -- Which room it belongs to, and what that room knows it by.
  purpose text not null
    constraint operation_purpose check (purpose in ('deposit', 'withdrawal', 'payment', 'refund', 'return')),
  subject text not null,
  amount bigint not null constraint operation_amount check (amount > 0),
  currency text not null,
  phone text,
  email text,
  account text,
  reference text not null,
  about text not null,
  return_url text,
  -- Of a refund: what it gives back.
  original_id uuid references operations.operations (id),
  -- Money that came although the provider had said no: of the operation that had failed. Once at most.
  late_of uuid constraint operation_late_once unique references operations.operations (id),
  -- Of the addresses that the provider calls: with what came of it, and with answers to our questions.
  callback_hash bytea not null constraint operation_callback unique check (length(callback_hash) = 32),
  answer_hash bytea not null constraint operation_answer unique check (length(answer_hash) = 32),
  state text not null default 'new'
    constraint operation_state check (state in ('new', 'sending', 'pending', 'unknown', 'completed', 'failed')),
  provider_reference text,
  receipt text,
  redirect_url text,
  -- What is known for sure, before and after its money has moved.
  decided text constraint operation_decided check (decided in ('completed', 'failed')),
  decided_at timestamptz,
  failure_code text,
  failure_detail text,
  confirmed_amount bigint constraint operation_confirmed check (confirmed_amount > 0),
  confirmed_currency text,
  -- What a callback without a signature said.
  hint text constraint operation_hint check (hint in ('completed', 'failed')),
  hint_receipt text,
  -- When a callback was last found to be wrong.
  suspected_at timestamptz,
  stuck_since timestamptz,
  trouble text,
  sends integer not null default 0,
  asks integer not null default 0,
  -- How often in a row the provider did not know it.
  absences integer not null default 0,
  -- How often its owner was told how it ended.
  endings integer not null default 0,
  deliveries integer not null default 0,
  -- When a worker looks after it. Whoever takes it moves this on, so that nobody else does the same meanwhile.
  due_at timestamptz,
  asked_at timestamptz,
  created_at timestamptz not null,
  first_sent_at timestamptz,
  sent_at timestamptz,
  ended_at timestamptz,
  constraint operation_ended check ((state in ('completed', 'failed')) = (ended_at is not null)),
  constraint operation_ended_as_decided check (ended_at is null or decided = state),
  constraint operation_decision check ((decided is null) = (decided_at is null)),
  constraint operation_failure check ((decided is not distinct from 'failed') = (failure_code is not null)),
  constraint operation_completion check ((confirmed_amount is null) = (confirmed_currency is null)
    and (decided is distinct from 'completed' or confirmed_amount is not null)),
  constraint operation_sent check ((sends = 0) = (sent_at is null)),
  constraint operation_not_due_when_ended check (ended_at is null or due_at is null)
) with (fillfactor = 70);

create index operations_due on operations.operations (due_at) where due_at is not null;
create index operations_of on operations.operations (purpose, subject, created_at);
create index operations_latest on operations.operations (created_at desc, id desc);
create index operations_stuck on operations.operations (created_at desc, id desc) where stuck_since is not null;
create index operations_ended on operations.operations (ended_at) where ended_at is not null;
create index operations_provider_reference on operations.operations (provider_reference)
  where provider_reference is not null;
create index operations_receipt on operations.operations (receipt) where receipt is not null;
create index operations_reference on operations.operations (reference);
create index operations_phone on operations.operations (phone) where phone is not null;

-- It goes forward only, ends once, and never becomes another order.
create function operations.check_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.provider, new.mode, new.kind, new.purpose, new.subject, new.amount, new.currency, new.phone,
      new.created_at) is distinct from
     (old.id, old.provider, old.mode, old.kind, old.purpose, old.subject, old.amount, old.currency, old.phone,
      old.created_at) then
    raise exception 'operation % can not become another', old.id
      using errcode = 'check_violation', constraint = 'operation_stays';
  end if;
  if old.ended_at is not null and (new.ended_at, new.state, new.decided, new.confirmed_amount) is distinct from
     (old.ended_at, old.state, old.decided, old.confirmed_amount) then
    raise exception 'operation % has ended', old.id
      using errcode = 'check_violation', constraint = 'operation_ends_once';
  end if;
  if old.decided is not null and new.decided is distinct from old.decided then
    raise exception 'operation % was decided', old.id
      using errcode = 'check_violation', constraint = 'operation_decided_once';
  end if;
  if new.state = 'new' and old.state <> 'new' then
    raise exception 'operation % was sent', old.id
      using errcode = 'check_violation', constraint = 'operation_forward';
  end if;
  return new;
end
$$;
create trigger operation_change before update on operations.operations
  for each row execute function operations.check_change();

-- What was said to providers and what they answered, without secrets. Kept for 90 days.
create table operations.exchanges (
  id bigint generated always as identity primary key,
  operation_id uuid not null,
  provider text not null,
  mode text not null,
  what text not null constraint exchange_what check (what in ('start', 'ask', 'token')),
  method text not null,
  path text not null,
  request text not null,
  status integer,
  answer text,
  problem text,
  -- The provider did not work: no answer, or none that says anything. For its health.
  technical boolean not null,
  duration_ms integer not null,
  at timestamptz not null
);
create index exchanges_of on operations.exchanges (operation_id, id);
create index exchanges_at on operations.exchanges (at) include (provider, mode, technical);

-- What came to callback addresses: stored before it is answered, worked on afterwards, by anybody. Kept for 90 days.
create table operations.deliveries (
  id bigint generated always as identity primary key,
  -- Known from the address; absent where all operations of a provider have one address.
  operation_id uuid,
  provider text not null,
  mode text not null constraint delivery_mode check (mode in ('live', 'test')),
  what text not null constraint delivery_what check (what in ('callback', 'answer')),
  method text not null,
  headers jsonb not null,
  body bytea not null,
  attempts integer not null default 0,
  -- When a worker takes it, if nobody has by then. Absent: done.
  due_at timestamptz,
  result text,
  at timestamptz not null,
  constraint delivery_done check ((due_at is null) = (result is not null))
);
create index deliveries_due on operations.deliveries (due_at) where due_at is not null;
create index deliveries_of on operations.deliveries (operation_id, id);
create index deliveries_at on operations.deliveries (at);

-- What merchants must hear of is written down in the transaction of what happened, and sent by workers until it arrived.
create schema notifications;

create table notifications.events (
  merchant integer not null,
  mode text not null constraint event_mode check (mode in ('live', 'test')),
  -- The order they were written in; with the merchant in front, so that a merchant's list is one walk along the key.
  number bigint generated always as identity,
  -- What receivers know it by, the same over all attempts and replays.
  id text not null constraint event_id unique,
  -- The payment it tells of, and its place among the events of that payment.
  subject text not null,
  sequence integer not null constraint event_sequence check (sequence > 0),
  event text not null,
  kind text not null constraint event_kind check (kind in ('gateway', 'callback')),
  url text not null,
  -- Scheme, host and port of the address: with merchant and mode, what is slow, broken or suspended together.
  origin text not null,
  -- Exactly what is sent, every time. After 90 days only its hash is left.
  body text constraint event_body_length check (octet_length(body) <= 65536),
  body_hash bytea,
  at timestamptz not null,
  status text not null default 'pending'
    constraint event_status check (status in ('pending', 'delivered', 'failed', 'held')),
  -- The same for an index: one on the status itself would make every delivery write all indexes of the row anew.
  undelivered boolean not null default false,
  attempts integer not null default 0,
  -- When it was delivered, given up or held.
  done_at timestamptz,
  primary key (merchant, mode, number),
  -- Each change of a payment is told once.
  constraint event_once unique (subject, sequence),
  constraint event_undelivered check (undelivered = (status in ('failed', 'held'))),
  constraint event_done check ((status = 'pending') = (done_at is null)),
  constraint event_body_or_hash check ((body is null) = (body_hash is not null))
)
-- Every row is changed once, soon after it was written: room for that on its own page.
with (fillfactor = 70);
create index events_undelivered on notifications.events (merchant, mode, number) where undelivered;
-- For what is pruned by age. Rows stay where they were written, so this small kind of index suffices, and costs a payment
-- nothing.
create index events_age on notifications.events using brin (at) with (pages_per_range = 32, autosummarize = on);

-- What waits to be sent or is being sent: a row exists exactly as long as its event is pending. Rows come and go with
-- every payment, so there is no foreign key, and the row of an event is written by the same function as the event.
create table notifications.queue (
  merchant integer not null,
  mode text not null,
  number bigint not null,
  origin text not null,
  subject text not null,
  sequence integer not null,
  due_at timestamptz not null,
  -- Begun ones. Whoever holds the lease knows this number; a worker that comes back too late has an older one.
  attempts integer not null default 0,
  -- Those that failed, since it was asked for.
  failures integer not null default 0,
  -- The first of them.
  failed_at timestamptz,
  -- A worker is sending it. When the time is over the worker has died, and another one takes it.
  leased_until timestamptz,
  -- Its target has more than it may get: it waits in the line of that target and in nobody's way.
  parked boolean not null default false,
  -- Somebody asked for it again: it goes out whatever came before it, even to a suspended target.
  replay boolean not null default false,
  primary key (merchant, mode, number)
)
-- Taking a lease changes no indexed column: with room on its page it writes no index.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);
-- First attempts go before retries, so each kind has its own order. A row is in one of the three.
create index queue_first on notifications.queue (due_at) where not parked and failures = 0;
create index queue_again on notifications.queue (due_at) where not parked and failures > 0;
create index queue_parked on notifications.queue (merchant, mode, origin, (failures > 0), due_at) where parked;

-- Where notifications go, as soon as there has been trouble; a target that always worked has no row.
create table notifications.targets (
  merchant integer not null,
  mode text not null,
  origin text not null,
  -- The first failure after the last success, and what has failed since.
  failing_since timestamptz,
  failures integer not null default 0,
  -- The latest day with a failure, and how many such days there were.
  failed_on date,
  failed_days integer not null default 0,
  -- So many failures that only one attempt a minute goes out, until one succeeds.
  broken_at timestamptz,
  probe_at timestamptz,
  suspended_at timestamptz,
  suspension text constraint target_suspension check (suspension in ('gone', 'failing')),
  -- When the merchant was told of failures, and of the suspension.
  warned_at timestamptz,
  told_at timestamptz,
  primary key (merchant, mode, origin),
  constraint target_broken check ((broken_at is null) = (probe_at is null)),
  constraint target_suspended check ((suspended_at is null) = (suspension is null) and (suspended_at is null) = (told_at is null))
);
create index targets_suspended on notifications.targets (told_at) where suspended_at is not null;

-- Every attempt, for 30 days.
create table notifications.attempts (
  -- Of the event.
  number bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer,
  -- What the name led to. For operators only: else the log would be a scanner of networks.
  address text,
  -- Of the answer.
  status integer,
  -- Why it did not count; absent when it was delivered.
  problem text,
  -- What the merchant may know besides, and what only operators may.
  detail text,
  cause text,
  -- The beginning of the answer, as it came.
  response bytea constraint attempt_response check (length(response) <= 2048),
  primary key (number, attempt)
);
create index attempts_age on notifications.attempts (at);

-- How far bodies have been pruned: what is older need not be looked at again.
create table notifications.pruned (
  only_row boolean primary key default true constraint pruned_once check (only_row),
  bodies_until timestamptz not null
);
insert into notifications.pruned (bodies_until) values ('-infinity');

-- An event and its place in the queue, many at once. A function, because a statement that is written with a posting can
-- have one insert only. Answers 1 for each.
create function notifications.add_events(
  ids text[], merchants integer[], modes text[], subjects text[], sequences integer[], events text[], kinds text[],
  urls text[], origins text[], bodies text[], times timestamptz[]
) returns setof integer language plpgsql as $$
begin
  return query
    with written as (
      insert into notifications.events as e (id, merchant, mode, subject, sequence, event, kind, url, origin, body, at)
      select * from unnest(ids, merchants, modes, subjects, sequences, events, kinds, urls, origins, bodies, times)
      returning e.merchant, e.mode, e.number, e.origin, e.subject, e.sequence, e.at
    )
    insert into notifications.queue (merchant, mode, number, origin, subject, sequence, due_at)
    select * from written returning 1;
end
$$;

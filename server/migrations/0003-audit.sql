-- Who did what and when, so that nobody, with all rights on the database, can alter or remove it without being found.
-- Events are written unchained, in the transaction of what they tell, and wait for nobody. Every few seconds one
-- writer gives them their place in the chain of the day (the reason is in server/src/audit/audit.ts).
create schema audit;

create table audit.events (
  id bigint generated always as identity primary key,
  -- In whole milliseconds, as the program knows it, so that a page can be asked for by the time of its last row.
  at timestamptz not null constraint event_at_ms check (at = date_trunc('milliseconds', at)),
  actor_kind text not null,
  actor_id text not null,
  action text not null constraint event_action check (action ~ '^[a-z0-9_.]{1,64}$'),
  object text,
  result text not null constraint event_result check (result in ('ok', 'refused')),
  address text,
  -- Devices can be told apart, and nothing is known of them.
  user_agent_hash bytea,
  session text,
  request_id text,
  -- As text, not jsonb: the hash covers it byte by byte.
  details json not null
);
create index events_latest on audit.events (at, id);
create index events_by_actor on audit.events (actor_id, at, id);
create index events_by_action on audit.events (action, at, id);
create index events_by_object on audit.events (object, at, id) where object is not null;

-- Events that have no place in a chain yet. Ids are no help to find them: a lower one may be committed later.
create table audit.waiting (
  event_id bigint primary key,
  since timestamptz not null default now()
);

create table audit.chain (
  -- The day it was sealed, in UTC. A day that is over never grows.
  day date not null,
  -- Without gaps, from 1 on.
  position bigint not null constraint link_position check (position > 0),
  event_id bigint not null constraint link_event unique,
  prev_hash bytea not null constraint link_prev_hash check (length(prev_hash) = 32),
  hash bytea not null constraint link_hash check (length(hash) = 32),
  primary key (day, position)
);

-- Where each day that is over ended, signed with a secret that is not in the database. No day is left out.
create table audit.heads (
  day date not null,
  -- Which secret it is signed with: after a change of the secret each head is signed once more.
  signer text not null,
  events bigint not null constraint head_events check (events >= 0),
  hash bytea not null constraint head_hash check (length(hash) = 32),
  signature bytea not null constraint head_signature check (length(signature) = 32),
  primary key (day, signer)
);

-- Where the chain of today stands, signed as well; the one row is also what the writers take turns on.
create table audit.tip (
  only_row boolean primary key default true constraint tip_once check (only_row),
  day date not null,
  signer text not null,
  events bigint not null,
  hash bytea not null,
  signature bytea not null
);

-- What was written once is never changed. The rights go too; the trigger also tells who has all rights.
create function audit.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of audit.% is not allowed: its rows are never changed', tg_op, tg_table_name
    using errcode = 'restrict_violation', constraint = 'audit_append_only';
end
$$;
create trigger events_append_only before update or delete or truncate on audit.events
  for each statement execute function audit.refuse_change();
create trigger chain_append_only before update or delete or truncate on audit.chain
  for each statement execute function audit.refuse_change();
create trigger heads_append_only before update or delete or truncate on audit.heads
  for each statement execute function audit.refuse_change();
revoke update, delete, truncate on audit.events, audit.chain, audit.heads from current_user;

-- One event of the audit log with its place in the queue of those that are to be sealed: an event without it would never be.
-- A function, so that money that leaves can be noted by the statements that write its posting.
create function audit.add_event(
  at timestamptz, actor_kind text, actor_id text, action text, object text, result text, address text,
  user_agent_hash bytea, session text, request_id text, details json
) returns void language sql as $$
  with written as (
    insert into audit.events (at, actor_kind, actor_id, action, object, result, address, user_agent_hash, session,
      request_id, details)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id
  )
  insert into audit.waiting (event_id) select id from written
$$;

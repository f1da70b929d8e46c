-- A developer's computer has no address that we could send to: it asks for the events of test mode, each once and in order.
-- An event of test mode is therefore written down even when its payment names no address. Live mode is as it was.
alter table notifications.events
  -- The transaction that wrote it, in test mode. Numbers become visible out of order; of transactions it is known which
  -- ones are still open, so what was written by older ones is complete.
  add column written_by xid8,
  alter column url drop not null,
  alter column origin drop not null,
  drop constraint event_status,
  -- unsent: there is nobody to send it to.
  add constraint event_status check (status in ('pending', 'delivered', 'failed', 'held', 'unsent')),
  add constraint event_unsent check (
    (url is null) = (status = 'unsent') and (url is null) = (origin is null) and (url is not null or mode = 'test')
  );

create index events_feed on notifications.events (merchant, written_by, number) where written_by is not null;

create or replace function notifications.add_events(
  ids text[], merchants integer[], modes text[], subjects text[], sequences integer[], events text[], kinds text[],
  urls text[], origins text[], bodies text[], times timestamptz[]
) returns setof integer language plpgsql as $$
begin
  return query
    with written as (
      insert into notifications.events as e
        (id, merchant, mode, subject, sequence, event, kind, url, origin, body, at, status, done_at, written_by)
      select n.id, n.merchant, n.mode, n.subject, n.sequence, n.event, n.kind, n.url, n.origin, n.body, n.at,
        case when n.url is null then 'unsent' else 'pending' end,
        case when n.url is null then n.at end,
        case when n.mode = 'test' then pg_current_xact_id() end
      from unnest(ids, merchants, modes, subjects, sequences, events, kinds, urls, origins, bodies, times)
        as n (id, merchant, mode, subject, sequence, event, kind, url, origin, body, at)
      returning e.merchant, e.mode, e.number, e.origin, e.subject, e.sequence, e.at
    ), queued as (
      insert into notifications.queue (merchant, mode, number, origin, subject, sequence, due_at)
      select * from written w where w.origin is not null
    )
    select 1 from written;
end
$$;

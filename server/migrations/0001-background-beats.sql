-- Each worker leaves a mark every ten seconds, so that an API process can tell whether anybody does the work it queues.
create schema background;

create table background.beats (
  worker text primary key,
  last_seen_at timestamptz not null
);

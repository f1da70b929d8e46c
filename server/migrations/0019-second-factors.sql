-- The authenticator apps of operators, and which logins have shown a code of theirs.
create schema operators;

create table operators.factors (
  user_id text primary key,
  -- The secret that the app shares with us.
  sealed bytea not null,
  -- Of the last code that was used: no code opens twice.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table operators.passes (
  session_id text primary key,
  user_id text not null,
  until timestamptz not null
);
create index passes_of on operators.passes (user_id);
create index passes_age on operators.passes (until);

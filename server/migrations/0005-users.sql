-- People, their sessions and their PINs. Passwords, PINs and codes are here only as keyed hashes: the keys are not in
-- the database, so a copy of it lets nobody in.
create schema users;

create table users.people (
  id text primary key,
  handle text not null constraint people_handle_form check (handle ~ '^[a-z][a-z0-9_]{2,19}$'),
  name text not null constraint people_name_length check (char_length(name) between 1 and 80),
  -- In small letters, so that one mailbox can't have two accounts.
  email text constraint people_email_form check (email = lower(email) and char_length(email) <= 254),
  email_confirmed_at timestamptz,
  phone text constraint people_phone_form check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  -- ISO 3166; ZZ: not told.
  country text not null constraint people_country_form check (country ~ '^[A-Z]{2}$'),
  locale text not null constraint people_locale check (locale in ('en', 'sw', 'fr')),
  roles text[] not null default '{}',
  wants_receipts boolean not null,
  frozen_at timestamptz,
  password text not null,
  -- In a row, over all addresses. At a hundred the password opens nothing any more until it is reset by mail.
  login_failures int not null default 0,
  created_at timestamptz not null,
  constraint people_handle unique (handle),
  constraint people_email unique (email),
  constraint people_phone unique (phone),
  constraint people_reachable check (email is not null or phone is not null),
  constraint people_confirmed check (email_confirmed_at is null or email is not null)
);

create table users.pins (
  user_id text primary key references users.people (id),
  -- Which of the service's keys made the mac.
  key_id text not null,
  salt bytea not null constraint pin_salt check (length(salt) = 16),
  mac bytea not null constraint pin_mac check (length(mac) = 32),
  -- In a row. Five lock it for a while, ten for good.
  failures int not null default 0 constraint pin_failures check (failures between 0 and 10),
  locked_until timestamptz,
  set_at timestamptz not null
);

create table users.sessions (
  id text primary key,
  user_id text not null references users.people (id),
  -- The number of the latest token. Only that one is good.
  generation int not null constraint session_generation check (generation > 0),
  -- Whole seconds, as in the token.
  issued_at timestamptz not null,
  -- When the token before the latest one was exchanged for it.
  rotated_at timestamptz,
  device text not null,
  address text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  -- Until then there may be tokens that are refused only because of this row.
  refuses_until timestamptz,
  constraint session_end check ((ended_at is null) = (end_reason is null))
);
create index sessions_of on users.sessions (user_id, issued_at desc) where ended_at is null;
create index sessions_refusing on users.sessions (refuses_until) where refuses_until is not null;
create index sessions_age on users.sessions (created_at);

-- Where somebody has logged in from: who guesses passwords elsewhere can't lock the owner out there.
create table users.places (
  user_id text not null references users.people (id),
  address text not null,
  -- A hash of what the program calls itself.
  device bytea not null,
  seen_at timestamptz not null,
  primary key (user_id, address, device)
);
create index places_age on users.places (seen_at);

-- Failures that are counted for a while: of a login name, an address, a password asked for again.
create table users.attempts (
  -- A keyed hash: what was typed may be anything, even a password.
  key bytea primary key,
  failures int not null,
  forgotten_at timestamptz not null
);
create index attempts_age on users.attempts (forgotten_at);

-- Codes that were mailed. One a person and purpose: a new one takes the place of the old.
create table users.codes (
  user_id text not null references users.people (id),
  purpose text not null constraint code_purpose check (purpose in ('email', 'password')),
  -- Where it was sent: it says nothing about another address.
  email text not null,
  mac bytea not null,
  attempts int not null default 0,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
create index codes_age on users.codes (expires_at);

-- What the other processes must hear of. Written with the change, read by all every second; the row's transaction
-- tells who has seen it, since numbers may become visible out of order.
create table users.changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  -- A person to be read anew, or a session of which tokens are refused.
  kind text not null constraint change_kind check (kind in ('person', 'session')),
  subject text not null,
  -- Of a session: the least number that is still good, and until when that matters.
  generation int,
  refuses_until timestamptz,
  constraint change_session check ((kind = 'session') = (generation is not null and refuses_until is not null))
);
create index changes_of on users.changes (xid);
create index changes_age on users.changes (at);

create function users.tell_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('users_changes', '');
  return null;
end
$$;
create trigger changes_told after insert on users.changes
  for each statement execute function users.tell_changes();

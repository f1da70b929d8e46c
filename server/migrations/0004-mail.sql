-- Mails are written down in the transaction of what they tell, sent by a background job, and can be read afterwards.
create schema mail;

create table mail.messages (
  -- The order they were queued in.
  number bigint generated always as identity primary key,
  id text not null constraint message_id unique,
  queued_at timestamptz not null default now(),
  to_address text not null,
  to_name text not null,
  locale text not null constraint message_locale check (locale in ('en', 'sw', 'fr')),
  template text not null,
  about_kind text,
  about_id text,
  -- It shows a code: its contents are wiped as soon as it is sent, or when the code can't be used any more.
  has_code boolean not null,
  -- What the template is filled with; gone when the mail has been written, or wiped.
  data json,
  -- Made by the first attempt to send it, so that every attempt sends the same.
  subject text,
  body_text text,
  body_html text,
  state text not null default 'queued' constraint message_state check (state in ('queued', 'sent', 'kept', 'failed')),
  attempts int not null default 0,
  -- What the mail server said, or why it was not even tried.
  problem text,
  done_at timestamptz,
  wiped_at timestamptz,
  constraint message_about check ((about_kind is null) = (about_id is null)),
  constraint message_wiped check (wiped_at is null or (data is null and body_text is null and body_html is null))
);
create index messages_by_address on mail.messages (lower(to_address), number);
create index messages_by_about on mail.messages (about_kind, about_id, number) where about_id is not null;
create index messages_unsent on mail.messages (state, number) where state <> 'sent';
create index messages_with_code on mail.messages (queued_at) where has_code and wiped_at is null;

-- A mail that shows a code is sealed, so that a copy of the database opens no account. There is no key here to seal what
-- was written before: it stays readable until it is sent or a day old, and so does what the release before still writes.
alter table mail.messages
  add column sealed bytea,
  add constraint message_code_sealed check (
    sealed is null or (has_code and data is null and body_text is null and body_html is null)
  ),
  -- The release before takes a sealed mail for a wiped one. It must not give it up: this refuses, and it is tried again.
  add constraint message_sealed_wiped check (wiped_at is null or sealed is null);
create index messages_sealed on mail.messages (id) where sealed is not null;

-- The release before wipes codes by their age, and knows nothing of this column.
create function mail.wipe_sealed() returns trigger language plpgsql as $$
begin
  new.sealed = null;
  return new;
end
$$;
create trigger messages_wipe_sealed before update on mail.messages
  for each row when (new.wiped_at is not null and new.sealed is not null and new.state = old.state)
  execute function mail.wipe_sealed();

-- Who has changed a PIN may be a thief with the mail of its owner: for a day nothing can be withdrawn with the new one. The
-- first PIN of a person is not a change.
alter table users.pins add column changed_at timestamptz;

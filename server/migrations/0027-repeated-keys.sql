-- A request with a key may be answered with a payment that another request made: its key stays with that answer too.
create table payments.repeated_keys (
  -- Keyed hashes of the key and of the body, as in payments.payments.
  key uuid primary key,
  body uuid not null,
  number bigint not null references payments.payments (number),
  created_at timestamptz not null
);
create index repeated_keys_by_age on payments.repeated_keys (created_at);

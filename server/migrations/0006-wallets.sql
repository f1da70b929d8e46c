-- A wallet is an account of the ledger; this only remembers those that a person opened on purpose and that may be empty.
create schema wallets;

create table wallets.opened (
  user_id text not null constraint opened_user check (user_id ~ '^usr_'),
  currency text not null constraint opened_currency check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  constraint opened_once primary key (user_id, currency)
);

-- Wrong logins in the checkout, a payment: after five of them it can't be made from a wallet any more. Kept here, so that
-- all processes count together.
create schema checkout;

create table checkout.wrong_logins (
  payment_number bigint primary key,
  failures integer not null constraint wrong_logins_counted check (failures between 0 and 5),
  since timestamptz not null
);

create index wrong_logins_since on checkout.wrong_logins (since);

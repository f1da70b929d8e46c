-- What a merchant took, lost and gave back a day is added up from these indexes alone, however many payments there are.
-- Counters would have to be changed by every payment of a merchant at once, and so would make them wait for each other.
create index payments_completed_of on payments.payments (merchant_id, mode, currency, completed_at) include (amount)
  where completed_at is not null;
create index payments_failed_of on payments.payments (merchant_id, mode, currency, failed_at) include (amount)
  where status = 'failed';

-- A refund counts on the day it arrived, which says nothing of the day of its payment: so it knows whose it is itself.
alter table payments.refunds
  add column merchant_id integer,
  add column mode text,
  add column currency text;

-- By a trigger, so that the release before this one fills them too. A campaign has no merchant.
create function payments.name_refund() returns trigger language plpgsql as $$
begin
  select merchant_id, mode, currency into strict new.merchant_id, new.mode, new.currency
  from payments.payments where number = new.number;
  return new;
end
$$;
create trigger refund_named before insert on payments.refunds
  for each row execute function payments.name_refund();

update payments.refunds r set merchant_id = p.merchant_id, mode = p.mode, currency = p.currency
from payments.payments p where p.number = r.number;
do $$
begin
  if exists (select from payments.refunds where mode is null or currency is null) then
    raise exception 'a refund does not know its payment';
  end if;
end
$$;
alter table payments.refunds alter column mode set not null, alter column currency set not null;

create index refunds_completed_of on payments.refunds (merchant_id, mode, currency, ended_at) include (amount)
  where status = 'completed';

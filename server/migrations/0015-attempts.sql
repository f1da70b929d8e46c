-- Payments that customers make by a provider: each try with the order that was given to the provider for it, and refunds
-- that go back the same way, which takes a while and may fail.

-- The order to the provider; absent for tries from a wallet.
alter table payments.attempts add column operation_id uuid;
-- The phone or the e-mail address that the provider was given: it is not asked again while it is being asked. The merchant
-- sees what is in `customer`.
alter table payments.attempts add column contact text;
-- The order of the tries: some come in the same moment.
alter table payments.attempts add column seq bigint generated always as identity;
-- One success at most, whoever says so and however often.
create unique index attempt_succeeded_once on payments.attempts (number) where status = 'succeeded';
alter table payments.attempts
  add constraint attempt_failed check ((status = 'failed') = (failure_code is not null)),
  add constraint attempt_ended check ((status = 'pending') = (ended_at is null));

-- What has ended stays as it is.
create function payments.check_ended() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' and new.status <> old.status then
    raise exception '% can not go from % to %', old.id, old.status, new.status
      using errcode = 'check_violation', constraint = 'ended_stays';
  end if;
  return new;
end
$$;
create trigger attempt_ended_stays before update on payments.attempts
  for each row execute function payments.check_ended();

-- On its way back to who paid, and not there yet. With what is there already it is never more than was paid.
alter table payments.payments
  add column refunding bigint not null default 0 constraint payment_refunding check (refunding >= 0),
  add constraint payment_refunds_bounded check (refunded + refunding <= amount);

alter table payments.refunds
  add column seq bigint generated always as identity,
  add column status text not null default 'completed'
    constraint refund_status check (status in ('pending', 'completed', 'failed')),
  -- Absent when it went back into a wallet.
  add column operation_id uuid,
  -- What the merchant's account holds for it until it has ended.
  add column hold_id bigint,
  add column failure_code text,
  add column failure_message text,
  add column ended_at timestamptz;
update payments.refunds set ended_at = created_at;
-- The posting that moved the money: there is none before, nor when it failed.
alter table payments.refunds alter column posting_id drop not null;
alter table payments.refunds
  add constraint refund_failed check ((status = 'failed') = (failure_code is not null)),
  add constraint refund_ended check ((status = 'pending') = (ended_at is null)),
  add constraint refund_posted check ((status = 'completed') = (posting_id is not null)),
  add constraint refund_held check (status <> 'pending' or hold_id is not null),
  add constraint refund_waits_for_provider check (status = 'completed' or operation_id is not null);
create unique index refund_of_operation on payments.refunds (operation_id) where operation_id is not null;
create trigger refund_ended_stays before update on payments.refunds
  for each row execute function payments.check_ended();

-- Money requests: somebody asks somebody for money. The transfer that pays one is in the ledger, like all others.
create schema transfers;

create table transfers.requests (
  id text primary key,
  -- Who is asked.
  payer_id text not null,
  -- Who asks.
  payee_id text not null,
  amount bigint not null constraint request_amount check (amount > 0),
  currency text not null,
  note text,
  status text not null default 'pending'
    constraint request_status check (status in ('pending', 'paid', 'declined', 'cancelled')),
  -- The posting that paid it.
  posting_id bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  constraint request_not_to_oneself check (payer_id <> payee_id),
  constraint request_paid_by_posting check ((status = 'paid') = (posting_id is not null)),
  constraint request_decided check ((status = 'pending') = (decided_at is null))
);
create index requests_in on transfers.requests (payer_id, created_at desc, id desc);
create index requests_out on transfers.requests (payee_id, created_at desc, id desc);

-- A request is decided once.
create function transfers.refuse_second_decision() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'request % is % already', old.id, old.status
      using errcode = 'check_violation', constraint = 'request_decided_once';
  end if;
  return new;
end
$$;
create trigger request_decided_once before update on transfers.requests
  for each row execute function transfers.refuse_second_decision();

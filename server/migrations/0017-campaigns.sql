-- Campaigns: people raise money for something, in the open. The money itself is in the ledger, in an account a campaign;
-- what is here is written in the same transaction, and the totals are kept by the rows that they are made of.
create schema campaigns;

create table campaigns.campaigns (
  id text primary key constraint campaign_id_form check (id ~ '^cmp_[0-9A-Za-z]{22}$'),
  owner_id text not null,
  title text not null constraint campaign_title check (char_length(title) between 1 and 80),
  story text not null constraint campaign_story check (char_length(story) between 1 and 5000),
  category text not null,
  cover_url text,
  currency text not null,
  goal bigint not null constraint campaign_goal check (goal > 0),
  -- Of the goal, in whole percent: lists are sorted by it. It changes far less often than the totals do.
  percent bigint not null default 0,
  ends_at timestamptz,
  -- By its owner, or because its time was over, or because the money goes back.
  ended_at timestamptz,
  -- By an operator: nobody contributes, and nothing is taken out.
  paused_at timestamptz,
  pause_reason text,
  -- An operator gives all that is there back to who gave it.
  return_begun_at timestamptz,
  return_reason text,
  returned_at timestamptz,
  created_at timestamptz not null,
  -- Words alone: where they stand makes no difference, and would double its size.
  search tsvector not null generated always as (strip(to_tsvector('simple', title || ' ' || story))) stored,
  constraint campaign_paused check ((paused_at is null) = (pause_reason is null)),
  constraint campaign_return check ((return_begun_at is null) = (return_reason is null)),
  constraint campaign_return_ends check (return_begun_at is null or ended_at is not null),
  constraint campaign_returned check (returned_at is null or return_begun_at is not null)
-- A page of a list is short work: starting helpers for it would take longer.
) with (parallel_workers = 0);
-- A list has only those that take contributions, in one of three orders. Category and currency stand behind the order, so
-- that what does not fit is passed by within the index; what is rare is found by the index of kinds.
create index campaigns_newest on campaigns.campaigns (created_at desc, id desc, category, currency)
  where ended_at is null and paused_at is null;
create index campaigns_ending on campaigns.campaigns (coalesce(ends_at, 'infinity'::timestamptz), id, category, currency)
  where ended_at is null and paused_at is null;
create index campaigns_funded on campaigns.campaigns (percent desc, id desc, category, currency)
  where ended_at is null and paused_at is null;
create index campaigns_of_kind on campaigns.campaigns (category, currency)
  where ended_at is null and paused_at is null;
create index campaigns_search on campaigns.campaigns using gin (search);
create index campaigns_of on campaigns.campaigns (owner_id, created_at desc, id desc);
create index campaigns_by_age on campaigns.campaigns (created_at desc, id desc);
create index campaigns_due on campaigns.campaigns (ends_at) where ended_at is null;
create index campaigns_returning on campaigns.campaigns (return_begun_at)
  where return_begun_at is not null and returned_at is null;

-- Apart, because each contribution writes them anew, and what people read and search for stays as it is.
create table campaigns.totals (
  campaign_id text primary key references campaigns.campaigns (id),
  -- What came in, less what went back to who gave it. What the owner took out is still raised.
  raised bigint not null default 0,
  withdrawn bigint not null default 0 constraint totals_money check (withdrawn between 0 and raised),
  contributors integer not null default 0
) with (fillfactor = 80);

create function campaigns.open_totals() returns trigger language plpgsql as $$
begin
  insert into campaigns.totals (campaign_id) values (new.id);
  return null;
end
$$;
create trigger campaign_totals after insert on campaigns.campaigns
  for each row execute function campaigns.open_totals();

create function campaigns.percent_of(raised bigint, goal bigint) returns bigint language sql immutable
  return div(raised::numeric * 100, goal)::bigint;

create function campaigns.keep_percent() returns trigger language plpgsql as $$
begin
  update campaigns.campaigns c set percent = campaigns.percent_of(n.raised, c.goal)
    from come n where c.id = n.campaign_id and c.percent <> campaigns.percent_of(n.raised, c.goal);
  return null;
end
$$;
create trigger totals_percent after update on campaigns.totals
  referencing new table as come for each statement execute function campaigns.keep_percent();

create table campaigns.contributions (
  id text primary key,
  seq bigint generated always as identity,
  campaign_id text not null references campaigns.campaigns (id),
  -- Absent when it was paid in the checkout by somebody without an account.
  user_id text,
  -- The number of the payment, when it came through the checkout.
  payment bigint constraint contribution_payment unique,
  -- Who counts as one contributor.
  contributor text not null,
  -- As it was then. Absent: not told.
  name text,
  message text,
  anonymous boolean not null,
  amount bigint not null constraint contribution_amount check (amount > 0),
  returned bigint not null default 0 constraint contribution_returned check (returned between 0 and amount),
  posting_id bigint not null constraint contribution_posting unique,
  created_at timestamptz not null,
  constraint contribution_whose check (user_id is not null or payment is not null)
);
create index contributions_of on campaigns.contributions (campaign_id, seq desc);

create table campaigns.contributors (
  campaign_id text not null,
  contributor text not null,
  primary key (campaign_id, contributor)
);

create function campaigns.add_contributions() returns trigger language plpgsql as $$
begin
  with fresh as (
    insert into campaigns.contributors (campaign_id, contributor)
    select distinct campaign_id, contributor from added order by 1, 2
    on conflict do nothing returning campaign_id
  ), known as (
    select campaign_id, count(*)::int as count from fresh group by 1
  ), total as (
    select campaign_id, sum(amount) as amount from added group by 1
  )
  update campaigns.totals t
    set raised = t.raised + total.amount, contributors = t.contributors + coalesce(known.count, 0)
    from total left join known using (campaign_id) where t.campaign_id = total.campaign_id;
  return null;
end
$$;
create trigger contributions_added after insert on campaigns.contributions
  referencing new table as added for each statement execute function campaigns.add_contributions();

-- What its owner took out, the fee included.
create table campaigns.withdrawals (
  id text primary key,
  campaign_id text not null references campaigns.campaigns (id),
  amount bigint not null,
  fee bigint not null constraint withdrawal_amount check (fee >= 0 and fee < amount),
  posting_id bigint not null constraint withdrawal_posting unique,
  created_at timestamptz not null
);
create index withdrawals_of on campaigns.withdrawals (campaign_id, created_at);

create function campaigns.add_withdrawals() returns trigger language plpgsql as $$
begin
  update campaigns.totals t set withdrawn = t.withdrawn + total.amount
    from (select campaign_id, sum(amount) as amount from added group by 1) total
    where t.campaign_id = total.campaign_id;
  return null;
end
$$;
create trigger withdrawals_added after insert on campaigns.withdrawals
  referencing new table as added for each statement execute function campaigns.add_withdrawals();

-- What goes back of a contribution: all of it, or its share when a part of the money was taken out before.
create table campaigns.returns (
  contribution_id text primary key references campaigns.contributions (id),
  campaign_id text not null references campaigns.campaigns (id),
  amount bigint not null constraint return_amount check (amount > 0),
  -- sent: a provider has been told to pay it back.
  state text not null default 'open' constraint return_state check (state in ('open', 'sent', 'done', 'failed')),
  tries integer not null default 0,
  problem text,
  -- What has arrived.
  moved bigint not null default 0 constraint return_moved check (moved between 0 and amount),
  posting_id bigint,
  ended_at timestamptz,
  constraint return_done check ((state = 'done') = (posting_id is not null)),
  constraint return_failed check (state <> 'failed' or problem is not null)
);
create index returns_left on campaigns.returns (campaign_id, contribution_id) where state <> 'done';

-- What has arrived stays so, and counts once.
create function campaigns.add_returns() returns trigger language plpgsql as $$
begin
  if exists (select from gone join come using (contribution_id) where gone.state = 'done') then
    raise exception 'what went back can not change' using errcode = 'check_violation', constraint = 'return_stays';
  end if;
  update campaigns.contributions c set returned = come.moved
    from come where come.state = 'done' and c.id = come.contribution_id;
  update campaigns.totals t set raised = t.raised - total.amount
    from (select campaign_id, sum(moved) as amount from come where state = 'done' group by 1) total
    where t.campaign_id = total.campaign_id;
  return null;
end
$$;
create trigger returns_done after update on campaigns.returns
  referencing old table as gone new table as come for each statement execute function campaigns.add_returns();

-- News from the owner.
create table campaigns.updates (
  id text primary key,
  seq bigint generated always as identity,
  campaign_id text not null references campaigns.campaigns (id),
  text text not null constraint update_text check (char_length(text) between 1 and 1000),
  created_at timestamptz not null
);
create index updates_of on campaigns.updates (campaign_id, seq desc);

-- What somebody without an account wants to say with a contribution that is not paid yet.
create table campaigns.pledges (
  payment bigint primary key,
  campaign_id text not null references campaigns.campaigns (id),
  name text,
  message text,
  anonymous boolean not null,
  created_at timestamptz not null
);
create index pledges_age on campaigns.pledges (created_at);

-- Payments in the checkout may be for a campaign instead of a business: live, and free of any fee.
alter table payments.payments
  alter column merchant_id drop not null,
  add column campaign_id text,
  drop constraint payment_source,
  add constraint payment_source check (source in ('gateway', 'pay', 'campaign')),
  add constraint payment_payee check ((source = 'campaign') = (campaign_id is not null)
    and (campaign_id is null) = (merchant_id is not null)),
  add constraint payment_of_campaign check (campaign_id is null or (mode = 'live' and fee = 0 and notify_url is null));

create or replace function payments.check_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (
    (old.status = 'pending' and new.status in ('completed', 'failed'))
    or (old.status = 'completed' and new.status = 'refunded')
    or (old.status = 'failed' and old.failure_code = 'expired' and new.status = 'completed' and new.late)
  ) then
    raise exception 'payment % can not go from % to %', old.number, old.status, new.status
      using errcode = 'check_violation', constraint = 'payment_transition';
  end if;
  if (new.amount, new.currency, new.merchant_id, new.campaign_id, new.mode) is distinct from
     (old.amount, old.currency, old.merchant_id, old.campaign_id, old.mode) then
    raise exception 'payment % can not become another', old.number
      using errcode = 'check_violation', constraint = 'payment_stays';
  end if;
  return new;
end
$$;

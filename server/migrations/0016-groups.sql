-- Savings groups: who belongs to them, whose turn it is, who has paid, what was decided. Their money is in the ledger, in an
-- account of kind `group`; each row here that tells of money is written with the posting that moved it.
create schema groups;

create table groups.groups (
  id text primary key,
  name text not null,
  description text,
  currency text not null,
  kind text not null constraint group_kind check (kind in ('rotating', 'goal')),
  -- What each pays in a cycle; in a goal group the least that may be given at once.
  contribution_amount bigint constraint group_contribution check (contribution_amount > 0),
  frequency text constraint group_frequency check (frequency in ('weekly', 'monthly')),
  goal_amount bigint constraint group_goal check (goal_amount > 0),
  -- Beside the contribution, from who pays late.
  late_fine bigint not null default 0 constraint group_fine check (late_fine >= 0),
  -- Where its days begin and end.
  time_zone text not null,
  max_members integer not null constraint group_most check (max_members between 2 and 500),
  visibility text not null constraint group_visibility check (visibility in ('private', 'public')),
  invite_code text not null,
  member_count integer not null constraint group_members_fit check (member_count between 0 and max_members),
  -- How many there have been, the announced or open one included.
  rounds integer not null default 0,
  -- Members ever: the next one's place in the order of joining.
  joined integer not null default 0,
  created_at timestamptz not null,
  -- Its last member has left.
  closed_at timestamptz,
  constraint group_rotates check (
    kind <> 'rotating' or (contribution_amount is not null and frequency is not null and goal_amount is null)),
  constraint group_has_goal check (kind <> 'goal' or (goal_amount is not null and frequency is null)),
  constraint group_closed check ((closed_at is null) = (member_count > 0))
);
create unique index group_invite_code on groups.groups (invite_code);
create index groups_to_discover on groups.groups (created_at, id) where visibility = 'public' and closed_at is null;

create table groups.members (
  group_id text not null references groups.groups (id),
  user_id text not null,
  role text not null constraint member_role check (role in ('chair', 'treasurer', 'member')),
  -- In the order of joining.
  number integer not null,
  joined_at timestamptz not null,
  left_at timestamptz,
  primary key (group_id, user_id)
);
create index members_groups on groups.members (user_id, joined_at, group_id) where left_at is null;
create unique index member_chair_once on groups.members (group_id) where role = 'chair' and left_at is null;

create table groups.rounds (
  group_id text not null references groups.groups (id),
  number integer not null,
  status text not null constraint round_status check (status in ('announced', 'open', 'done', 'dissolved')),
  -- How the order was made; null until it starts.
  ordering text constraint round_ordering check (ordering in ('join', 'draw', 'hand')),
  -- Of a draw: the hash that was published, and what it is the hash of. The seed is shown once the round has started.
  commitment text,
  seed text,
  -- As they were at the start, whatever the group decides later.
  amount bigint constraint round_amount check (amount > 0),
  fine bigint constraint round_fine check (fine >= 0),
  -- The open cycle, and how many weeks or months after the start it is due.
  cycle integer,
  periods integer,
  due_at timestamptz,
  announced_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (group_id, number),
  constraint round_draws check ((commitment is null) = (seed is null)),
  constraint round_started check (
    (status = 'announced') = (started_at is null)
    and (started_at is null or (ordering is not null and amount is not null and fine is not null and cycle is not null))),
  constraint round_due check ((status = 'open') = (due_at is not null)),
  constraint round_ended check ((status in ('done', 'dissolved')) = (ended_at is not null))
);
create unique index round_one_at_a_time on groups.rounds (group_id) where status in ('announced', 'open');
create index rounds_due on groups.rounds (due_at) where status = 'open';

-- What members add to a draw.
create table groups.words (
  group_id text not null,
  number integer not null,
  user_id text not null,
  word text not null,
  primary key (group_id, number, user_id),
  foreign key (group_id, number) references groups.rounds (group_id, number)
);

create table groups.seats (
  group_id text not null,
  number integer not null,
  turn integer not null constraint seat_turn check (turn > 0),
  -- Whose it is now.
  user_id text not null,
  status text not null default 'waiting' constraint seat_status check (status in ('waiting', 'received', 'left')),
  -- The cycle in which the pot went to it.
  received_in integer,
  -- Who may take it over.
  offered_to text,
  primary key (group_id, number, turn),
  foreign key (group_id, number) references groups.rounds (group_id, number),
  constraint seat_received check ((status = 'received') = (received_in is not null))
);
create unique index seat_one_a_member on groups.seats (group_id, number, user_id);
-- A pot goes to one seat.
create unique index seat_pot_once on groups.seats (group_id, number, received_in) where received_in is not null;

create table groups.shares (
  group_id text not null,
  number integer not null,
  cycle integer not null,
  turn integer not null,
  payer_id text not null,
  amount bigint not null constraint share_amount check (amount > 0),
  fine bigint not null constraint share_fine check (fine >= 0),
  late boolean not null,
  state text not null constraint share_state check (state in ('paid', 'returned')),
  posting_id bigint not null,
  at timestamptz not null,
  -- Once a cycle.
  primary key (group_id, number, cycle, turn),
  foreign key (group_id, number, turn) references groups.seats (group_id, number, turn)
);

-- Between two seats: what was not paid at a turn, or what is to be given back to one that left.
create table groups.debts (
  id bigint generated always as identity primary key,
  group_id text not null,
  number integer not null,
  debtor integer not null,
  creditor integer not null,
  why text not null constraint debt_why check (why in ('missed', 'left')),
  amount bigint not null,
  paid bigint not null default 0 constraint debt_paid check (paid between 0 and amount),
  created_at timestamptz not null,
  foreign key (group_id, number, debtor) references groups.seats (group_id, number, turn),
  foreign key (group_id, number, creditor) references groups.seats (group_id, number, turn),
  constraint debt_not_to_oneself check (debtor <> creditor)
);
create unique index debt_one_a_pair on groups.debts (group_id, number, debtor, creditor);
create index debts_open on groups.debts (group_id, id) where paid < amount;

create table groups.proposals (
  id text primary key,
  group_id text not null references groups.groups (id),
  proposer_id text not null,
  recipient_id text not null,
  amount bigint not null constraint proposal_amount check (amount > 0),
  reason text not null,
  status text not null default 'open'
    constraint proposal_status check (status in ('open', 'paid', 'cancelled', 'expired')),
  posting_id bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  constraint proposal_paid check ((status = 'paid') = (posting_id is not null)),
  constraint proposal_decided check ((status = 'open') = (decided_at is null))
);
create index proposals_latest on groups.proposals (group_id, created_at, id);
create index proposals_open on groups.proposals (expires_at) where status = 'open';

-- It is decided once: the money goes out once.
create function groups.refuse_second_decision() returns trigger language plpgsql as $$
begin
  if old.status <> 'open' then
    raise exception 'proposal % is % already', old.id, old.status
      using errcode = 'check_violation', constraint = 'proposal_decided_once';
  end if;
  return new;
end
$$;
create trigger proposal_decided_once before update on groups.proposals
  for each row execute function groups.refuse_second_decision();

create table groups.approvals (
  proposal_id text not null references groups.proposals (id),
  user_id text not null,
  at timestamptz not null,
  primary key (proposal_id, user_id)
);

-- What happened, for every member to see: each movement of money, and each decision.
create table groups.events (
  id bigint generated always as identity primary key,
  group_id text not null,
  type text not null,
  -- Who did it; null: it happened by itself.
  actor_id text,
  -- Whom it is about, if that is another matter: for whom was paid, who received.
  member_id text,
  amount bigint,
  -- Of the amount.
  fine bigint not null default 0,
  number integer,
  cycle integer,
  note text,
  posting_id bigint,
  -- The entry in the group's account.
  seq bigint,
  created_at timestamptz not null,
  constraint event_money check ((posting_id is null) = (seq is null) and (posting_id is null or amount is not null))
);
create index events_feed on groups.events (group_id, id);
create index events_of_actor on groups.events (group_id, actor_id, id) where posting_id is not null;
create index events_of_member on groups.events (group_id, member_id, id) where posting_id is not null;

create table groups.reminders (
  group_id text not null,
  number integer not null,
  cycle integer not null,
  kind text not null constraint reminder_kind check (kind in ('soon', 'today', 'late')),
  sent_at timestamptz not null,
  primary key (group_id, number, cycle, kind)
);

-- What providers tell late must not confuse what was before: a receipt, or that a payout has come back.

-- M-Pesa reverses what has a receipt and pays back what has none: what a refund went by when it was first sent must not
-- change when the receipt comes later, or nobody could ask what became of it. Empty: there was none. Null: it has not been
-- sent, or had ended before this was written down.
alter table operations.operations add column original_receipt text;

-- By the database, so that it is also written when a process of the release before sends.
create function operations.keep_original_receipt() returns trigger language plpgsql as $$
begin
  new.original_receipt := coalesce((select receipt from operations.operations where id = new.original_id), '');
  return new;
end
$$;
create trigger operation_first_sent before update on operations.operations
  for each row when (old.sends = 0 and new.sends > 0 and new.original_id is not null)
  execute function operations.keep_original_receipt();

-- As they would have been asked for until now. Only those that somebody looks after, which have indexes: nobody can send
-- meanwhile.
update operations.operations refund set original_receipt = coalesce(paid.receipt, '')
from operations.operations paid
where paid.id = refund.original_id and refund.kind = 'refund' and refund.sends > 0
  and (refund.due_at is not null or refund.stuck_since is not null);

-- A payout of which less was paid than ordered may come back afterwards: for each reason once.
drop index funding.unmatched_of_operation;
create unique index unmatched_of_operation on funding.unmatched (operation_id, why);

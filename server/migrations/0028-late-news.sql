-- What providers tell late must not confuse what was before: a receipt, or that a payout has come back.

-- M-Pesa reverses what has a receipt and pays back what has none: what a refund went by when it was first sent must not
-- change when the receipt comes later, or nobody could ask what became of it.
alter table operations.operations add column original_receipt text;

do $$
begin
  -- As it would have been asked for until now.
  update operations.operations refund set original_receipt = paid.receipt
  from operations.operations paid where paid.id = refund.original_id and refund.sends > 0;
  if exists (
    select from operations.operations refund join operations.operations paid on paid.id = refund.original_id
    where refund.sends > 0 and refund.original_receipt is distinct from paid.receipt
  ) then
    raise exception 'a refund that was sent has lost the receipt that it went by';
  end if;
end
$$;

-- A payout of which less was paid than ordered may come back afterwards: for each reason once.
drop index funding.unmatched_of_operation;
create unique index unmatched_of_operation on funding.unmatched (operation_id, why);

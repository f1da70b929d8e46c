-- What became of the money that a payment could not take, for its page.
create index unmatched_meant_for on funding.unmatched (meant_for) where meant_for is not null;

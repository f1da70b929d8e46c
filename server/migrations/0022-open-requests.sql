-- A person's open money requests are counted before each new one, so the decided ones must not be in the way.
create index requests_open on transfers.requests (payee_id) where status = 'pending';

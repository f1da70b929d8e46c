-- How often a phone was asked of late is counted before it is asked again, whatever it has paid in all the years before.
create index operations_phone_latest on operations.operations (phone, created_at) where phone is not null;
-- The new one serves the search by phone too.
drop index operations.operations_phone;

-- What is read by age in tables that grow for years.
-- Bodies that are still there; those that are pruned are in it no longer, so a bite reads what it takes. (The position in
-- notifications.pruned, and the index on the age of all events, were for a walk over the whole table.)
create index events_bodies on notifications.events (at) where body is not null;
drop index notifications.events_age;
-- Each page of the daily comparison, and of the operators' list of one provider.
create index operations_by_provider on operations.operations (provider, mode, created_at desc, id desc);
-- Answers are swept along the pages of their table: room that is used again makes an index of this kind useless.
drop index ledger.answers_age;

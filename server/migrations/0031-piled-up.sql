-- What is looked for where much has piled up.
-- Whether anything young is held for a suspended endpoint, however much was not delivered there in the years before.
create index events_undelivered_latest on notifications.events (merchant, mode, origin, at) where undelivered;
-- Bodies that are to be pruned are found by their index since 0030: nobody reads how far a walk over all of them has come.
drop table notifications.pruned;

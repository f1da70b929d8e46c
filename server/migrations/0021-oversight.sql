-- Operators look at all groups, the newest first, and at addresses in trouble of all businesses.
create index groups_by_time on groups.groups (created_at desc, id desc);
create index targets_failing on notifications.targets (failing_since) where failing_since is not null;

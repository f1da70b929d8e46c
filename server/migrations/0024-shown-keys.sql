-- The answer that shows a new live API key may get lost, so the key can be shown again for ten minutes, or until it is used.
-- It opens only in its own row (server/src/base/seal.ts), and is wiped afterwards.
alter table merchants.api_keys add column sealed bytea;
create index api_keys_shown on merchants.api_keys (created_at) where sealed is not null;

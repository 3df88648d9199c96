-- Serves programs of schema 1 and later.
-- locks: none

-- The processes that use this store, each with the ids of the key-encryption keys that it has; never a key. A process
-- writes its row every few seconds.
CREATE TABLE nodes (
    id      bytea PRIMARY KEY,
    node    text COLLATE "C" NOT NULL,
    seen_at bigint NOT NULL,
    key_ids text[] NOT NULL
);

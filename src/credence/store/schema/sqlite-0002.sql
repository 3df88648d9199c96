-- Serves programs of schema 1 and later.
-- locks: all writes

-- How many wrong passwords still count against an account, an origin, an address or an application. One row per key, which
-- is a keyed digest; the key of an origin starts with that of its account. `familiar_until`: until when the origin is
-- trusted. A row is deleted when neither value has an effect any more.
CREATE TABLE tallies (
    key            BLOB PRIMARY KEY,
    drains_at      INTEGER NOT NULL,
    familiar_until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tallies_until ON tallies (max(drains_at, familiar_until));

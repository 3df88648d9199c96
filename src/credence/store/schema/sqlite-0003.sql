-- Serves programs of schema 1 and later.
-- locks: all writes

-- The newest access token of a family: its resource if it is not the service itself, its scope if it is narrower than
-- granted, the key that it is bound to, and its block in the status lists. Older rows have none of these.
ALTER TABLE families ADD COLUMN audience TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN narrowed TEXT;
ALTER TABLE families ADD COLUMN confirmation TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN status_block INTEGER;

-- The replay cache: keys (`mark`) that may be used once, such as the digest of a client assertion's `jti`. A row is deleted
-- when its key would be refused for its age.
CREATE TABLE spent (
    mark  BLOB PRIMARY KEY,
    until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX spent_until ON spent (until);

-- Which token owner has which block of the status lists. AUTOINCREMENT, because no entry may be assigned twice.
CREATE TABLE status_blocks (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id TEXT NOT NULL,
    username  TEXT NOT NULL,
    family_id BLOB NOT NULL,
    opened_at INTEGER NOT NULL,
    until     INTEGER NOT NULL
);
CREATE INDEX status_blocks_until ON status_blocks (until);

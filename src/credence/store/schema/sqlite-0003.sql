-- What the newest access token of a family is for: another resource than the service itself, a narrower scope than was
-- granted, the key it is bound to, and where its status stands in the status lists. Rows of before have none of it.
ALTER TABLE families ADD COLUMN audience TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN narrowed TEXT;
ALTER TABLE families ADD COLUMN confirmation TEXT NOT NULL DEFAULT '';
ALTER TABLE families ADD COLUMN status_block INTEGER;

-- Marks that may be used once, such as the `jti` of a client assertion. A row goes when the mark could not be used anyhow.
CREATE TABLE spent (
    mark  BLOB PRIMARY KEY,
    until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX spent_until ON spent (until);

-- Who holds which places of the status lists. AUTOINCREMENT, because a place must not be given out twice.
CREATE TABLE status_blocks (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id TEXT NOT NULL,
    username  TEXT NOT NULL,
    family_id BLOB NOT NULL,
    opened_at INTEGER NOT NULL,
    until     INTEGER NOT NULL
);
CREATE INDEX status_blocks_until ON status_blocks (until);

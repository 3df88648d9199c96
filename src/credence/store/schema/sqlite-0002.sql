-- How many wrong passwords still count against an account, a place, an address or an application. One row a key, which
-- is a keyed digest; a place's begins with its account's. A row goes when it counts for nothing any more.
CREATE TABLE tallies (
    key            BLOB PRIMARY KEY,
    drains_at      INTEGER NOT NULL,
    familiar_until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tallies_until ON tallies (max(drains_at, familiar_until));

-- Serves programs of schema 1 and later.
-- locks: all writes

-- Applications and accounts are few and read as a whole, so each is one JSON document; `version` guards each change.
CREATE TABLE applications (
    client_id TEXT PRIMARY KEY,
    version   INTEGER NOT NULL,
    document  BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE accounts (
    username TEXT PRIMARY KEY,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
) WITHOUT ROWID;

-- One row per login, however often it is refreshed. The id starts with the expiry, so the table is in the order of expiry,
-- needs no further index, and new rows are stored next to each other.
CREATE TABLE families (
    id            BLOB PRIMARY KEY,
    client_id     TEXT NOT NULL,
    username      TEXT NOT NULL,
    scope         TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    issued_at     INTEGER NOT NULL,
    expires_in    INTEGER NOT NULL,
    kid           TEXT NOT NULL,
    generation    INTEGER NOT NULL,
    ended_at      INTEGER,
    ended_because TEXT
) WITHOUT ROWID;

-- The change log. AUTOINCREMENT, because a number must not be reused even after the newest entry was deleted.
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kind     TEXT NOT NULL,
    subject  TEXT NOT NULL,
    until    INTEGER NOT NULL
);
CREATE INDEX changes_until ON changes (until);

CREATE TABLE sealed_secrets (
    name   TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
) WITHOUT ROWID;

-- The private half of a key is a sealed secret.
CREATE TABLE signing_keys (
    kid          TEXT PRIMARY KEY,
    algorithm    TEXT NOT NULL,
    public       BLOB NOT NULL,
    published_at INTEGER NOT NULL,
    signs_from   INTEGER NOT NULL,
    revoked_at   INTEGER
) WITHOUT ROWID;

CREATE TABLE scratch (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL
);
INSERT INTO scratch (id, count) VALUES (1, 0);

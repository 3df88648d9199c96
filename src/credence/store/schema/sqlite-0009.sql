-- Serves programs of schema 1 and later.
-- locks: all writes

-- What must be delivered to receivers elsewhere: written in the transaction of what it is about, claimed with a lease,
-- deleted after success. `due_at` is the next attempt, during an attempt the end of its lease.
CREATE TABLE deliveries (
    id          BLOB PRIMARY KEY,
    kind        TEXT NOT NULL,
    receiver    TEXT NOT NULL,
    payload     BLOB NOT NULL,
    created_at  INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    keep_until  INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    given_up_at INTEGER NOT NULL,
    outcome     TEXT NOT NULL
);
CREATE INDEX deliveries_receiver ON deliveries (receiver, due_at);
CREATE INDEX deliveries_due_at ON deliveries (due_at);
CREATE INDEX deliveries_keep_until ON deliveries (keep_until);

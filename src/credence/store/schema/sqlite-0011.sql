-- Serves programs of schema 1 and later.
-- locks: all writes

-- The addresses to which applications get their events.
CREATE TABLE webhooks (
    id       TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
);
CREATE INDEX webhooks_owner ON webhooks (owner, id);

-- The attempts at deliveries to them, for their owners to look at.
CREATE TABLE webhook_attempts (
    webhook  TEXT NOT NULL,
    key      TEXT NOT NULL,
    until    INTEGER NOT NULL,
    document BLOB NOT NULL,
    PRIMARY KEY (webhook, key)
);
CREATE INDEX webhook_attempts_until ON webhook_attempts (until);

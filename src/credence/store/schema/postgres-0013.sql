-- Serves programs of schema 1 and later.
-- locks: none

-- The addresses to which applications get their events.
CREATE TABLE webhooks (
    id       text COLLATE "C" PRIMARY KEY,
    owner    text COLLATE "C" NOT NULL,
    version  bigint NOT NULL,
    document bytea NOT NULL
);
CREATE INDEX webhooks_owner ON webhooks (owner, id);

-- The attempts at deliveries to them, for their owners to look at.
CREATE TABLE webhook_attempts (
    webhook  text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    until    bigint NOT NULL,
    document bytea NOT NULL,
    PRIMARY KEY (webhook, key)
);
CREATE INDEX webhook_attempts_until ON webhook_attempts (until);

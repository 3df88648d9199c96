-- Serves programs of schema 1 and later.
-- locks: none

-- What must be delivered to receivers elsewhere: written in the transaction of what it is about, claimed with a lease,
-- deleted after success. `due_at` is the next attempt, during an attempt the end of its lease.
CREATE TABLE deliveries (
    id          bytea PRIMARY KEY,
    kind        text COLLATE "C" NOT NULL,
    receiver    text COLLATE "C" NOT NULL,
    payload     bytea NOT NULL,
    created_at  bigint NOT NULL,
    due_at      bigint NOT NULL,
    keep_until  bigint NOT NULL,
    attempts    bigint NOT NULL,
    given_up_at bigint NOT NULL,
    outcome     text COLLATE "C" NOT NULL
);
CREATE INDEX deliveries_receiver ON deliveries (receiver, due_at);
CREATE INDEX deliveries_due_at ON deliveries (due_at);
CREATE INDEX deliveries_keep_until ON deliveries (keep_until);

-- Serves programs of schema 1 and later.
-- locks: all writes

-- What people have made of events: read, assigned, noted. A row lives as long as its event.
CREATE TABLE alert_states (
    number      INTEGER PRIMARY KEY,
    until       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    read_at     INTEGER NOT NULL,
    assigned_to TEXT NOT NULL,
    note        TEXT NOT NULL
);
CREATE INDEX alert_states_until ON alert_states (until);

-- Serves programs of schema 1 and later.
-- locks: none

-- What people have made of events: read, assigned, noted. A row lives as long as its event.
CREATE TABLE alert_states (
    number      bigint PRIMARY KEY,
    until       bigint NOT NULL,
    version     bigint NOT NULL,
    read_at     bigint NOT NULL,
    assigned_to text COLLATE "C" NOT NULL,
    note        text COLLATE "C" NOT NULL
);
CREATE INDEX alert_states_until ON alert_states (until);

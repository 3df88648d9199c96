-- Serves programs of schema 1 and later.
-- locks: all writes

-- Devices that wait for a person (RFC 8628). `key` is a keyed digest of the code that the person types; the code of the device
-- itself is sealed and not stored. `decision` is empty until the person allows or refuses.
CREATE TABLE device_requests (
    key          BLOB PRIMARY KEY,
    client_id    TEXT NOT NULL,
    scope        TEXT NOT NULL,
    resources    TEXT NOT NULL,
    address      TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    pause        INTEGER NOT NULL,
    polled_at    INTEGER NOT NULL,
    decision     TEXT NOT NULL,
    username     TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    methods      TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX device_requests_expires_at ON device_requests (expires_at);

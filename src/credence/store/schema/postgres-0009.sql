-- Serves programs of schema 1 and later.
-- locks: none

-- Devices that wait for a person (RFC 8628). `key` is a keyed digest of the code that the person types; the code of the device
-- itself is sealed and not stored. `decision` is empty until the person allows or refuses.
CREATE TABLE device_requests (
    key          bytea PRIMARY KEY,
    client_id    text COLLATE "C" NOT NULL,
    scope        text COLLATE "C" NOT NULL,
    resources    text COLLATE "C" NOT NULL,
    address      text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint NOT NULL,
    pause        bigint NOT NULL,
    polled_at    bigint NOT NULL,
    decision     text COLLATE "C" NOT NULL,
    username     text COLLATE "C" NOT NULL,
    signed_in_at bigint NOT NULL,
    methods      text COLLATE "C" NOT NULL
);
CREATE INDEX device_requests_expires_at ON device_requests (expires_at);

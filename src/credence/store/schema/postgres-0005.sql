-- Serves programs of schema 1 and later.
-- locks: none

-- What people prove who they are with, other than passwords: authenticator apps, recovery codes, passkeys. `counter` only
-- grows, so a code that was used is never accepted again. `secret` is sealed, or public.
CREATE TABLE factors (
    id           bytea PRIMARY KEY,
    username     text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    name         text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL,
    last_used_at bigint NOT NULL,
    counter      bigint NOT NULL,
    secret       bytea NOT NULL
);
CREATE INDEX factors_username ON factors (username);

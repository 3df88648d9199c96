-- Serves programs of schema 1 and later.
-- locks: all writes

-- What people prove who they are with, other than passwords: authenticator apps, recovery codes, passkeys. `counter` only
-- grows, so a code that was used is never accepted again. `secret` is sealed, or public.
CREATE TABLE factors (
    id           BLOB PRIMARY KEY,
    username     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    name         TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    counter      INTEGER NOT NULL,
    secret       BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX factors_username ON factors (username);

-- Serves programs of schema 1 and later.
-- locks: all writes

-- People who are signed in with a browser. `key` is the keyed digest of the id in the cookie.
CREATE TABLE sessions (
    key          BLOB PRIMARY KEY,
    username     TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    methods      TEXT NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    label        TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_username ON sessions (username);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- The families that people opened in a browser: which session opened them, how and when the person proved who they are.
-- A table of its own keeps the row that a rotation writes small. `offline`: whether the family outlives the session.
CREATE TABLE sign_ins (
    family_id    BLOB PRIMARY KEY,
    session      BLOB NOT NULL,
    client_id    TEXT NOT NULL,
    username     TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    methods      TEXT NOT NULL,
    offline      INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_ins_session ON sign_ins (session);
CREATE INDEX sign_ins_username ON sign_ins (username);

-- What people allowed an application. `terms` is a digest of what they saw of it, other than the scopes.
CREATE TABLE consents (
    username   TEXT NOT NULL,
    client_id  TEXT NOT NULL,
    scope      TEXT NOT NULL,
    terms      BLOB NOT NULL,
    granted_at INTEGER NOT NULL,
    PRIMARY KEY (username, client_id)
) WITHOUT ROWID;

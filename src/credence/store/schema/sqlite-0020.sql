-- Serves programs of schema 1 and later.
-- locks: all writes

-- Issuers elsewhere that the operator trusts, the accounts of the people they assert, and the sessions that began there.
CREATE TABLE trusted_issuers (
    id       TEXT PRIMARY KEY,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
);
CREATE TABLE issuer_links (
    id       TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    username TEXT NOT NULL,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
);
CREATE INDEX issuer_links_owner ON issuer_links (owner, id);
CREATE INDEX issuer_links_username ON issuer_links (username, id);
CREATE TABLE issuer_sessions (
    session    BLOB PRIMARY KEY,
    owner      TEXT NOT NULL,
    sid        TEXT NOT NULL,
    hint       BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX issuer_sessions_sid ON issuer_sessions (owner, sid);
CREATE INDEX issuer_sessions_expiry ON issuer_sessions (expires_at);

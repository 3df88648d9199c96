-- Serves programs of schema 1 and later.
-- locks: none

-- Issuers elsewhere that the operator trusts, the accounts of the people they assert, and the sessions that began there.
CREATE TABLE trusted_issuers (
    id       text COLLATE "C" PRIMARY KEY,
    version  bigint NOT NULL,
    document bytea NOT NULL
);
CREATE TABLE issuer_links (
    id       text COLLATE "C" PRIMARY KEY,
    owner    text COLLATE "C" NOT NULL,
    username text COLLATE "C" NOT NULL,
    version  bigint NOT NULL,
    document bytea NOT NULL
);
CREATE INDEX issuer_links_owner ON issuer_links (owner, id);
CREATE INDEX issuer_links_username ON issuer_links (username, id);
CREATE TABLE issuer_sessions (
    session    bytea PRIMARY KEY,
    owner      text COLLATE "C" NOT NULL,
    sid        text COLLATE "C" NOT NULL,
    hint       bytea NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX issuer_sessions_sid ON issuer_sessions (owner, sid);
CREATE INDEX issuer_sessions_expiry ON issuer_sessions (expires_at);

-- Serves programs of schema 1 and later.
-- locks: none

-- People who are signed in with a browser. `key` is the keyed digest of the id in the cookie.
CREATE TABLE sessions (
    key          bytea PRIMARY KEY,
    username     text COLLATE "C" NOT NULL,
    signed_in_at bigint NOT NULL,
    methods      text COLLATE "C" NOT NULL,
    last_seen_at bigint NOT NULL,
    expires_at   bigint NOT NULL,
    label        text COLLATE "C" NOT NULL
);
CREATE INDEX sessions_username ON sessions (username);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- The families that people opened in a browser: which session opened them, how and when the person proved who they are.
-- A table of its own keeps the row that a rotation writes small. `offline`: whether the family outlives the session.
CREATE TABLE sign_ins (
    family_id    bytea PRIMARY KEY,
    session      bytea NOT NULL,
    client_id    text COLLATE "C" NOT NULL,
    username     text COLLATE "C" NOT NULL,
    signed_in_at bigint NOT NULL,
    methods      text COLLATE "C" NOT NULL,
    offline      bigint NOT NULL
);
CREATE INDEX sign_ins_session ON sign_ins (session);
CREATE INDEX sign_ins_username ON sign_ins (username);

-- What people allowed an application. `terms` is a digest of what they saw of it, other than the scopes.
CREATE TABLE consents (
    username   text COLLATE "C" NOT NULL,
    client_id  text COLLATE "C" NOT NULL,
    scope      text COLLATE "C" NOT NULL,
    terms      bytea NOT NULL,
    granted_at bigint NOT NULL,
    PRIMARY KEY (username, client_id)
);

-- Ends families that people opened in a browser and logs each: those with these ids that have not ended. Rows are locked in
-- the order of their ids, and the log last, as everywhere. Returns the number of the last log entry, or null for none.
CREATE FUNCTION end_families(ids bytea[], at bigint, because text, log_for bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    ended record;
    number bigint;
BEGIN
    PERFORM 1 FROM families WHERE id = ANY(ids) AND families.ended_at IS NULL ORDER BY id FOR UPDATE;
    FOR ended IN
        UPDATE families SET ended_at = at, ended_because = because
        WHERE id = ANY(ids) AND families.ended_at IS NULL RETURNING id, expires_at
    LOOP
        number := log_change(
            'family', translate(rtrim(encode(ended.id, 'base64'), '='), '+/', '-_'), ended.expires_at + log_for
        );
    END LOOP;
    RETURN number;
END
$$;

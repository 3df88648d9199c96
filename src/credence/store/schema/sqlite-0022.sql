-- Serves programs of schema 1 and later.
-- locks: all writes

-- The rights that a person gave with a login (RFC 9396), as JSON; empty for a login without any.
ALTER TABLE sign_ins ADD COLUMN rights TEXT NOT NULL DEFAULT '';

-- How many reports were read with a token, or the tokens of a login, whose rights have a number.
CREATE TABLE report_uses (
    key   BLOB PRIMARY KEY,
    used  INTEGER NOT NULL,
    until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX report_uses_until ON report_uses (until);

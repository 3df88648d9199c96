-- Serves programs of schema 1 and later.
-- locks: all use of sign_ins

-- The rights that a person gave with a login (RFC 9396), as JSON; empty for a login without any.
ALTER TABLE sign_ins ADD COLUMN rights text NOT NULL DEFAULT '';

-- How many reports were read with a token, or the tokens of a login, whose rights have a number.
CREATE TABLE report_uses (
    key   bytea PRIMARY KEY,
    used  bigint NOT NULL,
    until bigint NOT NULL
);
CREATE INDEX report_uses_until ON report_uses (until);

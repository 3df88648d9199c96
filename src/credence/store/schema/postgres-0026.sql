-- Serves programs of schema 1 and later.
-- locks: all use of sign_ins

-- The trusted issuer at which the session of a login began; empty for none, and where that is not known.
ALTER TABLE sign_ins ADD COLUMN issuer text NOT NULL DEFAULT '';

-- Serves programs of schema 1 and later.
-- locks: all writes

-- The trusted issuer at which the session of a login began; empty for none, and where that is not known.
ALTER TABLE sign_ins ADD COLUMN issuer TEXT NOT NULL DEFAULT '';

-- Serves programs of schema 1 and later.
-- locks: all writes

-- The id by which applications know the session of a sign-in, as long as the person stays signed in; empty while that is the
-- beginning of the session's key. A session that replaces another has a key of its own.
ALTER TABLE sign_ins ADD COLUMN sid BLOB NOT NULL DEFAULT x'';

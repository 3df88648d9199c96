-- Serves programs of schema 1 and later.
-- locks: all writes

-- The applications of one developer, and the people who allowed one application.
CREATE INDEX applications_owner ON applications (CAST(document AS TEXT) ->> 'owner', client_id)
WHERE CAST(document AS TEXT) ->> 'owner' <> '';
CREATE INDEX consents_client_id ON consents (client_id, username);

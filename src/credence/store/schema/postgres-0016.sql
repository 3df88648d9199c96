-- Serves programs of schema 1 and later.
-- locks: writes to applications, writes to consents

-- Immutable, as an index wants it: `convert_from` alone counts as depending on the settings of the database.
CREATE FUNCTION owner_of_application(document bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN convert_from(document, 'UTF8')::json ->> 'owner';
END
$$;

-- The applications of one developer, and the people who allowed one application.
CREATE INDEX applications_owner ON applications (owner_of_application(document), client_id)
WHERE owner_of_application(document) <> '';
CREATE INDEX consents_client_id ON consents (client_id, username);

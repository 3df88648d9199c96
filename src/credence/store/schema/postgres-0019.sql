-- Serves programs of schema 1 and later.
-- locks: writes to factors

-- Changes of a password, a factor or an address make signals also for the notices that people get by mail, once the shared
-- value `notices` says so. It is copied after the accounts and the factors, so a copy makes none.
CREATE OR REPLACE FUNCTION signal_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_document jsonb := convert_from(OLD.document, 'UTF8')::jsonb;
    new_document jsonb := convert_from(NEW.document, 'UTF8')::jsonb;
BEGIN
    IF EXISTS (SELECT 1 FROM signal_streams) OR (
        EXISTS (SELECT 1 FROM shared_values WHERE name = 'notices')
        AND (
            old_document -> 'password_version' IS DISTINCT FROM new_document -> 'password_version'
            OR old_document -> 'email' IS DISTINCT FROM new_document -> 'email'
        )
    ) THEN
        INSERT INTO signals (kind, subject, before, after) VALUES (
            'account', NEW.username,
            (old_document - 'password_hash' - 'rules')::text,
            (new_document - 'password_hash' - 'rules')::text
        );
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION signal_of_factor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed text := CASE WHEN TG_OP = 'INSERT' THEN NEW.kind ELSE OLD.kind END;
BEGIN
    IF (changed <> 'recovery' AND EXISTS (SELECT 1 FROM signal_streams))
        OR EXISTS (SELECT 1 FROM shared_values WHERE name = 'notices')
    THEN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO signals (kind, subject, before, after) VALUES ('factor', NEW.username, '', NEW.kind);
        ELSE
            INSERT INTO signals (kind, subject, before, after) VALUES ('factor', OLD.username, OLD.kind, '');
        END IF;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER signal_of_new_recovery_code AFTER INSERT ON factors
FOR EACH ROW WHEN (NEW.kind = 'recovery') EXECUTE FUNCTION signal_of_factor();
CREATE TRIGGER signal_of_removed_recovery_code AFTER DELETE ON factors
FOR EACH ROW WHEN (OLD.kind = 'recovery') EXECUTE FUNCTION signal_of_factor();

-- Serves programs of schema 1 and later.
-- locks: writes to accounts, writes to applications, writes to changes, writes to changes_rest, writes to factors

-- The streams of security event tokens that applications receive (OpenID Shared Signals Framework 1.0).
CREATE TABLE signal_streams (
    id       text COLLATE "C" PRIMARY KEY,
    owner    text COLLATE "C" NOT NULL UNIQUE,
    version  bigint NOT NULL,
    document bytea NOT NULL
);

-- What streams may have to say, written in the transaction of the change itself, and only while there are streams. A row is
-- deleted when its tokens are in the outbox. `before` and `after` are JSON without credentials.
CREATE TABLE signals (
    id      text COLLATE "C" PRIMARY KEY DEFAULT replace(gen_random_uuid()::text, '-', ''),
    kind    text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    before  text COLLATE "C" NOT NULL,
    after   text COLLATE "C" NOT NULL
);

CREATE FUNCTION signal_of_family() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM signal_streams) THEN
        INSERT INTO signals (kind, subject, before, after) VALUES ('family', NEW.subject, '', '');
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER signal_of_family AFTER INSERT ON changes
FOR EACH ROW WHEN (NEW.kind = 'family') EXECUTE FUNCTION signal_of_family();

CREATE FUNCTION signal_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM signal_streams) THEN
        INSERT INTO signals (kind, subject, before, after) VALUES (
            'account', NEW.username,
            (convert_from(OLD.document, 'UTF8')::jsonb - 'password_hash' - 'rules')::text,
            (convert_from(NEW.document, 'UTF8')::jsonb - 'password_hash' - 'rules')::text
        );
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER signal_of_account AFTER UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION signal_of_account();

CREATE FUNCTION signal_of_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM signal_streams) THEN
        INSERT INTO signals (kind, subject, before, after) VALUES (
            'application', NEW.client_id,
            jsonb_build_object('not_before', convert_from(OLD.document, 'UTF8')::jsonb -> 'not_before', 'version', OLD.version)::text,
            jsonb_build_object('not_before', convert_from(NEW.document, 'UTF8')::jsonb -> 'not_before', 'version', NEW.version)::text
        );
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER signal_of_application AFTER UPDATE ON applications
FOR EACH ROW EXECUTE FUNCTION signal_of_application();

CREATE FUNCTION signal_of_factor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM signal_streams) THEN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO signals (kind, subject, before, after) VALUES ('factor', NEW.username, '', NEW.kind);
        ELSE
            INSERT INTO signals (kind, subject, before, after) VALUES ('factor', OLD.username, OLD.kind, '');
        END IF;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER signal_of_new_factor AFTER INSERT ON factors
FOR EACH ROW WHEN (NEW.kind <> 'recovery') EXECUTE FUNCTION signal_of_factor();
CREATE TRIGGER signal_of_removed_factor AFTER DELETE ON factors
FOR EACH ROW WHEN (OLD.kind <> 'recovery') EXECUTE FUNCTION signal_of_factor();

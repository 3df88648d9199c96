-- Serves programs of schema 1 and later.
-- locks: all writes

-- The streams of security event tokens that applications receive (OpenID Shared Signals Framework 1.0).
CREATE TABLE signal_streams (
    id       TEXT PRIMARY KEY,
    owner    TEXT NOT NULL UNIQUE,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
);

-- What streams may have to say, written in the transaction of the change itself, and only while there are streams. A row is
-- deleted when its tokens are in the outbox. `before` and `after` are JSON without credentials.
CREATE TABLE signals (
    id      TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(16)))),
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    before  TEXT NOT NULL,
    after   TEXT NOT NULL
);

CREATE TRIGGER signal_of_family AFTER INSERT ON changes
WHEN NEW.kind = 'family' AND EXISTS (SELECT 1 FROM signal_streams)
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES ('family', NEW.subject, '', '');
END;

CREATE TRIGGER signal_of_account AFTER UPDATE ON accounts WHEN EXISTS (SELECT 1 FROM signal_streams)
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES (
        'account', NEW.username,
        json_remove(CAST(OLD.document AS TEXT), '$.password_hash', '$.rules'),
        json_remove(CAST(NEW.document AS TEXT), '$.password_hash', '$.rules')
    );
END;

CREATE TRIGGER signal_of_application AFTER UPDATE ON applications WHEN EXISTS (SELECT 1 FROM signal_streams)
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES (
        'application', NEW.client_id,
        json_object('not_before', CAST(OLD.document AS TEXT) ->> 'not_before', 'version', OLD.version),
        json_object('not_before', CAST(NEW.document AS TEXT) ->> 'not_before', 'version', NEW.version)
    );
END;

CREATE TRIGGER signal_of_new_factor AFTER INSERT ON factors
WHEN NEW.kind <> 'recovery' AND EXISTS (SELECT 1 FROM signal_streams)
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES ('factor', NEW.username, '', NEW.kind);
END;

CREATE TRIGGER signal_of_removed_factor AFTER DELETE ON factors
WHEN OLD.kind <> 'recovery' AND EXISTS (SELECT 1 FROM signal_streams)
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES ('factor', OLD.username, OLD.kind, '');
END;

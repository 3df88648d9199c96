-- Serves programs of schema 1 and later.
-- locks: all writes

-- Changes of a password, a factor or an address make signals also for the notices that people get by mail, once the shared
-- value `notices` says so. It is copied after the accounts and the factors, so a copy makes none.
DROP TRIGGER signal_of_account;
CREATE TRIGGER signal_of_account AFTER UPDATE ON accounts
WHEN EXISTS (SELECT 1 FROM signal_streams) OR (
    EXISTS (SELECT 1 FROM shared_values WHERE name = 'notices')
    AND (
        CAST(OLD.document AS TEXT) ->> 'password_version' IS NOT CAST(NEW.document AS TEXT) ->> 'password_version'
        OR CAST(OLD.document AS TEXT) ->> 'email' IS NOT CAST(NEW.document AS TEXT) ->> 'email'
    )
)
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES (
        'account', NEW.username,
        json_remove(CAST(OLD.document AS TEXT), '$.password_hash', '$.rules'),
        json_remove(CAST(NEW.document AS TEXT), '$.password_hash', '$.rules')
    );
END;

DROP TRIGGER signal_of_new_factor;
CREATE TRIGGER signal_of_new_factor AFTER INSERT ON factors
WHEN (NEW.kind <> 'recovery' AND EXISTS (SELECT 1 FROM signal_streams))
    OR EXISTS (SELECT 1 FROM shared_values WHERE name = 'notices')
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES ('factor', NEW.username, '', NEW.kind);
END;

DROP TRIGGER signal_of_removed_factor;
CREATE TRIGGER signal_of_removed_factor AFTER DELETE ON factors
WHEN (OLD.kind <> 'recovery' AND EXISTS (SELECT 1 FROM signal_streams))
    OR EXISTS (SELECT 1 FROM shared_values WHERE name = 'notices')
BEGIN
    INSERT INTO signals (kind, subject, before, after) VALUES ('factor', OLD.username, OLD.kind, '');
END;

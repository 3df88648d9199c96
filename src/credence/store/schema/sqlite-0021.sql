-- Serves programs of schema 1 and later.
-- locks: all writes

-- An alert may rest until a day: ISO date, empty for an alert that does not.
ALTER TABLE alert_states ADD COLUMN snoozed_until TEXT NOT NULL DEFAULT '';

-- Companies that were added to a portfolio, until the next comparison makes events of what already holds against them.
CREATE TABLE newly_watched (
    portfolio TEXT NOT NULL,
    company   TEXT NOT NULL,
    PRIMARY KEY (portfolio, company)
) WITHOUT ROWID;

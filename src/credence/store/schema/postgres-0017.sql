-- Serves programs of schema 1 and later.
-- locks: all use of observations, writes to families, writes to families_rest, writes to observations

-- How often a portfolio with a rule about a policy wished for what the state of a company lacks; 0 once it is there.
ALTER TABLE observations ADD COLUMN wishes bigint NOT NULL DEFAULT 0;
CREATE INDEX observations_incomplete ON observations (company) WHERE wishes > 0;

-- From an account to its logins, for shared signals: without it each batch of changed accounts reads all families.
CREATE INDEX families_username ON families (username, client_id);

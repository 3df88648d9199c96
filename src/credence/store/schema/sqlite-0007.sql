-- Serves programs of schema 1 and later.
-- locks: all writes

-- Portfolios of watched companies; `version` guards each change. A reader is an application that may use a portfolio: its
-- owner, and those with which the operator shares it.
CREATE TABLE portfolios (
    id       TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE portfolio_readers (
    client_id TEXT NOT NULL,
    portfolio TEXT NOT NULL,
    PRIMARY KEY (client_id, portfolio)
) WITHOUT ROWID;
CREATE TABLE watched_companies (
    portfolio TEXT NOT NULL,
    company   TEXT NOT NULL,
    document  BLOB NOT NULL,
    PRIMARY KEY (portfolio, company)
) WITHOUT ROWID;
CREATE INDEX watched_companies_company ON watched_companies (company, portfolio);

-- What the last comparison found of each watched company; NULL until the first look.
CREATE TABLE observations (
    company TEXT PRIMARY KEY,
    state   BLOB
) WITHOUT ROWID;
CREATE INDEX observations_missing ON observations (company) WHERE state IS NULL;

-- Events in the order of their commits, numbered without gaps by `counters`. `key` is the digest of what an event says, so
-- that none is made twice.
CREATE TABLE monitoring_events (
    number    INTEGER PRIMARY KEY,
    key       BLOB NOT NULL UNIQUE,
    portfolio TEXT NOT NULL,
    rule      TEXT NOT NULL,
    company   TEXT NOT NULL,
    until     INTEGER NOT NULL,
    document  BLOB NOT NULL
);
CREATE INDEX monitoring_events_portfolio ON monitoring_events (portfolio, number);
CREATE INDEX monitoring_events_until ON monitoring_events (until);
CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) WITHOUT ROWID;

-- Small documents that all nodes share, each with a version that guards its changes.
CREATE TABLE shared_values (
    name     TEXT PRIMARY KEY,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
) WITHOUT ROWID;

-- Answers to requests with an idempotency key, until they expire. `key` is a digest.
CREATE TABLE kept_answers (
    key      BLOB PRIMARY KEY,
    until    INTEGER NOT NULL,
    document BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX kept_answers_until ON kept_answers (until);

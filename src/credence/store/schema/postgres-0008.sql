-- Serves programs of schema 1 and later.
-- locks: none

-- Portfolios of watched companies; `version` guards each change. A reader is an application that may use a portfolio: its
-- owner, and those with which the operator shares it.
CREATE TABLE portfolios (
    id       text COLLATE "C" PRIMARY KEY,
    owner    text COLLATE "C" NOT NULL,
    version  bigint NOT NULL,
    document bytea NOT NULL
);
CREATE TABLE portfolio_readers (
    client_id text COLLATE "C" NOT NULL,
    portfolio text COLLATE "C" NOT NULL,
    PRIMARY KEY (client_id, portfolio)
);
CREATE TABLE watched_companies (
    portfolio text COLLATE "C" NOT NULL,
    company   text COLLATE "C" NOT NULL,
    document  bytea NOT NULL,
    PRIMARY KEY (portfolio, company)
);
CREATE INDEX watched_companies_company ON watched_companies (company, portfolio);

-- What the last comparison found of each watched company; NULL until the first look.
CREATE TABLE observations (
    company text COLLATE "C" PRIMARY KEY,
    state   bytea
);
CREATE INDEX observations_missing ON observations (company) WHERE state IS NULL;

-- Events in the order of their commits, numbered without gaps by `counters`. `key` is the digest of what an event says, so
-- that none is made twice.
CREATE TABLE monitoring_events (
    number    bigint PRIMARY KEY,
    key       bytea NOT NULL UNIQUE,
    portfolio text COLLATE "C" NOT NULL,
    rule      text COLLATE "C" NOT NULL,
    company   text COLLATE "C" NOT NULL,
    until     bigint NOT NULL,
    document  bytea NOT NULL
);
CREATE INDEX monitoring_events_portfolio ON monitoring_events (portfolio, number);
CREATE INDEX monitoring_events_until ON monitoring_events (until);
CREATE TABLE counters (
    name text COLLATE "C" PRIMARY KEY,
    last bigint NOT NULL
);

-- Small documents that all nodes share, each with a version that guards its changes.
CREATE TABLE shared_values (
    name     text COLLATE "C" PRIMARY KEY,
    version  bigint NOT NULL,
    document bytea NOT NULL
);

-- Answers to requests with an idempotency key, until they expire. `key` is a digest.
CREATE TABLE kept_answers (
    key      bytea PRIMARY KEY,
    until    bigint NOT NULL,
    document bytea NOT NULL
);
CREATE INDEX kept_answers_until ON kept_answers (until);

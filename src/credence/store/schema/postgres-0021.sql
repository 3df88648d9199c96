-- Serves programs of schema 1 and later.
-- locks: none

-- The customers of portfolios as ledgers have them, by the owner's own reference. `company` is empty without a number, and
-- `search_again_at` is when a node may look for candidates, of those that wait for it.
CREATE TABLE customers (
    portfolio       text COLLATE "C" NOT NULL,
    reference       text COLLATE "C" NOT NULL,
    company         text COLLATE "C" NOT NULL,
    state           text COLLATE "C" NOT NULL,
    search_again_at bigint NOT NULL,
    document        bytea NOT NULL,
    PRIMARY KEY (portfolio, reference)
);
CREATE INDEX customers_state ON customers (portfolio, state, reference);
CREATE INDEX customers_company ON customers (company, portfolio) WHERE company <> '';
CREATE INDEX customers_waiting ON customers (search_again_at) WHERE state = 'waiting';

-- Ledgers that were uploaded, and the lines of those whose columns a person has yet to choose.
CREATE TABLE ledger_uploads (
    id        text COLLATE "C" PRIMARY KEY,
    portfolio text COLLATE "C" NOT NULL,
    version   bigint NOT NULL,
    document  bytea NOT NULL
);
CREATE INDEX ledger_uploads_portfolio ON ledger_uploads (portfolio, id);
CREATE TABLE ledger_lines (
    upload   text COLLATE "C" PRIMARY KEY,
    until    bigint NOT NULL,
    document bytea NOT NULL
);
CREATE INDEX ledger_lines_until ON ledger_lines (until);

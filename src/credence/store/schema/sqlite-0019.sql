-- Serves programs of schema 1 and later.
-- locks: all writes

-- The customers of portfolios as ledgers have them, by the owner's own reference. `company` is empty without a number, and
-- `search_again_at` is when a node may look for candidates, of those that wait for it.
CREATE TABLE customers (
    portfolio       TEXT NOT NULL,
    reference       TEXT NOT NULL,
    company         TEXT NOT NULL,
    state           TEXT NOT NULL,
    search_again_at INTEGER NOT NULL,
    document        BLOB NOT NULL,
    PRIMARY KEY (portfolio, reference)
) WITHOUT ROWID;
CREATE INDEX customers_state ON customers (portfolio, state, reference);
CREATE INDEX customers_company ON customers (company, portfolio) WHERE company <> '';
CREATE INDEX customers_waiting ON customers (search_again_at) WHERE state = 'waiting';

-- Ledgers that were uploaded, and the lines of those whose columns a person has yet to choose.
CREATE TABLE ledger_uploads (
    id        TEXT PRIMARY KEY,
    portfolio TEXT NOT NULL,
    version   INTEGER NOT NULL,
    document  BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX ledger_uploads_portfolio ON ledger_uploads (portfolio, id);
CREATE TABLE ledger_lines (
    upload   TEXT PRIMARY KEY,
    until    INTEGER NOT NULL,
    document BLOB NOT NULL
);
CREATE INDEX ledger_lines_until ON ledger_lines (until);

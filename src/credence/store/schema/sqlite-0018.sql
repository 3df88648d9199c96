-- Serves programs of schema 1 and later.
-- locks: all writes

-- What people decided about the limits of companies; the id is made of owner, company and place.
CREATE TABLE limit_decisions (
    id       TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    company  TEXT NOT NULL,
    state    TEXT NOT NULL,
    version  INTEGER NOT NULL,
    document BLOB NOT NULL
);
CREATE INDEX limit_decisions_company ON limit_decisions (owner, company, id);

-- Serves programs of schema 1 and later.
-- locks: none

-- What people decided about the limits of companies; the id is made of owner, company and place.
CREATE TABLE limit_decisions (
    id       text COLLATE "C" PRIMARY KEY,
    owner    text COLLATE "C" NOT NULL,
    company  text COLLATE "C" NOT NULL,
    state    text NOT NULL,
    version  bigint NOT NULL,
    document bytea NOT NULL
);
CREATE INDEX limit_decisions_company ON limit_decisions (owner, company, id);

-- Serves programs of schema 1 and later.

-- Credit data as a node published them, for every node to fetch: none is read by a request. One row a data set, by the name
-- of its source. An edition is what was published once, under a random name of its own; one without an entry says that the
-- source was removed.
CREATE TABLE credit_sets (
    name    text COLLATE "C" PRIMARY KEY,
    edition bytea NOT NULL,
    entry   bytea,
    size    bigint NOT NULL,
    digest  bytea NOT NULL
);

-- The file of an edition in pieces. They are stored as they are: compressing them takes longer than sending them.
CREATE TABLE credit_pieces (
    edition bytea NOT NULL,
    place   integer NOT NULL,
    digest  bytea NOT NULL,
    data    bytea NOT NULL,
    PRIMARY KEY (edition, place)
);
ALTER TABLE credit_pieces ALTER COLUMN data SET STORAGE EXTERNAL;

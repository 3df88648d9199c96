-- Serves programs of schema 1 and later.
-- locks: none

-- Credit data that one node published for every node to fetch. No request reads it. One row per data set, by the name of its
-- source. An edition is one publication and has a random name. A row without an entry means that the source was removed.
CREATE TABLE credit_sets (
    name    text COLLATE "C" PRIMARY KEY,
    edition bytea NOT NULL,
    entry   bytea,
    size    bigint NOT NULL,
    digest  bytea NOT NULL
);

-- The file of an edition in pieces, uncompressed: compressing them takes longer than sending them.
CREATE TABLE credit_pieces (
    edition bytea NOT NULL,
    place   integer NOT NULL,
    digest  bytea NOT NULL,
    data    bytea NOT NULL,
    PRIMARY KEY (edition, place)
);
ALTER TABLE credit_pieces ALTER COLUMN data SET STORAGE EXTERNAL;

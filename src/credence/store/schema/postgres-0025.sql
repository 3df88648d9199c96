-- Serves programs of schema 1 and later.
-- locks: none

-- The request logs of all nodes: a row is a block of at most 1,024 requests of one process, of a minute or a little more.
-- `lowest` and `highest` are the numbers in its request ids.
CREATE TABLE request_blocks (
    number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node    text COLLATE "C" NOT NULL,
    first   bigint NOT NULL,
    last    bigint NOT NULL,
    process text COLLATE "C" NOT NULL,
    lowest  bigint NOT NULL,
    highest bigint NOT NULL,
    lost    bigint NOT NULL,
    marks   bytea NOT NULL,
    content bytea NOT NULL,
    UNIQUE (process, highest, last)
);
CREATE INDEX request_blocks_last ON request_blocks (last, number);

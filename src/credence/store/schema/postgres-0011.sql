-- Serves programs of schema 1 and later.
-- locks: none

-- The newest refusals of all nodes, each as the line of its node's trail.
CREATE TABLE refusals (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request_id text COLLATE "C" NOT NULL UNIQUE,
    node       text COLLATE "C" NOT NULL,
    at         bigint NOT NULL,
    line       bytea NOT NULL
);
CREATE INDEX refusals_at ON refusals (at);

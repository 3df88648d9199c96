-- Serves programs of schema 1 and later.
-- locks: none

-- Applications and accounts are few and read as a whole, so each is one JSON document; `version` guards each change. Text is
-- compared octet by octet, as in SQLite, and not by the collation of the database.
CREATE TABLE applications (
    client_id text COLLATE "C" PRIMARY KEY,
    version   bigint NOT NULL,
    document  bytea NOT NULL
);

CREATE TABLE accounts (
    username text COLLATE "C" PRIMARY KEY,
    version  bigint NOT NULL,
    document bytea NOT NULL
);

-- One row per login, however often it is refreshed. The id starts with the expiry, so the partitions are buckets of days,
-- which are dropped as a whole (threats L12). Rows without a bucket are in `families_rest`, whose index is in the order of
-- expiry. A rotation changes no indexed column, and the free space of each page holds the new row version (HOT update).
-- `narrowed` is the scope of the newest access token if it is less than `scope`; `confirmation` is what that token is bound
-- to; `generation` counts rotations.
CREATE TABLE families (
    id            bytea PRIMARY KEY,
    client_id     text COLLATE "C" NOT NULL,
    username      text COLLATE "C" NOT NULL,
    scope         text COLLATE "C" NOT NULL,
    created_at    bigint NOT NULL,
    expires_at    bigint NOT NULL,
    issued_at     bigint NOT NULL,
    expires_in    bigint NOT NULL,
    kid           text COLLATE "C" NOT NULL,
    generation    bigint NOT NULL,
    ended_at      bigint,
    ended_because text COLLATE "C",
    audience      text COLLATE "C" NOT NULL DEFAULT '',
    narrowed      text COLLATE "C",
    confirmation  text COLLATE "C" NOT NULL DEFAULT '',
    status_block  bigint
) PARTITION BY RANGE (id);
CREATE TABLE families_rest PARTITION OF families DEFAULT WITH (fillfactor = 60);

-- Runs several rotations, one per array element, and returns the families that were rotated. It is a function because the
-- server keeps its plan for every caller: a named prepared statement does not survive a connection pooler, and planning an
-- unprepared one costs more than running it. Rows are locked in the order of their ids, so two nodes cannot deadlock.
-- `standing` reads each row after it has the lock, as the last commit left it: of two rotations of one generation the second
-- finds no row. An UPDATE changes a row once even if the arrays name it twice. The generic plan is made once and must not
-- use a sequential scan because the table was empty at the time.
CREATE FUNCTION rotate_families(
    places bigint[], ids bytea[], generations bigint[], cut_offs bigint[],
    issues bigint[], lifetimes bigint[], kids text[], narrowings text[], confirmations text[]
) RETURNS TABLE (place bigint, family families) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
BEGIN
RETURN QUERY
WITH asked AS (
    SELECT * FROM unnest(places, ids, generations, cut_offs, issues, lifetimes, kids, narrowings, confirmations)
    AS each (place, id, generation, not_before, issued_at, expires_in, kid, narrowed, confirmation)
), standing AS MATERIALIZED (
    SELECT asked.* FROM asked JOIN families ON families.id = asked.id
    WHERE families.generation = asked.generation AND families.ended_at IS NULL
    AND families.created_at >= asked.not_before AND families.expires_at > asked.issued_at
    ORDER BY asked.id FOR UPDATE OF families
)
UPDATE families SET generation = families.generation + 1,
    issued_at = greatest(families.issued_at, standing.issued_at), expires_in = standing.expires_in,
    kid = standing.kid, narrowed = standing.narrowed, confirmation = standing.confirmation
FROM standing WHERE families.id = standing.id
RETURNING standing.place, families;
END
$$;

-- The change log, read by every node. The number comes from `log_head`, never from a database sequence: a sequence hands
-- numbers out before the commit, and a reader of "after N" would miss an entry that is committed late (threats §7). The
-- partitions are buckets of the days on which entries expire.
CREATE TABLE changes (
    sequence bigint NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    subject  text COLLATE "C" NOT NULL,
    until    bigint NOT NULL
) PARTITION BY RANGE (until);
CREATE INDEX changes_sequence ON changes (sequence);
CREATE TABLE changes_rest PARTITION OF changes DEFAULT;
CREATE INDEX changes_rest_until ON changes_rest (until);

CREATE TABLE log_head (
    id   integer PRIMARY KEY CHECK (id = 1),
    last bigint NOT NULL
);
INSERT INTO log_head (id, last) VALUES (1, 0);

-- The only way to add to the log. A transaction keeps the lock on the head until its commit, so numbers become visible in
-- order. It takes the lock last, so no transaction waits for a row while it has it. The commit itself sends the notice. A
-- server that takes over after a fail-over has a new timeline and starts above every number that earlier servers can have
-- used: a node may have read an entry that was lost with the old server and never acknowledged, and would ignore another
-- entry with the same number.
CREATE FUNCTION log_change(kind text, subject text, until bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    timeline bigint := ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;
    number bigint;
BEGIN
    UPDATE log_head SET last = greatest(last, (timeline - 1) << 32) + 1 RETURNING last INTO STRICT number;
    INSERT INTO changes VALUES (number, kind, subject, until);
    PERFORM pg_notify('credence_log', number::text);
    RETURN number;
END
$$;

CREATE TABLE sealed_secrets (
    name   text COLLATE "C" PRIMARY KEY,
    sealed bytea NOT NULL
);

-- The private half of a key is a sealed secret.
CREATE TABLE signing_keys (
    kid          text COLLATE "C" PRIMARY KEY,
    algorithm    text COLLATE "C" NOT NULL,
    public       bytea NOT NULL,
    published_at bigint NOT NULL,
    signs_from   bigint NOT NULL,
    revoked_at   bigint
);

-- How many wrong passwords still count against an account, an origin, an address or an application. One row per key, which
-- is a keyed digest; the key of an origin starts with that of its account. `familiar_until`: until when the origin is
-- trusted. A row is deleted when neither value has an effect any more.
CREATE TABLE tallies (
    key            bytea PRIMARY KEY,
    drains_at      bigint NOT NULL,
    familiar_until bigint NOT NULL
);
CREATE INDEX tallies_until ON tallies (greatest(drains_at, familiar_until));

-- The replay cache: keys (`mark`) that may be used once, such as the digest of a client assertion's `jti`. A row is deleted
-- when its key would be refused for its age.
CREATE TABLE spent (
    mark  bytea PRIMARY KEY,
    until bigint NOT NULL
);
CREATE INDEX spent_until ON spent (until);

-- Which token owner has which block of the status lists. An identity column uses no number twice, so no status list entry
-- is assigned twice. Partitioned into buckets as families are.
CREATE TABLE status_blocks (
    number    bigint GENERATED ALWAYS AS IDENTITY,
    client_id text COLLATE "C" NOT NULL,
    username  text COLLATE "C" NOT NULL,
    family_id bytea NOT NULL,
    opened_at bigint NOT NULL,
    until     bigint NOT NULL
) PARTITION BY RANGE (until);
CREATE INDEX status_blocks_number ON status_blocks (number);
CREATE TABLE status_blocks_rest PARTITION OF status_blocks DEFAULT;
CREATE INDEX status_blocks_rest_until ON status_blocks_rest (until);

CREATE TABLE scratch (
    id    integer PRIMARY KEY CHECK (id = 1),
    count bigint NOT NULL
);
INSERT INTO scratch (id, count) VALUES (1, 0);

-- Serves programs of schema 1 and later.

-- Applications and accounts are few and read whole, so each is one document; `version` guards every change to it. Text is
-- compared octet by octet everywhere, as SQLite does, whatever the database's own order is.
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

-- One row per login, however often it is refreshed. The id begins with the expiry, so rows lie in buckets of days, which go
-- whole (threats L12), and what has no bucket lies in `families_rest`, whose index is in the order in which rows go. A
-- rotation changes no indexed column: the room left in each page keeps the new version beside the old one.
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

-- Rotations that were asked for together, one a place in the arrays; returns the families that took them. It is a function
-- because the plan of one is kept by the server whoever asks, where a statement prepared by name would not survive a pooler
-- and one that is not prepared costs more to plan than to run. Rows are locked in the order of their ids, so two nodes never
-- wait for each other crosswise. `standing` sees a row as the last commit left it once it has its lock, so of two who come
-- from one generation the second does not find it; and an UPDATE changes a row once however often it was asked for. The
-- plan is made once, whatever is asked, and must not read a table whole because that was empty at the time.
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

-- Followed by every node. The number is the sequence of `log_head`, never a sequence of the database: those are handed out
-- before the commit, and an entry that is committed late would be passed over by who reads "after N" (threats §7). Entries
-- lie in buckets of the days on which they may go.
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

-- The one way into the log. Whoever holds the head keeps it until its commit, so numbers appear in their order and none is
-- seen before a lower one. It is taken last in every transaction, so nobody waits for a row while holding it. The notice is
-- sent by the commit itself. A server that takes over (each has a timeline of its own) begins above all that those before it
-- can have given out: a node may have read an entry that was lost with the last one, acknowledged to nobody, and would pass
-- over another of the same number.
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

-- The private half of a key lies among the sealed secrets.
CREATE TABLE signing_keys (
    kid          text COLLATE "C" PRIMARY KEY,
    algorithm    text COLLATE "C" NOT NULL,
    public       bytea NOT NULL,
    published_at bigint NOT NULL,
    signs_from   bigint NOT NULL,
    revoked_at   bigint
);

-- How many wrong passwords still count against an account, a place, an address or an application. One row a key, which is
-- a keyed digest; a place's begins with its account's. A row goes when it counts for nothing any more.
CREATE TABLE tallies (
    key            bytea PRIMARY KEY,
    drains_at      bigint NOT NULL,
    familiar_until bigint NOT NULL
);
CREATE INDEX tallies_until ON tallies (greatest(drains_at, familiar_until));

-- Marks that may be used once, such as the `jti` of a client assertion. A row goes when the mark could not be used anyhow.
CREATE TABLE spent (
    mark  bytea PRIMARY KEY,
    until bigint NOT NULL
);
CREATE INDEX spent_until ON spent (until);

-- Who holds which places of the status lists. A sequence gives no number twice, so no place is given out twice. In buckets
-- as families are.
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

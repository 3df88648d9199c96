-- Serves programs of schema 1 and later.
-- locks: none

-- As `rotate_families`, but a family that is bound to a key or certificate is not rotated to a bearer token (RFC 9449 §5).
CREATE FUNCTION rotate_families_bound(
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
    AND (families.confirmation = '' OR asked.confirmation <> '')
    ORDER BY asked.id FOR UPDATE OF families
)
UPDATE families SET generation = families.generation + 1,
    issued_at = greatest(families.issued_at, standing.issued_at), expires_in = standing.expires_in,
    kid = standing.kid, narrowed = standing.narrowed, confirmation = standing.confirmation
FROM standing WHERE families.id = standing.id
RETURNING standing.place, families;
END
$$;

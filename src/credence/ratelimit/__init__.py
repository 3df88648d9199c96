"""Rate limiting ("spike arrest", spec §7.9, §8, D16): how many requests an application, account or network may send.

Read in this order:

- `limits`: a rate limit, what it counts by, and the rule that admits or refuses a request (GCRA).
- `local_counters`: the counters of one process.
- `redis_counters`: counters that several nodes share through Redis or Valkey, with `gcra.lua`.
- `limiter`: the limits of a deployment, which keys a request counts against, and the fall-back from shared to local
  counters. Endpoints call this.
- `header_fields`: the response fields RateLimit and RateLimit-Policy.

`docs/decisions/spike-arrest.md` gives the reasons.
"""

"""Rate limits: what a request counts against, counters in memory or in Redis, and the fields that report them (D16)."""

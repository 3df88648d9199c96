"""Runs that take too long for `make test`: each is one command, which stops by itself and keeps its figures as JSON.

    python -m tests.long.failover     twenty fail-overs by Patroni under load; some ten minutes
    python -m tests.long.histories    ten thousand random histories over every store; two hours at most
    python -m tests.long.workers      twenty kills of one of two workers over SQLite, under load; three minutes

`--help` says how to make them shorter. Their short forms are `tests/journeys/test_failover.py` and the two files
`test_random_histories.py`. What was found is in `docs/reliability.md`.
"""

"""What does the request log cost a request, and how long does a search of a million lines take (D30, threats A12)?

In one process, on a real file, without HTTP: the processor time to add and write a record when all are alike, and when every
one has another client, account and address; and the longest of searches for what is frequent, rare and absent.
"""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.measurement import Figure, Measurement, Target
from bench.rounds import Plan
from credence.request_log.log_file import LogFile
from credence.request_log.query import read_query
from credence.request_log.search import search
from credence.request_log.waiting import Noted, Waiting

NOW = 1_700_000_000_000
LINES = 1_000_000
AT_ONCE = 5_000
"""Records of one write: those of a second."""

KINDS: Mapping[str, int] = {"alike": 1, "different": 20_011}
"""How many clients, accounts and addresses there are."""

COST = Target(3.3, at="most")
"""Microseconds a record: 5 % of an introspection at 15,000 a second."""

ANSWER = Target(200, at="most")
"""Milliseconds of a search."""

QUERIES = (
    "",
    "client:client-7",
    "account:account-7",
    "reason:token.expired",
    "reason:none",
    "path:/v2*",
    "from:10.0.0.0/24",
)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the cost of a record by kind, and the slowest search."""
    for kind, different in KINDS.items():
        path = plan.deployment.folder / f"request-log-{kind}" / "requests.sqlite"
        yield Measurement(f"request log, {kind}", "µs of processor", (Figure(_written(path, different)),), target=COST)
        slowest = max(_searched(path, query) for query in QUERIES)
        yield Measurement(f"request log, {kind}, search", "ms", (Figure(slowest),), target=ANSWER)


def _written(path: Path, different: int) -> float:
    waiting, log, took = Waiting(()), LogFile(path, 100_000, 366), 0.0
    for first in range(0, LINES, AT_ONCE):
        records = [_record(number, different) for number in range(first, first + AT_ONCE)]
        began = time.process_time()
        for record in records:
            waiting.add(record)
        log.write(waiting, waiting.take(), NOW + first)
        took += time.process_time() - began
    log.close()
    return took / LINES * 1e6


def _record(number: int, different: int) -> Noted:
    which = number * 7 % different
    refused = number % 20 == 0
    address = f"10.{which >> 16}.{which >> 8 & 255}.{which & 255}"
    return (
        NOW + number,
        f"0123456789abcdef-{number}",
        None,
        f"client-{which}",
        f"account-{which}",
        "GET",
        "/v1/report",
        401 if refused else 200,
        0.001,
        "token.expired" if refused else None,
        address,
        "",
    )


def _searched(path: Path, query: str) -> float:
    began = time.perf_counter()
    search(path, read_query(query, NOW + LINES), 100)
    return (time.perf_counter() - began) * 1000

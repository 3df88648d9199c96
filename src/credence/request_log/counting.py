"""Counts the newest requests in the log, by outcome and by caller, within a limited time (D16, D30)."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path

import msgspec

from credence.access.caller_address import address_prefix
from credence.clock import Milliseconds, seconds
from credence.paths import LIVE, READY
from credence.request_log.record import CLIENT, REASON, mark_of, may_have

BUDGET_SECONDS = 0.05
"""The maximum duration of a count, except that a block that was begun is finished."""

HOUR_MS = 3_600_000

FAILED_SHARE = 0.001
"""The share of responses that may be 5xx over thirty days: the error budget (docs/alerts.md)."""

SLOW_SHARE = 0.01
"""The share of successful responses that may take longer than the objective over thirty days: the latency budget."""

SLOW_MICROSECONDS, SLOW_TOKEN_MICROSECONDS = 250_000, 1_000_000
"""The objective of latency, and that of the token endpoint, which hashes passwords."""

FEW_MISSED = 10
"""Fewer missed requests than this are no rate, unless one alone would be within the budget of all requests."""

SPIKE = "spike."
"""The prefix of the reason codes of refusals by a rate limit; the kind of limit follows."""


@dataclass(slots=True)
class Counted:
    """The requests since an instant. Requests without client or account are in `requests` but in neither counter."""

    since: Milliseconds
    """Every request from this instant on is counted. It is later than requested if the time limit ended the count."""
    is_partial: bool = False
    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    clients: Counter[str] = field(default_factory=Counter)
    accounts: Counter[str] = field(default_factory=Counter)
    networks: Counter[str] = field(default_factory=Counter)
    """Requests by the network that counts as one caller."""


@dataclass(slots=True)
class Refusals:
    """The refusals by a rate limit since an instant, by kind of limit and caller; `since` as in `Counted`."""

    since: Milliseconds
    is_partial: bool = False
    clients: Counter[str] = field(default_factory=Counter)
    accounts: Counter[str] = field(default_factory=Counter)
    addresses: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Hour:
    """The requests that began within an hour."""

    refused: int = 0
    """Those with a status of class 4xx."""
    failed: int = 0
    """Those with a status of class 5xx."""
    microseconds: list[int] = field(default_factory=list)
    """The duration of each."""

    @property
    def slow(self) -> int:
        """The 95th percentile of the durations in microseconds; 0 without requests."""
        return sorted(self.microseconds)[-(-95 * len(self.microseconds) // 100) - 1] if self.microseconds else 0


@dataclass(slots=True)
class Level:
    """How the requests since an instant met the objectives; probes are left out, and `since` is as in `Counted`."""

    since: Milliseconds
    is_partial: bool = False
    requests: int = 0
    failed: int = 0
    """Those with a status of class 5xx."""
    successful: int = 0
    """Those with a status of class 2xx."""
    slow: int = 0
    """Successful ones that took longer than the objective."""

    @property
    def error_burn(self) -> float | None:
        """How many times as fast as it may the error budget is spent; None if the requests are too few to say so."""
        return _burn(self.failed, self.requests, FAILED_SHARE)

    @property
    def latency_burn(self) -> float | None:
        """How many times as fast as it may the latency budget is spent; None if the requests are too few to say so."""
        return _burn(self.slow, self.successful, SLOW_SHARE)


def _burn(missed: int, requests: int, share: float) -> float | None:
    return missed / requests / share if missed >= FEW_MISSED or requests >= 1 / share else None


@dataclass(slots=True)
class Hours:
    """The requests since an instant by the hour, counted in hours since 1970; `since` as in `Counted`."""

    since: Milliseconds
    is_partial: bool = False
    hours: defaultdict[int, Hour] = field(default_factory=lambda: defaultdict(Hour))


class _Columns(msgspec.Struct, array_like=True):
    """The columns of a block in the order of `Record`. Columns that are not counted stay encoded."""

    at: list[int]
    request_id: msgspec.Raw
    correlation_id: msgspec.Raw
    client_id: list[str]
    account: list[str]
    method: msgspec.Raw
    path: list[str]
    status: list[int]
    microseconds: list[int]
    reason: list[str]
    address: list[str]
    peer: msgspec.Raw


_decode = msgspec.msgpack.Decoder(_Columns).decode


def count(path: Path, since: Milliseconds, budget: float = BUDGET_SECONDS) -> Counted:
    """Return the requests of this node's log since an instant, read from the newest. Raises OSError if it cannot be read."""
    found = Counted(since)
    for block in _blocks(path, found, (), budget):
        found.requests += len(block.at)
        found.statuses.update(block.status)
        found.clients.update(block.client_id)
        found.accounts.update(block.account)
        for address, requests in Counter(block.address).items():
            found.networks[_network(address)] += requests
    for each in (found.clients, found.accounts, found.networks):
        each.pop("", None)
    return found


def count_of(path: Path, client_id: str, since: Milliseconds, budget: float = BUDGET_SECONDS) -> Counted:
    """Return the number of requests of one application since an instant, as `count` does. Raises OSError."""
    found = Counted(since)
    for block in _blocks(path, found, ((mark_of(CLIENT, client_id),),), budget):
        found.requests += block.client_id.count(client_id)
    return found


def count_refusals(path: Path, since: Milliseconds, budget: float = BUDGET_SECONDS) -> Refusals:
    """Return the refusals by a rate limit since an instant, read from the newest.

    Raises OSError if the log cannot be read.
    """
    found = Refusals(since)
    for block in _blocks(path, found, ((mark_of(REASON, f"{SPIKE}*"),),), budget):
        for kind, counter, callers in (
            ("application", found.clients, block.client_id),
            ("account", found.accounts, block.account),
            ("address", found.addresses, block.address),
        ):
            reason = f"{SPIKE}{kind}"
            if reason in block.reason:
                counter.update(caller for caller, each in zip(callers, block.reason, strict=True) if each == reason)
    for each in (found.clients, found.accounts, found.addresses):
        each.pop("", None)
    return found


def count_hours(path: Path, since: Milliseconds, budget: float = BUDGET_SECONDS) -> Hours:
    """Return the requests since an instant by the hour, read from the newest. Raises OSError if the log cannot be read."""
    found = Hours(since)
    for block in _blocks(path, found, (), budget):
        for at, status, lasted in zip(block.at, block.status, block.microseconds, strict=True):
            hour = found.hours[at // HOUR_MS]
            hour.microseconds.append(lasted)
            hour.refused += 400 <= status < 500
            hour.failed += status >= 500
    return found


def count_level(path: Path, since: Milliseconds, budget: float = BUDGET_SECONDS) -> Level:
    """Return how the requests since an instant met the objectives. Raises OSError if the log cannot be read."""
    found = Level(since)
    for block in _blocks(path, found, (), budget):
        for route, status, lasted in zip(block.path, block.status, block.microseconds, strict=True):
            if route in _PROBES:
                continue
            found.requests += 1
            found.failed += status >= 500
            if 200 <= status < 300:
                found.successful += 1
                found.slow += lasted > (SLOW_TOKEN_MICROSECONDS if route.endswith("/token") else SLOW_MICROSECONDS)
    return found


_PROBES = frozenset({LIVE, READY})


def _blocks(
    path: Path, found: Counted | Refusals | Hours | Level, wanted: Sequence[Iterable[bytes]], budget: float
) -> Iterator[_Columns]:
    """Yield the blocks with these marks, without records before `found.since`; if the time ends, update that instant."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)) as connection:
            connection.execute("begin")  # one snapshot of the file for all reads
            yield from _read(connection, found, wanted, seconds() + budget)
    except (sqlite3.Error, msgspec.DecodeError) as error:
        raise OSError(f"the request log {path} cannot be read: {error}") from error


def _read(
    connection: sqlite3.Connection,
    found: Counted | Refusals | Hours | Level,
    wanted: Sequence[Iterable[bytes]],
    deadline: float,
) -> Iterator[_Columns]:
    asked = found.since
    statement = "select id, first, last, marks from blocks where last >= ? order by last desc"
    for block, first, last, marks in connection.execute(statement, (asked,)):
        if seconds() > deadline:
            found.since, found.is_partial = last + 1, True
            return
        if not may_have(marks, wanted):
            continue
        (content,) = connection.execute("select content from blocks where id = ?", (block,)).fetchone()
        columns = _decode(content)
        yield columns if first >= asked else _since(columns, asked)


def _since(columns: _Columns, asked: Milliseconds) -> _Columns:
    kept = [number for number, at in enumerate(columns.at) if at >= asked]
    cut = {
        name: [column[number] for number in kept]
        for name in ("at", "client_id", "account", "path", "status", "microseconds", "reason", "address")
        if (column := getattr(columns, name))
    }
    return msgspec.structs.replace(columns, **cut)


@lru_cache(maxsize=4_096)
def _network(address: str) -> str:
    """Return the network that counts as one caller, as `address_prefix` does; for IPv4 without parsing the text."""
    if ":" in address:
        return address_prefix(ip_address(address))
    return address and f"{address}/32"

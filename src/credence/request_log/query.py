"""The query line of the request log: `client:… account:… reason:… status:… path:… from:… since:1h`.

Terms are separated by spaces. For each name at least one of its terms must match. A term that begins with a hyphen must not
match. A word without a name is compared with every field.
"""

import datetime as dt
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address, ip_network

from credence.clock import Milliseconds
from credence.errors import InvalidInput
from credence.request_log import record
from credence.request_log.record import Record, serial_of

MAX_CHARACTERS = 2_000
MAX_TERMS = 50

_COLUMNS: Mapping[str, int] = {
    "id": 1,
    "correlation": record.CORRELATION,
    "client": record.CLIENT,
    "account": record.ACCOUNT,
    "method": record.METHOD,
    "path": record.PATH,
    "status": record.STATUS,
    "reason": record.REASON,
    "from": record.ADDRESS,
}

NAMES = (*_COLUMNS, "node", "since", "until")
"""The fields that a query may name before a colon, such as `client:` or `since:`."""

_SPAN = re.compile(r"([0-9]{1,9})(s|m|h|d)").fullmatch
_UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_STATUS = re.compile(r"[1-5]([0-9]{2}|xx)").fullmatch
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

Test = Callable[[Record], bool]


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query line."""

    tests: tuple[Test, ...] = ()
    """The conditions, all of which must hold."""
    marks: tuple[tuple[bytes, ...], ...] = ()
    """Groups of marks; a block that has a match has at least one mark of each group."""
    since: Milliseconds = 0
    """The first instant of the period."""
    until: Milliseconds = 2**62
    """The first instant after the period."""
    nodes: tuple[str, ...] = ()
    """The nodes whose requests are wanted; empty for all."""
    serial: tuple[str, int] | None = None
    """Process and serial number of the only request that can match, if the line contains a request id."""


def read_query(line: str, now: Milliseconds) -> Query:
    """Return the parsed query line at this time; raises InvalidInput, which says what is wrong with it."""
    terms = line.split()
    if len(line) > MAX_CHARACTERS or len(terms) > MAX_TERMS:
        raise InvalidInput(f"A query has at most {MAX_CHARACTERS:,} characters and {MAX_TERMS} terms.")
    groups: dict[tuple[str, bool], list[str]] = {}
    for term in terms:
        excluded, text = term.startswith("-"), term.removeprefix("-")
        name, colon, value = text.partition(":")
        if colon and not value:
            raise InvalidInput(f"The term {name}: needs a value.")
        known = bool(colon) and name in NAMES
        if colon and not known and not _is_address(text):
            raise InvalidInput(f"There is no term {name!r}: choose from {', '.join(NAMES)}.")
        groups.setdefault((name if known else "", excluded), []).append(value if known else text)
    return _query(groups, now)


def of_applications(query: Query, clients: Collection[str]) -> Query:
    """Return the query restricted to the requests of these applications, even if a term names others (threats E13)."""
    own = frozenset(clients)
    mine = tuple(record.mark_of(record.CLIENT, each) for each in own)
    return replace(query, tests=(*query.tests, lambda record: record.client_id in own), marks=(*query.marks, mine))


def _query(groups: Mapping[tuple[str, bool], Sequence[str]], now: Milliseconds) -> Query:
    tests, wanted = list[Test](), list[tuple[bytes, ...]]()
    since, until, serial = 0, 2**62, None
    nodes: tuple[str, ...] = ()
    for (name, excluded), values in groups.items():
        if name in ("since", "until", "node") and excluded:
            raise InvalidInput(f"The term {name}: cannot be excluded.")
        if name == "since":
            since = max(_instant(each, now) for each in values)
        elif name == "until":
            until = min(_instant(each, now) for each in values)
        elif name == "node":
            nodes = tuple(values)
        else:
            test = partial(_any, [_test(name, each) for each in values])
            tests.append(partial(_not, test) if excluded else test)
            group = [] if excluded else [_marks(name, each) for each in values]
            if group and all(group):
                wanted.append(tuple(mark for each in group for mark in each))
            if name == "id" and len(values) == 1 and not excluded:
                serial = serial_of(values[0])
    return Query(tuple(tests), tuple(wanted), since, until, nodes, serial)


def _any(tests: Sequence[Test], record: Record) -> bool:
    return any(test(record) for test in tests)


def _not(test: Test, record: Record) -> bool:
    return not test(record)


def _test(name: str, value: str) -> Test:
    if name == "":
        return lambda record: value in record or (value.isdigit() and str(record.status) == value)
    if name == "status":
        if not _STATUS(value):
            raise InvalidInput("The term status: takes a status such as 403, or a class such as 4xx.")
        if value.endswith("xx"):
            return lambda record: record.status // 100 == int(value[0])
        return lambda record: record.status == int(value)
    if name == "from" and "/" in value:
        return _in_network(value)
    number = _COLUMNS[name]
    if name == "from":
        value = _address(value)
    if name == "method":
        value = value.upper()
    if value.endswith("*"):
        start = value[:-1]
        return lambda record: str(record[number]).startswith(start)
    return lambda record: record[number] == value


def _marks(name: str, value: str) -> tuple[bytes, ...]:
    """Return the marks of which every block with a match has at least one; empty if they are not known."""
    if name == "id" or (name == "" and serial_of(value)[1] >= 0):
        return ()
    if name == "":
        columns = tuple(number for each, number in _COLUMNS.items() if each != "id")
        return tuple(record.mark_of(number, value) for number in columns)
    if name == "from":
        return () if "/" in value else (record.mark_of(record.ADDRESS, _address(value)),)
    if name == "method":
        value = value.upper()
    if value.endswith("*") and not (name == "reason" and value == record.family_of(value)):
        return ()
    return (record.mark_of(_COLUMNS[name], value),)


def _in_network(value: str) -> Test:
    try:
        network = ip_network(value, strict=False)
    except ValueError:
        raise InvalidInput("The term from: takes an address, or a network such as 192.0.2.0/24.") from None
    return lambda record: bool(record.address) and ip_address(record.address) in network


def _address(value: str) -> str:
    try:
        return str(ip_address(value))
    except ValueError:
        raise InvalidInput("The term from: takes an address, or a network such as 192.0.2.0/24.") from None


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _instant(value: str, now: Milliseconds) -> Milliseconds:
    before = span(value)
    return instant(value) if before is None else now - before


def span(value: str) -> Milliseconds | None:
    """Return the length of a span such as `90s`, `15m`, `1h` or `7d`; None for any other text."""
    found = _SPAN(value)
    return None if found is None else int(found[1]) * _UNIT_MS[found[2]]


def instant(value: str) -> Milliseconds:
    """Return the instant of a date or time (ISO 8601, UTC); InvalidInput for any other text."""
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        raise InvalidInput("Times are spans such as 15m, 1h or 7d, or as 2026-11-22 or 2026-11-22T09:30:00Z.") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return (moment - _EPOCH) // dt.timedelta(milliseconds=1)

"""Access rules as text for operators: `10.0.0.0/8, 2001:db8::/32` and `Mon-Fri 08:00-18:00` (D15).

    networks   CIDR ranges or single addresses, separated by commas
    windows    `[day[-day] ]hh:mm-hh:mm` or `never`, separated by commas; without a day the window applies every day

A day is its first three letters in any case, and a range may cross Sunday. The end may be 24:00. `rules.Window` defines
a window that ends before it starts or when it starts. An empty text is no restriction.
Each message of a ValueError quotes the input and gives an example of the expected form.
"""

import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from credence.access.rules import MINUTES_PER_DAY, AccessRules, Window, read_network
from credence.errors import InvalidInput

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NEVER = Window((), 0, 0)
_WINDOW = re.compile(
    r"(?:(?P<first>[a-z]+)(?:\s*-\s*(?P<last>[a-z]+))?\s+)?(?P<start>[\d:]+)\s*-\s*(?P<end>[\d:]+)",
    re.IGNORECASE | re.ASCII,
)
_TIME = re.compile(r"(\d\d):(\d\d)", re.ASCII)


def parse_rules(networks: str = "", windows: str = "", time_zone: str = "UTC") -> AccessRules:
    """Return the rules; ValueError has a message for the operator."""
    return AccessRules(
        tuple(_parse_network(part) for part in _parts(networks)),
        tuple(_parse_window(part) for part in _parts(windows)),
        _parse_time_zone(time_zone.strip()),
    )


def format_rules(rules: AccessRules) -> tuple[list[str], list[str], str]:
    """Return networks, windows and time zone as text; `parse_rules` returns equal rules for it."""
    return list(rules.networks), [text for window in rules.windows for text in _format_window(window)], rules.time_zone


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text.strip() else []


def _parse_network(text: str) -> str:
    try:
        return str(read_network(text))
    except ValueError as error:
        raise InvalidInput(f"{text!r} is not an address range such as 10.0.0.0/8 or 2001:db8::/32: {error}") from None


def _parse_window(text: str) -> Window:
    if text.lower() == "never":
        return _NEVER
    form = _WINDOW.fullmatch(text)
    if form is None:
        raise InvalidInput(f"{text!r} is not a window such as 'Mon-Fri 08:00-18:00'")
    start, end = _parse_time(form["start"]), _parse_time(form["end"])
    if start == MINUTES_PER_DAY:
        raise InvalidInput(f"{text!r} starts at 24:00; say 00:00 of the next day")
    return Window(_parse_weekdays(form["first"], form["last"]), start, end)


def _parse_weekdays(first: str | None, last: str | None) -> tuple[int, ...]:
    if first is None:
        return tuple(range(7))
    start = _parse_weekday(first)
    length = (_parse_weekday(last or first) - start) % 7 + 1
    return tuple(sorted((start + offset) % 7 for offset in range(length)))


def _parse_weekday(text: str) -> int:
    try:
        return _DAYS.index(text.capitalize())
    except ValueError:
        raise InvalidInput(f"{text!r} is not a day: Mon, Tue, Wed, Thu, Fri, Sat or Sun") from None


def _parse_time(text: str) -> int:
    form = _TIME.fullmatch(text)
    minutes = int(form[1]) * 60 + int(form[2]) if form and int(form[2]) < 60 else MINUTES_PER_DAY + 1
    if minutes > MINUTES_PER_DAY:
        raise InvalidInput(f"{text!r} is not a time from 00:00 to 24:00")
    return minutes


def _parse_time_zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"{name!r} is not a time zone such as Europe/London") from None


def _format_window(window: Window) -> Iterator[str]:
    """Yield one text for each run of consecutive days."""
    hours = f"{_format_time(window.start)}-{_format_time(window.end)}"
    match len(window.weekdays):
        case 0:
            yield "never"
        case 7:
            yield hours
        case _:
            for first, last in _runs(frozenset(window.weekdays)):
                days = _DAYS[first] if first == last else f"{_DAYS[first]}-{_DAYS[last]}"
                yield f"{days} {hours}"


def _runs(weekdays: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last day of each run of consecutive days; a run may cross Sunday."""
    for first in sorted(weekdays):
        if (first - 1) % 7 not in weekdays:
            last = first
            while (last + 1) % 7 in weekdays:
                last = (last + 1) % 7
            yield first, last


def _format_time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"

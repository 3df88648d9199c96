"""Access rules on the command line: what was typed changes that part alone; empty text lifts it (D15)."""

import dataclasses
from collections.abc import Iterator
from typing import Annotated

import typer

from credence.guard.access import AccessRules, Window
from credence.guard.access_text import parse_rules

Networks = Annotated[
    str | None, typer.Option(help="Address ranges, comma separated: '10.0.0.0/8, 2001:db8::/32'. '' lifts the rule.")
]
Windows = Annotated[
    str | None, typer.Option(help="Hours, comma separated: 'Mon-Fri 08:00-18:00, Sat 09:00-12:00'. '' lifts the rule.")
]
TimeZone = Annotated[str | None, typer.Option(help="Time zone of the hours, such as Europe/London.")]

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def changed(rules: AccessRules, networks: str | None, windows: str | None, time_zone: str | None) -> AccessRules:
    """Return the rules with the parts that were typed; ValueError for one that cannot be read."""
    typed = parse_rules(networks or "", windows or "", time_zone or rules.time_zone)
    return dataclasses.replace(
        typed,
        networks=rules.networks if networks is None else typed.networks,
        windows=rules.windows if windows is None else typed.windows,
    )


def described(rules: AccessRules) -> dict[str, object]:
    """Return the rules as they are typed."""
    return {
        "networks": list(rules.networks),
        "windows": [_window(window) for window in rules.windows],
        "time_zone": rules.time_zone,
    }


def _window(window: Window) -> str:
    hours = f"{_time(window.start)}-{_time(window.end)}"
    if len(window.weekdays) == len(_DAYS):
        return hours
    runs = [f"{_DAYS[first]}-{_DAYS[last]}" if first != last else _DAYS[first] for first, last in _runs(window)]
    return f"{' and '.join(runs) or 'never'} {hours}"


def _runs(window: Window) -> Iterator[tuple[int, int]]:
    """Yield first and last day of each unbroken run; a run may pass Sunday."""
    days = frozenset(window.weekdays)
    for first in window.weekdays:
        if (first - 1) % 7 not in days:
            last = first
            while (last + 1) % 7 in days:
                last = (last + 1) % 7
            yield first, last


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"

"""The tool `what_changed`: the entries of a report with a date on or after a given day."""

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from credence.clock import london_day
from credence.companies.number import normalise
from credence.mcp.answers import Number
from credence.mcp.sizes import pages_of
from credence.mcp.tool import Sources, tool
from credence.meanings import meaning
from credence.oauth.parameters.scopes import REPORT
from credence.refusals.credit import COMPANY_UNKNOWN
from credence.refusals.refusal import Refused

MAX_CHANGES = 50
MAX_MEMBERS = 20
"""The most members of one entry."""

_WITHOUT = frozenset({"ScoringData", "Ratios", "PercentageChange"})
_OF_ASSESSMENT = frozenset({"Insolvency", "InsolvencyCases", "Notices"})
"""Parts of a report whose dates are those of a calculation, not of an event; of the assessment these parts are events."""


class ChangesAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The company and the first day."""

    number: Number
    since: Annotated[dt.date, meaning("The first day that counts.", example="2026-01-01")]


class ChangedEntry(msgspec.Struct, frozen=True):
    """An entry of the report with a date in the period."""

    Day: Annotated[dt.date, meaning("The latest day of the entry.")]
    Member: Annotated[str, meaning("A pointer to the entry (RFC 6901).")]
    Values: Annotated[dict[str, Any], meaning("Its own values: texts, numbers, true or false.")]


class ChangesFound(msgspec.Struct, frozen=True):
    """The entries of the report with a date in the period."""

    RegNumber: Annotated[str, meaning("Company number.")]
    Since: Annotated[dt.date, meaning("The first day that counts.")]
    Facts: Annotated[str, meaning("Of which day the facts are, and how old: later days are not known.")]
    Entries: Annotated[int, meaning(f"Number of entries; the newest are listed, at most {MAX_CHANGES}.")]
    Changes: Annotated[tuple[ChangedEntry, ...], meaning("The entries, newest first.")]


@tool("Changes of a company", REPORT)
async def what_changed(sources: Sources, arguments: ChangesAsked) -> ChangesFound:
    """The entries of a company's credit report with a day since a date: filings, appointments, accounts, notices."""
    number = normalise(arguments.number)
    found = sources.reports.find(number, sources.now)
    if found is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    report = msgspec.json.decode(found.body)
    entries = sorted(
        _since("", report, arguments.since, london_day(sources.now)), key=lambda each: each.Day, reverse=True
    )
    facts = (report.get("Assessment") or {}).get("Facts") or {}
    newest = next(pages_of(entries, MAX_CHANGES), [])
    return ChangesFound(number, arguments.since, facts.get("Words", ""), len(entries), tuple(newest))


def _since(place: str, value: Any, first: dt.date, last: dt.date) -> Iterator[ChangedEntry]:
    """Yield the entries of decoded JSON with a date from `first` to `last`, in their order.

    `place` is the pointer of `value`.
    """
    if place == "/Assessment":
        value = {name: each for name, each in value.items() if name in _OF_ASSESSMENT and not _is_quiet(each)}
    if isinstance(value, dict):
        own = {name: each for name, each in value.items() if not isinstance(each, dict | list)}
        days = [day for each in own.values() if (day := _day(each)) is not None and first <= day <= last]
        if days:
            yield ChangedEntry(max(days), place, dict(list(own.items())[:MAX_MEMBERS]))
    if isinstance(value, dict | list):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            if name not in _WITHOUT:
                yield from _since(f"{place}/{name}", each, first, last)


def _is_quiet(part: Any) -> bool:
    """Return whether a part of the assessment says that no insolvency is known: the days of its sources are no events."""
    return isinstance(part, dict) and part.get("State") in {"none known", "unknown"}


def _day(value: Any) -> dt.date | None:
    if isinstance(value, str) and len(value) == len("2026-01-01"):
        with suppress(ValueError):
            return dt.date.fromisoformat(value)
    return None

"""Alerts as a person works on them: one line for each company with all its causes, the largest amount at risk first."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import msgspec

from credence.clock import rfc3339
from credence.companies.gazette import words_of_code
from credence.meanings import meaning
from credence.monitoring.book import BookLine, book_of
from credence.monitoring.comparing import EventDocument, document_of
from credence.monitoring.rules import happened
from credence.monitoring.standing import Standing
from credence.monitoring.transitions import ENDS
from credence.store.alerts import AlertState
from credence.store.book import OpenEvent
from credence.store.contract import Store

SEVERITIES = {
    "critical": "the company has failed, is in insolvency proceedings or no longer exists",
    "high": "an event of insolvency is known, or strike-off is proposed",
    "medium": "the risk has grown",
    "low": "something changed, or became better",
}
_ORDER = {severity: place for place, severity in enumerate(SEVERITIES)}

_GRAVE = frozenset({"strike-off", "insolvency", "notice"})
_WORSE = frozenset(
    {
        "band",
        "score",
        "limit",
        "status",
        "accounts-overdue",
        "confirmation-overdue",
        "accounts-text",
        "group",
        "reservation",
    }
)

_KINDS_IN_WORDS: Mapping[str, Callable[[str], str]] = {
    "notice": lambda code: f"Gazette notice: {words_of_code(code)}",
    "insolvency": lambda case: f"Insolvency case: {case.replace('-', ' ')}",
    "strike-off": lambda state: f"Striking off was {state}",
}
"""Rules of which the kind alone says what happened -> the words."""


class AlertCause(msgspec.Struct, frozen=True):
    """What was found: events of one rule and kind count as one."""

    rule: Annotated[str, meaning("The rule that fired.", example="band")]
    kind: Annotated[str, meaning("The kind of change.", example="fell")]
    words: Annotated[str, meaning("The same in words.", example="The band of the score changed: B to D.")]
    day: Annotated[str, meaning("The day of the newest event, of its source or in UTC.", example="2026-11-21")]
    events: Annotated[tuple[int, ...], meaning("The numbers of the events, the newest first.", example=[57])]


class CompanyAlert(msgspec.Struct, frozen=True):
    """The open alerts about one company."""

    company_number: Annotated[str, meaning("The company number.", example="99999901")]
    name: Annotated[str, meaning("The name; empty if it is unknown.", example="INVENTED TRADING LIMITED")]
    severity: Annotated[str, meaning("How grave it is:", values=SEVERITIES)]
    exposure: Annotated[
        int | None, meaning("What it owes, in all lists; null if unknown.", unit="pounds", example=12000)
    ]
    exposure_is_least: Annotated[
        bool,
        meaning(
            "Whether a list does not know its part, so that exposure and pounds at risk are the least.", example=False
        ),
    ]
    at_risk: Annotated[
        int | None,
        meaning(
            "Exposure times probability of failure within a year, all of it after a failure; null if unknown.",
            unit="pounds",
            example=960,
        ),
    ]
    limit: Annotated[
        int | None,
        meaning("The approved limit, or else the suggested one; null if unknown.", unit="pounds", example=4000),
    ]
    band: Annotated[str, meaning("The band now; empty if not scored.", example="D")]
    state: Annotated[str, meaning("The event of insolvency, or the status in the register.", example="Active")]
    causes: Annotated[tuple[AlertCause, ...], meaning("Why there is an alert, the gravest first.")]
    to_do: Annotated[str, meaning("What to do about it.", example="Review the limit.")]
    assigned_to: Annotated[str, meaning("Who works on it; empty if it is not assigned.", example="Ada")]
    last_event: Annotated[int, meaning("The highest number of its events.", example=57)]


class CompanyAlertPage(msgspec.Struct, frozen=True):
    """Companies with alerts."""

    alerts: Annotated[tuple[CompanyAlert, ...], meaning("One entry a company, the largest amount at risk first.")]
    companies: Annotated[int, meaning("How many companies have an alert.", example=1)]
    at_risk: Annotated[int, meaning("The pounds at risk of all of them that are known.", unit="pounds", example=960)]
    at_risk_is_least: Annotated[
        bool,
        meaning(
            "Whether those of a company, or a part of them, are unknown, so that this is the least.", example=False
        ),
    ]


class OpenAlerts(msgspec.Struct, frozen=True):
    """The open events about one company, the newest first."""

    owner: str
    company: str
    events: tuple[OpenEvent, ...]
    line: BookLine


async def alerts_by_company(
    store: Store, owner: str, today: dt.date, book: Sequence[BookLine] | None = None
) -> list[CompanyAlert]:
    """Return one entry for each company with open events, the largest amount at risk first.

    `book` has all customers of the application, if they are read already.
    """
    events: dict[str, list[OpenEvent]] = {}
    for each in await store.open_events(owner, today.isoformat()):
        events.setdefault(each.company, []).append(each)
    known = await book_of(store, owner, sorted(events)) if book is None else book
    lines = {each.company: each for each in known}
    found = [entry_of(tuple(of_company), _line(company, lines)) for company, of_company in events.items()]
    return sorted(found, key=_risk)


async def open_alerts(store: Store, owner: str, company: str) -> OpenAlerts | None:
    """Return the open events of a company, also those that rest; None without any."""
    events = await store.open_events(owner, "9999-12-31", company)
    if not events:
        return None
    lines = {each.company: each for each in await book_of(store, owner, [company])}
    return OpenAlerts(owner, company, tuple(events), _line(company, lines))


def first_of(found: Sequence[CompanyAlert], most: int) -> CompanyAlertPage:
    """Return the first entries, and the totals of all."""
    return CompanyAlertPage(tuple(found[:most]), len(found), *total_at_risk(found))


def entry_of(events: Sequence[OpenEvent], line: BookLine) -> CompanyAlert:
    """Return the entry of a company. `events` are its open ones, the newest first."""
    causes = _causes(events, {each.code: each.words for each in line.seen.reservations})
    severity = _severity(causes, line)
    return CompanyAlert(
        company_number=line.company,
        name=line.seen.name,
        severity=severity,
        exposure=line.exposure,
        exposure_is_least=line.is_partial,
        at_risk=line.at_risk,
        limit=line.limit,
        band=line.seen.band,
        state=line.seen.standing,
        causes=causes,
        to_do=_to_do(severity, line),
        assigned_to=next((each.state.assigned_to for each in events if each.state.assigned_to), ""),
        last_event=events[0].number if events else 0,
    )


def total_at_risk(alerts: Sequence[CompanyAlert]) -> tuple[int, bool]:
    """Return the known pounds at risk of all companies, and whether they are the least because some are unknown."""
    is_least = any(each.exposure_is_least or each.at_risk is None for each in alerts)
    return sum(each.at_risk or 0 for each in alerts), is_least


def words_of(alert: CompanyAlert) -> list[str]:
    """Return the causes in words, first the event of insolvency.

    A register may not know yet that a company has failed, and what was published before the company was watched, such as
    a petition, is no cause.
    """
    is_cause = any(_weight(each) == 1 for each in alert.causes)
    is_first = alert.severity == "critical" or (alert.severity == "high" and not is_cause)
    return [*([alert.state] if is_first and alert.state else []), *(each.words for each in alert.causes)]


def with_states(found: OpenAlerts, up_to: int, **members: object) -> OpenAlerts:
    """Return the events of a company with other members of the states of those up to a number, 0 for all."""
    events = [
        each._replace(state=_changed(each.state, members)) if up_to == 0 or each.number <= up_to else each
        for each in found.events
    ]
    return msgspec.structs.replace(found, events=tuple(events))


def _changed(state: AlertState, members: Mapping[str, object]) -> AlertState:
    wanted = msgspec.structs.replace(state, **members)
    return state if wanted == state else msgspec.structs.replace(wanted, version=state.version + 1)


def _line(company: str, lines: dict[str, BookLine]) -> BookLine:
    return lines.get(company) or BookLine(company, None, "", (), Standing())


def _risk(each: CompanyAlert) -> tuple[object, ...]:
    return -(each.at_risk or 0), _ORDER[each.severity], -(each.exposure or 0), each.company_number


def _causes(events: Sequence[OpenEvent], held: Mapping[str, str]) -> tuple[AlertCause, ...]:
    numbers: dict[tuple[str, str], list[int]] = {}
    newest: dict[tuple[str, str], AlertCause] = {}
    for each in events:
        document = document_of(each.document)
        key = each.rule, document.kind
        numbers.setdefault(key, []).append(each.number)
        if key not in newest:
            words = _words(each.rule, document, held)
            newest[key] = AlertCause(*key, words, document.day or rfc3339(document.at)[:10], ())
    causes = [msgspec.structs.replace(each, events=tuple(numbers[key])) for key, each in newest.items()]
    return tuple(sorted(causes, key=lambda each: (_weight(each), each.rule == "reservation", -each.events[0])))


def _weight(cause: AlertCause) -> int:
    if cause.kind in ENDS and cause.rule not in ("status", "score", "band", "limit"):
        return 3
    if cause.kind == "rose" and cause.rule in ("score", "band", "limit"):
        return 3
    return 1 if cause.rule in _GRAVE else 2 if cause.rule in _WORSE else 3


def _severity(causes: Sequence[AlertCause], line: BookLine) -> str:
    least = min((_weight(each) for each in causes), default=3)
    if line.has_failed and least < 3:
        return "critical"
    if least == 1 or (line.seen.event and least < 3):
        return "high"
    return "medium" if least == 2 else "low"


def _words(rule: str, document: EventDocument, held: Mapping[str, str]) -> str:
    if rule in _KINDS_IN_WORDS and document.kind not in ENDS:
        return _KINDS_IN_WORDS[rule](document.kind)
    said = happened(rule, document.kind, document.day).rstrip(".")
    old, new = msgspec.json.decode(bytes(document.before)), msgspec.json.decode(bytes(document.after))
    if rule in ("band", "score", "limit", "status") and new is not None:
        pounds = "£" if rule == "limit" else ""
        values = [
            f"{pounds}{each:,}" if isinstance(each, int) else str(each) for each in (old, new) if each is not None
        ]
        return f"{said}: {' to '.join(values)}"
    if rule == "reservation":
        code = str(old if new is None else new)
        words = held.get(code, code)
        return f"{words[:1].upper()}{words[1:]}" if new is not None else f"{said}: {words}"
    return said


def _to_do(severity: str, line: BookLine) -> str:
    if severity == "critical":
        owed = f"the £{line.exposure or 0:,} owed" if not line.is_partial else f"at least £{line.exposure:,}"
        if not line.exposure:
            return "Stop supplies."
        if line.seen.insolvency == "dissolved":  # there are no proceedings (Companies Act 2006, sections 1024 to 1032)
            return f"Stop supplies: {owed} can be claimed only once the company is restored to the register."
        return f"Stop supplies and claim {owed} in the proceedings."
    if severity == "high":
        return "Give no further credit until you know more."
    if (line.headroom or 0) < 0:
        least = "at least " if line.is_partial else ""
        return f"Collect {least}£{-(line.headroom or 0):,} above the limit, or decide on a new one."
    return "Review the limit." if severity == "medium" else "Read and acknowledge."

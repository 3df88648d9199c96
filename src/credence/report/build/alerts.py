"""`Alerts`: what a reader should look at first, one rule a row (docs/report.md).

The codes are ours, for the incumbent's are not public. What is overdue is judged on the day of the register's
snapshot: what happened since, it cannot know.
"""

import datetime as dt
from collections.abc import Callable

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.report.build.durations import within_last
from credence.report.build.events import WORDS, Event
from credence.report.build.mortgages import begun, is_satisfied
from credence.report.build.years import Year
from credence.report.schema import alerts as wire

NEW_CHARGE_MONTHS = 12
"""A charge is new for so many months."""

_FAILURES = "CEGHJQSU"
"""Letters of events by which a company fails or may; a solvent liquidation and what ends a case are none."""


class Findings(msgspec.Struct, frozen=True):
    """What the rules judge."""

    company: Company
    years: tuple[Year, ...]
    events: tuple[Event, ...]
    today: dt.date


class Rule(msgspec.Struct, frozen=True):
    """One alert: its code, its heading, and its condition, which returns the note or None."""

    code: str
    header: str
    note: Callable[[Findings], str | None]


def alerts(found: Findings) -> wire.Alerts:
    """Return the alerts that apply, in the order of the rules."""
    notes = tuple(wire.Note(rule.code, rule.header, note) for rule in RULES if (note := rule.note(found)) is not None)
    return wire.Alerts(len(notes), str(sum(len(each.AlertNote) for each in notes)), notes)


def notice_of_correction(company: Company) -> wire.NoticeOfCorrection:
    """Return the member; a count of 0 says that nothing is disputed."""
    return wire.NoticeOfCorrection(
        len(company.disputes),
        tuple(
            wire.Correction(each.field, f"{each.note} ({each.status.value} since {each.changed})")
            for each in company.disputes
        ),
    )


def _accounts_overdue(found: Findings) -> str | None:
    entry = found.company.register.value if found.company.register else None
    return _overdue(found, entry.accounts.next_due if entry else None, "Accounts")


def _confirmation_overdue(found: Findings) -> str | None:
    entry = found.company.register.value if found.company.register else None
    return _overdue(found, entry.confirmation_next_due if entry else None, "The confirmation statement")


def _overdue(found: Findings, due: dt.date | None, what: str) -> str | None:
    held = found.company.register
    if held is None or due is None or codes.is_dissolved(held.value):
        return None
    judged = held.provenance.as_of or found.today
    if due >= judged:
        return None
    days = (judged - due).days
    return f"{what} due on {due} had not been filed on {judged}, {days} {'day' if days == 1 else 'days'} late."


def _strike_off(found: Findings) -> str | None:
    """Say that the company is to be struck off, unless that was dropped or done."""
    last = next((event for event in found.events if event.letter in "KXLM"), None)
    if last is None or last.letter != "K":
        return None
    return f"The company is to be struck off the register{_on(last)}."


def _insolvency(found: Findings) -> str | None:
    last = next((event for event in found.events if event.letter in _FAILURES and not event.solvent), None)
    return None if last is None else f"The latest event: {WORDS[last.letter]}{_on(last)}."


def _new_charge(found: Findings) -> str | None:
    charges = found.company.charges.value if found.company.charges else ()
    new = [
        each for each in charges if not is_satisfied(each) and within_last(begun(each), NEW_CHARGE_MONTHS, found.today)
    ]
    if not new:
        return None
    newest = max(day for each in new if (day := begun(each)))
    return f"Charges registered in the last {NEW_CHARGE_MONTHS} months: {len(new)}, the newest of {newest}."


def _unbalanced(found: Findings) -> str | None:
    if not found.years or found.years[0].balanced is not False:
        return None
    return f"The figures of the accounts of {found.years[0].end} contradict each other."


def _dissolved(found: Findings) -> str | None:
    last = next((event for event in found.events if event.letter in "LM"), None)
    return f"The company no longer exists{_on(last)}." if last and last.letter == "L" else None


def _disputed(found: Findings) -> str | None:
    fields = ", ".join(each.field for each in found.company.disputes)
    return f"Disputed and being looked into: {fields}." if fields else None


def _on(event: Event) -> str:
    return "" if event.day is None else f", {event.day}"


RULES = (
    Rule("DISSOLVED", "Dissolved", _dissolved),
    Rule("INSOLVENCY", "Insolvency event", _insolvency),
    Rule("STRIKE-OFF", "Proposal to strike off", _strike_off),
    Rule("ACCOUNTS-LATE", "Accounts overdue", _accounts_overdue),
    Rule("STATEMENT-LATE", "Confirmation statement overdue", _confirmation_overdue),
    Rule("NEW-CHARGE", "New charge", _new_charge),
    Rule("UNBALANCED", "Accounts do not balance", _unbalanced),
    Rule("DISPUTED", "Disputed", _disputed),
)
"""Every rule, the gravest first."""

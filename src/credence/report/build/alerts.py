"""`Alerts`, one rule each, and `NoticeOfCorrection` (docs/report.md).

The alert codes are our own, because the incumbent's are not public. Overdue filings are judged on the day of the
register's snapshot, because the snapshot lacks later filings.
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
"""Age up to which a charge is new."""

_FAILURES = "CEGHJQSU"
"""Letters of insolvency events; the ends of cases are not among them."""


class AlertFacts(msgspec.Struct, frozen=True):
    """The inputs of the rules."""

    company: Company
    years: tuple[Year, ...]
    events: tuple[Event, ...]
    today: dt.date


class Rule(msgspec.Struct, frozen=True):
    """One alert: its code, its heading, and its condition, which returns the text of the alert or None."""

    code: str
    header: str
    note: Callable[[AlertFacts], str | None]


def alerts(facts: AlertFacts) -> wire.Alerts:
    """Return the alerts that apply, in the order of the rules."""
    notes = tuple(wire.Note(rule.code, rule.header, note) for rule in RULES if (note := rule.note(facts)) is not None)
    return wire.Alerts(len(notes), str(sum(len(each.AlertNote) for each in notes)), notes)


def notice_of_correction(company: Company) -> wire.NoticeOfCorrection:
    """Return the open disputes; a count of 0 means that nothing is disputed (credit §10)."""
    return wire.NoticeOfCorrection(
        len(company.disputes),
        tuple(
            wire.Correction(each.field, f"{each.note} ({each.status.value} since {each.changed})")
            for each in company.disputes
        ),
    )


def _accounts_overdue(facts: AlertFacts) -> str | None:
    entry = facts.company.register.value if facts.company.register else None
    return _overdue(facts, entry.accounts.next_due if entry else None, "Accounts")


def _confirmation_overdue(facts: AlertFacts) -> str | None:
    entry = facts.company.register.value if facts.company.register else None
    return _overdue(facts, entry.confirmation_next_due if entry else None, "The confirmation statement")


def _overdue(facts: AlertFacts, due: dt.date | None, what: str) -> str | None:
    register = facts.company.register
    if register is None or due is None or codes.is_dissolved(register.value):
        return None
    judged = register.provenance.as_of or facts.today
    if due >= judged:
        return None
    days = (judged - due).days
    return f"{what} due on {due} had not been filed on {judged}, {days} {'day' if days == 1 else 'days'} late."


def _strike_off(facts: AlertFacts) -> str | None:
    """Return the alert for a proposed strike-off that was neither discontinued nor carried out."""
    last = next((event for event in facts.events if event.letter in "KXLM"), None)
    if last is None or last.letter != "K":
        return None
    return f"The company is to be struck off the register{_on(last)}."


def _insolvency(facts: AlertFacts) -> str | None:
    last = next((event for event in facts.events if event.letter in _FAILURES and not event.solvent), None)
    return None if last is None else f"The latest event: {WORDS[last.letter]}{_on(last)}."


def _new_charge(facts: AlertFacts) -> str | None:
    charges = facts.company.charges.value if facts.company.charges else ()
    new = [
        each for each in charges if not is_satisfied(each) and within_last(begun(each), NEW_CHARGE_MONTHS, facts.today)
    ]
    if not new:
        return None
    newest = max(day for each in new if (day := begun(each)))
    return f"Charges registered in the last {NEW_CHARGE_MONTHS} months: {len(new)}, the newest of {newest}."


def _unbalanced(facts: AlertFacts) -> str | None:
    if not facts.years or facts.years[0].balanced is not False:
        return None
    return f"The figures of the accounts of {facts.years[0].end} contradict each other."


def _dissolved(facts: AlertFacts) -> str | None:
    last = next((event for event in facts.events if event.letter in "LM"), None)
    return f"The company no longer exists{_on(last)}." if last and last.letter == "L" else None


def _disputed(facts: AlertFacts) -> str | None:
    fields = ", ".join(each.field for each in facts.company.disputes)
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
"""Every rule, the most serious first."""

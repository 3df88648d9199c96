"""`Alerts`, one rule each, and `NoticeOfCorrection` (docs/report.md).

The alert codes are our own, because the incumbent's are not public. Overdue filings are judged on the day of the
register's snapshot, because the snapshot lacks later filings.
"""

import datetime as dt
from collections.abc import Callable
from functools import cache, lru_cache

import msgspec

from credence.companies import codes
from credence.companies.durations import within_last
from credence.companies.facts.company import Company
from credence.computed_once import computed_once
from credence.report.build.events import ENDS, WORDS, Event, dissolved, last_failure
from credence.report.build.mortgages import begun, is_satisfied
from credence.report.build.years import Year
from credence.report.schema import alerts as wire
from credence.report.schema import assessment as wire_assessment
from credence.scoring.model import current_model
from credence.scoring.reservations.found import RULES as JUDGED
from credence.scoring.reservations.judged import Gap, Judged
from credence.scoring.score import ScoringResult

NEW_CHARGE_MONTHS = 12
"""The maximum age of a new charge in months."""


class AlertFacts(msgspec.Struct, frozen=True, dict=True):
    """The facts that the rules read, and the alerts that they raise."""

    company: Company
    years: tuple[Year, ...]
    events: tuple[Event, ...]
    today: dt.date
    result: ScoringResult
    older: tuple[Year, ...] = ()
    """Earlier years of the company, which only the figures of `Assessment` include."""
    consolidated: tuple[Year, ...] = ()
    """The years of the group, from filings that separate it from the company."""

    @computed_once
    def tried(self) -> "tuple[tuple[AlertRule, str | None], ...]":
        """Each rule with the text of its alert, None if it raises no alert."""
        said = {each.code: each.sentence for each in self.result.reservations}
        return tuple([(rule, rule.note(self) if rule.note else said.get(rule.code)) for rule in RULES])

    @computed_once
    def alerts(self) -> wire.Alerts:
        """The alerts that apply, in the order of the rules."""
        notes = tuple([wire.Note(rule.code, rule.header, text) for rule, text in self.tried if text is not None])
        return wire.Alerts(len(notes), str(sum(len(each.AlertNote) for each in notes)), notes)


class AlertRule(msgspec.Struct, frozen=True):
    """One alert: its code, heading, condition, and missing facts."""

    code: str
    header: str
    note: Callable[[AlertFacts], str | None] | None
    """Returns the text of the alert, or None. The alert of a reservation has no such function, but the sentence of that."""
    gap: Callable[[AlertFacts], Gap | None] = lambda _: None
    """Returns why the rule cannot be tried on these facts, or None."""


def untried(facts: AlertFacts) -> tuple[wire_assessment.UntriedAlert, ...]:
    """Return the rules that raised no alert because facts are missing: the absence of their alert does not mean "clean"."""
    gaps = {gap: gap(facts) for gap in _GAPS}
    return tuple(
        [
            wire_assessment.UntriedAlert(rule.code, "not" if gap.whole else "in part", gap.reason)
            for rule, text in facts.tried
            if text is None and (gap := gaps[rule.gap]) is not None
        ]
    )


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
    late = _overdue(facts, entry.accounts.next_due if entry else None, "Accounts")
    return None if facts.company.newer_accounts else late


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
    register = facts.company.register
    day = last.day or (register.provenance.as_of if register else None)
    return f"Striking off was proposed{'' if day is None else f' on {day}'}."


def _insolvency(facts: AlertFacts) -> str | None:
    last = last_failure(facts.events)
    if last is None:
        return None
    ended = next(
        (each for each in facts.events if each.letter in ENDS and each.day and each.day >= (last.day or each.day)), None
    )
    since = f"; since then: {WORDS[ended.letter]}{_on(ended)}" if ended else ""
    return f"The latest event: {WORDS[last.letter]}{_on(last)}{since}."


def _new_charge(facts: AlertFacts) -> str | None:
    charges = facts.company.charges.value if facts.company.charges else ()
    new = [
        each for each in charges if not is_satisfied(each) and within_last(begun(each), NEW_CHARGE_MONTHS, facts.today)
    ]
    if not new:
        return None
    newest = max(day for each in new if (day := begun(each)))
    return f"Charges registered in the last {NEW_CHARGE_MONTHS} months: {len(new)}, the newest of {newest}."


def _dissolved(facts: AlertFacts) -> str | None:
    last = dissolved(facts.events)
    return f"The company no longer exists{_on(last)}." if last else None


def _disputed(facts: AlertFacts) -> str | None:
    fields = ", ".join(each.field for each in facts.company.disputes)
    return f"Disputed and being looked into: {fields}." if fields else None


def _no_register(facts: AlertFacts) -> Gap | None:
    return None if facts.company.register else Gap("No register entry is available.")


def _no_register_or_filings(facts: AlertFacts) -> Gap | None:
    return None if facts.company.filings is not None else _no_register(facts)


def _no_accounts_due(facts: AlertFacts) -> Gap | None:
    register = facts.company.register
    if register is None or codes.is_dissolved(register.value):
        return _no_register(facts)
    due = register.value.accounts.next_due
    if due is None:
        return Gap("The register gives no day on which accounts are due.")
    newer = facts.company.newer_accounts
    if newer and _overdue(facts, due, "Accounts"):
        return Gap(f"The register's snapshot does not know the accounts of {newer}, so {due} may be their due date.")
    return None


def _no_statement_due(facts: AlertFacts) -> Gap | None:
    register = facts.company.register
    if register is None or codes.is_dissolved(register.value):
        return _no_register(facts)
    return None if register.value.confirmation_next_due else Gap("The register gives no day on which it is due.")


def _no_source_of_insolvency(facts: AlertFacts) -> Gap | None:
    company = facts.company
    parts = {"register entry": company.register, "notice list": company.notices, "case list": company.insolvency}
    missing = tuple([words for words, part in parts.items() if part is None])
    return _not_held(missing, whole=len(missing) == len(parts)) if missing else None


@lru_cache(maxsize=16)
def _not_held(missing: tuple[str, ...], *, whole: bool) -> Gap:
    return Gap(f"No {' and no '.join(missing)} is on record.", whole)


def _no_charges(facts: AlertFacts) -> Gap | None:
    register = facts.company.register
    if facts.company.charges is not None or (register and register.value.charges.total == 0):
        return None
    return Gap("The charges themselves are not on record.")


def _on(event: Event) -> str:
    return "" if event.day is None else f", {event.day}"


@cache
def _gap_of(missing: Callable[[Judged], Gap | None]) -> Callable[[AlertFacts], Gap | None]:
    return lambda facts: missing(facts.result.judged)


def _of(code: str) -> AlertRule:
    """Return the alert of a reservation."""
    row = current_model().reservations.by_code[code][0]
    return AlertRule(code, row.header, None, _gap_of(JUDGED[row.find].missing))


RULES = (
    AlertRule("DISSOLVED", "Dissolved", _dissolved, _no_register_or_filings),
    AlertRule("INSOLVENCY", "Insolvency event", _insolvency, _no_source_of_insolvency),
    AlertRule("STRIKE-OFF", "Proposal to strike off", _strike_off, _no_register_or_filings),
    AlertRule("ACCOUNTS-LATE", "Accounts overdue", _accounts_overdue, _no_accounts_due),
    AlertRule("STATEMENT-LATE", "Confirmation statement overdue", _confirmation_overdue, _no_statement_due),
    *(_of(code) for code, rows in current_model().reservations.by_code.items() if rows[0].alert and rows[0].find),
    AlertRule("NEW-CHARGE", "New charge", _new_charge, _no_charges),
    AlertRule("DISPUTED", "Disputed", _disputed),
)
"""Every rule, the most serious first; those of reservations are declared in their table."""

_GAPS = tuple(dict.fromkeys(rule.gap for rule in RULES))
"""Each function that finds missing facts once: most reservations lack the same ones."""

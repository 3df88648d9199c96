"""Rules about how the company pays its suppliers, from its statutory reports.

Large companies report every half-year (Reporting on Payment Practices and Performance Regulations 2017). Terms of more than
60 days bind a supplier only if they are agreed expressly and not grossly unfair (Late Payment of Commercial Debts (Interest)
Act 1998, section 4).
"""

import datetime as dt
from typing import NamedTuple

from credence.clock import day_in_words
from credence.companies.facts.company import Company
from credence.companies.facts.events import PaymentPractice
from credence.scoring.basis.day import DAYS_A_MONTH
from credence.scoring.reservations.judged import Found, Gap, Judged, Measures, ReservationRule

COUNT_MONTHS = 24
"""The age up to which a report counts: with one each half-year, an older one was followed by three others."""

_YEAR_BEFORE = range(300, 431)
"""Days between two reports on the same half of two years."""


class _Reports(NamedTuple):
    newest: PaymentPractice
    end: dt.date
    before: PaymentPractice | None
    """The report of a year before."""


def measure(judged: Judged, into: Measures) -> None:
    """Add the rules that apply to the newest report."""
    found = _reports(judged.company, judged.days.judgement)
    if found is None:
        return
    newest = found.newest
    if newest.average_days is not None:
        into["pays-in"] = newest.average_days
        if newest.longest_terms:
            into["pays-after-own-terms"] = newest.average_days - newest.longest_terms
        if found.before and found.before.average_days is not None:
            into["pays-later"] = newest.average_days - found.before.average_days
    if newest.not_within_terms is not None:
        into["pays-beyond-terms"] = newest.not_within_terms


def newest_report(company: Company, day: dt.date) -> PaymentPractice | None:
    """Return the newest report of a company on a day; None if none is recent enough."""
    found = _reports(company, day) if company.payment_practices else None
    return found.newest if found else None


def _reports(company: Company, day: dt.date) -> _Reports | None:
    """Return the newest report, and that of a year before; None if no report is recent enough."""
    practices = company.payment_practices
    dated = [(each.end, each) for each in (practices.value if practices else ()) if each.end]
    known = sorted((each for each in dated if each[0] <= day), key=lambda each: (each[0], each[1].id))
    if not known or (day - known[-1][0]).days / DAYS_A_MONTH > COUNT_MONTHS:
        return None
    end, newest = known[-1]
    before = [each for at, each in known if (end - at).days in _YEAR_BEFORE]
    return _Reports(newest, end, before[-1] if before else None)


def _slow(judged: Judged) -> Found:
    found = _reports(judged.company, judged.days.judgement)
    if found is None:
        return Found({})
    newest, before = found.newest, found.before
    late = newest.not_within_terms
    values = {
        "day": day_in_words(found.end),
        "days": _number(newest.average_days),
        "late": _number(late),
        "beyond": "" if late is None else f", {late:.0f}% of them beyond agreed terms",
        "terms": _number(newest.longest_terms),
        "before": _number(before.average_days if before else None),
    }
    return Found(values, day=found.end)


def _number(value: float | None) -> str:
    return "an unknown number of" if value is None else f"{value:.0f}"


def _no_report(judged: Judged) -> Gap | None:
    if _reports(judged.company, judged.days.judgement) is not None:
        return None
    return Gap(
        f"No statutory payment report in the last {COUNT_MONTHS} months is on record; only large companies file one."
    )


RULES = {
    rule: ReservationRule(_slow, _no_report)
    for rule in ("pays-in", "pays-beyond-terms", "pays-after-own-terms", "pays-later")
}
"""Name -> rule."""

"""`Assessment.Connections`: other companies of present directors that failed, accounts filed late, dissolved neighbours.

The score does not use them, and no person is named or judged (UK GDPR, article 5): directors are matched by the register's
own id, never by name, and a failure counts if the director was in office in the year before it, as in the Insolvency Act
1986, section 216.
"""

import datetime as dt
from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from credence.companies import codes
from credence.companies.durations import whole_months
from credence.companies.facts.company import Company
from credence.companies.facts.people import Officer, director_number
from credence.report.build.events import WORDS, Event, events
from credence.report.schema import connections as wire

_MAX_COMPANIES = 50
"""Maximum number of companies that are read for one director; nominees have hundreds."""

_MAX_DIRECTORS = 20

_FAILED = "CGHJQSU"
"""Letters of the events that are failures: a petition or a meeting of creditors alone does not count."""

_YEAR = dt.timedelta(days=365)

_PRIVATE_MONTHS, _PUBLIC_MONTHS, _FIRST_MONTHS = 9, 6, 21
"""Months to file accounts, from their balance sheet date, and the first ones from the incorporation (Companies Act 2006,
section 442)."""

_LATER = dt.date(2020, 3, 27), dt.date(2021, 4, 5)
_LATER_MONTHS = 3
"""Accounts due in these days had three months more (SI 2020/645)."""

_GRACE = dt.timedelta(days=1)
"""What arrives in the night after the last day is not called late."""


class Appointments(Protocol):
    """The source of facts about other companies: `CreditData`."""

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number, or None if no source has it."""

    def appointments(self, key: str) -> Iterator[tuple[str, Officer]]:
        """Yield company number and officer for each appointment of a director number."""


Others = tuple[tuple[Officer, Company], ...]
"""Appointments as a director of other companies, and these companies."""


def others_of(company: Company, known: Appointments) -> Others | None:
    """Return the appointments of present directors to other companies; None if no officers are loaded."""
    if company.officers is None:
        return None
    present = {each.id for each in company.officers.value if each.resigned is None and codes.is_director(each.role)}
    found: list[tuple[Officer, Company]] = []
    for each in sorted(present)[:_MAX_DIRECTORS]:
        posts = (post for post in known.appointments(director_number(each)) if post[0] != company.number)
        for number, officer in islice(posts, _MAX_COMPANIES):
            if codes.is_director(officer.role) and (other := known.company(number)) is not None:
                found.append((officer, other))
    return tuple(found)


def connections(company: Company, others: Others | None, today: dt.date) -> wire.Connections | None:
    """Return the member; None if nothing of it is held."""
    failed = None if others is None else tuple(_failures(others, today))
    entry = company.register.value if company.register else None
    found = wire.Connections(
        DirectorsCompaniesFailed=None if failed is None else len(failed),
        FailedCompanies=failed or (),
        LateAccounts=_late(company, today),
        DissolvedAtSameOffice=entry.dissolved_at_office if entry else None,
    )
    return None if found == wire.Connections() else found


def _failures(others: Others, today: dt.date) -> list[wire.FailedCompany]:
    found: dict[str, wire.FailedCompany] = {}
    for officer, other in others:
        event = _failure(other, today)
        if event is not None and event.day is not None and _in_office(officer, event.day):
            name = other.register.value.name if other.register else None
            found[other.number] = wire.FailedCompany(other.number, WORDS[event.letter], event.day, name)
    return sorted(found.values(), key=lambda each: (-each.Date.toordinal(), each.RegNumber))


def _failure(other: Company, today: dt.date) -> Event | None:
    """Return the first failure of the newest case: what follows it belongs to the same end."""
    failures = [
        each for each in events(other) if each.letter in _FAILED and not each.solvent and each.day and each.day <= today
    ]
    return failures[-1] if failures else None


def _in_office(officer: Officer, day: dt.date) -> bool:
    """Return whether an officer was in office on a day or in the year before it."""
    begun = officer.appointed or officer.appointed_before
    return begun is not None and begun <= day and (officer.resigned is None or officer.resigned >= day - _YEAR)


def _late(company: Company, today: dt.date) -> wire.LateFilings | None:
    filings = company.filings.value if company.filings else ()
    filed: dict[dt.date, dt.date] = {}
    for each in filings:
        if each.category == "accounts" and each.type == "AA" and each.made_up and each.date <= today:
            filed[each.made_up] = min(each.date, filed.get(each.made_up, each.date))
    known = sorted(filed.items(), reverse=True)
    if not known:
        return None
    days = [(day - due).days for made_up, day in known if day > (due := _due(company, made_up)) + _GRACE]
    return wire.LateFilings(len(known), len(days), tuple(days))


def _due(company: Company, made_up: dt.date) -> dt.date:
    """Return the last day for accounts, to the company's favour where the law has two days."""
    entry = company.register.value if company.register else None
    form = codes.legal_form(entry.category) if entry else None
    due = _months_after(made_up, _PUBLIC_MONTHS if form and form.words.startswith("Public") else _PRIVATE_MONTHS)
    if entry and entry.incorporated and whole_months(entry.incorporated, made_up) <= 18:
        due = max(due, _months_after(entry.incorporated, _FIRST_MONTHS))
    return _months_after(due, _LATER_MONTHS) if _LATER[0] <= due <= _LATER[1] else due


def _months_after(day: dt.date, months: int) -> dt.date:
    """Return the day some months later; the last day of a month leads to the last of another (section 443)."""
    years, month = divmod(day.month - 1 + months, 12)
    first = dt.date(day.year + years, month + 1, 1)
    after = dt.date(first.year + first.month // 12, first.month % 12 + 1, 1)
    last = after - dt.timedelta(days=1)
    is_last = (day + dt.timedelta(days=1)).day == 1
    return last if is_last else first.replace(day=min(day.day, last.day))

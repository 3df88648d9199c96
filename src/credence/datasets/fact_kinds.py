"""The parts of a company's facts that are stored as single facts, one source each; the register has its own layout."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec

from credence.companies.director_number import director_number
from credence.companies.facts.accounts import Accounts
from credence.companies.facts.events import Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.companies.ownership import uk_company_number
from credence.companies.words import name_words, words

REGISTER = "register"
"""The name of the register among the sources."""


def _nothing(_: object) -> tuple[str, ...]:
    return ()


class FactKind(msgspec.Struct, frozen=True):
    """One part and how it is kept."""

    source: str
    """Its name on the command line and in the catalogue."""
    field: str
    """The attribute of `Company` that it fills."""
    fact: type
    layout: int
    """A change of the fields of `fact` is a change of this number."""
    exhaustive: bool
    """Whether the source tells of every company there is, so that nothing found means none."""
    order: Callable[[Any], Any]
    """By what the facts of a company are sorted, the greatest first."""
    mentions: Callable[[Any], tuple[str, ...]] = _nothing
    """What a fact names that its company is looked up by."""
    all_or_nothing: bool = False
    """Whether the facts of a company say nothing without one that could not be read: it may be the owner."""
    ended: Callable[[Any], dt.date | None] | None = None
    """Of personal data, the day from which the retention counts; None while it goes on (credit §10)."""


def _accounts(each: Accounts) -> tuple[dt.date, dt.date, str]:
    return each.balance_sheet_date, each.filed or dt.date.min, each.document


def _officer(each: Officer) -> tuple[bool, dt.date, str]:
    return each.resigned is None, each.appointed or each.appointed_before or dt.date.min, each.id


def _owner(each: Owner) -> tuple[bool, dt.date, str]:
    return each.ceased is None, each.notified or dt.date.min, each.id


def _charge(each: Charge) -> tuple[dt.date, str]:
    return each.created or each.delivered or dt.date.min, each.id


def _case(each: InsolvencyCase) -> tuple[dt.date, str]:
    return max((step.date for step in each.dates), default=dt.date.min), each.number


def _notice(each: Notice) -> tuple[dt.date, str]:
    return each.published, each.id


def _filing(each: Filing) -> tuple[dt.date, str]:
    return each.date, each.id


def _practice(each: PaymentPractice) -> tuple[dt.date, dt.date, str]:
    return each.end or dt.date.min, each.filed or dt.date.min, each.id


def surname_key(surname: str) -> str:
    """Return the key under which officers of a surname are looked up."""
    return "surname " + "".join(name_words(surname))


def initial_key(surname: str, forenames: str) -> tuple[str, ...]:
    """Return the key of a surname with the first letter of the first forename; none without a forename.

    There are surnames of many thousands, and to read all of them for one John would take long.
    """
    first = words(forenames)[:1]
    return tuple(f"{surname_key(surname)} {each[0]}" for each in first)


def _mentions_of_officer(each: Officer) -> tuple[str, ...]:
    return director_number(each.id), surname_key(each.surname), *initial_key(each.surname, each.forenames)


def _mentions_of_owner(each: Owner) -> tuple[str, ...]:
    number = uk_company_number(each)
    return (number,) if number else ()


def _resigned(each: Officer) -> dt.date | None:
    return each.resigned


def _ceased(each: Owner) -> dt.date | None:
    return each.ceased


ACCOUNTS = FactKind("accounts", "accounts", Accounts, 1, False, _accounts)
OWNERS = FactKind("psc", "owners", Owner, 1, True, _owner, _mentions_of_owner, all_or_nothing=True, ended=_ceased)
NOTICES = FactKind("gazette", "notices", Notice, 1, True, _notice)
PRACTICES = FactKind("payment-practices", "payment_practices", PaymentPractice, 1, True, _practice)
OFFICERS = FactKind("officers", "officers", Officer, 3, False, _officer, _mentions_of_officer, ended=_resigned)
CHARGES = FactKind("charges", "charges", Charge, 1, False, _charge)
INSOLVENCY = FactKind("insolvency", "insolvency", InsolvencyCase, 1, False, _case)
FILINGS = FactKind("filing-history", "filings", Filing, 1, False, _filing)

FACT_KINDS = (ACCOUNTS, OWNERS, NOTICES, PRACTICES, OFFICERS, CHARGES, INSOLVENCY, FILINGS)

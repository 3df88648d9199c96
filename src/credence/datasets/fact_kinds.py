"""The kinds of facts, each with its source and how it is stored. The register has its own schema (`register_schema`)."""

import datetime as dt
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Profile
from credence.companies.facts.events import PLANNED, Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner, director_number
from credence.companies.ownership import uk_company_number
from credence.companies.words import name_words, postcode_words, words

REGISTER = "register"
"""The name of the register among the sources."""

MISSING, SEVERAL = "number.missing", "number.several"
"""Reason codes of rows or notices that belong to no company."""

UNPUBLISHED = "status.unpublished"
"""The reason code of a notice that its publisher has withdrawn."""

_UNKNOWN = dt.date.min
"""A day that sorts unknown dates last."""


class FactKind(msgspec.Struct, frozen=True):
    """One kind of fact and how it is stored."""

    source: str
    """The name of its source in commands and in the catalogue."""
    field: str
    """The attribute of `Company` with these facts."""
    fact: type
    layout: int
    """The layout number of its data set, to be raised when the fields of `fact` change."""
    exhaustive: bool
    """Whether the source lists every company, so that no fact means "none"."""
    order: Callable[[Any], Any]
    """The sort key of a company's facts; the greatest comes first."""
    mentions: Callable[[Any], tuple[str, ...]] = lambda _: ()
    """Returns the keys by which a fact leads to its company in a search."""
    all_or_nothing: bool = False
    """Whether one unreadable fact makes all facts of its company unknown: the unreadable one may be the decisive one."""
    single: bool = False
    """Whether a company has at most one fact, so that an event about it leaves nothing unknown."""
    ended: Callable[[Any], dt.date | None] | None = None
    """Returns, for personal data, the day from which the retention counts; None while the fact is current (credit §10)."""
    public: Callable[[Any], dt.date | None] = lambda _: None
    """Returns the day on which the publisher made a fact public, as far as the fact says it."""
    history: bool = False
    """Whether facts that were corrected or withdrawn are kept with the days on which they were valid. Never personal data,
    which is deleted with its source (`docs/adr/facts-over-time.md`)."""
    world_wide: bool = False
    """Whether an id belongs to one fact of one company, so that a later version may be about another company."""
    with_id: Callable[[Any, str], Any] | None = None
    """Returns a stored fact with the id under which it is stored; None for a fact that does not have this id."""
    earlier_layouts: tuple[int, ...] = ()
    """The layouts of earlier versions that can be read and extended."""


def name_key(word: str) -> str:
    """Return the key of all accounts with a word in the company's name."""
    return f"name {word}"


def postcode_key(word: str) -> str:
    """Return the key of all accounts with a whole postcode or its outward half (`companies.words.postcode_words`)."""
    return f"postcode {word}"


def surname_key(surname: str) -> str:
    """Return the key of all officers with a surname."""
    return "surname " + "".join(name_words(surname))


def initial_key(surname: str, forenames: str) -> tuple[str, ...]:
    """Return the key of a surname with the initial of the first forename; empty without a forename.

    A frequent surname has thousands of officers, so reading them all for one forename would take long.
    """
    first = words(forenames)[:1]
    return tuple(f"{surname_key(surname)} {each[0]}" for each in first)


def _officer_mentions(each: Officer) -> tuple[str, ...]:
    return director_number(each.id), surname_key(each.surname), *initial_key(each.surname, each.forenames)


def _owner_mentions(each: Owner) -> tuple[str, ...]:
    number = uk_company_number(each)
    return (number,) if number else ()


def _accounts_mentions(each: Accounts) -> tuple[str, ...]:
    return (*map(name_key, name_words(each.name)), *map(postcode_key, postcode_words(each.postcode)))


ACCOUNTS = FactKind(
    "accounts",
    "accounts",
    Accounts,
    layout=4,
    exhaustive=False,
    order=lambda each: (each.balance_sheet_date, each.filed or _UNKNOWN, each.document),
    mentions=_accounts_mentions,
    public=attrgetter("filed"),
)
OWNERS = FactKind(
    "psc",
    "owners",
    Owner,
    layout=1,
    exhaustive=True,
    order=lambda each: (each.ceased is None, each.notified or _UNKNOWN, each.id),
    mentions=_owner_mentions,
    all_or_nothing=True,
    ended=attrgetter("ceased"),
    public=attrgetter("notified"),
)
NOTICES = FactKind(
    "gazette",
    "notices",
    Notice,
    layout=2,
    exhaustive=True,
    order=lambda each: (each.published, each.id),
    public=attrgetter("published"),
    history=True,
    world_wide=True,
    earlier_layouts=(1,),
)
PRACTICES = FactKind(
    "payment-practices",
    "payment_practices",
    PaymentPractice,
    layout=2,
    exhaustive=True,
    order=lambda each: (each.end or _UNKNOWN, each.filed or _UNKNOWN, each.id),
    public=attrgetter("filed"),
)
OFFICERS = FactKind(
    "officers",
    "officers",
    Officer,
    layout=4,
    exhaustive=False,
    order=lambda each: (each.resigned is None, each.appointed or each.appointed_before or _UNKNOWN, each.id),
    mentions=_officer_mentions,
    ended=attrgetter("resigned"),
    public=lambda each: each.appointed or each.appointed_before,
    with_id=lambda each, id_: msgspec.structs.replace(each, appointment=id_),
)
CHARGES = FactKind(
    "charges",
    "charges",
    Charge,
    layout=1,
    exhaustive=False,
    order=lambda each: (each.created or each.delivered or _UNKNOWN, each.id),
    public=lambda each: each.delivered or each.created,
)
INSOLVENCY = FactKind(
    "insolvency",
    "insolvency",
    InsolvencyCase,
    layout=3,
    exhaustive=False,
    order=lambda each: (max((step.date for step in each.dates), default=_UNKNOWN), each.number),
    all_or_nothing=True,
    public=lambda each: min((step.date for step in each.dates if step.type != PLANNED), default=None),
    history=True,
    earlier_layouts=(2,),
)
FILINGS = FactKind(
    "filing-history",
    "filings",
    Filing,
    layout=2,
    exhaustive=False,
    order=lambda each: (each.date, each.id),
    public=attrgetter("date"),
    history=True,
    world_wide=True,
    earlier_layouts=(1,),
)
PROFILE = FactKind("profile", "profile", Profile, layout=1, exhaustive=False, order=lambda _: 0, single=True)

FACT_KINDS = (ACCOUNTS, OWNERS, NOTICES, PRACTICES, OFFICERS, CHARGES, INSOLVENCY, FILINGS, PROFILE)

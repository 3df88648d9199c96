"""The file of the invented companies, `sandbox/data/companies.toml`: what it may say, and its checks (D24)."""

import datetime as dt
import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from credence.errors import UnusableContent

FILE = Path(__file__).parents[1] / "data" / "companies.toml"

Pounds = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(min_length=1)]
Number = Annotated[str, Meta(pattern="^[0-9]{8}$")]
Days = Annotated[tuple[int, ...], Meta(min_length=12, max_length=12)]
"""Of each of twelve months, the newest first."""


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """A person by director number."""

    surname: Text
    forenames: Text
    title: str = ""
    born: tuple[int, Annotated[int, Meta(ge=1, le=12)]] | None = None
    """Year and month."""


class Year(Struct, frozen=True, forbid_unknown_fields=True):
    """What a balance sheet, and a profit and loss account if there is one, does not calculate; in pounds."""

    debtors: Pounds
    share_capital: Pounds
    tangible_assets: Pounds = 0
    stocks: Pounds = 0
    cash: Pounds = 0
    creditors_within_year: Pounds = 0
    creditors_after_year: Pounds = 0
    employees: Pounds = 0
    turnover: Pounds | None = None
    """Without it there is no profit and loss account."""
    cost_of_sales: Pounds = 0
    operating_profit: int = 0
    interest_payable: Pounds = 0
    tax: Pounds = 0
    depreciation: Pounds = 0


class Activity(Struct, frozen=True, forbid_unknown_fields=True):
    """A code of SIC 2007 with its text."""

    code: Annotated[str, Meta(pattern="^[0-9]{5}$")]
    description: Text


class FormerName(Struct, frozen=True, forbid_unknown_fields=True):
    """A former name, and the day on which it changed."""

    name: Text
    until: dt.date


class Appointment(Struct, frozen=True, forbid_unknown_fields=True):
    """An appointment of a person."""

    person: str
    role: Literal["director", "secretary"]
    appointed: dt.date
    resigned: dt.date | None = None


class Parent(Struct, frozen=True, forbid_unknown_fields=True):
    """The company that owns another."""

    number: Number
    since: dt.date


class RegisteredCharges(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of charges in the register, of a company whose charges are not in this file."""

    outstanding: int
    satisfied: int


class Charge(Struct, frozen=True, forbid_unknown_fields=True):
    """A charge."""

    number: Text
    created: dt.date
    satisfied: dt.date | None = None


class Notice(Struct, frozen=True, forbid_unknown_fields=True):
    """A notice of the Gazette."""

    id: Text
    code: Annotated[str, Meta(pattern="^[0-9]{4}$")]
    day: dt.date
    title: Text


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """An insolvency case with its dated steps, in the register's own words."""

    type: Text
    dates: dict[str, dt.date]


class ChangeFiling(Struct, frozen=True, forbid_unknown_fields=True):
    """A filing other than of accounts."""

    id: Text
    day: dt.date
    category: Text
    type: Text
    description: str = ""


class Sued(Struct, frozen=True, forbid_unknown_fields=True):
    """A judgment, and the day on which it was paid."""

    day: dt.date
    amount: Pounds
    paid: dt.date | None = None


class Invented(Struct, frozen=True, forbid_unknown_fields=True):
    """A company."""

    number: Number
    name: Text
    incorporated: dt.date
    officers: tuple[Appointment, ...]
    case: str = ""
    status: Text = "Active"
    dissolved: dt.date | None = None
    activities: tuple[Activity, ...] = (Activity("62012", "Business and domestic software development"),)
    former_names: tuple[FormerName, ...] = ()
    accounts_category: Text = "TOTAL EXEMPTION FULL"
    accounts_made_up: dt.date | None = None
    accounts_due: dt.date | None = None
    balance_sheet: str | None = None
    scale: Annotated[int, Meta(gt=0)] = 100
    """Percentage of the amounts of the balance sheet."""
    dormant: bool = False
    office_undeliverable: bool = False
    parent: Parent | None = None
    registered_charges: RegisteredCharges | None = None
    charges: tuple[Charge, ...] = ()
    notices: tuple[Notice, ...] = ()
    insolvency: tuple[Case, ...] = ()
    filings: tuple[ChangeFiling, ...] = ()
    judgments: tuple[Sued, ...] = ()
    days_beyond_terms: Days = (8, 9, 8, 7, 9, 8, 8, 9, 10, 8, 9, 8)


class InventedFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    day: dt.date
    people: dict[str, Person]
    balance_sheets: dict[str, tuple[Year, Year]]
    company: tuple[Invented, ...]
    customer: tuple[Invented, ...]
    specimen: tuple[Invented, ...]

    @property
    def companies(self) -> Mapping[str, Invented]:
        """The companies by number."""
        return {each.number: each for each in (*self.company, *self.customer, *self.specimen)}


@functools.cache
def invented_file() -> InventedFile:
    """Return the content of the file that comes with the program."""
    return read(FILE)


def read(path: Path) -> InventedFile:
    """Return the content of a file. UnusableContent says what is wrong first: the company, the member, what is expected."""
    try:
        content = msgspec.toml.decode(path.read_bytes(), type=InventedFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnusableContent(f"{path.name}: {_in_plain_words(str(error))}") from error
    for fault in _faults(content):
        raise UnusableContent(f"{path.name}: {fault}")
    return content


_WORDS = {
    "`str`": "text in quotation marks",
    "`int`": "a whole number",
    "`float`": "a number",
    "`date`": "a date such as 2026-05-01",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
    "Object missing required field": "There is no member",
    "Object contains unknown field": "There is no such member as",
    "matching regex '^[0-9]{8}$'": "of eight digits",
    "matching regex '^[0-9]{5}$'": "of five digits",
    "matching regex '^[0-9]{4}$'": "of four digits",
}


def _in_plain_words(message: str) -> str:
    """Return a message of msgspec for a reader who knows TOML; companies and other members of a list are counted from 1."""
    said, _, place = message.partition(" - at `$")
    for word, plain in _WORDS.items():
        said = said.replace(word, plain)
    place = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", place.strip(".`").replace("[...]", ""))
    place = place.replace(".", ", ")
    return f"{place}: {said}." if place else f"{said}."


def _faults(content: InventedFile) -> Iterator[str]:
    """Yield what is wrong though each member by itself is allowed."""
    every = (*content.company, *content.customer, *content.specimen)
    for member, values in {
        "number": [each.number for each in every],
        "case": [each.case for each in content.company],
    }.items():
        for value in dict.fromkeys(values):
            if values.count(value) > 1:
                yield f'two companies have the {member} "{value}".'
    for company in every:
        for fault in (*_unknown_names(company, content), *_impossible_dates(company)):
            yield f"company {company.number}: {fault}"


def _unknown_names(company: Invented, content: InventedFile) -> Iterator[str]:
    if company in content.company and not (company.case and company.balance_sheet):
        yield "case and balance_sheet are required."
    if company in content.customer and not company.balance_sheet:
        yield "balance_sheet is required."
    if company.balance_sheet not in {None, *content.balance_sheets}:
        yield f'there is no balance sheet "{company.balance_sheet}", only {", ".join(content.balance_sheets)}.'
    if company.parent and company.parent.number not in content.companies:
        yield f"its parent {company.parent.number} is not in the file."
    for officer in company.officers:
        person = content.people.get(officer.person)
        if person is None:
            yield f'"{officer.person}" is not among the people.'
        elif officer.role == "director" and person.born is None:
            yield f'director "{officer.person}" needs a month of birth, such as born = [1975, 6].'


def _impossible_dates(company: Invented) -> Iterator[str]:
    for officer in company.officers:
        if officer.resigned and officer.resigned < officer.appointed:
            yield f'"{officer.person}" resigned before the appointment.'
    for charge in company.charges:
        if charge.satisfied and charge.satisfied < charge.created:
            yield f"charge {charge.number} was satisfied before it was created."
    days = [each.day for each in company.judgments]
    if days != sorted(days, reverse=True):
        yield "the newest judgment comes first."
    for sued in company.judgments:
        if sued.paid and sued.paid < sued.day:
            yield f"the judgment of {sued.day} was paid before that day."

"""Reads one document as the accounts of one filing (credit §3.3, §3.4)."""

import datetime as dt
import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

import msgspec

from credence.companies.balance_sheet import derive
from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.invariants import CURRENCY, DATES, TOLERANCE_UNITS, contradictions
from credence.companies.number import normalise
from credence.companies.related import PARTNERSHIPS
from credence.datasets.sources.accounts.attribution import attribute
from credence.datasets.sources.accounts.contexts import UnreadableDocument, read_date
from credence.datasets.sources.accounts.currency import TRIGGERS as OF_CURRENCY
from credence.datasets.sources.accounts.currency import currency_in_text
from credence.datasets.sources.accounts.document import Document, Fact, read_document
from credence.datasets.sources.accounts.fields import NOTES
from credence.datasets.sources.accounts.findings import TRIGGERS, findings_of
from credence.datasets.sources.accounts.members import TRIGGER as OF_MEMBERS
from credence.datasets.sources.accounts.members import owed_to_members
from credence.datasets.sources.accounts.periods import Column, columns, currency_of
from credence.datasets.sources.accounts.repair import is_balanced, repair
from credence.refusals.refusal import Refused

_NUMBER = ("UKCompaniesHouseRegisteredNumber", "CompaniesHouseRegisteredNumber")
_BALANCE_SHEET = ("BalanceSheetDate",)
_NAME = ("EntityCurrentLegalOrRegisteredName", "EntityCurrentLegalName")
_POSTCODE = ("PostalCodeZip",)
_DORMANT = ("EntityDormantTruefalse", "EntityDormant", "CompanyDormant")
_NOT_DORMANT = ("CompanyNotDormant",)
_STANDARD = ("AccountingStandardsApplied",)
_AUDIT = ("AccountsStatusAuditedOrUnaudited",)

_TAXONOMY = re.compile(r"([A-Za-z0-9-]{1,40})-([0-9]{4}-[0-9]{2}-[0-9]{2})\.xsd$")
_MAX_NAME_LETTERS = 160
_MAX_POSTCODE_LETTERS = 10
_DIGEST_DIGITS = 16
_WORDS = {**TRIGGERS, **OF_CURRENCY, OF_MEMBERS: (OF_MEMBERS,)}
"""Words for which the text is needed."""


def read_filing(
    data: bytes, document: str, *, number: str = "", day: dt.date | None = None, filed: dt.date | None = None
) -> Accounts:
    """Read a document as accounts. `number` and balance sheet `day` come from its file name, if it has them.

    File name and document must agree on the company number. The day in the file name, which is the register's, takes
    precedence over a tagged one. Raises UnreadableDocument with the reasons of `read_document`, or `document.no-accounts`,
    `number.missing`, `number.malformed`, `number.disagrees`, `date.missing`.
    """
    parsed = read_document(data, _WORDS)
    named = _by_name(parsed.facts)
    tagged_day = read_date(_text(named, _BALANCE_SHEET))
    balance_sheet = day or tagged_day
    currency = currency_of(parsed.facts)
    if balance_sheet is None:
        raise UnreadableDocument("date.missing" if currency else "document.no-accounts")
    frc, said = _uses_frc(parsed), currency_in_text(parsed.text)
    own, group = attribute(*columns(parsed.facts, frc=frc, currency=currency, balance_sheet=balance_sheet))
    if not (own or group or tagged_day):
        raise UnreadableDocument("document.no-accounts")
    company = _company(_text(named, _NUMBER), number)
    periods = _periods(own, currency, balance_sheet)
    if company.startswith(PARTNERSHIPS):
        periods = _with_members(periods, parsed.text)
    return Accounts(
        company=company,
        document=document,
        filed=filed,
        balance_sheet_date=balance_sheet,
        currency=said if currency and said else currency,
        periods=periods,
        group_periods=_periods(group, currency, balance_sheet),
        layout=("frc" if frc else "uk-gaap-2009") if parsed.inline else "plain-xbrl",
        taxonomy=_taxonomy(parsed.schemas),
        standard=_member(named, _STANDARD, "AccountingStandardsDimension"),
        audit=_member(named, _AUDIT, "AccountsStatusDimension"),
        dormant=_dormant(named),
        name=_text(named, _NAME)[:_MAX_NAME_LETTERS],
        postcode=_postcode(named),
        findings=findings_of(parsed),
        tagged_currency=currency if said and said != currency else "",
        digest=_digest(parsed.facts),
    )


def complete(column: Column) -> Period:
    """Return the period of a column: repaired, checked, and completed by arithmetic (credit §3.4)."""
    tolerance = TOLERANCE_UNITS * column.rounding
    lines = repair(column.figures, tolerance)
    figures = Figures(**_own_notes(derive(lines, other_equity=column.other_equity), tolerance))
    failed = contradictions(figures, column.rounding)
    return Period(column.end, column.start, figures, is_balanced(lines, tolerance), failed, column.rounding)


def _own_notes(lines: dict[str, Figure], tolerance: float) -> dict[str, Figure]:
    """Return the lines without amounts of notes that are negative or exceed the line that they are a part of.

    Such an amount is that of another entity, or of another scale.
    """
    owed = [lines[name].value for name in ("creditors_within_year", "creditors_after_year") if name in lines]
    of_debtors = lines.get("debtors") or lines.get("current_assets")
    found = {}
    for name, figure in lines.items():
        if name in NOTES:
            of_creditors = sum(owed) if owed else figure.value
            by = name == "trade_debtors" or name.startswith("owed_by")
            most = of_creditors if not by else of_debtors.value if of_debtors else figure.value
            if not 0 <= figure.value <= most + tolerance:
                continue
        found[name] = figure
    return found


def _with_members(periods: tuple[Period, ...], text: str) -> tuple[Period, ...]:
    """Return the periods of a partnership, the newest with what it owes to its members if the text shows that."""
    net = periods[0].figures.net_assets if periods else None
    owed = owed_to_members(text, net.value) if net is not None else None
    if owed is None:
        return periods
    figure = Figure(owed, Method.DERIVED, "loans and other debts due to members, from the text")
    newest = msgspec.structs.replace(periods[0].figures, owed_to_members=figure)
    return (msgspec.structs.replace(periods[0], figures=newest), *periods[1:])


def _periods(of_entity: Sequence[Column], currency: str, balance_sheet: dt.date) -> tuple[Period, ...]:
    """Return the periods of company or group, each with the invariants that it fails."""
    failed: list[str] = []
    if of_entity and (of_entity[0].end != balance_sheet or not _in_order(of_entity)):
        failed.append(DATES)
    if not currency:
        failed.append(CURRENCY)
    found = map(complete, of_entity)
    return tuple(msgspec.structs.replace(each, contradictions=(*each.contradictions, *failed)) for each in found)


def _in_order(newest_first: Sequence[Column]) -> bool:
    """Return whether each year begins after the end of the one before, where its first day is known."""
    return all(newer.start is None or newer.start >= older.end for newer, older in pairwise(newest_first))


def _company(tagged: str, named: str) -> str:
    """Return the company number, given in the document, in its file name, or equally in both."""
    if not (tagged or named):
        raise UnreadableDocument("number.missing")
    try:
        numbers = {normalise(each) for each in (tagged, named) if each}
    except Refused:
        raise UnreadableDocument("number.malformed") from None
    if len(numbers) > 1:
        raise UnreadableDocument("number.disagrees")
    return numbers.pop()


def _uses_frc(document: Document) -> bool:
    """Return whether the tags are the FRC's; without a known taxonomy, whether the document is Inline XBRL."""
    if any("frc.org.uk" in address for address in document.schemas):
        return True
    return document.inline and not any("/uk/gaap/" in address for address in document.schemas)


def _taxonomy(schemas: Sequence[str]) -> str:
    forms = (_TAXONOMY.search(address) for address in schemas)
    return next((f"{form[1].replace('-', ' ')} {form[2]}" for form in forms if form), "")


def _digest(facts: Sequence[Fact]) -> str:
    """Return a digest of the facts, which is the same in the daily and in the monthly product."""
    day = cache(str)
    lines = sorted([f"{each.name} {day(each.context.end)} {each.unit} {each.text}" for each in facts])
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:_DIGEST_DIGITS]


_Named = Mapping[str, Sequence[tuple[int, Fact]]]
"""By name, the facts and their places in the document."""


def _by_name(facts: Sequence[Fact]) -> _Named:
    named: dict[str, list[tuple[int, Fact]]] = defaultdict(list)
    for place, fact in enumerate(facts):
        named[fact.name].append((place, fact))
    return named


def _facts(named: _Named, names: tuple[str, ...]) -> list[Fact]:
    """Return the facts with one of these names, in document order."""
    return [fact for _, fact in sorted(each for name in names for each in named.get(name, ()))]


def _find(named: _Named, names: tuple[str, ...]) -> Fact | None:
    """Return the first fact with one of these names, and with the fewest dimensions: the entity before its parts."""
    found = _facts(named, names)
    return min(found, key=lambda fact: len(fact.context.dimensions), default=None)


def _text(named: _Named, names: tuple[str, ...]) -> str:
    found = _find(named, names)
    return found.text if found else ""


def _postcode(named: _Named) -> str:
    """Return the postcode of the registered office; a filing may also have those of agents and of places of business."""
    of_office = (
        each for each in _facts(named, _POSTCODE) if "RegisteredOffice" in dict(each.context.dimensions).values()
    )
    return next((each.text[:_MAX_POSTCODE_LETTERS] for each in of_office if each.text), "")


def _member(named: _Named, names: tuple[str, ...], dimension: str) -> str:
    found = _find(named, names)
    return dict(found.context.dimensions).get(dimension, "") if found else ""


def _dormant(named: _Named) -> bool | None:
    dormant, active = _truth(_find(named, _DORMANT)), _truth(_find(named, _NOT_DORMANT))
    return dormant if dormant is not None or active is None else not active


def _truth(fact: Fact | None) -> bool | None:
    """Return a tagged Boolean; its format may contain the value instead of the text."""
    if fact is None:
        return None
    value = fact.format.replace("-", "").lower().removeprefix("fixed").removeprefix("boolean") or fact.text.lower()
    return {"true": True, "false": False}.get(value)

"""The lines of a file as accounts, given the columns that a person chose; or everything that is wrong with them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from credence.companies.number import normalise_or_none
from credence.meanings import meaning
from credence.monitoring.ledger.amounts import amount_of, decimal_of
from credence.monitoring.ledger.columns import AGES, AMOUNTS, WORDS, Columns
from credence.monitoring.ledger.table import Line
from credence.refusals.refusal import Refused
from credence.screening.patterns import screen
from credence.store.customers import Owed

MAX_FAULTS: Final = 50
MAX_REFERENCE, MAX_NAME, MAX_POSTCODE = 100, 160, 12

_TOTALS = ("total", "grand total", "totals", "report total", "balance total", "percentage of total", "overall total")


class Fault(msgspec.Struct, frozen=True):
    """What is wrong in one line, and how it is cured."""

    line: Annotated[int, meaning("The line of the file, from 1.", example=7)]
    column: Annotated[str, meaning("The heading of the column.", example="Balance")]
    reason: Annotated[str, meaning("What is wrong, and what cures it.", example="This is not an amount.")]


class Choice(msgspec.Struct, frozen=True):
    """How the file is to be read."""

    columns: Columns
    currency: str = "GBP"
    """The currency of lines that name none."""
    decimal: Literal["", ".", ","] = ""
    """The sign before the hundredths; empty: as the amounts show it."""
    in_hundredths: bool = False


class Account(NamedTuple):
    """An account of a ledger."""

    line: int
    reference: str
    name: str
    postcode: str
    company: str
    currency: str
    owed: Owed


class Accounts(NamedTuple):
    """The accounts of a file, or what is wrong with it: then nothing of it is to be taken."""

    accounts: Sequence[Account]
    faults: Sequence[Fault]
    fault_count: int
    left_out: Sequence[int]
    """Lines without an account: totals, titles and empty ones."""
    unequal: Sequence[int]
    """Lines whose ages do not add up to the balance."""
    lines: int
    """Lines that have an account; several lines of one account are added."""


def accounts_of(lines: Sequence[Line], names: Sequence[str], choice: Choice) -> Accounts:
    """Return the accounts of the lines below the headings, of which `names` are the headings."""
    return _Reading(names, choice, _decimal(lines, choice)).read(lines)


def _decimal(lines: Sequence[Line], choice: Choice) -> Literal[".", ","]:
    places = [place for role in AMOUNTS for place in choice.columns.get(role, ())]
    return choice.decimal or decimal_of(_cell(line, place) for line in lines for place in places)


def _cell(line: Line, place: int) -> str:
    return line.cells[place] if place < len(line.cells) else ""


class _Reading:
    """Collects accounts and faults line by line."""

    def __init__(self, names: Sequence[str], choice: Choice, decimal: Literal[".", ","]) -> None:
        self._names, self._choice, self._decimal = names, choice, decimal
        self._accounts: dict[str, Account] = {}
        self._faults: list[Fault] = []
        self._count = self._lines = 0

    def read(self, lines: Sequence[Line]) -> Accounts:
        left_out, unequal = [], []
        for line in lines:
            if self._has_no_account(line):
                left_out.append(line.number)
                continue
            before = self._count
            account = self._account(line)
            if account is not None and self._count == before:
                self._lines += 1
                if not _adds_up(account.owed):
                    unequal.append(line.number)
                self._add(account)
        accounts = () if self._count else tuple(self._accounts.values())
        return Accounts(accounts, self._faults, self._count, left_out, unequal, self._lines)

    def _has_no_account(self, line: Line) -> bool:
        named = [self._text(line, role) for role in ("reference", "name")]
        amounts = any(_cell(line, place) for role in AMOUNTS for place in self._choice.columns.get(role, ()))
        first = next((cell for cell in line.cells if cell), "").casefold().rstrip(" :")
        is_total = (
            first in _TOTALS
            or set(first) == {"*"}
            or any(each.casefold().rstrip(" :") in _TOTALS for each in named if each)
        )
        return is_total or (not amounts and not all(named)) or (not any(named) and not line.cells[0])

    def _account(self, line: Line) -> Account | None:
        reference, name = self._text(line, "reference", MAX_REFERENCE), self._text(line, "name", MAX_NAME)
        postcode, number = self._text(line, "postcode", MAX_POSTCODE), self._text(line, "company_number", 40)
        for role, text in (("reference", reference), ("name", name)):
            if not text and role in self._choice.columns:
                self._fault(line, role, "The cell is empty. Fill it in, or remove the line.")
        company = normalise_or_none(number) if number else ""
        if company is None:
            self._fault(line, "company_number", "This is not a company number, such as 01234567. Correct or empty it.")
        currency = self._text(line, "currency", 3).upper() or self._choice.currency
        if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
            self._fault(line, "currency", "A currency is a code of three letters, such as GBP.")
        amounts = {role: self._amount(line, role) for role in AMOUNTS if role in self._choice.columns}
        ages = [value for role, value in amounts.items() if role != "balance" and value is not None]
        balance = amounts.pop("balance", None)
        if balance is None:
            balance = sum(ages)
        owed = Owed(balance, **{role: value or 0 for role, value in amounts.items()})
        return Account(
            line.number, reference or name[:MAX_REFERENCE], name or reference, postcode, company or "", currency, owed
        )

    def _text(self, line: Line, role: str, most: int = 0) -> str:
        text = next((found for place in self._choice.columns.get(role, ()) if (found := _cell(line, place))), "")
        if most and text:
            fault = _text_fault(text, most)
            if fault:
                self._fault(line, role, fault)
        return text

    def _amount(self, line: Line, role: str) -> int | None:
        found: int | None = None
        for place in self._choice.columns[role]:
            try:
                amount = amount_of(_cell(line, place), self._decimal, in_hundredths=self._choice.in_hundredths)
            except ValueError as error:
                self._fault(line, role, f"{error} Correct it, such as 12500.50, or choose another column.", place)
                continue
            if amount is not None:
                found = (found or 0) + amount
        return found

    def _add(self, account: Account) -> None:
        before = self._accounts.get(account.reference)
        if before is None:
            self._accounts[account.reference] = account
            return
        for role, was, is_now in (
            ("name", before.name, account.name),
            ("currency", before.currency, account.currency),
            ("company_number", before.company, account.company),
        ):
            if was != is_now:
                text = f"Line {before.line} has the same reference and another value. Give each customer its own reference."
                self._fault(Line(account.line, []), role, text)
        self._accounts[account.reference] = before._replace(owed=_sum(before.owed, account.owed))

    def _fault(self, line: Line, role: str, reason: str, place: int | None = None) -> None:
        self._count += 1
        if len(self._faults) < MAX_FAULTS:
            places = self._choice.columns.get(role, ())
            column = self._names[place if place is not None else places[0]] if places else WORDS[role]
            self._faults.append(Fault(line.number, column, reason))


def _text_fault(text: str, most: int) -> str:
    """Return what is wrong with a text, and the cure; empty for nothing."""
    if len(text) > most:
        return f"The text has more than {most} characters. Shorten it."
    if not text.isprintable():
        return "The text has characters that cannot be shown. Remove them."
    try:
        screen(text)
    except Refused:
        return "The text has characters or patterns that are not allowed. Change it."
    return ""


def _adds_up(owed: Owed) -> bool:
    ages = [value for role in AGES if (value := getattr(owed, role)) is not None]
    return not ages or sum(ages) == owed.balance


def _sum(one: Owed, other: Owed) -> Owed:
    def added(role: str) -> int | None:
        values = [value for each in (one, other) if (value := getattr(each, role)) is not None]
        return sum(values) if values else None

    return Owed(one.balance + other.balance, **{role: added(role) for role in AGES})


def columns_fault(columns: Mapping[str, Sequence[int]], width: int) -> str:
    """Return what is wrong with a choice of columns; empty for nothing."""
    if not columns.get("name") and not columns.get("reference"):
        return "Choose the column of the customer's name, or of your reference."
    if not any(columns.get(role) for role in AMOUNTS):
        return "Choose the column of the balance, or those of the ages."
    places = [place for found in columns.values() for place in found]
    if columns.keys() - WORDS.keys() or any(not 0 <= place < width for place in places):
        return "A column does not exist in the file."
    twice = [place for place in places if places.count(place) > 1]
    if twice:
        return f"Column {min(twice) + 1} is chosen twice."
    return ""

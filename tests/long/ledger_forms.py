"""Aged debtor lists of any length in the forms of four accounting programs, and a register of the invented customers."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.datasets.snapshots import company, write

_CONSONANTS, _VOWELS, _ENDINGS = (
    "bcdfghjklmnprstvwxz",
    "aeiou",
    ("bren", "dor", "fal", "gar", "hol", "kin", "mar", "rus"),
)
_TRADES = (
    "Joinery",
    "Fabrics",
    "Roofing",
    "Catering",
    "Optics",
    "Printing",
    "Haulage",
    "Ceramics",
    "Lighting",
    "Tooling",
)
_DISTRICTS = ("LS1", "PH1", "M4", "EH3", "BS8", "CF10", "NE1", "S1", "B3", "L2", "G2", "AB10")


class Customer(NamedTuple):
    """An invented company, and what it owes in pence."""

    number: str
    name: str
    """As in the register."""
    written: str
    """As in the ledger."""
    postcode: str
    pence: int


def customers_of(seed: int, count: int, first: int) -> list[Customer]:
    """Return customers with company numbers from `first` on.

    Of each hundred, the ledger has three names with one letter wrong and two that no company has.
    """
    chance, names = random.Random(seed), set[str]()
    while len(names) < count:
        syllables = "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(3))
        names.add(f"{syllables.capitalize()}{chance.choice(_ENDINGS)} {chance.choice(_TRADES)}")
    found = []
    for place, name in enumerate(sorted(names)):
        written = f"{name} Ltd"
        if place % 100 < 3:
            written = f"{name[:2]}{name[3:]} Ltd"
        elif place % 100 < 5:
            written = f"Q{name[::-1].title()} & Sons"
        postcode = f"{chance.choice(_DISTRICTS)} {chance.randrange(1, 10)}{''.join(chance.choices('ABDEFGHJ', k=2))}"
        found.append(
            Customer(f"{first + place:08}", f"{name} Limited", written, postcode, chance.randrange(100, 900_000))
        )
    return found


def write_register(file: Path, customers: Sequence[Customer], status: Mapping[str, str] | None = None) -> Path:
    """Write a snapshot of the register with these companies; `status` has what differs from Active, by number."""
    states = status or {}
    rows = (
        company(
            each.number,
            each.name.upper(),
            CompanyStatus=states.get(each.number, "Active"),
            RegAddress_PostCode=each.postcode,
            IncorporationDate="01/06/2009",
        )
        for each in customers
    )
    return write(file, *rows)


def sage(customers: Sequence[Customer]) -> bytes:
    """Sage 50, aged debtors analysis: Windows encoding, titles, semicolons, pounds with their sign."""
    head = "Aged Debtors Analysis (Detailed)\r\nDate: 31/10/2026\r\n\r\nA/C;Name;Postcode;Balance;Current;Period 1;Older\r\n"
    lines = (
        f"S{place:05};{each.written};{each.postcode};£{each.pence / 100:,.2f};£{each.pence / 100:,.2f};0.00;0.00\r\n"
        for place, each in enumerate(customers)
    )
    return (head + "".join(lines) + f"Totals:;;;£{sum(each.pence for each in customers) / 100:,.2f};;;\r\n").encode(
        "cp1252"
    )


def xero(customers: Sequence[Customer]) -> bytes:
    """Xero, aged receivables summary: titles, months as ages, a line of totals."""
    head = "Aged Receivables Summary,,,,\nInvented Supplies Limited,,,,\nAs at 31 October 2026,,,,\n,,,,\n"
    head += "Contact,Contact account number,Current,< 1 Month,Total\n"
    lines = (
        f'"{each.written}",X{place:05},{each.pence / 100:.2f},0.00,"{each.pence / 100:,.2f}"\n'
        for place, each in enumerate(customers)
    )
    return (head + "".join(lines)).encode()


def quickbooks(customers: Sequence[Customer]) -> bytes:
    """QuickBooks, A/R ageing summary: no heading above the names, no reference and no postcode."""
    head = 'Invented Supplies Limited\nA/R Aging Summary\n"As of October 31, 2026"\n\n,Current,1 - 30,Total\n'
    lines = (f'{each.written},"{each.pence / 100:,.2f}",,"£{each.pence / 100:,.2f}"\n' for each in customers)
    return (head + "".join(lines)).encode()


def sap(customers: Sequence[Customer]) -> bytes:
    """SAP, a list saved as text: bars and rules, decimal commas."""

    def amount(pence: int) -> str:
        return f"{pence / 100:,.2f}".translate(str.maketrans(",.", ".,"))

    rule = "-" * 80 + "\r\n"
    head = "31.10.2026  Due Date Analysis for Open Items\r\n"
    head += f"{rule}|Customer  |Name 1 |PstlZ |Crcy|Amount |Not due |\r\n{rule}"
    lines = (
        f"|{place:010}|{each.written}|{each.postcode}|GBP |{amount(each.pence)} |{amount(each.pence)} |\r\n"
        for place, each in enumerate(customers)
    )
    return (head + "".join(lines) + rule).encode()


FORMS = {"Sage": (sage, "csv"), "Xero": (xero, "csv"), "QuickBooks": (quickbooks, "csv"), "SAP": (sap, "txt")}
"""Program -> what writes its export, and how the name of the file ends."""

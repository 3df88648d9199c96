"""The file of the invented companies: what an analyst may get wrong is named with its place (D24)."""

from pathlib import Path

import pytest

from credence.errors import UnusableContent
from credence.sandbox.invented.companies_file import FILE, read

SOUND = FILE.read_text(encoding="utf-8")


def edited(folder: Path, before: str, after: str) -> Path:
    """Return a copy of the file with one text replaced where it is first."""
    assert before in SOUND
    file = folder / "companies.toml"
    file.write_text(SOUND.replace(before, after, 1), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "cash = 3_000",
            'cash = "3,000"',
            "balance_sheets 1, cash: Expected a whole number, got text in quotation marks.",
        ),
        (
            'number = "99999901"',
            'number = "9999990"',
            "company 1, number: Expected text in quotation marks of eight digits.",
        ),
        ("incorporated = 2001", "incorporate = 2001", "company 1: There is no such member as `incorporate`."),
        ('role = "director"', 'role = "boss"', "company 1, officers 1, role: Invalid enum value 'boss'."),
        (
            "appointed = 2014-09-01",
            'appointed = "soon"',
            "company 1, officers 2, appointed: Expected a date such as 2026-05-01, got text in quotation marks.",
        ),
        ("[54, 50,", "[54,", "company 5, days_beyond_terms: Expected a list of length >= 12."),
        (
            'balance_sheet = "thin"',
            'balance_sheet = "thinn"',
            (
                'company 99999903: there is no balance sheet "thinn", only sound, tight, thin, deep-in-debt, holding, '
                "growing, shrinking, sleeping."
            ),
        ),
        ('"D99999902", role', '"D99999900", role', 'company 99999901: "D99999900" is not among the people.'),
        (
            '"D99999902", role',
            '"D99999906", role',
            'company 99999901: director "D99999906" needs a month of birth, such as born = [1975, 6].',
        ),
        ('number = "99999902"', 'number = "99999901"', 'two companies have the number "99999901".'),
        ('case = "B"', 'case = "A"', 'two companies have the case "A".'),
        ("resigned = 2014", "resigned = 1999", 'company 99999901: "D99999904" resigned before the appointment.'),
        (
            "satisfied = 2018",
            "satisfied = 2005",
            "company 99999901: charge 999999010001 was satisfied before it was created.",
        ),
        ("paid = 2024", "paid = 2023", "company 99999904: the judgment of 2024-07-22 was paid before that day."),
        (
            "{ day = 2025-12-02, amount = 8_900 }",
            "{ day = 2025-09-02, amount = 8_900 }",
            "company 99999907: the newest judgment comes first.",
        ),
        (
            'parent = { number = "99999909"',
            'parent = { number = "99999900"',
            "company 99999910: its parent 99999900 is not in the file.",
        ),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path: Path, before: str, after: str, message: str) -> None:
    with pytest.raises(UnusableContent) as raised:
        read(edited(tmp_path, before, after))
    assert str(raised.value) == f"companies.toml: {message}"


def test_a_file_that_is_not_toml_is_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(UnusableContent, match=r"companies\.toml: .+ \(at line 8, column \d+\)\."):
        read(edited(tmp_path, "day = 2026-05-01", "day = 1 May 2026"))

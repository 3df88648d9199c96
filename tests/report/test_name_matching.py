"""Which companies the customer of a ledger may be: former names, trading styles, misspellings, postcodes."""

from collections.abc import Iterator

import pytest

from credence.datasets.loading.load import load_register
from credence.datasets.register import CurrentRegister, RegisterReader
from credence.report.search.matching import NameMatch, find_matches
from tests.datasets.snapshots import company, write
from tests.deployment import NOW

BAKERY, OTHER_BAKERY, GONE, GROUP = "01111111", "02222222", "03333333", "04444444"


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegisterReader]:
    folder = tmp_path_factory.mktemp("matching")
    rows = [
        company(
            BAKERY,
            "HARTWELL BAKERY LIMITED",
            RegAddress_PostTown="LEEDS",
            RegAddress_PostCode="LS1 1AA",
            PreviousName_1_CONDATE="01/01/2015",
            PreviousName_1_CompanyName="QUILLSTONE BREADS LIMITED",
        ),
        company(OTHER_BAKERY, "HARTWELL BAKERY (YORK) LIMITED", RegAddress_PostCode="YO1 7AA"),
        company(GONE, "MARLOW TOOLS LIMITED", CompanyStatus="Dissolved", RegAddress_PostCode="SL7 1AA"),
        company(GROUP, "BRIGHTON & HOVE LOGISTICS PLC", RegAddress_PostCode="BN1 1AA"),
    ]
    load_register([write(folder / "BasicCompanyDataAsOneFile-2023-11-01.csv", *rows)], folder / "credit", NOW)
    current = CurrentRegister(folder / "credit")
    yield current.newest()
    current.close()


def found(register: RegisterReader, name: str, postcode: str = "") -> list[NameMatch]:
    matches = find_matches(register, name, postcode, lambda _query: ())
    assert matches is not None
    return matches


@pytest.mark.parametrize(
    ("name", "postcode", "number", "least"),
    [
        ("Hartwell Bakery Limited", "LS1 1AA", BAKERY, 98),
        ("HARTWELL BAKERY LTD.", "ls11aa", BAKERY, 97),
        ("Hartwell Bakery Ltd", "", BAKERY, 90),
        ("Hartwell Bakery Ltd", "M1 1AA", BAKERY, 90),  # delivered elsewhere
        ("Hartwel Bakery Ltd", "LS1 1AA", BAKERY, 85),
        ("Hartwell Bakrey", "", BAKERY, 75),
        ("Quillstone Breads Ltd", "LS1 1AA", BAKERY, 85),
        ("The Daily Loaf t/a Hartwell Bakery Limited", "", BAKERY, 80),
        ("Hartwell Bakery Ltd trading as The Daily Loaf", "LS1 1AA", BAKERY, 85),
        ("The Daily Loaf (Hartwell Bakery Ltd)", "", BAKERY, 80),
        ("Hartwell Bakery York Ltd", "YO1 7AA", OTHER_BAKERY, 85),
        ("Marlow Tools Ltd", "SL7 1AA", GONE, 80),
        ("Brighton and Hove Logistics PLC", "", GROUP, 90),
    ],
)
def test_a_customer_is_found_by_what_a_ledger_says_of_it(
    register: RegisterReader, name: str, postcode: str, number: str, least: int
) -> None:
    best = found(register, name, postcode)[0]
    assert (best.company, best.confidence >= least) == (number, True), best


def test_what_says_less_is_less_sure(register: RegisterReader) -> None:
    names = (
        "Hartwell Bakery Limited",
        "Hartwell Bakery Ltd",
        "Hartwell Bakery",
        "Hartwel Bakery",
        "Hartwell Bakery PLC",
    )
    sure = [found(register, name)[0].confidence for name in names]
    assert sure == sorted(sure, reverse=True)
    assert len(set(sure)) == len(sure)


def test_a_former_name_and_the_place_are_said(register: RegisterReader) -> None:
    best = found(register, "Quillstone Breads Limited")[0]
    assert (best.name, best.is_former, best.place) == ("QUILLSTONE BREADS LIMITED", True, "LEEDS LS1 1AA")


@pytest.mark.parametrize("name", ["", "?", "Nobody Knows Xyzzy Ltd", "a" * 5_000, "t/a", "()" * 80, "\ufffd" * 40])
def test_what_names_no_company_finds_none(register: RegisterReader, name: str) -> None:
    assert found(register, name, "SW1A 1AA") == []


def test_without_a_register_nothing_is_said() -> None:
    assert find_matches(RegisterReader(None), "Hartwell Bakery Limited", "", lambda _query: ()) is None

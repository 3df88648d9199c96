"""A winding-up petition belongs to the company to be wound up and never to the petitioner (credit §4.3).

The form is the Gazette's own for notice 2450; names and numbers are invented.
"""

from pathlib import Path
from typing import Any

import pytest

from credence.datasets.sources.source import Record
from tests.datasets.sources.acts import read, reasons
from tests.datasets.sources.hand_written import feed, notice

TO_WIND_UP = "A Petition to wind up the above-named company of "
PRESENTED = (
    ", presented on 1 June 2026 by OTHER SUPPLIES LTD (Company Number 00000002), of Welwyn claiming to be a creditor"
)


def petition(content: str, **members: Any) -> dict[str, Any]:
    return notice("1", "2450", content=content, category={"@term": "Petitions to Wind Up (Companies)"}, **members)


def company_of(tmp_path: Path, content: str, **members: Any) -> str | None:
    """The company that a petition is given to; None when it is refused."""
    (found,) = read("gazette", feed(tmp_path / "1.json", petition(content, **members)))
    return found.company if isinstance(found, Record) else None


@pytest.mark.parametrize(
    ("named", "number"),
    [
        ("Placeholder Limited (00000001) of 1 High Street, Leeds, LS1 1AA", "00000001"),
        ("PLACEHOLDER LIMITED ( 1234567 ) of Leeds", "01234567"),
        ("PLACEHOLDER LIMITED (&nbsp;00000001&nbsp;) of Leeds", "00000001"),
        ("PLACEHOLDER LIMITED (Company Number: 00000001) of Leeds", "00000001"),
        ("PLACEHOLDER LIMITED Company Number: (00000001) of Leeds", "00000001"),
        ("PLACEHOLDER LTD (SC776044) of Dundee", "SC776044"),
        ("PLACEHOLDER LTD (NI 682066) of Belfast", "NI682066"),
        ("PLACEHOLDER LTD (R0123456) of Belfast", "R0123456"),
        ("PLACEHOLDER LLP (OC300001) of Leeds", "OC300001"),
        ("PLACEHOLDER GMBH (FC012345) of Berlin", "FC012345"),
        ("PLACEHOLDER (UK) (00000001) of Leeds", "00000001"),
        ("PLACEHOLDER LIMITED (formerly SPECIMEN LIMITED) (00000001) of Leeds", "00000001"),
        ("WELL PRESENTED HOMES LIMITED (00000001) of Leeds", "00000001"),
        ("DESIGN BY PLACEHOLDER LIMITED (00000001) of Leeds", "00000001"),
        ("NEW JERSEY PLACEHOLDERS LIMITED (00000001) of Leeds", "00000001"),
        ("PLACEHOLDER LTD (00000001), registered in the United Kingdom, of Leeds", "00000001"),
    ],
)
def test_a_petition_belongs_to_the_number_before_presented(tmp_path: Path, named: str, number: str) -> None:
    assert company_of(tmp_path, f"<p>{TO_WIND_UP}{named}{PRESENTED}</p>") == number


@pytest.mark.parametrize(
    "content",
    [
        (
            "In the matter of PLACEHOLDER LTD (Company Number 00000001) and in the Matter of the Insolvency Act 1986, "
            f"{TO_WIND_UP}Placeholder Ltd of Leeds{PRESENTED}"
        ),
        f"{TO_WIND_UP}PLACEHOLDER LTD (00000001) of Leeds{PRESENTED}".upper(),
        (
            "PLACEHOLDER LTD (00000001), having its registered office at Glasgow. A Petition was presented to the Sheriff "
            "at Glasgow on 1 June 2026 by OTHER LTD (SC123456), craving the Court"
        ),
        (
            "PLACEHOLDER LTD (Company Number 00000001). NOTICE IS HEREBY GIVEN that a petition has been presented to the "
            "High Court on 1 June 2026 by OTHER LTD (NI123456)"
        ),
    ],
    ids=["number in the heading alone", "capitals", "Scotland", "Northern Ireland"],
)
def test_other_forms_that_leave_no_doubt_are_read(tmp_path: Path, content: str) -> None:
    assert company_of(tmp_path, content) == "00000001"


@pytest.mark.parametrize(
    "named",
    [
        "Placeholder Limited of 1 High Street, Leeds",
        "Placeholder Limited of c/o Adviser Ltd (00000003), 1 High Street",
        "Placeholder Limited of Adviser Ltd (00000003), 1 High Street",
        "Placeholder c/o Adviser (00000003), 1 High Street",
        "PLACEHOLDER LIMITED and SPECIMEN LIMITED (00000003)",
        "PLACEHOLDER LIMITED (01234) 567890",
        "PLACEHOLDER of Leeds, telephone (01130000000), charity (1000000)",
        "PLACEHOLDER INC (1234567) of Dover",
        "PLACEHOLDER B.V. (12345678) of Breda",
        "PLACEHOLDER HOLDINGS (BVI company number 1234567) of Tortola",
        "PLACEHOLDER HOLDINGS LIMITED (1234567), a company incorporated in the Cayman Islands",
    ],
)
def test_a_number_that_may_be_anothers_gives_the_petition_to_nobody(tmp_path: Path, named: str) -> None:
    """The petitioner's number stands behind "presented" each time and is not taken in its place."""
    file = feed(tmp_path / "1.json", petition(f"{TO_WIND_UP}{named}{PRESENTED}"))
    assert reasons("gazette", file) == ["number.missing"]


@pytest.mark.parametrize(
    "content",
    [
        "OTHER LTD (00000002) presented on 1 June 2026 a petition to wind up PLACEHOLDER LIMITED (00000001)",
        "OTHER LTD (00000002) has caused a petition to be presented on 1 June 2026 by Adviser LLP to wind up PLACEHOLDER",
        "OTHER LTD (00000002) gives notice that a petition was presented on 1 June 2026 by it to wind up PLACEHOLDER",
        "OTHER LTD (00000002), a petition having been issued, presented on 1 June 2026 by its solicitors",
        "Petition by OTHER LTD (00000002) to wind up PLACEHOLDER LIMITED, presented on 1 June 2026 by Adviser LLP",
        "By OTHER LTD (00000002) a petition to wind up PLACEHOLDER LIMITED was presented on 1 June 2026 by Adviser LLP",
        "A petition of OTHER LTD (00000002) for the winding up of PLACEHOLDER was presented on 1 June 2026 by Adviser LLP",
        "In the matter of PLACEHOLDER and in the matter of the petition of OTHER LTD (00000002), presented by Adviser LLP",
        "In the matter of OTHER LTD (00000002) v PLACEHOLDER LIMITED, a petition presented on 1 June 2026 by OTHER LTD",
        "Petitioning creditor OTHER LTD (00000002). Petition to wind up PLACEHOLDER presented on 1 June 2026 by OTHER LTD",
        "A petition was presented by OTHER LTD (00000002) against PLACEHOLDER; the petition so presented by them is heard",
        "A Petition was presented to the Sheriff by OTHER LTD (SC123456) craving that PLACEHOLDER (SC654321) be wound up",
        "PRESENTED BY US LIMITED: petition presented on 1 June 2026 by OTHER LTD (00000002)",
        "PLACEHOLDER LIMITED (Company Number 00000001)",
    ],
)
def test_a_petition_in_another_form_is_given_to_nobody(tmp_path: Path, content: str) -> None:
    assert company_of(tmp_path, content) is None


def test_a_petition_against_several_companies_is_refused_as_such(tmp_path: Path) -> None:
    several = f"{TO_WIND_UP}PLACEHOLDER LIMITED (00000001) and SPECIMEN LIMITED (00000003){PRESENTED}"
    assert reasons("gazette", feed(tmp_path / "1.json", petition(several))) == ["number.several"]


def test_the_data_of_a_petition_does_not_go_before_its_text(tmp_path: Path) -> None:
    """The data may name the petitioner."""
    clear = f"{TO_WIND_UP}PLACEHOLDER LIMITED (00000001) of Leeds{PRESENTED}"
    unclear = f"{TO_WIND_UP}PLACEHOLDER LIMITED of Leeds{PRESENTED}"
    petitioner: dict[str, Any] = {"petitioner": {"company-number": "00000002"}}
    both: dict[str, Any] = {"parties": [{"company-number": "00000001"}, petitioner]}
    assert company_of(tmp_path, unclear, **petitioner) is None
    assert company_of(tmp_path, clear, **petitioner) is None
    assert company_of(tmp_path, clear, **both) == "00000001"


def test_a_winding_up_order_that_numbers_the_petitioner_alone_is_not_put_on_them(tmp_path: Path) -> None:
    order = notice(content="PLACEHOLDER LIMITED, of Leeds. Petitioner: OTHER LTD (Company Number 00000002)")
    assert reasons("gazette", feed(tmp_path / "1.json", order)) == ["number.missing"]

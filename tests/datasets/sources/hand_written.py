"""Files in the shapes that the sources publish (credit §4), written by hand: there is no sample of them.

Every company, person and notice is invented, and the numbers belong to no company.
"""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from credence.datasets.sources.payment_practices import COLUMNS

NARROW = (
    *("Report Id", "Start date", "End date", "Filing date", "Company", "Company number"),
    *("Payments made in the reporting period", "Average time to pay"),
    *("% Invoices paid within 30 days", "% Invoices paid between 31 and 60 days"),
    *("% Invoices paid later than 60 days", "% Invoices not paid within agreed terms"),
    *("Shortest (or only) standard payment period", "Longest standard payment period"),
    *("Maximum contractual payment period", "Payment terms have changed", "Suppliers notified of changes"),
    *("Participates in payment codes", "E-Invoicing offered", "Supply-chain financing offered"),
    *("Policy covers charges for remaining on supplier list", "Charges have been made for remaining on supplier list"),
    "URL",
)
"""The 23 columns of the years to 2024."""

WIDE = (*NARROW[:1], "Policy Regime", *NARROW[1:6], "Total value invoices paid within 30 days", *NARROW[6:])
"""More columns, in other places, as since 2025."""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def write_json(path: Path, value: Any) -> Path:
    return write(path, json.dumps(value, indent=1))


def person(number: str, id_: str = "p1", **data: Any) -> dict[str, Any]:
    """One line of the snapshot about a person; None leaves a member out."""
    said = {
        "address": {"address_line_1": "1 Secret Street", "postal_code": "ZZ99 9ZZ"},
        "country_of_residence": "England",
        "date_of_birth": {"month": 2, "year": 1970},
        "etag": "0" * 40,
        "kind": "individual-person-with-significant-control",
        "links": {"self": f"/company/{number}/persons-with-significant-control/individual/{id_}"},
        "name": "Ms Ada Sample",
        "nationality": "British",
        "natures_of_control": ["ownership-of-shares-75-to-100-percent"],
        "notified_on": "2016-04-06",
    } | data
    return {"company_number": number, "data": {name: value for name, value in said.items() if value is not None}}


def body(number: str, owner: str, id_: str = "b1", **data: Any) -> dict[str, Any]:
    """One line of the snapshot about a body on the register of England."""
    return person(
        number,
        id_,
        kind="corporate-entity-person-with-significant-control",
        name="PLACEHOLDER HOLDINGS LIMITED",
        identification={
            "legal_authority": "Companies Act 2006",
            "legal_form": "Limited company",
            "country_registered": "England",
            "registration_number": owner,
        },
        **data,
    )


def totals(persons: int, statements: int = 0, exemptions: int = 0) -> dict[str, Any]:
    return {
        "data": {
            "kind": "totals#persons-of-significant-control-snapshot",
            "persons_of_significant_control_count": persons,
            "statements_count": statements,
            "exemptions_count": exemptions,
            "generated_at": "2026-11-01T03:00:00Z",
        }
    }


def snapshot_of_persons(path: Path, *lines: dict[str, Any]) -> Path:
    """A snapshot, or a part of one."""
    return write(path, "".join(f"{json.dumps(line)}\n" for line in lines))


def persons(folder: Path, *lines: dict[str, Any], day: str = "2026-11-01") -> Path:
    """A whole snapshot."""
    name = f"persons-with-significant-control-snapshot-{day}.txt"
    return snapshot_of_persons(folder / name, *lines, totals(len(lines)))


def practice(**cells: str) -> dict[str, str]:
    return {
        "Report Id": "1",
        "Start date": "2025-01-01",
        "End date": "2025-06-30",
        "Filing date": "2025-07-20",
        "Company": "PLACEHOLDER LIMITED",
        "Company number": "00000001",
        "Average time to pay": "37",
        "% Invoices paid within 30 days": "50",
        "% Invoices paid between 31 and 60 days": "40",
        "% Invoices paid later than 60 days": "10",
        "% Invoices not paid within agreed terms": "30",
        "Shortest (or only) standard payment period": "30",
        "Longest standard payment period": "60",
    } | cells


def practices(path: Path, *rows: dict[str, str], header: Sequence[str] = NARROW) -> Path:
    assert set(COLUMNS) <= set(header)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([row.get(name, "") for name in header] for row in rows)
    return write(path, "\ufeff" + text.getvalue())


def notice(id_: str = "4000001", code: str = "2452", **members: Any) -> dict[str, Any]:
    """One entry of the feed."""
    return {
        "id": f"https://www.thegazette.co.uk/id/notice/{id_}",
        "f:status": "published",
        "f:notice-code": code,
        "title": "PLACEHOLDER LIMITED",
        "link": [{"@href": f"https://www.thegazette.co.uk/notice/{id_}"}],
        "author": {"name": "tso"},
        "updated": "2026-03-02T09:00:00Z",
        "published": "2026-03-02T00:00:00",
        "category": {"@term": "Winding-Up Orders"},
        "content": "<p>In the matter of PLACEHOLDER LIMITED (Company Number 00000001). Liquidator: Bo Sample.</p>",
    } | members


def feed(path: Path, *entries: dict[str, Any]) -> Path:
    return write_json(path, {"title": "Search Result", "f:total": str(len(entries)), "entry": list(entries)})


def officer(number: str, id_: str = "o1", **members: Any) -> dict[str, Any]:
    """One entry of an officer list."""
    return {
        "address": {"address_line_1": "1 Secret Street", "postal_code": "ZZ99 9ZZ"},
        "appointed_on": "2015-03-01",
        "country_of_residence": "England",
        "date_of_birth": {"day": 17, "month": 5, "year": 1972},
        "links": {
            "self": f"/company/{number}/appointments/{id_}",
            "officer": {"appointments": f"/officers/person-{id_}/appointments"},
        },
        "name": "SAMPLE, Ada Beatrix",
        "nationality": "British",
        "occupation": "Engineer",
        "officer_role": "director",
    } | members


def answer(*entries: dict[str, Any], member: str = "items", **members: Any) -> dict[str, Any]:
    """One page of a list, as the public register's API gives it."""
    return {"etag": "0" * 40, member: list(entries), "total_count": len(entries)} | members


CHARGE = {
    "charge_code": "000000010001",
    "charge_number": 1,
    "classification": {"type": "charge-description", "description": "A registered charge"},
    "created_on": "2019-05-01",
    "delivered_on": "2019-05-03",
    "etag": "0" * 40,
    "links": {"self": "/company/00000001/charges/abc"},
    "particulars": {
        "type": "brief-description",
        "description": "All freehold land.",
        "contains_floating_charge": True,
        "floating_charge_covers_all": True,
    },
    "persons_entitled": [{"name": "Placeholder Bank PLC"}],
    "secured_details": {"type": "amount-secured", "description": "All monies due."},
    "status": "outstanding",
    "transactions": [{"delivered_on": "2019-05-03", "filing_type": "create-charge"}],
}

CASE = {
    "dates": [{"date": "2024-02-01", "type": "wound-up-on"}, {"date": "2024-01-10", "type": "petitioned-on"}],
    "number": "1",
    "practitioners": [{"name": "Bo Sample", "address": {"address_line_1": "1 Secret Street"}}],
    "type": "compulsory-liquidation",
}

FILING = {
    "category": "accounts",
    "date": "2025-09-30",
    "description": "accounts-with-accounts-type-micro-entity",
    "description_values": {"made_up_date": "2024-12-31"},
    "links": {"self": "/company/00000001/filing-history/MzAwMQ"},
    "paper_filed": True,
    "transaction_id": "MzAwMQ",
    "type": "AA",
}

"""A list says of each company what its report says now, also if monitoring compared or holds something else (D31)."""

import csv
import io
from pathlib import Path

import msgspec

from credence.blocks.text import NONE
from credence.datasets import catalogue
from credence.datasets.loading.load import load_register
from credence.monitoring import observing
from credence.monitoring.loaded import Mark, save_mark
from tests.datasets.snapshots import company, write
from tests.datasets.sources.acts import load
from tests.datasets.sources.hand_written import feed, notice
from tests.deployment import NOW
from tests.workbench.conftest import OTHER, PLAIN, Desk, text_of
from tests.workbench.test_lists import with_list

DISSOLVED, WOUND_UP, UNKNOWN = "00000001", "00000002", "09999999"
LISTED = (PLAIN, OTHER, DISSOLVED, WOUND_UP, UNKNOWN)


async def with_old_observations(reader: Desk) -> str:
    """Create a list of these companies, all of which the last comparison found active, in band B; return its address."""
    address = await with_list(reader)
    for number in LISTED:
        assert (await reader.do(address, "add", number=number)).status == 200
    mark = await save_mark(reader.store, 0, Mark())
    found = {"name": "OLD NAME", "status": "Active", "score": 65, "band": "B", "limit": 1_000}
    await reader.store.record(mark, [(number, observing.encode(found)) for number in LISTED], [])
    return address


def load_news(reader: Desk, folder: Path) -> None:
    """Load a register in which one company is dissolved, and a notice of the winding up of another."""
    credit = reader.deployment.service.settings.credit_folder
    rows = [
        company(PLAIN, "NEW NAME LIMITED", CompanyStatus="Active - Proposal to Strike off"),
        company(OTHER, "OTHER TRADING PLC"),
        company(DISSOLVED, "GONE LIMITED", CompanyStatus="Dissolved", DissolutionDate="01/11/2023"),
        company(WOUND_UP, "ENDED LIMITED"),
    ]
    load_register([write(folder / "BasicCompanyData-2023-11-10.csv", *rows)], credit, NOW, accept_fewer=True)
    content = f"<p>In the matter of ENDED LIMITED (Company Number {WOUND_UP}).</p>"
    entry = notice(content=content, published="2023-11-02T00:00:00", updated="2023-11-02T00:00:00Z")
    load("gazette", credit, feed(folder / "gazette-1.json", entry))


async def test_every_list_has_the_figures_of_the_reports(desk: Desk, tmp_path: Path) -> None:
    reader = await desk.reader()
    address = await with_old_observations(reader)
    load_news(desk, tmp_path)
    exported = await reader.get(f"{address}/companies.csv")
    rows = {each["company_number"]: each for each in csv.DictReader(io.StringIO(exported.body.decode()))}
    token, found = (await desk.deployment.tokens())["access_token"], {}
    for number in LISTED:
        report = msgspec.json.decode((await desk.deployment.report(token, f"/{number}")).body)
        assessment = report.get("Assessment", {})
        score = assessment.get("Score", {})
        said = (
            report.get("CommercialName", ""),
            assessment.get("CompanyStatus", ""),
            score.get("Band", ""),
            str(score.get("Score", "")),
            str(score.get("Limit", {}).get("Amount", "")),
        )
        found[number] = said
        assert tuple(rows[number][each] for each in ("name", "status", "band", "score", "limit")) == said
    assert found[DISSOLVED] == ("GONE LIMITED", "Dissolved", "", "", "")
    assert found[WOUND_UP] == ("ENDED LIMITED", "Active", "E", "0", "0")
    assert found[UNKNOWN] == ("",) * 5
    assert int(found[PLAIN][3]) <= 49  # the ceiling of a proposed strike-off
    page = text_of(await reader.get(address))
    assert f"GONE LIMITED {DISSOLVED} {NONE} {NONE} Dissolved on 1 November 2023 " in page
    assert f"ENDED LIMITED {WOUND_UP} E 0 Winding-up order on 2 November 2023 £0 " in page
    assert (rows[WOUND_UP]["insolvency"], rows[WOUND_UP]["event"]) == ("failed", "winding-up order on 2 November 2023")
    assert rows[PLAIN]["reservations"].split() == ["NONE-FILED"]
    assert rows[UNKNOWN]["insolvency"] == "unknown"
    assert "OLD NAME" not in page
    of_one = text_of(await reader.get(f"{address}/{WOUND_UP}"))
    assert "ENDED LIMITED" in of_one
    assert "£0" in of_one


async def test_data_that_cannot_be_read_is_not_shown_as_a_company_without_a_score(desk: Desk) -> None:
    """threats F9: the page says it, and the download is refused."""
    reader = await desk.reader()
    address = await with_list(reader)
    for number in (PLAIN, UNKNOWN):
        assert (await reader.do(address, "add", number=number)).status == 200
    credit = desk.deployment.service.settings.credit_folder
    (credit / "register-99.sqlite").write_bytes(b"damaged")
    entry = msgspec.structs.replace(catalogue.read(credit).sources["register"], file="register-99.sqlite")
    catalogue.update(credit, lambda kept: msgspec.structs.replace(kept, sources={"register": entry}))
    page = await reader.get(address)
    assert (page.status, "The data of 2 of these companies cannot be read at the moment." in text_of(page)) == (
        200,
        True,
    )
    assert (await reader.get(f"{address}/companies.csv")).status == 500

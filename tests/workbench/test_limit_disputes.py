"""A partnership contests a limit, and another person reviews it (UK GDPR, article 22C)."""

from pathlib import Path

import pytest

from credence.datasets.loading.load import load_register
from tests.datasets.snapshots import company, write
from tests.deployment import NOW
from tests.monitoring_calls import call
from tests.workbench.conftest import PLAIN, Desk, text_of
from tests.workbench.test_approved_limits import CHOICE

PARTNERS = "LP001234"
PAGE = f"/workbench/companies/{PARTNERS}"
SAID = {"place": "1", "received_on": "2023-11-14", "said": "The invoices were paid"}


@pytest.fixture(scope="session")
def loaded_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Credit data with a partnership and a company."""
    folder = tmp_path_factory.mktemp("partners")
    rows = [company(PARTNERS, "PARTNERS LP", CompanyCategory="Limited Partnership"), company(PLAIN, "PLAIN LIMITED")]
    load_register([write(folder / "BasicCompanyDataAsOneFile-2023-11-01.csv", *rows)], folder / "credit", NOW)
    return folder / "credit"


async def test_a_dispute_is_recorded_with_the_decision_and_another_person_reviews_it(desk: Desk) -> None:
    grace, bob = await desk.reader(), await desk.reader("bob")
    await grace.do(PAGE, "decide", **CHOICE)
    assert "Partners are people" in text_of(await grace.get(PAGE))
    assert "The dispute is recorded" in text_of(await grace.do(PAGE, "dispute", **SAID))
    assert "already been disputed" in text_of(await grace.do(PAGE, "dispute", **SAID))
    own = await grace.do(PAGE, "review", place="1", outcome="upheld", review="I was right")
    assert (own.status, "Another person reviews" in text_of(own)) == (422, True)
    done = await bob.do(PAGE, "review", place="1", outcome="revised", review="Two invoices are paid")
    assert "The review is recorded. Decide on the limit again." in text_of(done)
    (kept,) = (await call(desk.deployment, "GET", f"/monitoring/v1/limits/{PARTNERS}")).json["limits"]
    (dispute,) = kept["disputes"]
    assert (dispute["said"], dispute["outcome"], dispute["reviewed_by"]) == (SAID["said"], "revised", "bob")
    listed = await grace.get(f"/workbench/limits.csv?company={PARTNERS}")
    assert b"The invoices were paid - revised Two invoices are paid" in listed.body


async def test_a_company_has_no_dispute_and_a_day_before_the_decision_is_refused(desk: Desk) -> None:
    reader, page = await desk.reader(), f"/workbench/companies/{PLAIN}"
    await reader.do(page, "decide", **CHOICE)
    assert "Record a dispute" not in text_of(await reader.get(page))
    assert (await reader.do(page, "dispute", **SAID)).status == 422
    await reader.do(PAGE, "decide", **CHOICE)
    early = await reader.do(PAGE, "dispute", **{**SAID, "received_on": "2023-11-13"})
    assert (early.status, "from that of the decision" in text_of(early)) == (422, True)
    assert (await reader.do(PAGE, "review", place="1", outcome="upheld", review="x")).status == 422

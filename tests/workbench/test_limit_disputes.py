"""A partnership contests a limit, and another person reviews it (UK GDPR, article 22C)."""

from pathlib import Path

import pytest

from credence.datasets.loading.load import load_register
from tests.datasets.snapshots import company, write
from tests.deployment import NOW
from tests.monitoring_calls import call
from tests.workbench.conftest import PLAIN, Desk, text_of
from tests.workbench.test_approved_limits import CHOICE, install

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
    assert (own.status, "reviewed by someone who did not make it" in text_of(own)) == (422, True)
    done = await bob.do(PAGE, "review", place="1", outcome="revised", review="Two invoices are paid")
    assert "The review is recorded. Decide on the limit again." in text_of(done)
    (kept,) = (await call(desk.deployment, "GET", f"/monitoring/v1/limits/{PARTNERS}")).json["limits"]
    (dispute,) = kept["disputes"]
    assert (dispute["said"], dispute["outcome"], dispute["reviewed_by"]) == (SAID["said"], "revised", "bob")
    listed = await grace.get(f"/workbench/limits.csv?company={PARTNERS}")
    assert (
        b"The invoices were paid (recorded by grace) - revised by bob on 2023-11-14: Two invoices are paid"
        in listed.body
    )


async def test_a_dispute_waits_for_its_review_also_after_a_newer_decision(desk: Desk) -> None:
    """Otherwise who made the decision would end the review of another person by deciding again."""
    grace, bob = await desk.reader(), await desk.reader("bob")
    await grace.do(PAGE, "decide", **CHOICE)
    await grace.do(PAGE, "dispute", **SAID)
    assert "disputed, waits for a review" in text_of(await grace.get("/workbench/limits"))
    await grace.do(PAGE, "decide", **{**CHOICE, "amount": "4000"})
    own = text_of(await grace.get(PAGE))
    assert "waits for a review by someone who did not make the decision" in own
    assert "Save the review" not in own
    page = (await bob.get(PAGE)).body.decode()
    assert "The limit of £5,000 of 2023-11-14 is disputed" in page
    form = page[page.index("Review the decision") : page.index("Save the review")]
    assert 'name="place" value="1"' in form
    done = await bob.do(PAGE, "review", place="1", outcome="upheld", review="They were paid late")
    assert "The decision stays" in text_of(done)
    assert "Record a dispute" in text_of(await bob.get(PAGE))


async def test_a_limit_that_waits_for_a_second_person_is_no_decision_to_dispute(desk: Desk) -> None:
    grace = await desk.reader()
    await grace.do(PAGE, "decide", **CHOICE)
    install(desk, "anyone = 1_000")
    await grace.do(PAGE, "decide", **{**CHOICE, "amount": "9000"}, policy="trade-credit")
    early = await grace.do(PAGE, "dispute", **{**SAID, "place": "2"})
    assert (early.status, "only a decision can be disputed" in text_of(early)) == (422, True)
    page = (await grace.get(PAGE)).body.decode()
    assert 'name="place" value="1"' in page[page.index("Record a dispute") :]
    assert "The dispute is recorded" in text_of(await grace.do(PAGE, "dispute", **SAID))


async def test_a_company_has_no_dispute_and_a_day_before_the_decision_is_refused(desk: Desk) -> None:
    reader, page = await desk.reader(), f"/workbench/companies/{PLAIN}"
    await reader.do(page, "decide", **CHOICE)
    assert "Record a dispute" not in text_of(await reader.get(page))
    assert (await reader.do(page, "dispute", **SAID)).status == 422
    await reader.do(PAGE, "decide", **CHOICE)
    early = await reader.do(PAGE, "dispute", **{**SAID, "received_on": "2023-11-13"})
    assert (early.status, "from that of the decision" in text_of(early)) == (422, True)
    assert (await reader.do(PAGE, "review", place="1", outcome="upheld", review="x")).status == 422

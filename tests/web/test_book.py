"""The book by the API and for agents: the same customers, sums and filters as on its screen."""

from typing import Any

import pytest

from credence.clock import london_day
from credence.scoring.basis.scale import probability_of
from credence.store.customers import Merged
from credence.store.ledger_uploads import LedgerUpload
from credence.store.portfolios import Portfolio
from tests.deployment import NOW, Deployment
from tests.mcp.test_monitoring_tools import called
from tests.monitoring_calls import call
from tests.store.records import customer
from tests.workbench.conftest import Desk
from tests.workbench.test_book import BOOK_LINES, with_book

BOOK = "/monitoring/v1/book"
LOSS = 3_000 + round(4_000 * probability_of(20)) + round(60_000 * probability_of(80))

pytestmark = pytest.mark.settings(environment="sandbox")


@pytest.fixture
async def customers(deployment: Deployment) -> Deployment:
    """Return a deployment whose application has the customers of the screen's test."""
    await with_book(Desk(deployment), *BOOK_LINES)
    return deployment


async def got(deployment: Deployment, path: str = "") -> Any:
    reply = await call(deployment, "GET", f"{BOOK}{path}")
    assert reply.status == 200, reply
    return reply.json


async def test_the_totals_have_the_expected_loss_with_its_assumption_and_where_the_exposure_is(
    customers: Deployment,
) -> None:
    """Sums of the exposures 60,000, 4,000, 3,000 and 500; the fifth is in euros."""
    found = await got(customers)
    sums = {name: found[name] for name in ("customers", "unmatched", "exposure", "exposure_unknown", "above_limits")}
    assert sums == {"customers": 5, "unmatched": 0, "exposure": 67_500, "exposure_unknown": 1, "above_limits": 16_000}
    assert (found["expected_loss"], found["without_probability"], found["overdue"]) == (LOSS, 500, None)
    assert found["assumption"].startswith("Exposure times probability of failure within a year")
    assert {each["band"]: each["exposure"] for each in found["by_band"]} == {
        "A": 60_000,
        "D": 4_000,
        "E": 3_000,
        "": 500,
    }
    assert [(each["section"], each["name"], each["exposure"]) for each in found["by_section"]] == [
        ("C", "Manufacturing", 67_500)
    ]
    assert [each["exposure"] for each in found["greatest"]] == [60_000, 4_000, 3_000, 500]
    (group,) = found["groups"]
    assert (group["parent"], group["customers"], group["exposure"]) == ("00000001", ["00000001", "00000002"], 64_000)
    assert (await got(customers, "?band=D"))["exposure"] == 4_000


async def test_the_accounts_that_are_not_matched_are_those_of_the_portfolio_that_is_asked_for(
    customers: Deployment,
) -> None:
    store, owner = customers.store, customers.application.client_id
    await store.save_portfolio(Portfolio("pf_other", owner, "Others", NOW))
    await store.keep_ledger(LedgerUpload("up1", "pf_other", "ledger.csv", "00", "ada", NOW, ("Name",)), b"lines")
    taken = LedgerUpload("up1", "pf_other", "ledger.csv", "00", "ada", NOW, ("Name",), version=2, state="taken")
    await store.take_ledger(
        taken, lambda _before, _watched: Merged((customer("C1", 100, portfolio="pf_other"),), 1, 0, 0), NOW
    )
    found = [(await got(customers, query))["unmatched"] for query in ("", "?portfolio=pf_other", "?portfolio=pf_book")]
    assert found == [1, 1, 0]


async def test_customers_are_listed_in_pages_with_band_a_month_ago_and_pounds_at_risk(customers: Deployment) -> None:
    every = (await got(customers, "/customers"))["customers"]
    assert [each["company_number"] for each in every[:2]] == ["00000003", "00000002"]
    weak = next(each for each in every if each["company_number"] == "00000002")
    expected = {
        "band": "D",
        "band_month_ago": "A",
        "headroom": -3_000,
        "reservations": ["LOSS"],
        "approved_limit": None,
    }
    assert weak | expected == weak
    for order in ("risk", "exposure", "overdue", "headroom", "review", "name"):
        whole = (await got(customers, f"/customers?order={order}"))["customers"]
        pages, token = [], ""
        while True:
            page = await got(customers, f"/customers?order={order}&page_size=2&page_token={token}")
            pages += page["customers"]
            token = page["next_page_token"]
            if not token:
                break
        assert pages == whole, order


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("view=above", ["00000003", "00000002", "00000001"]),
        ("view=worse", ["00000003", "00000002"]),
        ("view=failed", ["00000003"]),
        ("band=none", ["00000004"]),
        ("text=gone", ["00000003"]),
        ("section=C&band=A&order=exposure", ["00000001", "00000005"]),
        ("portfolio=pf_book&text=gone", ["00000003"]),
    ],
)
async def test_the_filters_are_those_of_the_screen(customers: Deployment, query: str, numbers: list[str]) -> None:
    found = (await got(customers, f"/customers?{query}"))["customers"]
    assert [each["company_number"] for each in found] == numbers


@pytest.mark.parametrize(
    "query",
    ["view=x", "order=x", "band=Z", "section=9", "page_size=0", "page_token=*", "page_token=WzFd", "q=gone"],
)
async def test_what_cannot_be_asked_of_the_book_is_refused(customers: Deployment, query: str) -> None:
    """`WzFd` is the list of the number 1, the beginning of a key of another order."""
    reply = await call(
        customers, "GET", f"{BOOK}/customers?order=review&{query}".replace("order=review&order", "order")
    )
    assert (reply.status, reply.json["status"]) == (422, 422)


async def test_a_page_token_is_refused_with_another_order(customers: Deployment) -> None:
    """Keys of `overdue` and `exposure` are alike: the token would pass as one of the other, and customers be missed."""
    token = (await got(customers, "/customers?order=exposure&page_size=1"))["next_page_token"]
    reply = await call(customers, "GET", f"{BOOK}/customers?order=overdue&page_token={token}")
    assert (reply.status, reply.json["reason"]) == (422, "resource.page_token")


@pytest.mark.parametrize("path", ["", "/customers"])
async def test_an_unknown_portfolio_has_no_sums_of_nothing(customers: Deployment, path: str) -> None:
    reply = await call(customers, "GET", f"{BOOK}{path}?portfolio=pf_other")
    assert (reply.status, reply.json["reason"]) == (404, "portfolio.unknown")


async def test_the_book_of_another_application_is_empty_and_the_scope_is_needed(customers: Deployment) -> None:
    other = await customers.another_application()
    assert (await got(other))["customers"] == 0
    assert (await call(customers, "GET", BOOK, scope="credit:report")).status == 403


async def test_agents_read_the_same_totals_and_customers(customers: Deployment) -> None:
    assert await called(customers, "book_totals") == await got(customers)
    first = await called(customers, "book_customers", order="exposure", view="above")
    assert first["customers"] == (await got(customers, "/customers?order=exposure&view=above"))["customers"]


async def test_agents_read_companies_ledgers_and_the_digest(customers: Deployment) -> None:
    found = await called(customers, "portfolio_companies")
    assert [each["company_number"] for each in found["companies"]] == [f"0000000{place}" for place in range(1, 6)]
    ledger = b"Ref,Name,Number,Balance\r\nC-1,Sound,00000001,12.50\r\n"
    sent = await call(customers, "POST", "/monitoring/v1/portfolios/pf_book/ledgers", ledger, content_type="text/csv")
    (newest,) = (await called(customers, "portfolio_ledgers"))["ledgers"]
    assert (newest["id"], newest["state"], newest["lines"]) == (sent.json["id"], "read", 1)
    day = london_day(NOW).isoformat()
    assert await called(customers, "alert_digest", day=day) == {
        "day": day,
        "complete": False,
        "events": 0,
        "counts": [],
    }

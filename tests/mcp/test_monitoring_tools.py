"""Agents watch companies and read events, with the scope of monitoring (D31), and ask what changed since a day."""

from pathlib import Path
from typing import Any

import pytest

from tests.datasets.sources.acts import load
from tests.datasets.sources.hand_written import feed, notice
from tests.deployment import Deployment
from tests.mcp.messages import post, stateless, token
from tests.monitoring_calls import portfolio
from tests.web.test_company_endpoints import REAL
from tests.web.test_monitoring_feed import make_events

pytestmark = pytest.mark.settings(environment="sandbox")

EVERY_SCOPE = "credit:report credit:monitor"


async def called(deployment: Deployment, tool: str, access_token: str | None = None, **arguments: Any) -> Any:
    """Return the structured result of a tool, or the sentence that it fails with."""
    shown = access_token or await token(deployment, scope=EVERY_SCOPE)
    reply = await post(deployment, shown, stateless("tools/call", name=tool, arguments=arguments))
    assert reply.status == 200, reply
    result = reply.json["result"]
    return result["content"][0]["text"] if result["isError"] else result["structuredContent"]


async def test_an_agent_watches_companies_and_each_number_has_its_result(deployment: Deployment) -> None:
    found = await called(deployment, "portfolio_add", numbers=["99999901", "99999901", "99999902", "x"])
    assert [(row["company_number"], row["result"]) for row in found["rows"]] == [
        ("99999901", "added"),
        ("99999902", "added"),
        ("x", "refused"),
    ]
    assert (found["portfolio"]["name"], found["portfolio"]["shared"]) == ("Agents", False)
    again = await called(deployment, "portfolio_add", numbers=["99999901"])
    assert again["portfolio"]["id"] == found["portfolio"]["id"]
    assert again["rows"][0]["result"] == "unchanged"


async def test_of_several_portfolios_one_must_be_named(deployment: Deployment) -> None:
    first, second = await portfolio(deployment), await portfolio(deployment, name="<South> http://x.example")
    identity = second.rpartition("/")[2]
    words = await called(deployment, "portfolio_add", numbers=["99999901"])
    assert first.rpartition("/")[2] in words
    assert "<" not in words
    assert "http://" not in words
    found = await called(deployment, "portfolio_add", numbers=["99999901"], portfolio=identity)
    assert found["portfolio"]["id"] == identity


async def test_the_portfolio_of_another_application_is_unknown(deployment: Deployment) -> None:
    other = await deployment.another_application()
    identity = (await portfolio(other)).rpartition("/")[2]
    assert "resource" in (await called(deployment, "portfolio_add", numbers=["99999901"], portfolio=identity)).lower()


async def test_an_agent_reads_events_and_reads_on_from_the_last(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    await make_events(deployment, path, "00000001", "00000002")
    one = await called(deployment, "portfolio_events", limit=1)
    assert [each["resource_id"] for each in one["events"]] == ["00000001"]
    assert (one["events"][0]["data"]["before"], one["events"][0]["data"]["after"]) == ("B", "C")
    rest = await called(deployment, "portfolio_events", after=one["next"])
    assert [each["resource_id"] for each in rest["events"]] == ["00000002"]
    only = await called(deployment, "portfolio_events", number="2")
    assert [each["resource_id"] for each in only["events"]] == ["00000002"]


@pytest.mark.parametrize(
    ("tool", "arguments"), [("portfolio_add", {"numbers": ["99999901"]}), ("portfolio_events", {})]
)
async def test_the_tools_of_monitoring_need_its_scope(
    deployment: Deployment, tool: str, arguments: dict[str, Any]
) -> None:
    reading = await token(deployment)
    reply = await post(deployment, reading, stateless("tools/call", name=tool, arguments=arguments))
    assert reply.status == 403
    assert 'error="insufficient_scope", scope="credit:monitor"' in reply.headers["www-authenticate"]


async def test_one_tool_says_that_it_changes_something(deployment: Deployment) -> None:
    listed = (await post(deployment, await token(deployment), stateless("tools/list"))).json["result"]["tools"]
    changing = [tool["name"] for tool in listed if not tool["annotations"]["readOnlyHint"]]
    assert changing == ["portfolio_add"]
    assert all(not tool["annotations"]["destructiveHint"] for tool in listed)


async def test_what_changed_lists_the_entries_since_a_day_newest_first(deployment: Deployment) -> None:
    """The specimen changed its name on 30 June 2014 and its address on 30 September 2016."""
    found = await called(deployment, "what_changed", number="99999999", since="2014-06-30")
    days = [each["Day"] for each in found["Changes"]]
    assert days == sorted(days, reverse=True)
    assert min(days) >= "2014-06-30"
    members = {each["Member"]: each for each in found["Changes"]}
    assert members["/Identification/PreviousNames/PreviousName/0"]["Day"] == "2014-06-30"
    assert members["/Identification/PreviousAddresses/PreviousCRO/0"]["Day"] == "2016-09-30"
    later = await called(deployment, "what_changed", number="99999999", since="2014-07-01")
    assert "/Identification/PreviousNames/PreviousName/0" not in {each["Member"] for each in later["Changes"]}
    assert not any("Assessment" in each["Member"] for each in later["Changes"])


@pytest.mark.usefixtures("register")
async def test_what_changed_has_an_administration_and_every_other_notice_on_the_day_they_are_published(
    deployment: Deployment, tmp_path: Path
) -> None:
    today = {"published": "2023-11-14T00:00:00", "updated": "2023-11-14T09:00:00Z"}
    content = f"<p>In the matter of PLACEHOLDER LIMITED (Company Number {REAL}).</p>"
    begun = notice("1", "2410", content=content, category={"@term": "Appointment of Administrators"}, **today)
    told = notice("2", "2446", content=content, category={"@term": "Notices to Creditors"}, **today)
    load("gazette", deployment.service.settings.credit_folder, feed(tmp_path / "gazette-1.json", begun, told))
    found = await called(deployment, "what_changed", number=REAL, since="2023-11-14")
    said = {each["Member"]: each["Values"] for each in found["Changes"]}
    assert said["/Assessment/Insolvency"]["Words"] == "administrator appointed on 14 November 2023"
    assert {said[f"/Assessment/Notices/{place}"]["Kind"] for place in (0, 1)} == {
        "Appointment of Administrators",
        "Notices to Creditors",
    }


async def test_what_changed_needs_a_day(deployment: Deployment) -> None:
    assert "since" in await called(deployment, "what_changed", number="99999999")
    assert "date" in (await called(deployment, "what_changed", number="99999999", since="last week")).lower()

"""What every tool answers: within its schema, and within what a model can read, whatever companies have filed."""

import dataclasses
import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # the package has no types

from credence.mcp.answers import CompaniesFound, CompanyFound, CompanySummary, Comparison, Explanation, Line
from credence.mcp.sizes import MAX_CHARACTERS, PAGE_CHARACTERS, pages_of
from credence.mcp.tool import Sources
from credence.mcp.tools import TOOLS_BY_NAME
from credence.monitoring.comparing import event_of
from credence.monitoring.transitions import ObservedChange
from credence.sandbox.provision import POLICY
from credence.settings import Settings
from tests.deployment import NOW, Deployment
from tests.mcp.messages import post, stateless, token
from tests.monitoring_calls import call, portfolio
from tests.web.test_monitoring_feed import make_events

pytestmark = pytest.mark.settings(environment="sandbox")

EVERY_SCOPE = "credit:report credit:search credit:directors credit:monitor"
SPECIMEN = {"number": "99999999"}
REPORT = ["Identification", "Financials", "ManagementInfo", "LegalNotices", "Assessment"]
CALLS: dict[str, dict[str, Any]] = {
    "search_companies": {"name": "limited", "dissolved": True},
    "company_summary": SPECIMEN,
    "company_report": {**SPECIMEN, "sections": REPORT},
    "explain_score": SPECIMEN,
    "compare_companies": {"numbers": ["99999999", "99999901", "99999902", "99999905", "00000006"]},
    "director_search": {"surname": "specimen"},
    "what_changed": {**SPECIMEN, "since": "2010-01-01"},
    "decide": {**SPECIMEN, "policy": "trade", "amount": 500},
    "portfolio_add": {"numbers": ["99999901", "99999902", "x"]},
    "portfolio_events": {},
    "approved_limits": {"number": "99999901"},
    "company_alerts": {},
    "book_totals": {"band": "none"},
    "book_customers": {"view": "all", "order": "name"},
    "portfolio_customers": {},
    "portfolio_companies": {},
    "portfolio_ledgers": {},
    "alert_digest": {},
}


async def called(deployment: Deployment, access_token: str, tool: str, arguments: dict[str, Any]) -> Any:
    result = (await post(deployment, access_token, stateless("tools/call", name=tool, arguments=arguments))).json[
        "result"
    ]
    assert not result["isError"], (tool, result)
    return result["structuredContent"]


async def test_every_answer_is_in_its_schema_and_short(deployment: Deployment) -> None:
    """MCP, output schema: structured results MUST conform; schemas are JSON Schema 2020-12."""
    folder = Settings(data_dir=deployment.service.settings.data_dir).policy_folder
    folder.mkdir(exist_ok=True)
    (folder / "trade.toml").write_bytes(POLICY.read_bytes())
    await make_events(deployment, await portfolio(deployment), "00000001", "00000002")
    access_token = await token(deployment, scope=EVERY_SCOPE)
    listed = (await post(deployment, access_token, stateless("tools/list"))).json["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(CALLS)
    for tool in listed:
        name, schema = tool["name"], tool["outputSchema"]
        Draft202012Validator.check_schema(schema)
        Draft202012Validator.check_schema(tool["inputSchema"])
        Draft202012Validator(tool["inputSchema"]).validate(CALLS[name])
        found = await called(deployment, access_token, name, CALLS[name])
        Draft202012Validator(schema).validate(found)
        assert len(json.dumps(found, ensure_ascii=False)) <= MAX_CHARACTERS, name


async def test_customers_of_a_ledger_are_read_with_what_they_owe_and_page_by_page(deployment: Deployment) -> None:
    made = await portfolio(deployment)
    rows = "".join(f"C{number:02d},Customer {number},{number}.50,{number}.50\r\n" for number in range(25))
    ledger = f"Ref,Name,Balance,Older\r\n{rows}".encode()
    sent = await call(deployment, "POST", f"{made}/ledgers", ledger, content_type="text/csv")
    await call(deployment, "POST", f"{sent.headers['location']}/take", {"as_of": "2023-10-31"})
    access_token = await token(deployment, scope=EVERY_SCOPE)
    first = await called(deployment, access_token, "portfolio_customers", {})
    assert [each["over_90"] for each in first["customers"][:3]] == [50, 150, 250]
    rest = await called(deployment, access_token, "portfolio_customers", {"after": first["next_page_token"]})
    found = [each["reference"] for page in (first, rest) for each in page["customers"]]
    assert (found, rest["next_page_token"]) == ([f"C{number:02d}" for number in range(25)], "")


LONG = "A material “sentence” of the accounts. " * 30
SUMMARY = CompanySummary(
    "1",
    LONG,
    Facts=LONG,
    Warning=LONG,
    Status=LONG,
    Reasons=(LONG,) * 3,
    Alerts=(LONG,) * 10,
    LimitReason=LONG,
    Terms=LONG,
)
NOTHING: Any = None
LONGEST: dict[str, msgspec.Struct] = {
    "search_companies": CompaniesFound(50, (CompanyFound("1", LONG, LONG, LONG, LONG, LONG, LONG, (LONG,) * 6),) * 20),
    "compare_companies": Comparison((SUMMARY,) * 5, ()),
    "explain_score": Explanation(
        "1", LONG, LONG, 50, "C", "", (Line(1, LONG, LONG),) * 60, (LONG,) * 30, LONG, (LONG,) * 9
    ),
}


@pytest.mark.parametrize("name", LONGEST)
async def test_texts_of_an_answer_that_would_be_too_long_are_cut(name: str) -> None:
    async def answers(*_: Any) -> msgspec.Struct:
        return LONGEST[name]

    tool = dataclasses.replace(TOOLS_BY_NAME[name], call=answers)
    sources = Sources(NOTHING, NOTHING, NOTHING, 0)
    found = await tool.answer(sources, {"numbers": ["1", "2"]} if name == "compare_companies" else {"number": "1"})
    assert len(json.dumps(found, ensure_ascii=False)) <= MAX_CHARACTERS
    assert "…" in json.dumps(found, ensure_ascii=False)


def test_a_page_ends_with_its_characters_or_its_entries() -> None:
    short, long = {"Value": "a"}, {"Value": "b" * 500}
    assert [len(page) for page in pages_of([short] * 250, 100)] == [100, 100, 50]
    pages = list(pages_of([long] * 100, 100))
    assert sum(map(len, pages)) == 100
    assert all(len(json.dumps(page)) <= PAGE_CHARACTERS + 4 * len(page) for page in pages)
    assert [len(page) for page in pages_of([{"Value": [LONG] * 60}] * 3, 100)] == [1, 1, 1]
    assert list(pages_of([], 100)) == []


async def test_long_events_are_read_in_several_pages_without_a_gap(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    kept = await deployment.store.portfolio(path.rpartition("/")[2])
    assert kept is not None
    await deployment.store.save_shared_value("comparison", 1, b"{}")
    change = ObservedChange("band", "fell", LONG, LONG, "2026-11-01", "")
    await deployment.store.record(1, [], [event_of(f"{number:08}", kept, change, NOW, "1") for number in range(1, 41)])
    access_token = await token(deployment, scope=EVERY_SCOPE)
    seen: list[str] = []
    after, pages = 0, 0
    while True:
        page = await called(deployment, access_token, "portfolio_events", {"after": after})
        if not page["events"]:
            break
        assert len(json.dumps(page, ensure_ascii=False)) <= MAX_CHARACTERS
        seen += [each["resource_id"] for each in page["events"]]
        after, pages = page["next"], pages + 1
    assert seen == [f"{number:08}" for number in range(1, 41)]
    assert pages > 1

"""Portfolios over HTTP: whose they are, how they are changed, lists row by row (D31; RFC 7396, RFC 9110, RFC 9457)."""

import asyncio
import csv
import io
from pathlib import Path
from typing import cast

import msgspec
import pytest

from credence import paths
from credence.monitoring import portfolios
from credence.monitoring.portfolios import MAX_PORTFOLIOS
from credence.monitoring.rules import DEFAULT_RULES, DIGEST, RULES
from credence.operations import watched_companies
from credence.policy.pointer import pointer
from credence.store.contract import Store
from credence.store.portfolios import Portfolio
from tests.deployment import Deployment, Reply
from tests.monitoring_calls import call, portfolio
from tests.suspending import Suspending


def problem(reply: Reply) -> tuple[int, str]:
    """Status and reason code of a problem detail."""
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json["status"] == reply.status
    assert reply.json["request_id"] == reply.headers["x-request-id"]
    return reply.status, reply.json.get("reason", "")


async def test_a_portfolio_is_made_with_the_default_rules_read_changed_and_deleted(deployment: Deployment) -> None:
    reply = await call(deployment, "POST", paths.PORTFOLIOS, {"name": "North", "reference": "L-7"})
    assert (reply.status, reply.json["name"], reply.json["shared"]) == (201, "North", False)
    assert [each["rule"] for each in reply.json["rules"]] == [each.rule for each in DEFAULT_RULES]
    path, tag = reply.headers["location"], reply.headers["etag"]
    read = await call(deployment, "GET", path)
    assert (read.json, read.headers["etag"]) == (reply.json, tag)
    assert (await call(deployment, "GET", path, if_none_match=tag)).status == 304
    rules = [{"rule": "score", "by": 5, "below": 40}, {"rule": "charge", "kinds": ["registered"]}]
    changed = await call(deployment, "PATCH", path, {"rules": rules, "reference": None}, if_match=tag)
    assert (changed.status, changed.json["rules"], changed.json["reference"]) == (200, rules, "")
    assert problem(await call(deployment, "PATCH", path, {"name": "B"}, if_match=tag)) == (
        412,
        "if_match.other_version",
    )
    assert problem(await call(deployment, "PATCH", path, {"name": "B"})) == (428, "if_match.missing")
    assert problem(await call(deployment, "DELETE", path, if_match=tag)) == (412, "if_match.other_version")
    assert (await call(deployment, "DELETE", path, if_match=changed.headers["etag"])).status == 204
    assert problem(await call(deployment, "GET", path)) == (404, "portfolio.unknown")


async def test_an_application_has_as_many_as_it_may_have(deployment: Deployment) -> None:
    owner = deployment.application.client_id
    for number in range(MAX_PORTFOLIOS - 1):
        await deployment.store.save_portfolio(Portfolio(f"pf_{number}", owner, "North", deployment.now))
    made = [await call(deployment, "POST", paths.PORTFOLIOS, {"name": name}) for name in ("North", "South")]
    assert made[0].status == 201
    assert problem(made[1]) == (409, "portfolio.too_many")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "resource.members"),
        ({"name": ""}, "resource.members"),
        ({"name": "a", "owner": "me"}, "resource.members"),
        ({"name": "a\nb"}, "portfolio.text"),
        ({"name": "a", "rules": [{"rule": "weather"}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "name", "by": 1}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "charge", "kinds": ["sold"]}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "decision"}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "decision", "policy": "UPPER"}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "decision", "policy": "unknown"}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "name", "policy": "unknown"}]}, "portfolio.rule"),
        ({"name": "a", "rules": [{"rule": "score", "by": -1}]}, "resource.members"),
        ({"name": "a", "rules": [{"rule": "name"}] * 51}, "resource.members"),
        (["a"], "resource.members"),
        (b'{"name":"a","name":"b"}', "resource.body"),
        (b'{"name":"a","n\\u0061me":"b"}', "resource.body"),
        (b'{"name":"a","rules":[{"rule":"score","by":1,"by":2}]}', "resource.body"),
        (b"{", "resource.body"),
        (b"\xff", "resource.body"),
        (b"[" * 5_000, "resource.body"),
    ],
)
async def test_a_malformed_portfolio_is_422(deployment: Deployment, body: object, reason: str) -> None:
    assert problem(await call(deployment, "POST", paths.PORTFOLIOS, body)) == (422, reason)


async def test_a_rule_about_decisions_names_an_installed_policy(deployment: Deployment, tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "trade.toml").write_text("")
    rule = {"rule": "decision", "policy": "trade", "kinds": ["decline"]}
    path = await portfolio(deployment, rules=[rule])
    assert (await call(deployment, "GET", path)).json["rules"] == [rule]
    preview = await call(deployment, "POST", f"{path}/preview", {"rules": [rule]})
    assert preview.json["counts"] == [{"rule": "decision", "events": 0, "of_last_year": 0, "companies": 0}]


async def test_refusals_before_the_endpoint_are_problems_too(deployment: Deployment) -> None:
    """A token without the scope is 403, another method 405, a body that is not JSON 415, a script in it 401 (D17)."""
    assert problem(await call(deployment, "GET", paths.PORTFOLIOS, scope="credit:report"))[0] == 403
    assert problem(await deployment.send("GET", paths.PORTFOLIOS))[0] == 401
    assert problem(await call(deployment, "DELETE", paths.PORTFOLIOS))[0] == 405
    xml = await call(deployment, "POST", paths.PORTFOLIOS, b"<a/>", content_type="application/xml")
    assert problem(xml)[0] == 415
    attack = {"name": "<script>alert(1)</script>"}
    assert problem(await call(deployment, "POST", paths.PORTFOLIOS, attack))[0] == 401


async def test_a_token_has_the_scope_only_if_the_request_for_it_names_it(deployment: Deployment) -> None:
    tokens = await deployment.tokens()
    fields = [("Authorization", f"Bearer {tokens['access_token']}")]
    assert (await deployment.send("GET", paths.PORTFOLIOS, fields)).status == 403


async def test_another_application_never_sees_a_portfolio_unless_the_operator_shares_it(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    other = await deployment.another_application()
    assert (await call(other, "GET", paths.PORTFOLIOS)).json["portfolios"] == []
    for method, target, body in (
        ("GET", path, None),
        ("PATCH", path, {"name": "mine"}),
        ("DELETE", path, None),
        ("GET", f"{path}/companies", None),
        ("POST", f"{path}/companies", ["01234567"]),
        ("PUT", f"{path}/companies/01234567", {}),
        ("POST", f"{path}/preview", None),
    ):
        reply = await call(other, method, target, body, if_match="*")
        assert problem(reply) == (404, "portfolio.unknown"), (method, target)
    kept = await deployment.store.portfolio(path.rpartition("/")[2])
    assert kept is not None
    shared = msgspec.structs.replace(kept, version=2, shared_with=(other.application.client_id,))
    await deployment.store.save_portfolio(shared)
    (seen,) = (await call(other, "GET", paths.PORTFOLIOS)).json["portfolios"]
    assert (seen["id"], seen["shared"]) == (kept.id, True)


async def test_the_same_idempotency_key_makes_one_portfolio(deployment: Deployment) -> None:
    body = {"name": "North"}
    first = await call(deployment, "POST", paths.PORTFOLIOS, body, idempotency_key="a-1")
    again = await call(deployment, "POST", paths.PORTFOLIOS, body, idempotency_key="a-1")
    assert (again.status, again.json, again.headers["location"]) == (201, first.json, first.headers["location"])
    assert len((await call(deployment, "GET", paths.PORTFOLIOS)).json["portfolios"]) == 1
    other = await call(deployment, "POST", paths.PORTFOLIOS, {"name": "South"}, idempotency_key="a-1")
    assert problem(other) == (422, "idempotency.other_request")
    refused = await call(deployment, "POST", paths.PORTFOLIOS, {"name": ""}, idempotency_key="a-2")
    assert refused.status == 422
    assert (await call(deployment, "POST", paths.PORTFOLIOS, body, idempotency_key="a-2")).status == 201
    assert problem(await call(deployment, "POST", paths.PORTFOLIOS, body, idempotency_key="x" * 101))[0] == 400
    deployment.now += 86_400_001
    assert (await call(deployment, "POST", paths.PORTFOLIOS, body, idempotency_key="a-1")).json["id"] != first.json[
        "id"
    ]


async def test_pages_follow_each_other_by_the_link_of_the_answer(deployment: Deployment) -> None:
    wanted = {(await portfolio(deployment, name=f"P{number}")).rpartition("/")[2] for number in range(5)}
    target, seen = f"{paths.PORTFOLIOS}?page_size=2", []
    while target:
        reply = await call(deployment, "GET", target)
        seen += [each["id"] for each in reply.json["portfolios"]]
        link = reply.headers.get("link", "")
        assert bool(link) == bool(reply.json["next_page_token"])
        target = link.partition(">")[0].lstrip("<")
    assert (len(seen), set(seen)) == (5, wanted)
    for query in ("page_size=0", "page_size=1001", "page_size=x", "page_token=%21", "page=2", "page_token=AA"):
        assert problem(await call(deployment, "GET", f"{paths.PORTFOLIOS}?{query}"))[0] == 422


async def test_a_list_has_a_result_for_each_row_and_the_same_list_again_changes_nothing(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    rows = [
        "1234567",
        {"company_number": "sc 123456", "reference": "C-1", "exposure": 5_000, "currency": "GBP", "note": "30 days"},
        "nonsense!",
        {"company_number": "00000002", "exposure": -1},
        {"company_number": "00000003", "currency": "pounds"},
        {"number": "00000004"},
        7,
        "01234567",
    ]
    first = (await call(deployment, "POST", f"{path}/companies", rows)).json
    assert [each["result"] for each in first["rows"]] == ["added", "added", *["refused"] * 5, "unchanged"]
    assert [each["company_number"] for each in first["rows"][:2]] == ["01234567", "SC123456"]
    assert all(each["reason"] for each in first["rows"][2:7])
    assert first["counts"] == {"added": 2, "refused": 5, "unchanged": 1}
    again = (await call(deployment, "POST", f"{path}/companies", rows)).json
    assert again["counts"] == {"unchanged": 3, "refused": 5}
    page = (await call(deployment, "GET", f"{path}/companies")).json
    assert page["count"] == 2
    assert page["companies"][1] == {**rows[1], "company_number": "SC123456"}  # type: ignore[dict-item]
    gone = (await call(deployment, "POST", f"{path}/removals", ["01234567", "00000009", "?", "1234567"])).json
    assert [each["result"] for each in gone["rows"]] == ["removed", "absent", "refused", "absent"]


async def test_csv_comes_out_as_it_can_go_in(deployment: Deployment) -> None:
    path = await portfolio(deployment)
    text = '\ufeffReference,Company_Number,Note\r\nC-1,00000001,"late, twice"\r\n=1+1,00000002,\r\n\r\n,x y z!,\r\n'
    reply = await call(deployment, "POST", f"{path}/companies", text.encode(), content_type="text/csv")
    assert reply.json["counts"] == {"added": 2, "refused": 1}
    out = await call(deployment, "GET", f"{path}/companies", accept="text/csv")
    assert out.headers["content-type"] == "text/csv; charset=utf-8"
    table = list(csv.DictReader(io.StringIO(out.body.decode())))
    assert [each["company_number"] for each in table] == ["00000001", "00000002"]
    assert table[0]["note"] == "late, twice"
    assert table[1]["reference"] == "'=1+1"
    other = await portfolio(deployment, name="Copy")
    copied = await call(deployment, "POST", f"{other}/companies", out.body, content_type="text/csv")
    assert copied.json["counts"] == {"added": 2}


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"[", b'"a"'])
async def test_a_list_that_is_none_is_422(deployment: Deployment, body: bytes) -> None:
    path = await portfolio(deployment)
    assert problem(await call(deployment, "POST", f"{path}/companies", body)) == (422, "watched.list")


async def test_a_portfolio_has_a_greatest_number_of_companies(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (watched_companies, portfolios):
        monkeypatch.setattr(module, "MAX_COMPANIES", 3)
    path = await portfolio(deployment)
    await call(deployment, "POST", f"{path}/companies", ["00000001", "00000002"])
    rows = (await call(deployment, "POST", f"{path}/companies", ["00000003", "00000004", "00000001"])).json["rows"]
    assert [each["result"] for each in rows] == ["added", "full", "unchanged"]
    assert problem(await call(deployment, "PUT", f"{path}/companies/00000009", {})) == (409, "portfolio.full")


async def test_one_company_is_put_replaced_and_deleted(deployment: Deployment) -> None:
    path = f"{await portfolio(deployment)}/companies/1234567"
    body = {"exposure": 100, "currency": "GBP"}
    assert problem(await call(deployment, "GET", path)) == (404, "watched.unknown")
    assert problem(await call(deployment, "PUT", path, body, if_match='"a"')) == (412, "if_match.absent")
    made = await call(deployment, "PUT", path, body)
    assert (made.status, made.json) == (201, {"company_number": "01234567", **body})
    assert (await call(deployment, "PUT", path, body)).status == 200
    assert problem(await call(deployment, "PUT", path, {"exposure": 200})) == (428, "if_match.missing")
    changed = await call(deployment, "PUT", path, {"exposure": 200}, if_match=made.headers["etag"])
    assert (changed.status, changed.json) == (200, {"company_number": "01234567", "exposure": 200})
    assert problem(await call(deployment, "DELETE", path, if_match=made.headers["etag"]))[0] == 412
    assert (await call(deployment, "DELETE", path, if_match=changed.headers["etag"])).status == 204
    assert problem(await call(deployment, "PUT", f"{path}x!", {}))[0] == 404
    assert problem(await call(deployment, "PUT", path, {"currency": "gbp"}))[0] == 422


async def test_of_two_changes_of_one_version_at_once_one_is_made(deployment: Deployment) -> None:
    path = f"{await portfolio(deployment)}/companies/01234567"
    tag = (await call(deployment, "PUT", path, {"exposure": 1})).headers["etag"]
    async with deployment.another_node(cast("Store", Suspending(deployment.store, lambda: 3))) as slow:
        changes = (call(slow, "PUT", path, {"exposure": exposure}, if_match=tag) for exposure in (2, 3))
        replies = await asyncio.gather(*changes)
    assert sorted(reply.status for reply in replies) == [200, 412]


async def test_the_rules_name_members_that_a_report_has(deployment: Deployment) -> None:
    catalogue = (await call(deployment, "GET", paths.MONITORING_RULES)).json
    assert [each["rule"] for each in catalogue["rules"]] == list(RULES)
    for each in catalogue["rules"]:
        if each["rule"] != DIGEST:
            pointer(each["member"])
    assert {each["rule"] for each in catalogue["default"]} <= set(RULES)

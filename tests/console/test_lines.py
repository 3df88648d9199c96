"""The screens that show lines: the request log with the checks of a request, the audit trail with its export, and tokens."""

import csv
import io
import json
import re
from typing import Any

import msgspec
import pytest

from credence.store.collections import Collection
from credence.store.registry import APPLICATIONS
from tests.console.conftest import Console, text_of
from tests.deployment import NOW


async def test_a_refused_request_is_found_and_its_checks_are_shown(console: Console) -> None:
    support = await console.operator("support")
    await console.main.set_status("suspended")
    refused = await console.main.login()
    console.main.write_request_log()
    page = await support.browser.get("/console/log?q=status:401+account:ada")
    assert "account.suspended" in text_of(page)
    request_id = refused.headers["x-request-id"]
    assert f"/console/log/{request_id}" in page.body.decode()
    shown = text_of(await support.browser.get(f"/console/log/{request_id}"))
    assert "What passes" in shown
    assert "not reached" in shown
    assert f"credence why {request_id}" in shown


async def test_a_damaged_log_is_a_note_on_both_screens(console: Console) -> None:
    support = await console.operator("support")
    console.main.service.settings.request_log_file.parent.mkdir(exist_ok=True)
    console.main.service.settings.request_log_file.write_bytes(b"no database" * 1_000)
    for path in ("/console/log", "/console/log/ab-1"):
        page = await support.browser.get(path)
        assert (page.status, "The log of this node cannot be read" in text_of(page)) == (200, True)


async def test_the_checks_of_a_request_for_a_screen_are_those_of_its_route(console: Console) -> None:
    support = await console.operator("support")
    asked = await console.main.send("GET", "/workbench/lists/pf_1")
    console.main.write_request_log()
    shown = text_of(await support.browser.get(f"/console/log/{asked.headers['x-request-id']}"))
    assert "route passed /workbench/lists/{portfolio} passes" in " ".join(re.findall(r"[\w/{}]+", shown))


async def test_the_overview_says_what_the_reason_of_a_refusal_means(console: Console) -> None:
    await console.main.login(password="wrong-password")
    console.main.service.audit.flush()
    shown = text_of(await (await console.operator("support")).browser.get("/console"))
    assert "The password is wrong, or no account has this username password.mismatch" in " ".join(shown.split())


async def test_refusals_that_were_only_counted_lead_to_the_log_of_refusals(console: Console) -> None:
    """The audit trail has no reason for them, the request log has."""
    audit = console.main.service.audit
    for _ in range(3):
        audit.has_own_line("192.0.2.7", NOW)
    audit.tick(NOW + 1_000)
    audit.flush()
    page = (await (await console.operator("support")).browser.get("/console")).body.decode()
    assert '<a href="/console/log?q=status%3A4xx%20since%3A1d">other, counted by address</a>' in page


async def test_a_query_that_cannot_be_read_is_explained_at_its_field(console: Console) -> None:
    support = await console.operator("support")
    page = await support.browser.get("/console/log?q=status:many")
    assert "The term status: takes a status" in text_of(page)
    assert 'aria-describedby="q-wrong q-hint"' in page.body.decode()


async def test_the_log_reloads_itself_only_on_request(console: Console) -> None:
    """WCAG 2.2.2."""
    support = await console.operator("support")
    assert "refresh" not in (await support.browser.get("/console/log")).headers
    live = await support.browser.get("/console/log?live=1")
    assert live.headers["refresh"] == "5"
    assert "Stop reloading" in text_of(live)
    assert "Save this query" not in text_of(live)  # a reload would empty its fields


async def test_the_audit_trail_names_the_tool_of_an_agent(console: Console) -> None:
    console.main.service.audit.record_first("mcp_portfolio_add", NOW, application="crd_sbx_app_a")
    page = await (await console.operator("operator")).browser.get("/console/audit")
    assert "MCP tool portfolio add mcp_portfolio_add" in " ".join(text_of(page).split())


async def test_the_audit_trail_is_searched_and_exported_without_formulas(console: Console) -> None:
    """OWASP, CSV injection: a cell that begins like a formula gets an apostrophe."""
    operator = await console.operator("operator")
    console.main.service.audit.record_first("operator", NOW, act="=cmd|' /C calc'!A0", operator="+ada")
    await operator.do("/console/accounts/ada", "account-status", status="suspended")
    page = await operator.browser.get("/console/audit?q=account+status")
    assert "of-operator" in text_of(page)
    export = await operator.browser.get("/console/audit.csv")
    assert export.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(export.body.decode())))
    assert rows[0][:3] == ["time", "act", "operator"]
    assert ["'=cmd|' /C calc'!A0", "'+ada"] in [row[1:3] for row in rows]
    reader = await console.operator("reader")
    assert (await reader.browser.get("/console/audit.csv")).status == 403


async def test_the_audit_trail_shows_a_change_as_words_and_exports_it_as_json(console: Console) -> None:
    changes = {"name": {"after": "Ledger"}, "disabled": {"before": False, "after": True}, "rules": {"before": ["a"]}}
    console.main.service.audit.record_first("operator", NOW, act="app set", operator="ada", changes=changes)
    operator = await console.operator("operator")
    page = text_of(await operator.browser.get("/console/audit?q=app+set"))
    assert "changes name Ledger, disabled no → yes, rules a → none" in page
    assert "Change an application app set ada" in " ".join(page.split())
    export = await operator.browser.get("/console/audit.csv?q=app+set")
    row = next(csv.DictReader(io.StringIO(export.body.decode())))
    assert json.loads(row["more"])["changes"] == changes


async def test_the_audit_trail_names_the_person_who_signed_in_and_nobody_for_a_refusal(console: Console) -> None:
    audit, about = console.main.service.audit, {"application": "crd_till", "account": "ada"}
    audit.record_first("signed_in", NOW, **about)
    audit.record_first("refused", NOW, **about)
    operator = await console.operator("operator")
    page = " ".join(text_of(await operator.browser.get("/console/audit?q=crd_till")).split())
    assert "Signed in signed_in ada crd_till ada" in page
    assert "Refused refused \N{EN DASH} crd_till ada" in page


async def test_a_pasted_token_is_read_and_revoked(console: Console) -> None:
    support = await console.operator("support")
    token = (await console.main.tokens())["access_token"]
    page = await support.do("/console/tokens", "inspect", **{"token-text": token})
    assert "state valid" in " ".join(text_of(page).split())
    assert token.encode() not in page.body
    assert (await support.do("/console/tokens", "token-revoke", token_value=token)).status == 200
    assert (await console.main.report(token)).status == 401
    assert (await support.do("/console/tokens", "inspect", **{"token-text": "abc"})).status == 422


async def test_every_login_of_an_application_or_of_all_ends(console: Console) -> None:
    owner = await console.operator("owner")
    client_id = console.main.application.client_id
    token = (await console.main.tokens())["access_token"]
    assert (await owner.do("/console/tokens", "app-end-logins", client_id=client_id)).status == 200
    assert (await console.main.report(token)).status == 401
    console.move(NOW + 1_000)
    token = (await console.main.tokens())["access_token"]
    assert (await owner.do("/console/tokens", "app-end-every-login", confirm="end")).status == 422
    assert (await console.main.report(token)).status == 200
    assert (await owner.do("/console/tokens", "app-end-every-login", confirm="END ALL")).status == 200
    assert (await console.main.report(token)).status == 401
    found = await console.main.store.application(client_id)
    assert found is not None
    assert not found.disabled


@pytest.mark.parametrize(("first", "status"), [(2, 200), (9, 409)])
async def test_every_login_ends_although_others_change_an_application_at_the_same_time(
    console: Console, monkeypatch: pytest.MonkeyPatch, first: int, status: int
) -> None:
    """Another writer is first that many times; what cannot be ended is named, and the others end (threats E10)."""
    owner, store = await console.operator("owner"), console.main.store
    contested = console.main.application.client_id
    other = "crd_sbx_app_other"
    await store.save_application(msgspec.structs.replace(console.main.application, client_id=other, version=1), NOW)
    save, changes = store.save, iter(range(first))

    async def save_after_another(collection: Collection[Any], wanted: Any, at: int = 0, **more: Any) -> None:
        if collection is APPLICATIONS and wanted.client_id == contested and next(changes, None) is not None:
            kept = await store.application(contested)
            assert kept is not None
            await save(APPLICATIONS, msgspec.structs.replace(kept, version=kept.version + 1), at)
        await save(collection, wanted, at, **more)

    monkeypatch.setattr(store, "save", save_after_another)
    page = await owner.do("/console/tokens", "app-end-every-login", confirm="END ALL")
    assert page.status == status
    ended = {each.client_id: each.not_before > 0 for each in await store.applications()}
    assert ended.pop(contested) is (status == 200)
    assert other in ended
    assert all(ended.values())
    assert (f"at the same time: {contested}." in text_of(page)) is (status == 409)

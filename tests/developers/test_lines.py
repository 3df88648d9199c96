"""What developers see of requests: their own alone, with the reason, the rule, and a way to send them again."""

import base64
import re

import msgspec
import pytest

from credence.identity.applications import with_disabled
from tests.deployment import TOKEN_PATH
from tests.developers.conftest import Portal, text_of

TRY = "/developers/try/company_report"
SPECIMEN = {"of-company_number": "99999999"}


async def refused(portal: Portal, client_id: str) -> str:
    """Send a token request with a wrong secret, and return the id of the request."""
    basic = base64.b64encode(f"{client_id}:wrong".encode()).decode()
    headers = [("Authorization", f"Basic {basic}"), ("Content-Type", "application/x-www-form-urlencoded")]
    reply = await portal.main.send("POST", TOKEN_PATH, headers, b"grant_type=client_credentials")
    assert reply.status == 401
    return reply.headers["x-request-id"]


async def test_a_request_is_sent_with_the_token_of_an_own_application_and_stands_in_its_log(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    page = await ada.do(TRY, "send", client_id=client_id, **SPECIMEN)
    assert page.status == 200, text_of(page)
    assert '"RegNumber": "99999999"' in text_of(page)
    assert "Bearer" not in text_of(page)
    portal.main.write_request_log()
    log = text_of(await ada.browser.get("/developers/log"))
    assert "GET /risk/business/v1/registeredcompanycredit/{company_number}" in log
    checklist = text_of(await ada.browser.get(f"/developers/applications/{client_id}/production"))
    assert "Every item that must be settled is." in checklist


async def test_a_damaged_log_is_a_note_on_both_screens(portal: Portal) -> None:
    ada = await portal.developer("ada")
    await ada.create()
    portal.main.service.settings.request_log_file.parent.mkdir(exist_ok=True)
    portal.main.service.settings.request_log_file.write_bytes(b"no database" * 1_000)
    for path in ("/developers/log", "/developers/log/ab-1"):
        page = await ada.browser.get(path)
        assert (page.status, "The log cannot be read at the moment." in text_of(page)) == (200, True)


async def test_the_checklist_follows_from_state_and_log(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create("web", redirect_uris="http://localhost:3000/back https://app.example.com/back")
    await refused(portal, client_id)
    portal.main.write_request_log()
    path = f"/developers/applications/{client_id}"
    shown = text_of(await ada.browser.get(f"{path}/production"))
    assert "2 of 9 items must be settled first." in shown  # no report yet, and an address on loopback
    assert "1 on loopback" in shown
    assert "some were" in shown
    assert "--redirect-uri https://app.example.com/back" in shown
    await ada.do(path, "app-disable")
    assert "3 of 9 items" in text_of(await ada.browser.get(f"{path}/production"))


async def test_the_checklist_says_when_it_looked_at_the_newest_requests_alone(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    path = f"/developers/applications/{client_id}/production"
    for count, said in ((50, False), (1, True)):
        for _ in range(count):
            await refused(portal, client_id)
        portal.main.write_request_log()
        assert ("of its newest 50 requests" in text_of(await ada.browser.get(path))) is said


async def test_a_refusal_has_its_reason_its_rule_and_the_page_about_it(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    request_id = await refused(portal, client_id)
    portal.main.write_request_log()
    assert "client.mismatch" in text_of(await ada.browser.get("/developers/log?q=status:401"))
    page = await ada.browser.get(f"/developers/log/{request_id}")
    assert "What helps" in text_of(page)
    assert 'href="/docs/s' in page.body.decode()
    assert (await ada.browser.get("/docs/spec-decisions.md")).status == 200
    assert f"-u '{client_id}:YOUR_CLIENT_SECRET'" in text_of(page)


async def test_a_developer_sees_that_an_operator_has_disabled_the_application(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    kept = await portal.main.store.application(client_id)
    assert kept is not None
    await portal.main.store.save_application(with_disabled(kept, portal.main.now, disabled=True), portal.main.now)
    request_id = await refused(portal, client_id)
    portal.main.write_request_log()
    assert "client.disabled" in text_of(await ada.browser.get("/developers/log?q=status:401"))
    assert "The application is disabled" in text_of(await ada.browser.get(f"/developers/log/{request_id}"))


@pytest.mark.parametrize(
    "line", ["", "status:4xx", "client:{theirs}", "client:* -client:x", "{theirs}", "id:{request}"]
)
async def test_no_query_finds_a_request_of_another_developer(portal: Portal, line: str) -> None:
    """threats E13: of several terms with one name one must hold, so a term may widen a search."""
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    theirs, _ = await ada.create()
    own, _ = await eve.create()
    request_id = await refused(portal, theirs)
    await refused(portal, own)
    portal.main.write_request_log()
    query = line.format(theirs=theirs, request=request_id).replace(" ", "+")
    found = await eve.browser.get(f"/developers/log?q={query}")
    assert found.status == 200
    page = text_of(found)
    assert request_id not in page
    assert theirs not in page.replace(query, "")
    assert (await eve.browser.get(f"/developers/log/{request_id}")).status == 404
    assert (await ada.browser.get(f"/developers/log/{request_id}")).status == 200


async def test_what_is_tried_stays_within_the_credit_api_and_own_applications(portal: Portal) -> None:
    ada, eve = await portal.developer("ada"), await portal.developer("eve")
    client_id, _ = await ada.create()
    await eve.create()
    assert (await eve.do(TRY, "send", client_id=client_id, **SPECIMEN)).status == 422
    for value, path in (("..", ""), ("", ""), ("../../userinfo", "..%2F..%2Fuserinfo"), ("1?x#y", "1%3Fx%23y")):
        page = await ada.do(TRY, "send", client_id=client_id, **{"of-company_number": value})
        assert page.status == (200 if path else 422), value
        assert path in text_of(page)
        assert ('id="send-of-company_number-wrong"' in page.body.decode()) is not bool(path)
    unknown = await ada.do(TRY, "send", client_id=client_id, **{"of-company_number": "11111111"})
    assert "404" in text_of(unknown)
    assert (await ada.browser.get("/developers/try/manage_applications")).status == 404


async def test_the_limit_and_what_is_left_of_it_are_shown(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    path = f"/developers/applications/{client_id}"
    found = await portal.main.store.application(client_id)
    assert found is not None
    slow = msgspec.structs.replace(found, spike_per_minute=2, version=found.version + 1)
    await portal.main.store.save_application(slow, portal.main.now)
    limits = text_of(await ada.browser.get(path))
    assert "2 a minute, in bursts of up to 2; 2 left now" in limits
    assert "3 hours" in limits
    await ada.do(TRY, "send", client_id=client_id, **SPECIMEN)
    assert "2 a minute, in bursts of up to 2; 1 left now" in text_of(await ada.browser.get(path))
    for _ in range(2):
        page = await ada.do(TRY, "send", client_id=client_id, **SPECIMEN)
    assert "spike.application" in text_of(page)


async def test_operations_of_several_versions_have_different_names_in_the_list(portal: Portal) -> None:
    ada = await portal.developer("ada")
    page = (await ada.browser.get("/developers/try")).body.decode()
    names = re.findall(r'<a href="/developers/try/[^"]+">\s*<bdi[^>]*>([^<]+)', page)
    assert {"Company search (v1)", "Company search (v2)", "One director"} <= set(names)
    assert len(names) == len(set(names))

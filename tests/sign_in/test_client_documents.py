"""Clients that a document at their client_id describes (draft-ietf-oauth-client-id-metadata-document, threats E3)."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from credence.ratelimit.limiter import FETCHES_PER_MINUTE
from tests.deployment import REPORT_PATH, TOKEN_PATH, Deployment, OpenDeployment
from tests.oauth.test_registration import EC_KEY
from tests.sign_in.browsing import (
    ACCOUNT,
    CALLBACK,
    CHALLENGE,
    FORM,
    VERIFIER,
    Browser,
    answer_of,
    form_of,
)
from tests.sign_in.client_documents import asked, page_of, publishing, signed_in, token, tokens_of

MINUTE = 60_000


@pytest.mark.each_node
async def test_an_unregistered_client_gets_tokens_for_a_person_who_allowed_it(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browser = Browser(deployment)
        tokens = await tokens_of(browser, publisher, deployment)
        assert (await deployment.report(tokens["access_token"])).status == 200
        refreshed = await token(
            deployment,
            grant_type="refresh_token",
            client_id=publisher.client_id,
            refresh_token=tokens["refresh_token"],
        )
        assert refreshed.status == 200
        assert publisher.fetched == 1  # three pages and two token requests


async def test_the_consent_page_names_both_hosts_and_says_that_the_client_is_unverified(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        page = (await signed_in(Browser(deployment), publisher, deployment)).body.decode()
        for text in ("“Ledger” from localhost", "app.example.com", "has not checked its name or who runs it"):
            assert text in page, text
        for uri, place in (
            ("http://127.0.0.1:49152/done", "127.0.0.1"),
            ("cursor://anysphere.cursor-retrieval/oauth/callback", "cursor://anysphere.cursor-retrieval"),
        ):
            local = await signed_in(Browser(deployment), publisher, deployment, redirect_uri=uri)
            assert f"Access is given to a program on this computer, at {place}." in local.body.decode()


async def test_consent_is_asked_every_time(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browser = Browser(deployment)
        await tokens_of(browser, publisher, deployment)
        deployment.now += 1_000
        assert b'name="decision"' in (await browser.get(asked(publisher, deployment))).body
        silent = await browser.get(asked(publisher, deployment, prompt="none"))
        assert answer_of(silent)["error"] == "consent_required"


async def test_nothing_is_stored_before_a_person_allows_the_client(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browser = Browser(deployment)
        page = await signed_in(browser, publisher, deployment)
        assert await deployment.store.application(publisher.client_id) is None
        await browser.submit(page, decision="refuse")
        assert await deployment.store.application(publisher.client_id) is None


async def test_a_document_that_changes_while_the_person_reads_is_shown_again(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browser = Browser(deployment)
        page = await signed_in(browser, publisher, deployment)
        publisher.members["client_name"] = "Another"
        deployment.now += 6 * MINUTE  # the document is stale now
        again = await browser.submit(page, decision="allow")
        assert "“Another” from localhost" in again.body.decode()
        assert await deployment.store.consents_of("ada") == []
        assert "code" in answer_of(await browser.submit(again, decision="allow"))


async def test_a_person_sees_and_ends_the_access_of_such_a_client(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browser = Browser(deployment)
        tokens = await tokens_of(browser, publisher, deployment)
        account = await browser.get(ACCOUNT)
        assert "Ledger" in account.body.decode()
        _, hidden = form_of(account)
        await browser.post(ACCOUNT, [("step", hidden["step"]), ("client_id", publisher.client_id)])
        assert (await deployment.report(tokens["access_token"])).status == 401
        refused = await token(
            deployment,
            grant_type="refresh_token",
            client_id=publisher.client_id,
            refresh_token=tokens["refresh_token"],
        )
        assert (refused.status, refused.json["error"]) == (400, "invalid_grant")


async def test_an_operator_disables_one_client_and_its_tokens_end(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    from credence.identity.applications import with_disabled

    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browser = Browser(deployment)
        tokens = await tokens_of(browser, publisher, deployment)
        row = await deployment.store.application(publisher.client_id)
        assert row is not None
        await deployment.store.save_application(with_disabled(row, deployment.now, disabled=True), deployment.now)
        assert (await deployment.report(tokens["access_token"])).status == 401
        assert (await browser.get(asked(publisher, deployment))).status == 400


async def test_a_host_that_is_blocked_later_gets_no_more_tokens(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        tokens = await tokens_of(Browser(deployment), publisher, deployment)
        settings = deployment.service.settings.model_copy(update={"client_document_blocked_hosts": ("localhost",)})
        deployment.service.authority.settings = settings
        refused = await token(
            deployment,
            grant_type="refresh_token",
            client_id=publisher.client_id,
            refresh_token=tokens["refresh_token"],
        )
        assert (refused.status, refused.json["error"]) == (401, "invalid_client")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"client_documents": "off", "client_document_hosts": ""}, "authorization.client_unknown"),
        ({"client_document_hosts": "example.com,.localhost"}, "client_document.host"),
        (
            {"client_documents": "any", "client_document_hosts": "", "client_document_blocked_hosts": "localhost"},
            "client_document.host",
        ),
        ({"outgoing_networks": ""}, "client_document.refused"),
    ],
)
async def test_a_host_that_the_operator_does_not_let_in_is_not_called(
    tmp_path: Path, open_deployment: OpenDeployment, settings: dict[str, Any], reason: str
) -> None:
    async with publishing(tmp_path, open_deployment, **settings) as (publisher, deployment):
        page = await page_of(publisher, deployment)
        assert (page.status, page.headers["x-reason"]) == (400, reason)
        assert publisher.fetched == 0


async def test_any_host_may_be_let_in(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    settings = {"client_documents": "any", "client_document_hosts": ""}
    async with publishing(tmp_path, open_deployment, **settings) as (publisher, deployment):
        assert (await page_of(publisher, deployment)).status == 200


async def test_a_media_type_of_json_with_a_name_of_its_own_is_taken(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        publisher.fields = {"Content-Type": "application/client-id-metadata+json; charset=utf-8"}
        assert (await page_of(publisher, deployment)).status == 200


@pytest.mark.each_node
async def test_a_document_is_kept_as_long_as_its_publisher_says(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        publisher.fields["Cache-Control"] = "max-age=120"
        for later, fetched in ((0, 1), (119_999, 1), (1, 2)):
            deployment.now += later
            await page_of(publisher, deployment)
            assert publisher.fetched == fetched


async def test_a_redirect_uri_must_be_one_of_the_document(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        for uri, status in (
            (CALLBACK, 200),
            (CALLBACK + "/", 400),
            ("http://127.0.0.1:49152/done", 200),
            ("http://localhost:49152/done", 400),
            ("cursor://anysphere.cursor-retrieval/oauth/callback", 200),
            ("cursor://anysphere.cursor-retrieval/oauth/other", 400),
        ):
            assert (await page_of(publisher, deployment, redirect_uri=uri)).status == status, uri


@pytest.mark.each_node
async def test_fetches_are_limited_by_address(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        publisher.status = "404 Not Found"
        pages = [await page_of(publisher, deployment) for _ in range(FETCHES_PER_MINUTE + 1)]
        assert publisher.fetched == FETCHES_PER_MINUTE
        assert pages[-1].headers["x-reason"] == "spike.fetch"


async def test_a_pushed_request_of_such_a_client_is_taken(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        fields = {
            "client_id": publisher.client_id,
            "response_type": "code",
            "redirect_uri": CALLBACK,
            "scope": "credit:report",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        }
        pushed = await deployment.send("POST", "/oauth2/v1/par", [FORM], urlencode(fields).encode())
        assert pushed.status == 201, pushed
        query = urlencode({"client_id": publisher.client_id, "request_uri": pushed.json["request_uri"]})
        browser = Browser(deployment)
        consent = await browser.sign_in(await browser.get(f"/oauth2/v1/authorize?{query}"))
        assert "code" in answer_of(await browser.submit(consent, decision="allow"))
        publisher.status = "404 Not Found"
        deployment.now += 10 * MINUTE
        refused = await deployment.send("POST", "/oauth2/v1/par", [FORM], urlencode(fields).encode())
        assert (refused.status, refused.json["error"]) == (401, "invalid_client")


async def test_a_client_keeps_to_scope_keys_and_ports_of_its_document(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    """RFC 9449 §5.2, RFC 9126 §6: members of a document hold as those of a registration do."""
    async with publishing(tmp_path / "bound", open_deployment) as (publisher, deployment):
        publisher.members["dpop_bound_access_tokens"] = True
        browser = Browser(deployment)
        consent = await signed_in(browser, publisher, deployment, scope="credit:report")
        code = answer_of(await browser.submit(consent, decision="allow"))["code"]
        bare = await token(
            deployment,
            grant_type="authorization_code",
            client_id=publisher.client_id,
            code=code,
            redirect_uri=CALLBACK,
            code_verifier=VERIFIER,
        )
        assert (bare.status, bare.json["error"]) == (400, "invalid_dpop_proof")
    async with publishing(tmp_path / "pushed", open_deployment) as (publisher, deployment):
        publisher.members["require_pushed_authorization_requests"] = True
        page = await page_of(publisher, deployment)
        assert page.status == 400
        assert deployment.service.counts.refusals["authorization.not_pushed"] == 1
    async with publishing(tmp_path / "scope", open_deployment) as (publisher, deployment):
        publisher.members["scope"] = "credit:report"
        assert (await page_of(publisher, deployment, scope="credit:report")).status == 200
        wider = await page_of(publisher, deployment, scope="credit:report credit:search")
        assert wider.status == 400
    async with publishing(tmp_path / "ports", open_deployment) as (publisher, deployment):
        publisher.members |= {"redirect_uris": ["http://localhost:3000/done"], "application_type": "web"}
        for port, status in ((3000, 200), (3001, 400)):  # a native one would have any port
            page = await page_of(publisher, deployment, redirect_uri=f"http://localhost:{port}/done")
            assert page.status == status
    async with publishing(tmp_path / "keys", open_deployment) as (publisher, deployment):
        publisher.members |= {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [EC_KEY]}}
        assert (await page_of(publisher, deployment)).status == 200


async def test_no_other_endpoint_has_a_document_fetched(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        for path in (TOKEN_PATH, "/oauth2/v1/device-authorization", "/oauth2/v1/revoke", "/oauth2/v1/introspect"):
            fields = {"client_id": publisher.client_id, "grant_type": "authorization_code", "code": "x", "token": "x"}
            await deployment.send("POST", path, [FORM], urlencode(fields).encode())
        await deployment.send("GET", REPORT_PATH + "/99999999")
        assert publisher.fetched == 0


async def test_both_metadata_documents_say_whether_documents_are_taken(
    tmp_path: Path, open_deployment: OpenDeployment, deployment: Deployment
) -> None:
    places = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
    for place in places:
        assert "client_id_metadata_document_supported" not in (await deployment.send("GET", place)).json
    async with publishing(tmp_path / "other", open_deployment) as (_, taking):
        for place in places:
            assert (await taking.send("GET", place)).json["client_id_metadata_document_supported"] is True


async def test_two_nodes_know_a_client_after_one_person_allowed_it(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        tokens = await tokens_of(Browser(deployment), publisher, deployment)
        async with deployment.another_node(deployment.store) as node:
            assert (await node.report(tokens["access_token"])).status == 200


async def test_people_who_allow_the_same_client_at_once_all_get_a_code(
    tmp_path: Path, open_deployment: OpenDeployment
) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        browsers = [Browser(deployment) for _ in range(3)]
        pages = [await signed_in(browser, publisher, deployment) for browser in browsers]
        done = await asyncio.gather(
            *(browser.submit(page, decision="allow") for browser, page in zip(browsers, pages, strict=True))
        )
        assert all("code" in answer_of(each) for each in done if "refresh" in each.headers)
        assert any("refresh" in each.headers for each in done)


async def test_each_fetch_is_in_the_audit_trail(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    async with publishing(tmp_path, open_deployment) as (publisher, deployment):
        await page_of(publisher, deployment)
    deployment.service.audit.flush()
    lines = [json.loads(line) for line in (tmp_path / "audit" / "audit.jsonl").read_text().splitlines()]
    assert [line["purpose"] for line in lines if line["event"] == "called_out"] == ["client_metadata_document"]

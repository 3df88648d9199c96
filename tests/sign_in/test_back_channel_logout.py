"""Applications learn that a session has ended (OpenID Connect Back-Channel Logout 1.0)."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import msgspec
import pytest

from credence.identity import accounts
from tests.deployment import Deployment, OpenDeployment
from tests.oauth.registering import register
from tests.outgoing.receivers import Answering, Request, receiver
from tests.sign_in.browsing import (
    ACCOUNT,
    SIGN_OUT,
    Browser,
    answer_of,
    authorized,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.notices import EVENT, LIMIT_SECONDS, SignedIn, delivering, part, signed_in
from tests.waiting import until

Start = Callable[..., Any]


@pytest.fixture
async def start(tmp_path: Path, open_deployment: OpenDeployment) -> AsyncIterator[Start]:
    """Signs a person in at an application that receives notices."""
    async with AsyncExitStack() as stack:

        async def start_one(answering: Answering | bytes = b"HTTP/1.1 200 OK\r\n\r\n", **changes: Any) -> SignedIn:
            return await stack.enter_async_context(signed_in(tmp_path, open_deployment, answering, **changes))

        yield start_one


async def test_a_logout_token_has_the_claims_of_the_standard_and_no_nonce(start: Start) -> None:
    """§2.4, §2.5."""
    it = await start()
    await it.sign_out()
    (request,) = await it.delivered()
    claims = await it.claims(request)
    of_id_token = it.said
    assert request.head.startswith("POST /signed-out HTTP/1.1\r\n")
    assert "content-type: application/x-www-form-urlencoded" in request.head.lower()
    assert claims.keys() == {"iss", "sub", "aud", "iat", "exp", "jti", "events", "sid"}
    assert (claims["iss"], claims["aud"]) == (of_id_token["iss"], it.application.client_id)
    assert (claims["sub"], claims["sid"]) == (of_id_token["sub"], of_id_token["sid"])
    assert claims["events"] == {EVENT: {}}
    assert (claims["iat"], claims["exp"]) == (it.deployment.now // 1000, it.deployment.now // 1000 + 120)
    await it.backlog_is(0, 0)


async def test_it_is_signed_with_the_algorithm_of_the_applications_id_tokens(start: Start) -> None:
    """§2.6."""
    it = await start(id_token_algorithm="ES256")
    await it.sign_out()
    (request,) = await it.delivered()
    token = parse_qs(request.body.decode())["logout_token"][0]
    assert part(token, 0)["alg"] == "ES256"
    await it.claims(request)


async def test_the_person_who_ends_a_session_on_the_account_page_ends_it_at_the_applications(start: Start) -> None:
    it = await start()
    other = Browser(it.deployment)
    await authorized(other, it.application)
    page = await other.get(ACCOUNT)
    (session,) = re.findall(r'name="session" value="([^"]+)"', page.body.decode())
    action, hidden = form_of(page, ACCOUNT)
    await other.post(action, {**hidden, "session": session}.items())
    (request,) = await it.delivered()
    assert (await it.claims(request))["sid"] == session == it.said["sid"]


async def test_a_new_password_ends_it_too(start: Start) -> None:
    it = await start()
    store, now = it.deployment.store, it.deployment.now
    found = await store.account("ada")
    assert found is not None
    await store.save_account(accounts.with_password(found, found.password_hash, now), now)
    await it.delivered()


async def test_a_suspended_account_ends_it_too(start: Start) -> None:
    it = await start()
    store, now = it.deployment.store, it.deployment.now
    found = await store.account("ada")
    assert found is not None
    await store.save_account(accounts.with_status(found, "suspended", now), now)
    (request,) = await it.delivered()
    assert (await it.claims(request))["sub"] == "ada"


async def test_an_application_without_address_is_told_nothing(start: Start) -> None:
    it = await start()
    changed = msgspec.structs.replace(it.application, backchannel_logout_uri=None, version=it.application.version + 1)
    await it.deployment.store.save_application(changed, it.deployment.now)
    await it.sign_out()
    assert (await it.deployment.store.backlog()).waiting == 0


async def test_the_person_does_not_wait_for_a_slow_application(start: Start) -> None:
    async def stall(_request: Request, _writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    it = await start(stall)
    await it.sign_out()
    assert "login_required" in str(answer_of(await it.browser.get(request_of(it.application, prompt="none"))))
    await it.delivered()
    assert (await it.deployment.store.backlog()).waiting == 1


@pytest.mark.parametrize(
    ("answer", "kept"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", (0, 1)), (b"HTTP/1.1 503 X\r\n\r\n", (1, 0)), (b"nonsense", (1, 0))],
)
async def test_a_refused_notice_is_final_and_a_failed_one_is_attempted_again(
    start: Start, answer: bytes, kept: tuple[int, int]
) -> None:
    it = await start(answer)
    await it.sign_out()
    await it.delivered()
    await it.backlog_is(*kept)


async def test_each_attempt_has_a_token_of_its_own(start: Start) -> None:
    it = await start(b"HTTP/1.1 503 X\r\n\r\n")
    await it.sign_out()
    await it.outcome_is("503")
    it.deployment.now += 10_000
    first, second = [await it.claims(request) for request in await it.delivered(2)]
    assert first["jti"] != second["jti"]
    assert second["iat"] - first["iat"] == 10
    assert (first["sid"], first["sub"]) == (second["sid"], second["sub"])


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/signed-out",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "https://user@app.example/",
        "https://app.example:22/",
        "http://app.example/",
        "https://app.example/#fragment",
    ],
)
@pytest.mark.settings(calls_out=True, registration=True)
async def test_an_address_that_is_never_called_cannot_be_registered(deployment: Deployment, address: str) -> None:
    """threats E3."""
    reply = await register(deployment, backchannel_logout_uri=address)
    assert (reply.status, reply.json["error"]) == (400, "invalid_client_metadata")


async def test_a_name_that_leads_inside_is_never_called(tmp_path: Path, open_deployment: OpenDeployment) -> None:
    """threats E3: the listener on loopback stays silent, and the trail says why."""
    async with receiver(tmp_path) as found:
        deployment = await open_deployment(calls_out=True, outgoing_ports=str(found.port))
        application = await with_browser_application(deployment, backchannel_logout_uri=found.url("/", "localhost"))
        browser = Browser(deployment)
        await redeem(deployment, answer_of(await authorized(browser, application))["code"])
        async with delivering(deployment):
            page = await browser.get(SIGN_OUT)
            await browser.submit(page)
            file = tmp_path / "audit" / "audit.jsonl"
            await until(lambda: file.exists() and "called_out" in file.read_text(), LIMIT_SECONDS)
        assert '"reason":"address_not_public"' in file.read_text()
        assert found.connections == 0

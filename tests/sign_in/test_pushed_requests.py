"""Pushed authorization requests (RFC 9126)."""

import asyncio
import json
from typing import Any

import pytest

from credence.oauth.authorization.code import code_key, read_code
from tests.deployment import Deployment, OpenDeployment
from tests.nodes_in_turn import ON_THE_MEMORY_STORE
from tests.oauth.proving import Key, Prover
from tests.oauth.standard import error
from tests.sign_in.browsing import (
    CALLBACK,
    Browser,
    answer_of,
    authorized,
    redeem,
    request_of,
    with_browser_application,
)
from tests.sign_in.pushing import PAR, by_reference, parameters_of, push, pushed

URN = "urn:ietf:params:oauth:request_uri:"


async def through_pages(browser: Browser, target: str) -> dict[str, str]:
    """Sign in, allow, and return the answer."""
    page = await browser.sign_in(await browser.get(target))
    return answer_of(page if "refresh" in page.headers else await browser.submit(page, decision="allow"))


async def test_a_pushed_request_is_answered_by_its_reference(deployment: Deployment) -> None:
    """RFC 9126 §2.2, §4."""
    application = await with_browser_application(deployment)
    reply = await push(deployment, parameters_of(application))
    assert (reply.status, reply.headers["cache-control"]) == (201, "no-store")
    assert reply.json["request_uri"].startswith(URN)
    assert 5 <= reply.json["expires_in"] <= 600
    answer = await through_pages(Browser(deployment), by_reference(application, reply.json["request_uri"]))
    assert answer["state"] == "xyz"
    assert (await redeem(deployment, answer["code"])).status == 200


async def test_a_reference_is_short_also_of_a_long_request(deployment: Deployment) -> None:
    """It ends in the logs of proxies. RFC 9126 §2.2: at least 128 random bits, here and in each one anew."""
    application = await with_browser_application(deployment)
    asked = json.dumps({"userinfo": {f"claim_{number}_with_a_long_name": None for number in range(90)}})
    assert 3_000 < len(asked) < 4_096
    uris = []
    for more in ({}, {"claims": asked}):
        reply = await push(deployment, parameters_of(application, **more))
        assert reply.status == 201, reply
        uris.append(reply.json["request_uri"])
    assert max(map(len, uris)) < 100
    assert len({uri[-22:] for uri in uris}) == 2
    answer = await through_pages(Browser(deployment), by_reference(application, uris[1]))
    assert (await redeem(deployment, answer["code"])).status == 200


@ON_THE_MEMORY_STORE
async def test_what_was_pushed_is_not_stored_in_clear(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    assert (await push(deployment, parameters_of(application, login_hint="ada.lovelace"))).status == 201
    kept = deployment.memory.content()
    assert application.client_id.encode() in kept
    assert b"ada.lovelace" not in kept


async def test_the_sign_in_page_names_the_host_of_a_pushed_request(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    page = await Browser(deployment).get(await pushed(deployment, application))
    assert b"app.example.com" in page.body


async def test_what_the_browser_adds_is_not_read(deployment: Deployment) -> None:
    """RFC 9126 §4, RFC 9101 §6.3."""
    application = await with_browser_application(deployment)
    target = await pushed(deployment, application) + "&state=other&scope=credit%3Asearch&prompt=none"
    answer = await through_pages(Browser(deployment), target)
    assert answer["state"] == "xyz"
    assert (await redeem(deployment, answer["code"])).json["scope"] == "openid profile credit:report"


async def test_a_reference_may_be_loaded_again_and_is_answered_once(deployment: Deployment) -> None:
    """RFC 9126 §4, §7.3: the modules par-ensure-server-accepts-reused-request-uri… and par-attempt-reuse-request-uri."""
    application = await with_browser_application(deployment)
    browser, target = Browser(deployment), await pushed(deployment, application)
    for _ in range(2):
        assert (await browser.get(target)).status == 200
    assert (await through_pages(browser, target))["code"]
    again = await browser.get(target)
    assert again.status == 400
    assert "location" not in again.headers


async def test_a_page_that_was_open_cannot_answer_a_request_again(deployment: Deployment) -> None:
    """Also after the reference has expired: the use is remembered for as long as a page may be open."""
    application = await with_browser_application(deployment)
    browser, target = Browser(deployment), await pushed(deployment, application)
    old = await browser.get(target)
    assert (await through_pages(browser, target))["code"]
    deployment.now += 30 * 60_000 - 1_000
    assert (await browser.sign_in(old)).status == 400


async def test_a_page_that_arrived_last_cannot_answer_a_request_again(deployment: Deployment) -> None:
    """The use is remembered until the page of the last possible arrival has expired, and not only that of the first."""
    application = await with_browser_application(deployment, first_party=True)
    browser, target = Browser(deployment), await pushed(deployment, application)
    first = await browser.get(target)
    deployment.now += 299_000
    last = await browser.get(target)
    assert answer_of(await browser.sign_in(first))["code"]
    deployment.now += 3_599_000
    await deployment.store.sweep(deployment.now)
    assert (await browser.sign_in(last)).status == 400


async def test_a_person_may_take_longer_than_the_reference_lives(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    page = await browser.get(await pushed(deployment, application))
    deployment.now += 20 * 60_000
    consent = await browser.sign_in(page)
    assert answer_of(await browser.submit(consent, decision="allow"))["code"]


async def test_a_refusal_is_an_answer_too(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    browser, target = Browser(deployment), await pushed(deployment, application)
    consent = await browser.sign_in(await browser.get(target))
    assert answer_of(await browser.submit(consent, decision="refuse"))["error"] == "access_denied"
    page = await browser.get(target)
    assert (await browser.submit(page, decision="allow")).status == 400


async def test_an_expired_reference_is_a_page(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    target = await pushed(deployment, application)
    deployment.now += 300_000
    reply = await Browser(deployment).get(target)
    assert (reply.status, "location" in reply.headers) == (400, False)


async def test_a_reference_belongs_to_its_client(deployment: Deployment) -> None:
    """RFC 9126 §2.2: the module par-ensure-request-uri-is-bound-to-client."""
    application = await with_browser_application(deployment)
    uri = (await push(deployment, parameters_of(application))).json["request_uri"]
    other = await deployment.another_application()
    foreign = await with_browser_application(other)
    assert (await Browser(deployment).get(by_reference(foreign, uri))).status == 400


@pytest.mark.parametrize("place", [60, 80, -1])
async def test_a_changed_reference_is_refused(deployment: Deployment, place: int) -> None:
    application = await with_browser_application(deployment)
    uri = (await push(deployment, parameters_of(application))).json["request_uri"]
    changed = uri[:place] + ("A" if uri[place] != "A" else "B") + (uri[place + 1 :] if place >= 0 else "")
    assert (await Browser(deployment).get(by_reference(application, changed))).status == 400


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"request_uri": "urn:x"}, (400, "invalid_request")),
        ({"redirect_uri": "https://evil.example/"}, (400, "invalid_request")),
        ({"redirect_uri": None}, (400, "invalid_request")),
        ({"response_type": "code id_token"}, (400, "unsupported_response_type")),
        ({"code_challenge": None}, (400, "invalid_request")),
        ({"code_challenge_method": "plain"}, (400, "invalid_request")),
        ({"scope": "unknown"}, (400, "invalid_scope")),
        ({"resource": "https://elsewhere.example.com"}, (400, "invalid_target")),
        ({"request": "x"}, (400, "invalid_request_object")),
        ({"state": "x" * 2_048, "nonce": "x" * 2_048, "login_hint": "x" * 2_048}, (413, "invalid_request")),
        ({"client_id": "another"}, (401, "invalid_client")),
        ({"client_secret": "wrong"}, (400, "invalid_request")),
    ],
    ids=str,
)
async def test_each_fault_is_known_before_a_browser_is_sent(
    deployment: Deployment, change: dict[str, str | None], said: tuple[int, str]
) -> None:
    """RFC 9126 §2.3."""
    application = await with_browser_application(deployment)
    fields = parameters_of(application) | change
    reply = await push(deployment, {name: value for name, value in fields.items() if value is not None})
    assert error(reply) == said


async def test_the_client_must_be_authenticated(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    assert error(await push(deployment, parameters_of(application), [])) == (401, "invalid_client")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_only_post_is_taken(deployment: Deployment, method: str) -> None:
    """RFC 9126 §2: 405."""
    reply = await deployment.send(method, PAR)
    assert reply.status == 405
    assert "POST" in reply.headers["allow"]


async def test_another_media_type_is_415(deployment: Deployment) -> None:
    reply = await deployment.send("POST", PAR, [deployment.basic, ("Content-Type", "application/json")], b"{}")
    assert reply.status == 415


async def test_other_peoples_data_is_not_screened(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    state = "<script>alert(1)</script>' OR 1=1 --"
    answer = await through_pages(Browser(deployment), await pushed(deployment, application, state=state))
    assert answer["state"] == state


async def test_an_application_may_be_registered_to_push_every_request(deployment: Deployment) -> None:
    """RFC 9126 §6."""
    application = await with_browser_application(deployment, pushed_requests_required=True)
    refused = await Browser(deployment).get(request_of(application))
    assert answer_of(refused)["error"] == "invalid_request"
    assert (await through_pages(Browser(deployment), await pushed(deployment, application)))["code"]


async def test_a_proof_binds_the_code_to_its_key(deployment: Deployment) -> None:
    """RFC 9449 §10.1."""
    application = await with_browser_application(deployment)
    prover = Prover(deployment, Key())
    answer: dict[str, Any] = {}
    for _ in range(2):  # the first proof has no nonce
        proof = ("DPoP", prover.proof("POST", PAR))
        reply = await push(deployment, parameters_of(application), [deployment.basic, proof])
        prover.nonce = reply.headers.get("dpop-nonce", prover.nonce)
    answer = await through_pages(Browser(deployment), by_reference(application, reply.json["request_uri"]))
    fields = {"grant_type": "authorization_code", "code": answer["code"], "redirect_uri": CALLBACK}
    fields["code_verifier"] = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert error(await Prover(deployment, Key()).ask(fields)) == (400, "invalid_grant")
    assert (await prover.ask(fields)).json["token_type"] == "DPoP"
    used = await push(deployment, parameters_of(application), [deployment.basic, proof])
    assert error(used) == (400, "invalid_dpop_proof")
    other = parameters_of(application, dpop_jkt=Key().thumbprint)
    proof = ("DPoP", prover.proof("POST", PAR))
    assert error(await push(deployment, other, [deployment.basic, proof])) == (400, "invalid_request")


async def test_of_two_nodes_one_answers_a_pushed_request(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    """The reference is sealed, so each node reads it; the replay cache is shared."""
    first = await open_deployment(store=migrated_postgres)
    application = await with_browser_application(first)
    async with first.another_node() as other:
        browser = Browser(first)
        await authorized(browser, application)
        target = await pushed(first, application)
        browsers = [Browser(node, dict(browser.cookies)) for node in (first, other) * 3]
        replies = await asyncio.gather(*(each.get(target) for each in browsers))
        assert sorted(reply.status for reply in replies) == [303, *[400] * 5]


async def test_the_reference_reveals_nothing_and_is_no_code(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    uri = (await push(deployment, parameters_of(application, state="visible-state"))).json["request_uri"]
    assert "visible" not in uri
    sealed = uri.removeprefix(URN).replace("_par_", "_cod_")
    assert read_code("sbx", code_key(deployment.service.authority.secrets.refresh), sealed) is None

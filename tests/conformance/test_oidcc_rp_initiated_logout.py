"""OpenID Connect RP-Initiated Logout, plan RP-Initiated Logout OP: each of its eleven modules under its name."""

from tests.deployment import Deployment
from tests.sign_in.browsing import SIGN_OUT, address_of
from tests.sign_in.test_sign_out import AFTER, is_signed_in, sign_out, signed_in


async def test_oidcc_rp_initiated_logout_discovery_endpoint_verification(deployment: Deployment) -> None:
    """§2.1."""
    document = (await deployment.send("GET", "/.well-known/openid-configuration")).json
    assert document["end_session_endpoint"] == f"https://localhost:8443{SIGN_OUT}"


async def test_oidcc_rp_initiated_logout_query_added_to_post_logout_redirect_uri(deployment: Deployment) -> None:
    """§3: the address is compared as a string; a page, no redirect, and the person stays signed in."""
    browser, parameters = await signed_in(deployment)
    reply = await sign_out(browser, {**parameters, "post_logout_redirect_uri": f"{AFTER}?query=added"})
    assert (reply.status, "location" in reply.headers, "refresh" in reply.headers) == (400, False, False)
    assert await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    parameters["state"] = "s" * 128  # as long as the suite's
    reply = await sign_out(browser, parameters)
    assert address_of(reply) == f"{AFTER}?state={parameters['state']}"
    assert not await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_bad_post_logout_redirect_uri(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    for change in ("/other", "/"):
        reply = await sign_out(browser, {**parameters, "post_logout_redirect_uri": AFTER + change})
        assert reply.status == 400
        assert await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_modified_id_token_hint(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    head, payload, signature = parameters["id_token_hint"].split(".")
    reply = await sign_out(browser, {**parameters, "id_token_hint": f"{head}.{payload}.{signature[::-1]}"})
    assert reply.status == 400
    assert await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_bad_id_token_hint(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    assert (await sign_out(browser, {**parameters, "id_token_hint": "bad"})).status == 400
    assert await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_no_id_token_hint(deployment: Deployment) -> None:
    """The request has an address and a state alone: nothing says whose they are, so nobody is sent there."""
    browser, parameters = await signed_in(deployment)
    del parameters["id_token_hint"]
    page = await sign_out(browser, parameters)
    assert not page.headers.keys() & {"location", "refresh"}
    assert AFTER.encode() not in page.body
    assert await is_signed_in(browser)


async def test_the_client_id_stands_in_for_the_hint_after_the_person_agrees(deployment: Deployment) -> None:
    """§2, ASVS 10.6.2."""
    browser, parameters = await signed_in(deployment)
    del parameters["id_token_hint"]
    parameters["client_id"] = deployment.application.client_id
    page = await sign_out(browser, parameters)
    assert await is_signed_in(browser)
    reply = await browser.submit(page)
    assert address_of(reply) == f"{AFTER}?state=s1"
    assert not await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_no_params(deployment: Deployment) -> None:
    browser, _ = await signed_in(deployment)
    page = await browser.get(SIGN_OUT)
    assert b"Sign out?" in page.body
    done = await browser.submit(page)
    assert b"You have signed out" in done.body
    assert not await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_no_post_logout_redirect_uri(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    reply = await sign_out(browser, {"id_token_hint": parameters["id_token_hint"]})
    assert (reply.status, "location" in reply.headers) == (200, False)
    assert b"You have signed out" in reply.body
    assert not await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_no_state(deployment: Deployment) -> None:
    browser, parameters = await signed_in(deployment)
    del parameters["state"]
    assert address_of(await sign_out(browser, parameters)) == AFTER
    assert not await is_signed_in(browser)


async def test_oidcc_rp_initiated_logout_only_state(deployment: Deployment) -> None:
    browser, _ = await signed_in(deployment)
    page = await sign_out(browser, {"state": "s1"})
    done = await browser.submit(page)
    assert "location" not in done.headers
    assert "refresh" not in done.headers

"""The device authorization grant (RFC 8628)."""

import asyncio

import msgspec
import pytest

from tests.deployment import Deployment, OpenDeployment
from tests.deployment import claims as token_claims
from tests.nodes_in_turn import ON_THE_MEMORY_STORE
from tests.oauth.proving import Prover
from tests.oauth.standard import error
from tests.sign_in.browsing import ACCOUNT, SIGN_OUT, Browser, form_of
from tests.sign_in.devices import DEVICE, GRANT, SECOND, ask, decide, enter, poll, refusal_of, with_device_application

WRONG = "BBBB-BBBB"


async def test_a_device_gets_two_codes_and_where_to_enter_one(deployment: Deployment) -> None:
    """§3.2; the letters of §6.1 have no vowels."""
    await with_device_application(deployment)
    reply = await ask(deployment)
    assert (reply.status, reply.headers["cache-control"]) == (200, "no-store")
    page = f"{deployment.service.settings.issuer}/device"
    assert reply.json["verification_uri"] == page
    assert reply.json["verification_uri_complete"] == f"{page}?user_code={reply.json['user_code']}"
    assert (reply.json["expires_in"], reply.json["interval"]) == (600, 5)
    letters = reply.json["user_code"].replace("-", "")
    assert len(letters) == 8
    assert set(letters) <= set("BCDFGHJKLMNPQRSTVWXZ")


async def test_a_device_gets_tokens_once_its_person_has_allowed_it(deployment: Deployment) -> None:
    """§3.4, §3.5."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    assert await refusal_of(deployment, codes["device_code"]) == "authorization_pending"
    page = await decide(Browser(deployment), codes["user_code"])
    assert b"Device connected" in page.body
    tokens = (await poll(deployment, codes["device_code"])).json
    assert tokens["scope"] == "openid profile credit:report"
    assert (await deployment.report(tokens["access_token"])).status == 200
    refreshed = await deployment.refresh(tokens["refresh_token"])
    assert (await deployment.report(refreshed.json["access_token"])).status == 200


async def test_a_person_who_refuses_is_believed(deployment: Deployment) -> None:
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    await decide(Browser(deployment), codes["user_code"], "refuse")
    for _ in range(2):
        assert await refusal_of(deployment, codes["device_code"]) == "access_denied"
    assert await deployment.store.consents_of("ada") == []


async def test_a_device_that_asks_too_often_must_slow_down(deployment: Deployment) -> None:
    """§3.5: five seconds more for this and all later requests."""
    await with_device_application(deployment)
    code = (await ask(deployment)).json["device_code"]

    async def after(seconds: int) -> str:
        deployment.now += seconds * SECOND
        return await refusal_of(deployment, code)

    assert await after(0) == "authorization_pending"
    assert await after(5) == "authorization_pending"
    assert await after(2) == "slow_down"
    assert await after(5) == "slow_down"
    assert await after(15) == "authorization_pending"
    assert await after(10) == "slow_down"


async def test_a_decision_is_answered_however_fast_the_device_asks(deployment: Deployment) -> None:
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    await poll(deployment, codes["device_code"])
    await decide(Browser(deployment), codes["user_code"])
    assert (await poll(deployment, codes["device_code"])).status == 200


async def test_after_ten_minutes_the_codes_are_worth_nothing(deployment: Deployment) -> None:
    await with_device_application(deployment)
    browser, codes = Browser(deployment), (await ask(deployment)).json
    page = await enter(browser, codes["user_code"])
    deployment.now += 600 * SECOND
    refused = await poll(deployment, codes["device_code"])
    assert (refused.json["error"], refused.headers["x-reason"]) == ("expired_token", "device_code.expired")
    assert b"No device is waiting for this code" in (await browser.submit(page, decision="allow")).body
    assert b"No device is waiting for this code" in (await enter(browser, codes["user_code"])).body
    assert await refusal_of(deployment, codes["device_code"]) == "expired_token"


async def test_a_code_is_read_as_people_write_it(deployment: Deployment) -> None:
    """§6.1: case, blanks and dashes do not matter."""
    await with_device_application(deployment)
    code = (await ask(deployment)).json["user_code"]
    for written in (code.lower(), f"  {code.replace('-', ' ')} ", code.replace("-", "")):
        assert b'name="decision"' in (await enter(Browser(deployment), written)).body


async def test_a_device_stays_connected_when_its_person_signs_out_of_the_browser(deployment: Deployment) -> None:
    await with_device_application(deployment)
    browser, codes = Browser(deployment), (await ask(deployment)).json
    await decide(browser, codes["user_code"])
    token = (await poll(deployment, codes["device_code"])).json["access_token"]
    await browser.submit(await browser.get(SIGN_OUT))
    assert (await deployment.report(token)).status == 200


async def test_a_person_sees_the_device_on_the_account_page_and_ends_its_access(deployment: Deployment) -> None:
    await with_device_application(deployment)
    browser, codes = Browser(deployment), (await ask(deployment)).json
    await decide(browser, codes["user_code"])
    token = (await poll(deployment, codes["device_code"])).json["access_token"]
    page = await browser.get(ACCOUNT)
    _, hidden = form_of(page)
    await browser.post(ACCOUNT, {**hidden, "client_id": deployment.application.client_id}.items())
    assert (await deployment.report(token)).status == 401


async def test_tokens_of_a_device_say_how_its_person_signed_in(deployment: Deployment) -> None:
    """OpenID Connect Core §2."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    signed_in_at = deployment.now // 1000
    await decide(Browser(deployment), codes["user_code"])
    deployment.now += 60 * SECOND
    tokens = (await poll(deployment, codes["device_code"])).json
    claims = token_claims(tokens["id_token"])
    assert (claims["auth_time"], claims["amr"], claims["acr"]) == (signed_in_at, ["pwd"], "1")


async def test_a_proof_binds_the_tokens_of_a_device(deployment: Deployment) -> None:
    """RFC 9449 §5."""
    await with_device_application(deployment, dpop_required=True)
    codes = (await ask(deployment)).json
    await decide(Browser(deployment), codes["user_code"])
    assert await refusal_of(deployment, codes["device_code"]) == "invalid_dpop_proof"
    prover = Prover(deployment)
    tokens = await prover.ask({"grant_type": GRANT, "device_code": codes["device_code"]})
    assert tokens.json["token_type"] == "DPoP"
    assert (await prover.report(tokens.json["access_token"])).status == 200


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"scope": "credit:report", "resource": "https://elsewhere.example.com"}, "invalid_target"),
        ({"scope": 'a"b'}, "invalid_scope"),
    ],
)
async def test_what_a_device_may_not_have_is_refused_before_a_person_is_involved(
    deployment: Deployment, more: dict[str, str], expected: str
) -> None:
    await with_device_application(deployment)
    assert error(await ask(deployment, **more)) == (400, expected)


async def test_an_application_without_the_grant_gets_no_codes(deployment: Deployment) -> None:
    await with_device_application(deployment, grants=("refresh_token",))
    assert error(await ask(deployment)) == (400, "unauthorized_client")


async def test_an_application_that_requires_a_second_factor_requires_it_here(deployment: Deployment) -> None:
    await with_device_application(deployment, sign_in="factor")
    codes = (await ask(deployment)).json
    page = await enter(Browser(deployment), codes["user_code"])
    assert b"Set up an authenticator app" in page.body


async def test_over_two_nodes_the_pace_and_the_codes_hold(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    first = await open_deployment(store=migrated_postgres)
    await with_device_application(first)
    async with first.another_node() as other:
        await other.service.authority.revocation_cache.sync()
        codes = (await ask(first)).json
        assert await refusal_of(first, codes["device_code"]) == "authorization_pending"
        assert await refusal_of(other, codes["device_code"]) == "slow_down"
        browser = Browser(first)
        page = await enter(browser, codes["user_code"])
        browser.deployment = other
        await browser.submit(page, decision="allow")
        replies = await asyncio.gather(*(poll(node, codes["device_code"]) for node in (first, other) * 4))
        assert sorted(reply.status for reply in replies) == [200, *[400] * 7]
        (token,) = (reply.json["access_token"] for reply in replies if reply.status == 200)
        for node in (first, other):
            await node.service.authority.revocation_cache.sync()
            assert (await node.report(token)).status == 401


async def test_of_two_people_who_decide_at_once_one_decides(
    open_deployment: OpenDeployment, migrated_postgres: str
) -> None:
    first = await open_deployment(store=migrated_postgres)
    await with_device_application(first)
    async with first.another_node() as other:
        await other.service.authority.revocation_cache.sync()
        codes = (await ask(first)).json
        browsers = [Browser(node) for node in (first, other) * 3]
        pages = [await enter(browser, codes["user_code"]) for browser in browsers]
        done = await asyncio.gather(
            *(browser.submit(page, decision="allow") for browser, page in zip(browsers, pages, strict=True))
        )
        assert sum(b"Device connected" in page.body for page in done) == 1


# What an attacker does


async def test_a_link_from_a_stranger_connects_nothing_by_itself(deployment: Deployment) -> None:
    """§5.4, §3.3.1: the person sends the code, sees who asks and from where, and is warned; also for an own application."""
    application = await with_device_application(deployment, first_party=True)
    codes = (await ask(deployment, "203.0.113.66")).json
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    page = await browser.get(f"{DEVICE}?user_code={codes['user_code']}")
    assert b'name="decision"' not in page.body
    assert codes["user_code"].encode() in page.body
    deployment.now += 130 * SECOND
    consent = await browser.submit(page, user_code=codes["user_code"])
    for text in (
        application.name,
        codes["user_code"],
        "2 minutes ago, from 203.0.113.66",
        "a different network from this browser",
        "read credit reports on companies",
        "If someone sent you this code or a link with it, do not allow it",
    ):
        assert text in consent.body.decode(), text
    assert await refusal_of(deployment, codes["device_code"]) == "authorization_pending"


async def test_the_page_says_that_the_device_is_nearby(deployment: Deployment) -> None:
    await with_device_application(deployment)
    page = await enter(Browser(deployment), (await ask(deployment)).json["user_code"])
    assert "<br>the same network as this browser" in page.body.decode()


@pytest.mark.each_node
async def test_guesses_are_limited_and_do_not_keep_the_owner_from_signing_in(deployment: Deployment) -> None:
    """§5.1, threats A4: five at once from one place, also when they are sent together."""
    await with_device_application(deployment)
    code = (await ask(deployment)).json["user_code"]
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(DEVICE))
    guesses = await asyncio.gather(*(browser.submit(page, user_code=WRONG) for _ in range(12)))
    assert sum(b"No device is waiting for this code" in each.body for each in guesses) == 5
    waits = b"Too many attempts. Try again in 3 minutes."
    assert sum(waits in each.body for each in guesses) == 7
    late = await browser.submit(page, user_code=code)
    assert (late.status, late.headers["retry-after"], waits in late.body) == (429, "180", True)
    elsewhere = Browser(deployment)
    assert b"Your account" in (await elsewhere.sign_in(await elsewhere.get(ACCOUNT))).body
    deployment.now += 181 * SECOND
    assert b'name="decision"' in (await browser.submit(page, user_code=code)).body


async def test_nobody_guesses_without_an_account(deployment: Deployment) -> None:
    await with_device_application(deployment)
    code = (await ask(deployment)).json["user_code"]
    browser = Browser(deployment)
    page = await browser.get(f"{DEVICE}?user_code={code}")
    _, hidden = form_of(page)
    reply = await browser.post(DEVICE, {**hidden, "user_code": code}.items())
    assert b'name="username"' in reply.body


async def test_a_form_from_another_site_or_browser_decides_nothing(deployment: Deployment) -> None:
    """threats E5."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    victim, attacker = Browser(deployment), Browser(deployment)
    await victim.sign_in(await victim.get(ACCOUNT))
    _, hidden = form_of(await enter(attacker, codes["user_code"]))
    reply = await victim.post(DEVICE, {**hidden, "decision": "allow"}.items())
    assert reply.status == 400
    page = await enter(victim, codes["user_code"])
    action, own = form_of(page)
    reply = await victim.post(action, {**own, "decision": "allow"}.items(), ("Sec-Fetch-Site", "cross-site"))
    assert reply.status == 400
    assert await refusal_of(deployment, codes["device_code"]) == "authorization_pending"


async def test_a_decision_needs_the_page_that_shows_who_asks(deployment: Deployment) -> None:
    """The page for the code has no decision in it, whatever a form adds."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(f"{DEVICE}?user_code={codes['user_code']}"))
    await browser.submit(page, user_code=codes["user_code"], decision="allow")
    assert await refusal_of(deployment, codes["device_code"]) == "authorization_pending"


async def test_another_client_gets_nothing_for_the_code_and_disturbs_nobody(deployment: Deployment) -> None:
    """RFC 6749 §5.2; polls of a stranger do not slow the device down."""
    application = await with_device_application(deployment)
    codes = (await ask(deployment)).json
    thief = msgspec.structs.replace(application, client_id="crd_sbx_app_thief", authentication="none", version=1)
    await deployment.store.save_application(thief, deployment.now)
    for _ in range(3):
        reply = await poll(deployment, codes["device_code"], [], client_id=thief.client_id)
        assert error(reply) == (400, "invalid_grant")
    assert await refusal_of(deployment, codes["device_code"]) == "authorization_pending"
    await decide(Browser(deployment), codes["user_code"])
    assert error(await poll(deployment, codes["device_code"], [], client_id=thief.client_id)) == (400, "invalid_grant")
    assert (await poll(deployment, codes["device_code"])).status == 200


async def test_a_code_that_comes_twice_ends_the_tokens_of_the_first(deployment: Deployment) -> None:
    """As for authorization codes (RFC 6749 §4.1.2), also after the code has expired."""
    await with_device_application(deployment)
    for later in (0, 601 * SECOND):
        codes = (await ask(deployment)).json
        await decide(Browser(deployment), codes["user_code"])
        token = (await poll(deployment, codes["device_code"])).json["access_token"]
        deployment.now += later
        assert (await poll(deployment, codes["device_code"])).status == 400
        assert (await deployment.report(token)).status == 401


async def test_a_device_that_was_allowed_before_the_password_changed_gets_nothing(deployment: Deployment) -> None:
    """threats L3."""
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    await decide(Browser(deployment), codes["user_code"])
    deployment.now += 5 * SECOND
    account = await deployment.store.account("ada")
    assert account is not None
    changed = msgspec.structs.replace(account, version=account.version + 1, not_before=deployment.now)
    await deployment.store.save_account(changed, deployment.now)
    assert await refusal_of(deployment, codes["device_code"]) == "invalid_grant"


async def test_a_consent_that_was_withdrawn_before_the_first_token_leaves_none(deployment: Deployment) -> None:
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    await decide(Browser(deployment), codes["user_code"])
    await deployment.store.withdraw_consent("ada", deployment.application.client_id, deployment.now)
    assert await refusal_of(deployment, codes["device_code"]) == "invalid_grant"


@ON_THE_MEMORY_STORE
async def test_the_stored_row_has_neither_of_the_codes(deployment: Deployment) -> None:
    await with_device_application(deployment)
    codes = (await ask(deployment)).json
    texts = ("openid profile", codes["device_code"], codes["user_code"], codes["user_code"].replace("-", ""))
    assert [text.encode() in deployment.memory.content() for text in texts] == [True, False, False, False]

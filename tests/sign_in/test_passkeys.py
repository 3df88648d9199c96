"""Passkeys: added, named, used, required and removed (WebAuthn Level 3)."""

import asyncio
import html
import json

from tests.deployment import Deployment, OpenDeployment, claims
from tests.sign_in.authenticator import (
    ANOTHER,
    ELIGIBLE,
    FACTORS,
    PASSKEY,
    Passkey,
    add,
    form_of_passkey,
    options_of,
    passkeys_on,
    signed_in,
    use,
    with_another_account,
    with_passkey,
)
from tests.sign_in.browsing import (
    ACCOUNT,
    Browser,
    answer_of,
    form_of,
    redeem,
    request_of,
    with_browser_application,
)


async def test_a_person_adds_a_passkey_and_signs_in_with_it_alone(deployment: Deployment) -> None:
    """The tokens say so: acr phr (OpenID EAP ACR Values), amr of RFC 8176."""
    application = await with_browser_application(deployment)
    passkey = await with_passkey(deployment)
    deployment.now += 60_000
    browser = Browser(deployment)
    consent = await use(browser, await browser.get(request_of(application)), passkey)
    code = answer_of(await browser.submit(consent, decision="allow"))["code"]
    said = claims((await redeem(deployment, code)).json["id_token"])
    assert (said["sub"], said["acr"], said["amr"]) == ("ada", "phr", ["hwk", "user", "mfa"])
    assert said["auth_time"] == deployment.now // 1000
    page = (await browser.get(ACCOUNT)).body
    assert b"Telephone" in page
    assert b"not used yet" not in page


async def test_a_passkey_that_may_leave_its_device_is_called_so(deployment: Deployment) -> None:
    passkey = await with_passkey(deployment, Passkey(flags=Passkey().flags | ELIGIBLE))
    assert [each.methods for each in await deployment.store.sessions_of("ada")] == ["pwd swk user mfa"]
    browser = Browser(deployment)
    await use(browser, await browser.get(ACCOUNT), passkey)
    assert "swk user mfa" in {each.methods for each in await deployment.store.sessions_of("ada")}


async def test_the_options_bind_a_passkey_to_this_service_and_let_it_be_found_without_a_name(
    deployment: Deployment,
) -> None:
    """§5.4; the user handle says nothing about the person (§14.6.1), and no device makes two for one account."""
    passkey, browser = Passkey(), await signed_in(deployment)
    await add(browser, passkey)
    _, hidden = form_of(await browser.get(ACCOUNT), FACTORS)
    options = options_of(await browser.post(FACTORS, {**hidden, "act": "add-passkey"}.items()))
    assert options["rp"]["id"] == "localhost"
    assert options["authenticatorSelection"] == {"residentKey": "required", "userVerification": "required"}
    assert [each["alg"] for each in options["pubKeyCredParams"]] == [-7, -8, -257]
    assert options["excludeCredentials"][0]["id"] == json.loads(passkey.signed(options))["id"]
    assert "ada" not in options["user"]["id"]
    asked = options_of(await Browser(deployment).get(ACCOUNT))
    assert (asked["rpId"], asked["allowCredentials"], asked["userVerification"]) == ("localhost", [], "required")
    assert len(asked["challenge"]) == 43


async def test_several_passkeys_are_named_and_removed_one_by_one(deployment: Deployment) -> None:
    strong, first, second = await signed_in(deployment), Passkey(), Passkey()
    await add(strong, first)
    page = await add(strong, second, name="<b>Key & ring</b>\n")
    assert "&lt;b&gt;Key &amp; ring&lt;/b&gt;" in page.body.decode()
    names = passkeys_on(page.body)
    assert len(names) == 2
    _, hidden = form_of(page, FACTORS)
    left = await strong.post(FACTORS, {**hidden, "act": "remove-passkey", "passkey": html.unescape(names[0])}.items())
    assert len(passkeys_on(left.body)) == 1
    kept = {each.id for each in await deployment.store.factors_of("ada")}
    assert kept in ({first.id}, {second.id})


async def test_a_password_alone_does_not_change_the_passkeys_of_an_account(deployment: Deployment) -> None:
    """Who knows the password must not add or remove the stronger way to sign in."""
    await with_passkey(deployment)
    browser = await signed_in(deployment)
    page = await browser.get(ACCOUNT)
    _, hidden = form_of(page, FACTORS)
    for act in ("add-passkey", "remove-passkey", "set-up"):
        fields = {**hidden, "act": act, "passkey": passkeys_on(page.body)[0]}
        reply = await browser.post(FACTORS, fields.items())
        assert b"Use your passkey" in reply.body
    assert len(await deployment.store.factors_of("ada")) == 1


async def test_an_authenticator_that_always_counts_0_is_used_again_and_again(deployment: Deployment) -> None:
    """§6.1.1: synced passkeys have no counter."""
    passkey = await with_passkey(deployment)
    for _ in range(2):
        passkey.counter = -1
        browser = Browser(deployment)
        assert b"Your account" in (await use(browser, await browser.get(ACCOUNT), passkey)).body


async def test_over_two_nodes_one_answer_signs_in_once(open_deployment: OpenDeployment, migrated_postgres: str) -> None:
    first = await open_deployment(store=migrated_postgres)
    passkey = await with_passkey(first)
    async with first.another_node() as other:
        browser = Browser(first)
        page = await browser.get(ACCOUNT)
        _, hidden = form_of_passkey(page)
        fields = {**hidden, "response": passkey.signed(options_of(page))}
        browsers = [Browser(node, dict(browser.cookies)) for node in (first, other) * 3]
        replies = await asyncio.gather(*(each.post(PASSKEY, fields.items()) for each in browsers))
        assert sum(b"Your account" in reply.body for reply in replies) == 1


async def with_policy(deployment: Deployment) -> None:
    deployment.now += 1_000
    await deployment.change_account(sign_in="passkey")


async def test_an_account_that_needs_a_passkey_gets_one_on_the_way_and_then_never_meets_a_password(
    deployment: Deployment,
) -> None:
    application = await with_browser_application(deployment)
    await with_policy(deployment)
    browser, passkey = Browser(deployment), Passkey()
    page = await browser.sign_in(await browser.get(request_of(application)))
    assert b"Your account requires a passkey" in page.body
    consent = await browser.submit(page, response=passkey.created(options_of(page)), name="Telephone")
    assert b'name="decision"' in consent.body
    code = answer_of(await browser.submit(consent, decision="allow"))["code"]
    assert claims((await redeem(deployment, code)).json["id_token"])["acr"] == "phr"
    deployment.now += 1_000
    again = await browser.get(request_of(application, prompt="login"))
    assert b'type="password"' not in again.body
    assert "code" in answer_of(await use(browser, again, passkey))


async def test_the_password_of_such_an_account_opens_nothing(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    passkey = await with_passkey(deployment)
    await with_policy(deployment)
    browser = Browser(deployment)
    page = await browser.sign_in(await browser.get(request_of(application)))
    assert b"Use your passkey" in page.body
    assert "__Host-credence-session" not in browser.cookies
    for target in (ACCOUNT, request_of(application)):
        assert b'name="username"' in (await browser.get(target)).body
    assert answer_of(await browser.get(request_of(application, prompt="none")))["error"] == "login_required"
    assert (await deployment.login()).status == 401
    assert b'name="decision"' in (await use(browser, await browser.get(request_of(application)), passkey)).body


async def test_the_last_passkey_of_such_an_account_is_not_removed(deployment: Deployment) -> None:
    passkey = await with_passkey(deployment)
    await with_policy(deployment)
    browser = Browser(deployment)
    page = await use(browser, await browser.get(ACCOUNT), passkey)
    _, hidden = form_of(page, FACTORS)
    fields = {**hidden, "act": "remove-passkey", "passkey": passkeys_on(page.body)[0]}
    assert b"Your account requires a passkey" in (await browser.post(FACTORS, fields.items())).body
    assert len(await deployment.store.factors_of("ada")) == 1


async def test_an_application_that_wishes_a_passkey_gets_one_from_those_who_have_one(deployment: Deployment) -> None:
    """acr_values (OpenID Connect Core §3.1.2.1): a wish, passed over for the others."""
    application = await with_browser_application(deployment, first_party=True)
    await with_another_account(deployment)
    passkey = await with_passkey(deployment)
    without = Browser(deployment)
    page = await without.sign_in(await without.get(request_of(application, acr_values="phr")), ANOTHER)
    assert "code" in answer_of(page)
    browser = await signed_in(deployment)
    page = await browser.get(request_of(application, acr_values="phr"))
    assert b"Use your passkey" in page.body
    code = answer_of(await use(browser, page, passkey))["code"]
    assert claims((await redeem(deployment, code)).json["id_token"])["acr"] == "phr"

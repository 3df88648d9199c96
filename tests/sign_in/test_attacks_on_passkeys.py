"""What an attacker does with passkeys (WebAuthn Level 3)."""

import pytest

from tests.deployment import Deployment, Reply
from tests.sign_in.authenticator import (
    ANOTHER,
    PASSKEY,
    PRESENT,
    Passkey,
    add,
    form_of_passkey,
    options_of,
    signed_in,
    use,
    with_another_account,
    with_passkey,
)
from tests.sign_in.browsing import (
    ACCOUNT,
    Browser,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import enrolled


async def refused(deployment: Deployment, browser: Browser, page: Reply, reason: str) -> None:
    """Nobody is signed in, the page says so, and the audit trail has the reason."""
    assert b"This passkey was not accepted" in page.body
    assert deployment.service.counts.refusals[reason] >= 1
    assert b"Your account" not in (await browser.get(ACCOUNT)).body


async def test_an_answer_that_was_read_on_the_way_signs_nobody_in_again(deployment: Deployment) -> None:
    passkey = await with_passkey(deployment)
    browser = Browser(deployment)
    page = await browser.get(ACCOUNT)
    _, hidden = form_of_passkey(page)
    fields = {**hidden, "response": passkey.signed(options_of(page))}
    assert b"Your account" in (await browser.post(PASSKEY, fields.items())).body
    thief = Browser(deployment, {name: value for name, value in browser.cookies.items() if "session" not in name})
    await refused(deployment, thief, await thief.post(PASSKEY, fields.items()), "passkey.replayed")


async def test_an_answer_to_the_page_of_another_browser_signs_nobody_in(deployment: Deployment) -> None:
    """The challenge belongs to one page of one browser (threats E5)."""
    passkey = await with_passkey(deployment)
    mine, theirs = Browser(deployment), Browser(deployment)
    options = options_of(await theirs.get(ACCOUNT))
    _, hidden = form_of_passkey(await mine.get(ACCOUNT))
    reply = await mine.post(PASSKEY, {**hidden, "response": passkey.signed(options)}.items())
    await refused(deployment, mine, reply, "passkey.invalid")


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "https://localhost.evil.example"},
        {"origin": "https://localhost:9443"},
        {"origin": "http://localhost:8443"},
        {"rp_id": "evil.example"},
        {"flags": PRESENT},
        {"flags": 0x04},
    ],
    ids=["phishing", "port", "without TLS", "rp id", "person not verified", "person not present"],
)
async def test_what_was_signed_for_another_site_or_without_the_person_is_refused(
    deployment: Deployment, changes: dict[str, object]
) -> None:
    """§7.2 steps 13, 15, 16, 17."""
    passkey = await with_passkey(deployment)
    for name, value in changes.items():
        setattr(passkey, name, value)
    browser = Browser(deployment)
    await refused(deployment, browser, await use(browser, await browser.get(ACCOUNT), passkey), "passkey.invalid")


@pytest.mark.parametrize("changes", [{"origin": "https://evil.example"}, {"rp_id": "evil.example"}, {"flags": PRESENT}])
async def test_a_passkey_that_was_made_for_another_site_or_without_the_person_is_not_added(
    deployment: Deployment, changes: dict[str, object]
) -> None:
    """§7.1."""
    passkey = Passkey()
    for name, value in changes.items():
        setattr(passkey, name, value)
    page = await add(await signed_in(deployment), passkey)
    assert b"The passkey was not added" in page.body
    assert await deployment.store.factors_of("ada") == []


async def test_a_passkey_of_one_account_opens_no_other(deployment: Deployment) -> None:
    """§7.2 step 6: the handle must be that of the passkey's account."""
    await with_another_account(deployment)
    passkey = await with_passkey(deployment)
    others = Passkey()
    await add(await signed_in(deployment, ANOTHER), others)
    browser = Browser(deployment)
    page = await use(browser, await browser.get(ACCOUNT), passkey, userHandle=others.handle)
    await refused(deployment, browser, page, "passkey.other_account")
    passkey.id = others.id  # names bob's passkey and signs with ada's
    passkey.handle = others.handle
    await refused(deployment, browser, await use(browser, await browser.get(ACCOUNT), passkey), "passkey.invalid")


async def test_a_passkey_is_not_added_to_a_second_account(deployment: Deployment) -> None:
    """§7.1 step 26."""
    await with_another_account(deployment)
    passkey = await with_passkey(deployment)
    await add(await signed_in(deployment, ANOTHER), passkey)
    assert await deployment.store.factors_of(ANOTHER) == []


async def test_a_counter_that_goes_back_is_a_copy(deployment: Deployment) -> None:
    """§6.1.1."""
    passkey = await with_passkey(deployment)
    browser = Browser(deployment)
    passkey.counter = 7
    assert b"Your account" in (await use(browser, await browser.get(ACCOUNT), passkey)).body
    for counter in (7, 3, -1):
        passkey.counter = counter
        copy = Browser(deployment)
        await refused(deployment, copy, await use(copy, await copy.get(ACCOUNT), passkey), "passkey.counter")


@pytest.mark.parametrize(
    "response",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"rawId": 7}',
        '{"rawId": "AAAA"}',
        '{"rawId":"AA","response":[]}',
        "\ud800",
        "[" * 2_000,
    ],
)
async def test_an_answer_that_is_none_is_refused_as_a_page(deployment: Deployment, response: str) -> None:
    await with_passkey(deployment)
    browser = Browser(deployment)
    _, hidden = form_of_passkey(await browser.get(ACCOUNT))
    text = response.encode("utf-8", "replace").decode()
    reply = await browser.post(PASSKEY, {**hidden, "response": text}.items())
    await refused(deployment, browser, reply, "passkey.unknown")


@pytest.mark.parametrize("part", ["clientDataJSON", "authenticatorData", "signature"])
async def test_an_answer_with_one_damaged_part_is_refused(deployment: Deployment, part: str) -> None:
    passkey = await with_passkey(deployment)
    for damaged in (b"", b"\xff", b"{}", bytes(37), b"\xa5" * 400):
        browser = Browser(deployment)
        page = await use(browser, await browser.get(ACCOUNT), passkey, **{part: damaged})
        await refused(deployment, browser, page, "passkey.invalid")


async def test_a_removed_passkey_and_a_suspended_account_sign_nobody_in(deployment: Deployment) -> None:
    passkey = await with_passkey(deployment)
    await deployment.set_status("suspended")
    browser = Browser(deployment)
    page = await use(browser, await browser.get(ACCOUNT), passkey)
    assert b"This account cannot sign in" in page.body
    await deployment.set_status("active")
    assert await deployment.store.remove_factors("ada", [passkey.id]) == 1
    await refused(deployment, browser, await use(browser, await browser.get(ACCOUNT), passkey), "passkey.unknown")


async def test_a_second_factor_is_not_asked_after_a_passkey(deployment: Deployment) -> None:
    """A passkey with a verified person is two factors; an application that requires two is content."""
    application = await with_browser_application(deployment, sign_in="factor")
    strong, passkey = Browser(deployment), Passkey()
    await enrolled(strong)
    await add(strong, passkey)
    browser = Browser(deployment)
    page = await use(browser, await browser.get(request_of(application)), passkey)
    assert b'name="decision"' in page.body

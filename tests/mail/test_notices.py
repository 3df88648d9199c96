"""Each change of a password, factor or mail address sends the person a message, whoever makes it (ASVS 6.3.7)."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from credence.identity import accounts
from credence.mail.notices import keep_notices
from credence.store.people import Factor
from tests.deployment import PASSWORD, Deployment, OpenDeployment
from tests.relay import Relay, mailed, running_relay
from tests.sign_in.authenticator import Passkey, add, passkeys_on, signed_in
from tests.sign_in.browsing import ACCOUNT, CHANGE_PASSWORD, Browser, form_of
from tests.sign_in.factors import FACTORS, act, app_of, code_of

Mailing = tuple[Deployment, Relay]


@pytest.fixture
async def mailing(open_deployment: OpenDeployment, tmp_path: Path) -> AsyncIterator[Mailing]:
    async with running_relay() as relay:
        deployment = await open_deployment(tmp_path, mail_relay=relay.url, operator_name="Ledger & Sons")
        await keep_notices(deployment.store)
        yield deployment, relay


async def _password(browser: Browser) -> None:
    typed = {"current": PASSWORD, "password": "four unrelated words", "again": "four unrelated words"}
    await browser.submit(await browser.get(CHANGE_PASSWORD), **typed)


async def _app(browser: Browser) -> None:
    page = await act(browser, "set-up")
    await browser.submit(page, act="confirm", code=code_of(app_of(page), browser.deployment))


async def _no_app(browser: Browser) -> None:
    await act(browser, "remove")


async def _codes(browser: Browser) -> None:
    await act(browser, "renew")


async def _passkey(browser: Browser) -> None:
    await add(browser, Passkey())


async def _no_passkey(browser: Browser) -> None:
    page = await browser.get(ACCOUNT)
    _, hidden = form_of(page, FACTORS)
    await browser.post(FACTORS, {**hidden, "act": "remove-passkey", "passkey": passkeys_on(page.body)[0]}.items())


@pytest.mark.parametrize(
    ("before", "change", "said"),
    [
        ([], _password, ["The password was changed."]),
        ([], _app, ["An authenticator app was added.", "New recovery codes were created."]),
        (
            [_app],
            _app,
            [
                "An authenticator app was added.",
                "An authenticator app was removed.",
                "New recovery codes were created.",
            ],
        ),
        ([_app], _codes, ["New recovery codes were created."]),
        (
            [_app],
            _no_app,
            ["An authenticator app was removed.", "A recovery code was used, or the codes were removed."],
        ),
        ([], _passkey, ["A passkey was added."]),
        ([_passkey], _no_passkey, ["A passkey was removed."]),
    ],
)
async def test_a_change_on_the_account_page_is_one_message(
    mailing: Mailing,
    before: list[Callable[[Browser], Awaitable[None]]],
    change: Callable[[Browser], Awaitable[None]],
    said: list[str],
) -> None:
    deployment, relay = mailing
    browser = await signed_in(deployment)
    for each in before:
        await each(browser)
    await mailed(deployment, relay)
    await change(browser)
    ((to, text),) = await mailed(deployment, relay)
    assert to == "ada@example.com"
    assert [line[2:] for line in text.splitlines() if line.startswith("- ")] == said
    assert await mailed(deployment, relay) == []


async def test_the_message_says_whose_account_it_is_when_and_what_to_do(mailing: Mailing) -> None:
    deployment, relay = mailing
    await _password(await signed_in(deployment))
    ((_, text),) = await mailed(deployment, relay)
    assert relay.subjects == ["Your Ledger & Sons account has been changed"]
    issuer = deployment.service.settings.issuer
    for part in ("ada", "14 November 2023", f"{issuer}/account/forgotten-password", f"{issuer}/account,"):
        assert part in text
    assert "four unrelated words" not in text


async def test_a_used_recovery_code_is_a_message(mailing: Mailing) -> None:
    deployment, relay = mailing
    store, ada = deployment.store, await deployment.store.account("ada")
    assert ada is not None
    codes = [Factor(bytes([number]), "ada", "recovery", "", 1) for number in range(2)]
    await store.change_factors(ada, [], codes)
    await mailed(deployment, relay)
    await store.remove_factors("ada", [codes[0].id])
    ((_, text),) = await mailed(deployment, relay)
    assert "A recovery code was used" in text


async def test_a_new_address_is_said_to_the_old_one_and_to_the_new_one(mailing: Mailing) -> None:
    """Also if an operator changes it; neither message has the other address."""
    deployment, relay = mailing
    await deployment.change_account(email="thief@example.net")
    messages = dict(await mailed(deployment, relay))
    assert messages.keys() == {"ada@example.com", "thief@example.net"}
    assert all("The email address was changed." in text for text in messages.values())
    assert "thief" not in messages["ada@example.com"]
    for text in messages.values():  # a link for a new password would go to the new one
        assert "forgotten-password" not in text
        assert f"contact {deployment.service.settings.support_email} at once" in text


async def test_other_changes_and_people_without_an_address_get_no_message(mailing: Mailing) -> None:
    deployment, relay = mailing
    await deployment.change_account(first_name="Augusta", console_role="reader")
    await deployment.set_status("suspended")
    assert await mailed(deployment, relay) == []
    await deployment.change_account(email=None)
    assert [to for to, _ in await mailed(deployment, relay)] == ["ada@example.com"]
    ada = await deployment.store.account("ada")
    assert ada is not None
    await deployment.store.save_account(accounts.with_password(ada, ada.password_hash, deployment.now), deployment.now)
    assert await mailed(deployment, relay) == []


async def test_a_message_waits_for_the_relay_and_has_nothing_in_clear_meanwhile(mailing: Mailing) -> None:
    deployment, relay = mailing
    relay.refuses = True
    await _password(await signed_in(deployment))
    assert await mailed(deployment, relay) == []
    (waiting,) = await deployment.store.claim_deliveries(deployment.now + 5_000, deployment.now + 5_001, 9, 9)
    stored = repr(msgspec.structs.astuple(waiting))
    assert "example.com" not in stored
    assert "password" not in stored
    relay.refuses = False
    deployment.now += 10_000
    assert len(await mailed(deployment, relay)) == 1


async def test_without_a_relay_nothing_is_written(deployment: Deployment) -> None:
    await _password(await signed_in(deployment))
    assert await deployment.store.signals(10) == []

"""Passkeys in a real Chromium with its virtual authenticator (DevTools protocol, domain WebAuthn), and axe-core."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.accessibility.axe import complaints, needs_axe
from tests.browser import browsing, needs_chromium
from tests.deployment import PASSWORD
from tests.running import RunningServer

pytestmark = [needs_chromium, needs_axe]

WITHOUT_PROPOSALS = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
"""A browser that proposes no passkey with the name field, so that the page waits for the button."""


def with_authenticator(page: Page) -> None:
    """Give the browser a device whose person answers at once."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": device})


def new_account(sandbox: RunningServer, name: str, *policy: str) -> None:
    sandbox.command("account", "create", name, "--type", "user", "--password-stdin", stdin=PASSWORD)
    for each in policy:
        sandbox.command("account", "sign-in", name, each)


def sign_in_by_password(page: Page, name: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_a_person_adds_a_passkey_and_signs_in_with_it(sandbox: RunningServer) -> None:
    new_account(sandbox, "passkeys")
    said: list[str] = []
    with browsing() as context:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{sandbox.base_url}/account")
        sign_in_by_password(page, "passkeys")
        page.get_by_role("button", name="Add a passkey").click()
        page.get_by_role("button", name="Create passkey").wait_for()
        found = complaints(page)
        with_authenticator(page)
        page.get_by_label("Passkey name").fill("Work laptop")
        page.get_by_role("button", name="Create passkey").click()
        page.get_by_text("Work laptop").wait_for()
        found += complaints(page)
        context.clear_cookies()
        page.goto(
            f"{sandbox.base_url}/account"
        )  # the browser proposes the passkey with the name field, and it is taken
        page.get_by_role("heading", name="Your account").wait_for()
        context.clear_cookies()
        page.add_init_script(WITHOUT_PROPOSALS)
        page.goto(f"{sandbox.base_url}/account")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.get_by_role("heading", name="Your account").wait_for()
        page.get_by_text("Work laptop").wait_for()
    assert [text for text in said if "Content Security Policy" in text] == []
    assert found == []


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, {"viewport": {"width": 320, "height": 700}}])
def test_an_account_that_needs_a_passkey_sets_one_up_on_the_way(
    sandbox: RunningServer, options: dict[str, Any]
) -> None:
    name = f"needs-{next(iter(options))}".replace("_", "-")
    new_account(sandbox, name, "passkey")
    with browsing(**options) as context:
        page = context.new_page()
        page.add_init_script(WITHOUT_PROPOSALS)
        with_authenticator(page)
        page.goto(f"{sandbox.base_url}/account")
        sign_in_by_password(page, name)
        page.get_by_text("Your account requires a passkey").wait_for()
        found = complaints(page)
        page.get_by_role("button", name="Create passkey").click()
        page.get_by_role("heading", name="Your account").wait_for()
        context.clear_cookies()
        page.goto(f"{sandbox.base_url}/account")
        found += complaints(page)
        sign_in_by_password(page, name)
        page.get_by_role("heading", name="Use your passkey").wait_for()
        found += complaints(page)
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.get_by_role("heading", name="Your account").wait_for()
    assert found == []

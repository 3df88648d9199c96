"""What the script of every screen adds: buttons that copy, a log that is followed, and a form that is not sent twice."""

import re
from pathlib import Path

from tests.browser import browsing, needs_chromium, sign_in_by_keyboard
from tests.ports import free_port
from tests.running import start

pytestmark = needs_chromium


def test_a_secret_is_copied_a_log_is_followed_and_reloading_sends_no_form_again(tmp_path: Path) -> None:
    server = start(tmp_path / "data", tmp_path / "output.txt", CREDENCE_DEVELOPER_DOMAINS="example.com")
    try:
        with browsing() as context:
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            page = context.new_page()
            complaints: list[str] = []
            page.on("console", lambda message: complaints.append(message.text))
            page.goto(f"{server.base_url}/developers/new")
            sign_in_by_keyboard(page, server.username, server.password)
            page.get_by_label("Name", exact=True).fill("Ledger")
            page.keyboard.press("Enter")
            secret = page.locator(".secret").inner_text()
            client = re.findall(r"crd_sbx_app_[a-z2-7]+", page.inner_text("main"))[0]
            page.locator(".done").get_by_role("button", name="Copy").click()
            page.get_by_role("button", name="Copied").wait_for()
            assert page.evaluate("navigator.clipboard.readText()") == secret
            page.reload()
            assert page.locator(".secret").count() == 0
            page.goto(f"{server.base_url}/developers")
            assert page.get_by_role("link", name="Ledger").count() == 1
            page.goto(f"{server.base_url}/developers/log")
            follow = page.get_by_role("button", name="Follow live")
            follow.click()
            assert follow.get_attribute("aria-pressed") == "true"
            server.client.post("/oauth2/v1/token", data={"grant_type": "client_credentials"}, auth=(client, secret))
            page.get_by_text("POST /oauth2/v1/token").first.wait_for()
            assert (
                page.locator("tr.group")
                .first.inner_text()
                .startswith(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
            )
            assert complaints == []
    finally:
        server.stop()


def test_a_form_of_a_lost_session_leads_to_the_sign_in_at_another_address(tmp_path: Path) -> None:
    """Content Security Policy Level 3 §6.4.1: `form-action` also restricts where the answer to a form leads."""
    port = free_port()
    server = start(tmp_path / "data", tmp_path / "output.txt", CREDENCE_MANAGE_PORT=str(port))
    try:
        with browsing() as context:
            page = context.new_page()
            page.goto(f"https://localhost:{port}/console/accounts/demo")
            sign_in_by_keyboard(page, "operator", server.password)
            page.get_by_label("Last name").fill("Lovelace")
            context.clear_cookies()
            page.get_by_role("button", name="Change email address and names").click()
            sign_in_by_keyboard(page, "operator", server.password)
            page.get_by_role("heading", name="demo", level=1).wait_for()
            assert page.url == f"https://localhost:{port}/console/accounts/demo"
    finally:
        server.stop()

"""The pages for people with the operator's own colours and logo, in a real Chromium."""

from pathlib import Path

from tests.accessibility.axe import complaints
from tests.accessibility.test_sign_in_pages import Application
from tests.accessibility.test_sign_in_pages import pytestmark as pytestmark
from tests.browser import browsing
from tests.conftest import StartServer
from tests.sign_in.test_logo import PNG


def test_the_colours_and_the_logo_of_the_operator_can_be_used_by_everyone(
    tmp_path: Path, start_server: StartServer
) -> None:
    """The colours are nearly as weak as the settings let them be (4.6 and 4.8 to 1), on every kind of element."""
    logo = tmp_path / "logo.png"
    logo.write_bytes(PNG)
    server = start_server(
        CREDENCE_ACCENT_COLOUR="#6f7377",
        CREDENCE_ACCENT_COLOUR_DARK="#868b8f",
        CREDENCE_LOGO_FILE=str(logo),
        CREDENCE_OPERATOR_NAME="Ledger & Sons",
    )
    application = Application(server)
    found: dict[str, list[str]] = {}
    try:
        for scheme in ("light", "dark"):
            with browsing(color_scheme=scheme) as context:
                page = context.new_page()
                page.goto(application.request(prompt="consent"))
                picture = page.get_by_role("img", name="Ledger & Sons")
                picture.wait_for()
                assert picture.evaluate("each => each.complete && each.naturalWidth > 0"), "the policy forbids the logo"
                found[f"{scheme} sign-in"] = complaints(page)
                page.get_by_label("Username").fill(server.username)
                page.get_by_role("button", name="Continue").click()
                page.get_by_label("Password").fill(server.password)
                page.get_by_role("button", name="Sign in", exact=True).click()
                page.get_by_role("heading", name="Allow Ledger?").wait_for()
                assert page.get_by_role("link").count() == 2
                found[f"{scheme} consent"] = complaints(page)
                page.goto(f"{server.base_url}/account")
                found[f"{scheme} account"] = complaints(page)
    finally:
        application.server.shutdown()
        application.server.server_close()
    assert {name: lines for name, lines in found.items() if lines} == {}

"""The pages of `docs/clients/` show lines that ran: every function of a file that the tests run, word for word."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "appauth.md": "node/appauth.mjs",
    "authlib.md": "client_with_authlib.py",
    "devices.md": "device.py",
    "flask.md": "flask_application.py",
    "requests-oauthlib.md": "client_with_requests_oauthlib.py",
    "openid-client.md": "node/openid_client.mjs",
    "single-page.md": "node/single_page.js",
}
OF_SETTINGS = {"ordinary-programs.md"}
"""Pages without code: they say how programs are set that people install."""


@pytest.mark.parametrize("page", PAGES)
def test_every_line_on_the_page_is_one_that_the_tests_run(page: str) -> None:
    shown = (ROOT / "docs" / "clients" / page).read_text(encoding="utf-8")
    run = (ROOT / "tests" / "strangers" / PAGES[page]).read_text(encoding="utf-8")
    programs = re.findall(r"```(?:python|javascript)\n(.+?)```", shown, re.DOTALL)
    assert programs
    for program in programs:
        assert program in run
    functions = set(re.findall(r"^(?:def|export function|export async function) (\w+)", run, re.MULTILINE))
    assert functions <= set(re.findall(r"^(?:def|export function|export async function) (\w+)", shown, re.MULTILINE))


def test_every_page_is_in_the_index() -> None:
    folder = ROOT / "docs" / "clients"
    index = (folder / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in folder.glob("*.md")} - {"README.md"}
    assert pages == set(PAGES) | OF_SETTINGS
    assert all(f"({page})" in index for page in pages)

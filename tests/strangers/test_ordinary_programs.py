"""Ordinary programs, built from their packages, sign a person in at their defaults or with their switch (D35 to D37).

`docs/clients/ordinary-programs.md` is about them; `test_requests_of_ordinary_programs.py` sends their requests in every run.
"""

import re
from pathlib import Path

import pytest

from tests.strangers.ordinary_programs import PROGRAMS, browser_of, marks, signed_in, started
from tests.strangers.provider import Provider

VOUCHED = ("--insecure-oidc-allow-unverified-email",)
S256 = ("--code-challenge-method=S256", *VOUCHED)


def of(name: str, *rest: object) -> object:
    return pytest.param(name, *rest, marks=marks(name), id=" ".join((name, *map(str, rest))))


@pytest.mark.parametrize(
    ("name", "switch", "program_options", "options"),
    [
        of("Spring Boot", "", (), ()),
        of("go-oidc", "", (), ()),
        of("openidconnect of Rust", "", (), ()),
        of("mozilla-django-oidc", "", (), ()),
        of("mozilla-django-oidc", "on", (), ("--pkce", "required")),
        of("oauth2-proxy", "", S256, ()),
        of("oauth2-proxy", "", VOUCHED, ("--pkce", "off")),
        of("django-allauth", "on", (), ()),
        of("django-allauth", "", (), ("--pkce", "off")),
        of("Auth.js", "", (), ()),
        of("passport-openidconnect", "nonce", (), ()),
        of("passport-openidconnect", "", (), ("--pkce", "off")),
    ],
)
def test_a_person_signs_in(
    provider: Provider,
    tmp_path: Path,
    name: str,
    switch: str,
    program_options: tuple[str, ...],
    options: tuple[str, ...],
) -> None:
    """The programs of Go and Rust also refresh before they answer."""
    with (
        started(name, provider, tmp_path, *options, switch=switch, program_options=program_options) as address,
        browser_of(provider) as browser,
    ):
        page = signed_in(provider, browser, address, PROGRAMS[name])
        assert PROGRAMS[name].shows in page.text, page.text[:2_000]


@pytest.mark.parametrize(
    ("name", "program_options"),
    [of("oauth2-proxy", VOUCHED), of("django-allauth", ()), of("passport-openidconnect", ())],
)
def test_a_program_that_sends_neither_pkce_nor_a_nonce_gets_the_reason(
    provider: Provider, tmp_path: Path, name: str, program_options: tuple[str, ...]
) -> None:
    """D35: `invalid_request`, with both ways out in words."""
    with started(name, provider, tmp_path, program_options=program_options) as address, browser_of(provider) as browser:
        page = signed_in(provider, browser, address, PROGRAMS[name])
        assert page.url.params["error"] == "invalid_request"
        assert {"PKCE:", "nonce"} <= set(page.url.params["error_description"].split())


@pytest.mark.parametrize("name", [of("Auth.js"), of("passport-openidconnect")])
def test_a_program_that_reads_the_id_token_alone_knows_the_person_if_the_claims_are_in_it(
    provider: Provider, tmp_path: Path, name: str
) -> None:
    """D37."""
    for options, known in (((), False), (("--claims-in-id-token",), True)):
        with (
            started(name, provider, tmp_path, *options, switch="nonce") as address,
            browser_of(provider) as browser,
        ):
            page = signed_in(provider, browser, address, PROGRAMS[name])
            assert ("ada.demo@example.com" in page.text) is known


@pytest.mark.parametrize("name", [of("Auth.js")])
def test_auth_js_gets_claims_that_it_requests(provider: Provider, tmp_path: Path, name: str) -> None:
    """OpenID Connect Core §5.5."""
    with started(name, provider, tmp_path, switch="claims") as address, browser_of(provider) as browser:
        assert "ada.demo@example.com" in signed_in(provider, browser, address, PROGRAMS[name]).text


@pytest.mark.parametrize("name", [of("Spring Boot")])
@pytest.mark.parametrize(
    ("options", "verifier", "status"),
    [((), (), 401), (("--access-token-type", "JWT"), (), 200), ((), ("-Dverify.at-jwt=on",), 200)],
    ids=["at+jwt at its defaults", "JWT at its defaults", "at+jwt with its validator"],
)
def test_the_resource_server_of_spring(
    provider: Provider, tmp_path: Path, name: str, options: tuple[str, ...], verifier: tuple[str, ...], status: int
) -> None:
    """D36, RFC 9068 §4; and the person signs out of both (RP-Initiated Logout)."""
    with (
        started(name, provider, tmp_path, *options, program_options=verifier) as address,
        browser_of(provider) as browser,
    ):
        signed_in(provider, browser, address, PROGRAMS[name])
        token = browser.get(f"{address}/token").text
        assert browser.get(f"{address}/api", headers={"Authorization": f"Bearer {token}"}).status_code == status
        form = browser.get(f"{address}/logout").text
        (csrf,) = re.findall(r'name="_csrf"[^>]*value="([^"]*)"', form)
        goodbye = browser.post(f"{address}/logout", data={"_csrf": csrf})
        assert (goodbye.url.path, goodbye.text) == ("/goodbye", "Signed out")
        assert 'name="username"' in browser.get(address).text

"""How operators come in and go: the code flow with PKCE, a strict cookie, and forms of their own session (D27, D28)."""

from urllib.parse import parse_qs, quote, urlsplit

from credence.management.site_applications import CONSOLE
from tests.console.conftest import Console, text_of
from tests.sign_in.browsing import address_of, request_of, with_browser_application

COOKIE = "__Host-credence-console"


async def code_of(console: Console, username: str) -> str:
    """Return the address at which a new code comes back."""
    page = await console.browser.get("/console/sign-in")
    page = await console.follow(address_of(page))
    if b'name="username"' in page.body:
        page = await console.people.sign_in(page, username)
    return address_of(page)


async def test_an_operator_comes_back_to_the_screen_that_was_asked_for(console: Console) -> None:
    await console.operator("operator")
    page = await console.come("/console/settings?q=manage", "of-operator")
    assert page.status == 200
    assert "CREDENCE_MANAGE_PORT" in text_of(page)
    assert "CREDENCE_WORKERS" not in text_of(page)


async def test_a_screen_says_when_the_session_ends_and_soon_before_how_to_go_on(console: Console) -> None:
    """WCAG 2.2.1. The session began at 22:13:20; unused it ends after half an hour, and after twelve hours in any case."""
    operator = await console.operator("operator")
    text = text_of(await operator.browser.get("/console/keys"))
    assert "ends at 22:43 UTC if unused, at 10:13 UTC on 15 November 2023 at the latest" in text
    assert "Sign in again now" not in text
    session = next(iter(await console.main.store.sessions_of("of-operator")))
    for minutes in range(15, 12 * 60 - 10, 15):
        console.move(session.signed_in_at + minutes * 60_000)
        page = await operator.browser.get("/console/keys")
    assert "Sign in again now" in text_of(page)
    assert 'href="/console/sign-in?to=%2Fconsole%2Fkeys&amp;again=1"' in page.body.decode()


async def test_the_cookie_is_of_this_host_alone_and_comes_with_no_request_of_another_site(console: Console) -> None:
    """RFC 6265bis §4.1.3.2, D28."""
    await console.main.change_account("ada", console_role="reader")
    page = await console.follow(await code_of(console, "ada"))
    (cookie,) = [each for each in page.cookies if each.startswith(COOKIE)]
    assert cookie.partition("; ")[2] == "Path=/; Secure; HttpOnly; SameSite=Strict"


async def test_the_request_has_a_challenge_and_the_code_works_once_and_in_this_browser(console: Console) -> None:
    """RFC 7636, RFC 9700 §4.5: a code that leaks is worth nothing elsewhere, and nothing a second time."""
    request = urlsplit(address_of(await console.browser.get("/console/sign-in")))
    assert parse_qs(request.query)["code_challenge_method"] == ["S256"]
    address = await code_of(console, "ada")
    elsewhere = Console(console.main, console.apart)
    assert (await elsewhere.follow(address)).status == 400
    assert (await console.follow(address)).status == 200
    assert (await console.follow(address)).status == 403


async def test_a_code_of_another_sign_in_is_not_taken(console: Console) -> None:
    """The code and the state belong together: the verifier follows from the state."""
    first, second = await code_of(console, "ada"), await code_of(console, "ada")
    code = parse_qs(urlsplit(first).query)["code"][0]
    state = parse_qs(urlsplit(second).query)["state"][0]
    assert (await console.browser.get(f"/console/signed-in?code={quote(code)}&state={quote(state)}")).status == 403


async def test_a_code_of_another_application_is_not_taken(console: Console) -> None:
    application = await with_browser_application(console.main, first_party=True)
    page = await console.people.get(request_of(application))
    answer = await console.people.sign_in(page)
    code = parse_qs(urlsplit(address_of(answer)).query)["code"][0]
    state = parse_qs(urlsplit(await code_of(console, "ada")).query)["state"][0]
    assert (await console.browser.get(f"/console/signed-in?code={quote(code)}&state={quote(state)}")).status == 403


async def test_no_other_place_is_led_to_after_the_sign_in(console: Console) -> None:
    for target in ("https://evil.example/", "//evil.example", "/console\\@evil.example", "/consoleevil", "/console/\n"):
        page = await console.come(f"/console/sign-in?to={quote(target)}", "ada")
        assert page.status == 403  # the overview, for an account without a role
        assert "of-" not in text_of(page)


async def test_a_cookie_of_the_service_is_no_cookie_of_the_console(console: Console) -> None:
    """D28: the console has sessions of its own."""
    await console.main.change_account("ada", console_role="owner")
    page = await console.people.get("/account")
    await console.people.sign_in(page)
    console.cookies[COOKIE] = console.cookies["__Host-credence-session"]
    assert (await console.browser.get("/console")).status == 303


async def test_a_session_ends_by_password_by_idleness_and_by_the_button(console: Console) -> None:
    operator = await console.operator("reader")
    assert (await operator.browser.get("/console")).status == 200
    page = await operator.do("/console", "", ("Sec-Fetch-Site", "same-origin"))
    assert page.status in (400, 405)
    token = (await operator.browser.get("/console")).body.decode().split('name="token" value="')[1].split('"')[0]
    out = await operator.browser.post("/console/sign-out", [("token", token)])
    assert "signed out" in text_of(out)
    assert (await operator.browser.get("/console")).status == 303
    await operator.come("/console", "of-reader")
    console.move(console.main.now + 31 * 60_000)
    assert (await operator.browser.get("/console")).status == 303


async def test_a_form_of_another_site_or_another_session_does_nothing(console: Console) -> None:
    """threats E5."""
    operator, other = await console.operator("owner"), await console.operator("owner", "of-owner")
    path = f"/console/applications/{console.main.application.client_id}"
    foreign = (await other.browser.get(path)).body.decode().split('name="token" value="')[1].split('"')[0]
    assert (await operator.send(path, [("act", "disable")])).status == 400
    assert (await operator.send(path, [("act", "disable"), ("token", foreign)])).status == 400
    assert (await operator.do(path, "app-disable", ("Sec-Fetch-Site", "cross-site"))).status == 400
    kept = await console.main.store.application(console.main.application.client_id)
    assert kept is not None
    assert not kept.disabled


async def test_the_console_is_registered_once_and_gets_no_further_scope(console: Console) -> None:
    found = await console.main.store.application(CONSOLE.client_id(console.main.service.settings))
    assert found is not None
    assert (found.scopes, found.grants, found.authentication) == (("openid",), ("authorization_code",), "none")
    assert found.redirect_uris == ("https://localhost:8444/console/signed-in",)

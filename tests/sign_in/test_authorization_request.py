"""What an authorization request may say, and how each fault is answered (RFC 6749 §4.1.2.1)."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.deployment import Deployment
from tests.sign_in.browsing import (
    AUTHORIZE,
    CALLBACK,
    Browser,
    answer_of,
    authorized,
    form_of,
    request_of,
    with_browser_application,
)

LONG = "x" * 2_049


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"client_id": None}, "client_id"),
        ({"client_id": "crd_sbx_app_unknown"}, "client_unknown"),
        ({"redirect_uri": None}, "redirect_uri_missing"),
        ({"redirect_uri": "https://app.example.com/callback/"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com/callback?more=1"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com/callback#x"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com@evil.example/callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com.evil.example/callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com/%2e%2e/callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://APP.example.com/callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "http://app.example.com/callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com:443/callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "https://app.example.com/Callback"}, "redirect_uri_unknown"),
        ({"redirect_uri": "javascript:alert(1)"}, "redirect_uri_unknown"),
        ({"redirect_uri": "//evil.example"}, "redirect_uri_unknown"),
        ({"redirect_uri": "http://localhost:9/callback"}, "redirect_uri_unknown"),
    ],
    ids=str,
)
async def test_a_fault_in_client_or_redirect_uri_is_a_page_and_never_a_redirect(
    deployment: Deployment, change: dict[str, str | None], reason: str
) -> None:
    application = await with_browser_application(deployment)
    reply = await Browser(deployment).get(request_of(application, **change))
    assert reply.status == 400
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "location" not in reply.headers
    assert "refresh" not in reply.headers
    assert reply.headers["x-request-id"].encode() in reply.body
    assert reply.headers["x-reason"] == f"authorization.{reason}"


async def test_the_page_of_a_sandbox_names_the_redirect_uri_and_those_that_are_registered(
    deployment: Deployment,
) -> None:
    application = await with_browser_application(deployment)
    wrong = "https://app.example.com/<b>callback"
    text = (await Browser(deployment).get(request_of(application, redirect_uri=wrong))).body.decode()
    assert "https://app.example.com/&lt;b&gt;callback is not registered for Ledger." in text
    assert f"Registered: {application.redirect_uris[0]}." in text


@pytest.mark.settings(environment="production")
async def test_the_page_names_no_redirect_uri_outside_a_sandbox(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    text = (
        await Browser(deployment).get(request_of(application, redirect_uri="https://app.example.com/x"))
    ).body.decode()
    assert "app.example.com" not in text


@pytest.mark.parametrize(
    ("change", "error", "reason"),
    [
        ({"response_type": None}, "invalid_request", "authorization.response_type_missing"),
        ({"response_type": "token"}, "unsupported_response_type", "authorization.response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type", "authorization.response_type"),
        ({"response_mode": "fragment"}, "invalid_request", "authorization.response_mode"),
        ({"scope": 'credit:report "quoted"'}, "invalid_scope", "scope.malformed"),
        ({"scope": "unknown"}, "invalid_scope", "scope.unknown"),
        ({"code_challenge": None}, "invalid_request", "authorization.challenge_missing"),
        ({"code_challenge_method": "plain"}, "invalid_request", "authorization.challenge_method"),
        ({"code_challenge_method": None}, "invalid_request", "authorization.challenge_method"),
        ({"code_challenge": "short"}, "invalid_request", "authorization.challenge"),
        ({"prompt": "none login"}, "invalid_request", "authorization.prompt"),
        ({"prompt": "create"}, "invalid_request", "authorization.prompt"),
        ({"prompt": "none"}, "login_required", "authorization.login_required"),
        ({"max_age": "-1"}, "invalid_request", "authorization.max_age"),
        ({"max_age": "soon"}, "invalid_request", "authorization.max_age"),
        ({"resource": "https://elsewhere.example.com"}, "invalid_target", "resource.not_allowed"),
        ({"request": "eyJ"}, "invalid_request_object", "request_object.malformed"),
        ({"request_uri": "https://app.example.com/r"}, "request_uri_not_supported", "authorization.request_uri"),
        ({"nonce": LONG}, "invalid_request", "authorization.too_long"),
        ({"dpop_jkt": "x"}, "invalid_request", "authorization.dpop_jkt"),
        ({"claims": "{"}, "invalid_request", "authorization.claims"),
        ({"registration": "{}"}, "registration_not_supported", "authorization.registration"),
    ],
    ids=str,
)
async def test_every_other_fault_goes_to_the_redirect_uri_with_state_and_issuer(
    deployment: Deployment, change: dict[str, str | None], error: str, reason: str
) -> None:
    """RFC 6749 §4.1.2.1, RFC 9207 §2."""
    application = await with_browser_application(deployment)
    reply = await Browser(deployment).get(request_of(application, **change))
    assert reply.status == 303
    assert reply.headers["location"].startswith(f"{CALLBACK}?")
    answer = answer_of(reply)
    assert (answer["error"], answer["state"], answer["iss"]) == (error, "xyz", "https://localhost:8443")
    assert deployment.service.counts.refusals[reason] == 1
    assert not set(answer["error_description"]) & set('\r\n\t"\\')


async def test_a_parameter_that_occurs_twice_is_refused(deployment: Deployment) -> None:
    """RFC 6749 §3.1. Twice the client or the redirect URI is a page, since neither can be trusted."""
    application = await with_browser_application(deployment)
    reply = await Browser(deployment).get(request_of(application) + "&scope=openid")
    assert answer_of(reply)["error"] == "invalid_request"
    assert deployment.service.counts.refusals["authorization.repeated"] == 1
    for name, reason in (("client_id", "client_id"), ("redirect_uri", "redirect_uri_missing")):
        value = dict(parse_qsl(urlsplit(request_of(application)).query))[name]
        for second in (value, ""):
            twice = await Browser(deployment).get(f"{request_of(application)}&{urlencode({name: second})}")
            assert (twice.status, twice.headers["x-reason"]) == (400, f"authorization.{reason}")


async def test_the_name_of_a_repeated_parameter_puts_no_line_feed_into_the_answer(deployment: Deployment) -> None:
    """RFC 6749 §4.1.2.1, RFC 9700 §4.12: the name is the caller's, and the description has its own characters only."""
    application = await with_browser_application(deployment)
    strange = urlencode([('a\r\nSet-Cookie: b\t"\\', "1"), ('a\r\nSet-Cookie: b\t"\\', "2")])
    answer = answer_of(await Browser(deployment).get(f"{request_of(application)}&{strange}"))
    assert answer["error"] == "invalid_request"
    assert not set(answer["error_description"]) & set('\r\n\t"\\')


async def test_unknown_and_empty_parameters_are_ignored(deployment: Deployment) -> None:
    """RFC 6749 §3.1; the module oidcc-ensure-request-with-unknown-parameter-succeeds."""
    application = await with_browser_application(deployment)
    target = request_of(application, extra="foobar", display="popup", ui_locales="se", claims_locales="se")
    assert (await Browser(deployment).get(f"{target}&prompt=&max_age=")).status == 200


async def test_a_post_is_answered_like_a_get(deployment: Deployment) -> None:
    """OpenID Connect Core §3.1.2.1; a browser sends its cookie with the redirect, not with the foreign form."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    await authorized(browser, application)
    fields = parse_qsl(urlsplit(request_of(application)).query)
    moved = await browser.post(AUTHORIZE, fields, follow=False)
    assert moved.status == 303
    assert "code" in answer_of(await browser.get(moved.headers["location"]))


async def test_other_peoples_data_is_not_screened_for_attacks(deployment: Deployment) -> None:
    """`state` and `nonce` may be any text, also one that looks like an attack."""
    application = await with_browser_application(deployment)
    state = "<script>alert(1)</script>' OR 1=1 --"
    page = await authorized(Browser(deployment), application, state=state, nonce="../../etc/passwd")
    assert answer_of(page)["state"] == state


async def test_the_query_of_a_redirect_uri_stays(deployment: Deployment) -> None:
    """RFC 6749 §3.1.2; the module oidcc-redirect-uri-query-OK."""
    uri = f"{CALLBACK}?dummy1=lorem&dummy2=ipsum"
    application = await with_browser_application(deployment, redirect_uris=(uri,))
    answer = answer_of(await authorized(Browser(deployment), application, redirect_uri=uri))
    assert (answer["dummy1"], answer["dummy2"]) == ("lorem", "ipsum")
    assert answer["code"]


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
async def test_a_native_application_may_use_any_loopback_port(deployment: Deployment, host: str) -> None:
    """RFC 8252 §7.3. Only the port is free."""
    registered = f"http://{host}/done"
    application = await with_browser_application(deployment, redirect_uris=(registered,), application_type="native")
    for uri, status in (
        (f"http://{host}:49152/done", 200),
        (f"http://{host}:1/done", 200),
        (f"http://{host}:49152/other", 400),
        (f"http://{host}:49152/done?x=1", 400),
        (f"https://{host}:49152/done", 400),
        (f"http://evil@{host}:49152/done", 400),
        ("http://192.0.2.1:49152/done", 400),
    ):
        assert (await Browser(deployment).get(request_of(application, redirect_uri=uri))).status == status, uri


async def test_a_web_application_on_localhost_has_the_port_that_it_registered(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, redirect_uris=("http://localhost:3000/done",))
    for port, status in ((3000, 200), (3001, 400)):
        target = request_of(application, redirect_uri=f"http://localhost:{port}/done")
        assert (await Browser(deployment).get(target)).status == status


async def test_an_application_without_the_grant_is_refused_at_its_redirect_uri(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, grants=("password",))
    reply = await Browser(deployment).get(request_of(application))
    assert answer_of(reply)["error"] == "unauthorized_client"
    assert deployment.service.counts.refusals["authorization.grant"] == 1


async def test_a_disabled_application_is_a_page(deployment: Deployment) -> None:
    application = await with_browser_application(deployment, disabled=True)
    reply = await Browser(deployment).get(request_of(application))
    assert (reply.status, reply.headers["x-reason"]) == (400, "authorization.client_unknown")


BARE = {"code_challenge": None, "code_challenge_method": None}
PUBLIC = {"authentication": "none", "secrets": (), "grants": ("authorization_code",)}
NO_OPENID = {"scope": "credit:report"}


@pytest.mark.parametrize(
    ("application", "change", "taken"),
    [
        ({}, {}, True),
        ({}, {"nonce": None}, False),
        ({}, NO_OPENID, False),  # without an ID token the nonce is not compared
        ({"pkce": "required"}, {}, False),
        ({"pkce": "off"}, {"nonce": None}, True),
        ({"pkce": "off"}, {"nonce": None, **NO_OPENID}, True),
        ({"pkce": "off"}, {"code_challenge_method": "S256"}, False),  # a challenge that was removed on the way
        (PUBLIC, {}, False),
        (PUBLIC | {"pkce": "off"}, {}, False),  # `credence app set` refuses it, too
        ({"profile": "fapi2"}, {}, False),
    ],
    ids=str,
)
async def test_a_request_without_pkce_needs_a_nonce_unless_the_rule_of_the_application_is_another(
    deployment: Deployment, application: dict[str, Any], change: dict[str, str | None], taken: bool
) -> None:
    """D35, RFC 9700 §2.1.1, §4.5.3.2."""
    found = await with_browser_application(deployment, **application)
    reply = await Browser(deployment).get(request_of(found, **BARE | change))
    if not taken:
        assert answer_of(reply)["error"] == "invalid_request"
        assert "code_challenge" in answer_of(reply)["error_description"]
    assert reply.status == (200 if taken else 303)


async def test_the_refusal_names_both_ways_out_and_only_those_that_are_open(deployment: Deployment) -> None:
    """D35."""
    said = {}
    for rule in ("or_nonce", "required"):
        application = await with_browser_application(deployment, pkce=rule)
        answer = answer_of(await Browser(deployment).get(request_of(application, **BARE, nonce=None)))
        said[rule] = answer["error_description"]
    assert "PKCE" in said["or_nonce"]
    assert "nonce" in said["or_nonce"]
    assert "PKCE" in said["required"]
    assert "nonce" not in said["required"]


async def test_form_post_sends_the_answer_in_a_form_with_a_button(deployment: Deployment) -> None:
    """OAuth 2.0 Form Post Response Mode §2; without script the button does it."""
    application = await with_browser_application(deployment)
    browser = Browser(deployment)
    consent = await browser.sign_in(await browser.get(request_of(application, response_mode="form_post")))
    page = await browser.submit(consent, decision="allow")
    action, fields = form_of(page)
    assert action == CALLBACK
    assert fields.keys() == {"code", "state", "iss"}
    assert b"<button" in page.body
    assert "form-action https://app.example.com" in page.headers["content-security-policy"]


async def test_an_error_by_form_post_is_a_form_too(deployment: Deployment) -> None:
    application = await with_browser_application(deployment)
    page = await Browser(deployment).get(request_of(application, response_mode="form_post", scope="unknown"))
    _, fields = form_of(page)
    assert fields["error"] == "invalid_scope"

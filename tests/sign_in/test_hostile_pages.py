"""What every page for people withstands: framing, cookies of a sibling host, forms of other sites (threats E4, E5)."""

import base64
import hashlib
import re

import pytest

from tests.deployment import Deployment, Reply
from tests.sign_in.browsing import (
    ACCOUNT,
    CONSENT,
    SIGN_IN,
    SIGN_OUT,
    Browser,
    form_of,
    request_of,
    with_browser_application,
)
from tests.sign_in.factors import COOKIE, FACTORS, SECOND_FACTOR, act, code_of, enrolled
from tests.sign_in.test_links import link_of

FORMS = (SIGN_IN, CONSENT, SECOND_FACTOR, FACTORS, ACCOUNT, SIGN_OUT, "/account/password")


async def every_page(deployment: Deployment) -> dict[str, Reply]:
    """Each page that shows a form, in the order in which a person gets them."""
    application = await with_browser_application(deployment)
    browser, other = Browser(deployment), Browser(deployment)
    pages = {"password": await browser.get(link_of(deployment)), "sign-in": await browser.get(request_of(application))}
    pages["consent"] = await browser.sign_in(pages["sign-in"])
    pages["set-up"] = await act(browser, "set-up")
    app, _ = await enrolled(browser)
    pages["account"] = await browser.get(ACCOUNT)
    pages["recovery"] = await act(browser, "renew")
    pages["sign-out"] = await browser.get(SIGN_OUT)
    pages["second-factor"] = await other.sign_in(await other.get(ACCOUNT))
    await other.submit(pages["second-factor"], code=code_of(app, deployment))
    return pages


def assert_only_its_own_script(page: Reply, *, has_script: bool) -> None:
    """Content Security Policy Level 3 §2.3.1: the policy allows what the page has, by its hash, and no other script."""
    scripts = re.findall(rb"<script>(.*?)</script>", page.body, re.DOTALL)
    allowed = re.findall(r"script-src ([^;]+)", page.headers["content-security-policy"])
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts]
    assert page.body.count(b"<script") == len(scripts) == has_script
    assert allowed == hashes


async def test_no_page_can_be_framed_or_loads_anything_or_is_kept(deployment: Deployment) -> None:
    """Clickjacking (RFC 6749 §10.13, RFC 9700 §4.16): the buttons cannot be laid under those of another site."""
    for name, page in (await every_page(deployment)).items():
        assert page.status == 200, name
        policy = page.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"} <= set(
            policy
        ), name
        assert page.headers["x-frame-options"] == "DENY", name
        assert page.headers["cache-control"] == "no-store", name
        assert page.headers["referrer-policy"] == "no-referrer", name
        assert_only_its_own_script(page, has_script=name in {"password", "sign-in"})
        assert form_of(page)[1]["step"], name


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_no_form_is_taken_from_another_site(deployment: Deployment, path: str, site: str) -> None:
    """Fetch Metadata: a sibling host is another site too. Not even with a step that this browser got."""
    browser = Browser(deployment)
    await enrolled(browser)
    _, hidden = form_of(await browser.get(ACCOUNT))
    fields = {**hidden, "act": "remove", "decision": "allow", "password": "four unrelated words", "confirmed": "yes"}
    reply = await browser.post(path, fields.items(), ("Sec-Fetch-Site", site))
    assert reply.status == 400
    assert await deployment.store.sessions_of("ada")
    assert await deployment.store.factors_of("ada")


@pytest.mark.parametrize("path", FORMS)
async def test_no_form_is_taken_without_its_step_or_with_that_of_another_browser(
    deployment: Deployment, path: str
) -> None:
    """threats E5: a page of another site has no step, and one that an attacker got is bound to the attacker's cookie."""
    attacker, browser = Browser(deployment), Browser(deployment)
    await enrolled(browser)
    _, stolen = form_of(await attacker.get(ACCOUNT))
    for fields in ({"act": "remove", "decision": "allow"}, {**stolen, "act": "remove", "decision": "allow"}):
        assert (await browser.post(path, fields.items())).status in ((400, 200) if path == SIGN_OUT else (400,))
    assert await deployment.store.sessions_of("ada")
    assert await deployment.store.factors_of("ada")


@pytest.mark.parametrize("name", [COOKIE, "__Host-credence-visitor"])
async def test_a_cookie_that_comes_twice_counts_as_none(deployment: Deployment, name: str) -> None:
    """Cookie tossing: `__Host-` keeps sibling hosts from setting one; of two with one name neither counts."""
    browser = Browser(deployment)
    await enrolled(browser)
    page = await browser.get(ACCOUNT)
    _, hidden = form_of(page, FACTORS)
    own = "; ".join(f"{each}={value}" for each, value in browser.cookies.items())
    headers = [("Cookie", f"{name}=AAAA; {own}"), ("Content-Type", "application/x-www-form-urlencoded")]
    body = f"step={hidden['step']}&act=remove".encode()
    reply = await deployment.send("POST", FACTORS, headers, body)
    assert reply.status == 400 or b'name="username"' in reply.body
    assert await deployment.store.factors_of("ada")


@pytest.mark.parametrize(
    "disguise",
    [
        "a=1,",
        "a=1, ",
        "a=1,\t",
        "\xa0",
        "\x85",
        "\x0b",
        "\x0c",
        "\x1c",
        "\u2000".encode().decode("latin-1"),
        "=",
        "a=1 ",
    ],
    ids=ascii,
)
async def test_no_cookie_of_a_sibling_host_becomes_one_of_ours(deployment: Deployment, disguise: str) -> None:
    """A browser lets a sibling set this cookie, for neither its name nor its value is one that `__Host-` protects."""
    attacker = Browser(deployment)
    await enrolled(attacker)
    planted = f"{disguise}{COOKIE}={attacker.cookies[COOKIE]}"
    for cookies in ([planted], ["first=1", planted], [f"first=1; {planted}"]):
        reply = await deployment.send("GET", ACCOUNT, [("Cookie", each) for each in cookies])
        assert b"Your account" not in reply.body, cookies


async def test_the_cookies_of_several_fields_are_those_of_one(deployment: Deployment) -> None:
    """HTTP/2 sends each cookie in a field of its own (RFC 9113 §8.2.3)."""
    browser = Browser(deployment)
    await enrolled(browser)
    fields = [("Cookie", f"{name}={value}") for name, value in (("other", "1"), *browser.cookies.items())]
    assert b"Your account" in (await deployment.send("GET", ACCOUNT, fields)).body


async def test_the_session_that_an_attacker_planted_is_not_the_one_that_is_signed_in(deployment: Deployment) -> None:
    """Session fixation (ASVS 7.2.4), with the second factor too."""
    app, _ = await enrolled(Browser(deployment))
    planted = "A" * 43
    browser = Browser(deployment, cookies={COOKIE: planted})
    page = await browser.sign_in(await browser.get(ACCOUNT))
    assert browser.cookies[COOKIE] == planted
    await browser.submit(page, code=code_of(app, deployment))
    assert browser.cookies[COOKIE] != planted
    assert b'name="username"' in (await Browser(deployment, cookies={COOKIE: planted}).get(ACCOUNT)).body

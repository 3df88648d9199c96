"""A browser in which a person has signed in before lets the person in while others attack the account (threats A5, A16)."""

from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from credence.clock import DAY_MS
from credence.crypto import base64url
from credence.identity.login_attempts import account_key
from credence.sign_in.browser.cookies import KNOWN_BROWSER
from credence.store.tallies import TallyIncrement
from credence.store.transfer.tables import TALLIES
from tests.deployment import PASSWORD, Deployment, Reply, ada
from tests.identity.attacks import ELSEWHERE, MINUTE, WRONG
from tests.nodes_in_turn import ON_THE_MEMORY_STORE
from tests.sign_in.browsing import ACCOUNT, FORM, Browser, form_of
from tests.sign_in.factors import COOKIE, code_of, enrolled


async def _known(deployment: Deployment, username: str = "ada") -> dict[str, str]:
    """Sign in, and return the cookie that the browser has when it is opened again."""
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT), username)
    return {KNOWN_BROWSER: browser.cookies[KNOWN_BROWSER]}


async def _sign_in(
    deployment: Deployment,
    cookies: dict[str, str],
    username: str = "ada",
    password: str = PASSWORD,
    peer: str = ELSEWHERE,
) -> tuple[bool, Reply]:
    """Return whether a browser with these cookies gets a session, and the last page."""
    browser = Browser(deployment, dict(cookies), peer=peer)
    page = await browser.sign_in(await browser.get(ACCOUNT), username, password)
    return COOKIE in browser.cookies, page


async def _attacked(deployment: Deployment, username: str = "ada") -> None:
    """Count as many wrong passwords as an account can have."""
    key = account_key(deployment.service.authority.secrets.digest, username)
    most = 1_000 * MINUTE
    await deployment.store.count_failure([TallyIncrement(key, most, most)], deployment.now)


@pytest.mark.settings(password_cache_seconds=0)
async def test_a_known_browser_gets_in_at_any_address_during_an_attack(deployment: Deployment) -> None:
    """threats A5: a new browser waits, also at the address of the known one."""
    cookies = await _known(deployment)
    await _attacked(deployment)
    assert not (await _sign_in(deployment, {}))[0]
    assert (await _sign_in(deployment, cookies))[0]


async def test_a_known_browser_has_five_attempts_of_its_own(deployment: Deployment) -> None:
    """threats A4: a thief of the cookie guesses no faster than at a new address, and keeps no other browser out."""
    stolen, other = await _known(deployment), await _known(deployment)
    for number in range(5):
        await _sign_in(deployment, stolen, password=WRONG, peer=f"203.0.113.{number}")
    signed_in, page = await _sign_in(deployment, stolen)
    assert not signed_in
    assert (page.status, page.headers["retry-after"]) == (429, "180")
    assert (await _sign_in(deployment, other))[0]
    assert (await _sign_in(deployment, {}))[0]
    deployment.now += 3 * MINUTE
    assert (await _sign_in(deployment, stolen))[0]


async def test_a_browser_is_known_to_its_own_people_alone(deployment: Deployment) -> None:
    """threats A16: up to eight, of whom the one who signed in longest ago is the first to go."""
    names = [f"person-{number}" for number in range(9)]
    browser = Browser(deployment)
    for name in names:
        await deployment.store.save_account(replace(ada(), username=name), deployment.now)
        await browser.sign_in(await browser.get(ACCOUNT), name)
        browser.cookies.pop(COOKIE)
        await _attacked(deployment, name)
    await _attacked(deployment)
    known = [(await _sign_in(deployment, browser.cookies, name))[0] for name in ("ada", *names)]
    assert known == [False, False, *[True] * 8]


@pytest.mark.parametrize(("days", "known"), [(89, True), (90, False)])
async def test_a_browser_is_known_for_ninety_days(deployment: Deployment, days: int, known: bool) -> None:
    cookies = await _known(deployment)
    deployment.now += days * DAY_MS
    await _attacked(deployment)
    assert (await _sign_in(deployment, cookies))[0] is known


async def test_a_cookie_of_a_clock_that_was_ahead_is_that_of_an_unknown_browser(deployment: Deployment) -> None:
    """threats T11."""
    right = deployment.now
    deployment.now += 365 * DAY_MS
    cookies = await _known(deployment)
    deployment.now = right
    await _attacked(deployment)
    assert not (await _sign_in(deployment, cookies))[0]


@pytest.mark.settings(known_browser_days=0)
async def test_an_operator_may_want_no_such_cookie(deployment: Deployment) -> None:
    browser = Browser(deployment)
    await browser.sign_in(await browser.get(ACCOUNT))
    assert COOKIE in browser.cookies
    assert KNOWN_BROWSER not in browser.cookies


async def test_no_character_of_the_cookie_can_be_changed(deployment: Deployment) -> None:
    """threats A16: the end and the people are authenticated."""
    cookie = (await _known(deployment))[KNOWN_BROWSER]
    await _attacked(deployment)
    for place in range(0, len(cookie), 7):
        other = "A" if cookie[place] != "A" else "B"
        assert not (await _sign_in(deployment, {KNOWN_BROWSER: cookie[:place] + other + cookie[place + 1 :]}))[0]


async def test_the_cookie_tracks_nobody(deployment: Deployment) -> None:
    """threats A16: strict, for this host, with its own end; no name in it, and no six bytes that two browsers share."""
    browser = Browser(deployment)
    action, hidden = form_of(await browser.get(ACCOUNT))
    form = urlencode({**hidden, "username": "ada", "password": PASSWORD}).encode()
    cookies = ("Cookie", "; ".join(f"{name}={value}" for name, value in browser.cookies.items()))
    page = await deployment.send("POST", action, [cookies, FORM], form)
    (line,) = [each for each in page.cookies if each.startswith(KNOWN_BROWSER)]
    value, _, attributes = line.removeprefix(f"{KNOWN_BROWSER}=").partition("; ")
    assert attributes == "Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=7776000"
    deployment.now += DAY_MS
    texts = [(await _known(deployment))[KNOWN_BROWSER], value]
    one, other = (base64url.decode(text.rpartition("knb_")[2]) for text in texts)
    assert b"ada" not in one
    chunks = {one[start : start + 6] for start in range(len(one) - 5)}
    assert not [start for start in range(len(other) - 5) if other[start : start + 6] in chunks]


@ON_THE_MEMORY_STORE
async def test_nothing_of_a_known_browser_is_stored(deployment: Deployment) -> None:
    """Its right password after a wrong one leaves a tally that counts nothing and trusts nothing."""
    cookies = await _known(deployment)
    before = deployment.memory.rows(TALLIES)
    await _sign_in(deployment, cookies, password=WRONG)
    await _sign_in(deployment, cookies)
    left = [row for row in deployment.memory.rows(TALLIES) if row not in before]
    assert [times for _, *times in left] == [[0, deployment.now]]


async def test_a_browser_is_known_after_the_whole_sign_in_and_its_codes_count_there_too(deployment: Deployment) -> None:
    """threats A4, A5: a thief of the password who fills the tally of codes does not keep the owner out."""
    app, _ = await enrolled(Browser(deployment))
    owner = Browser(deployment)
    page = await owner.sign_in(await owner.get(ACCOUNT))
    assert KNOWN_BROWSER not in owner.cookies
    await owner.submit(page, code=code_of(app, deployment))
    assert KNOWN_BROWSER in owner.cookies
    deployment.now += MINUTE
    for number in range(2):
        thief = Browser(deployment, peer=f"203.0.113.{number}")
        page = await thief.sign_in(await thief.get(ACCOUNT))
        for _ in range(5):
            await thief.submit(page, code="000000")
    back = Browser(deployment, {KNOWN_BROWSER: owner.cookies[KNOWN_BROWSER]}, peer=ELSEWHERE)
    await back.submit(await back.sign_in(await back.get(ACCOUNT)), code=code_of(app, deployment))
    assert COOKIE in back.cookies
    new = Browser(deployment, peer=ELSEWHERE)
    page = await new.submit(await new.sign_in(await new.get(ACCOUNT)), code=code_of(app, deployment, 1))
    assert page.status == 429

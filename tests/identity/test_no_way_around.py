"""All spellings of a name and ways to send it count against the same origin (threats A6)."""

import json
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode
from xml.sax.saxutils import escape

import pytest

from credence.store.transfer.tables import TALLIES
from credence.web.messages.answer import JSON
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header, Reply
from tests.identity.attacks import HOME, WRONG_PASSWORD, attempt, present

XML = "application/xml"
FORM = "application/x-www-form-urlencoded"


async def _json(deployment: Deployment, password: str, username: str = "ada", **more: str) -> Reply:
    members = {"username": username, "password": password, **more}
    headers = [*deployment.client, ("Content-Type", JSON)]
    return await deployment.send("POST", TOKEN_PATH, headers, json.dumps(members).encode(), HOME)


async def _client_in_the_body(deployment: Deployment, password: str) -> Reply:
    client = {"client_id": deployment.application.client_id, "client_secret": deployment.secret}
    body = json.dumps({"username": "ada", "password": password, **client}).encode()
    return await deployment.send("POST", TOKEN_PATH, [("Content-Type", JSON)], body, HOME)


async def _hyphens(deployment: Deployment, password: str) -> Reply:
    headers: list[Header] = [(name.replace("_", "-"), value) for name, value in deployment.client]
    body = json.dumps({"username": "ada", "password": password}).encode()
    return await deployment.send("POST", TOKEN_PATH, [*headers, ("Content-Type", JSON)], body, HOME)


async def _basic_beside_json(deployment: Deployment, password: str) -> Reply:
    body = json.dumps({"username": "ada", "password": password}).encode()
    return await deployment.send("POST", TOKEN_PATH, [deployment.basic, ("Content-Type", JSON)], body, HOME)


async def _grant_type_in_a_header(deployment: Deployment, password: str) -> Reply:
    headers = [*deployment.client, ("Content-Type", JSON), ("grant_type", "password")]
    body = json.dumps({"username": "ada", "password": password}).encode()
    return await deployment.send("POST", TOKEN_PATH, headers, body, HOME)


async def _xml(deployment: Deployment, password: str) -> Reply:
    body = f"<TokenRequest><username>ada</username><password>{escape(password)}</password></TokenRequest>"
    return await deployment.send(
        "POST", TOKEN_PATH, [*deployment.client, ("Content-Type", XML), ("Accept", JSON)], body.encode(), HOME
    )


async def _form(deployment: Deployment, password: str) -> Reply:
    body = urlencode({"grant_type": "password", "username": "ada", "password": password}).encode()
    return await deployment.send("POST", TOKEN_PATH, [deployment.basic, ("Content-Type", FORM)], body, HOME)


async def _mapped_address(deployment: Deployment, password: str) -> Reply:
    return await present(deployment, password, peer=f"::ffff:{HOME}")


async def _capitals(deployment: Deployment, password: str) -> Reply:
    return await _json(deployment, password, "ADA")


async def _full_width(deployment: Deployment, password: str) -> Reply:
    return await _json(deployment, password, "\uff21\uff44\uff41")


Way = Callable[[Deployment, str], Awaitable[Reply]]
WAYS: dict[str, Way] = {
    "JSON": _json,
    "client in the body": _client_in_the_body,
    "hyphens": _hyphens,
    "Basic beside JSON": _basic_beside_json,
    "grant type in a header": _grant_type_in_a_header,
    "XML": _xml,
    "form": _form,
    "IPv4-mapped address": _mapped_address,
    "capitals": _capitals,
    "full width": _full_width,
}


@pytest.mark.parametrize("way", WAYS)
async def test_every_spelling_reaches_the_password_check_until_the_origin_is_full(
    deployment: Deployment, way: str
) -> None:
    """The two tests below could not fail without it: each of these does reach the account."""
    assert (await WAYS[way](deployment, PASSWORD)).status == 200


@pytest.mark.parametrize("way", WAYS)
async def test_attempts_of_any_spelling_fill_the_origin_of_the_plain_one(deployment: Deployment, way: str) -> None:
    for number in range(5):
        assert (await WAYS[way](deployment, f"wrong horse battery {number}")).status in {400, 401}
    assert (await present(deployment)).said == WRONG_PASSWORD


@pytest.mark.parametrize("way", WAYS)
async def test_an_origin_filled_by_plain_attempts_is_full_for_any_other_spelling(
    deployment: Deployment, way: str
) -> None:
    await attempt(deployment, 5)
    reply = await WAYS[way](deployment, PASSWORD)
    assert reply.status == (400 if way == "form" else 401)  # RFC 6749 §5.2: invalid_grant
    assert reply.said[2] == WRONG_PASSWORD[2]


@pytest.mark.parametrize("username", ["ada ", " ada", "ada\u00a0", "a\u200bda", "ada\t"])
async def test_a_name_with_a_blank_is_another_name_and_reaches_no_account(
    deployment: Deployment, username: str
) -> None:
    """Counted apart, which does no harm, because the right password is wrong there too."""
    assert (await _json(deployment, PASSWORD, username)).said == WRONG_PASSWORD


async def test_two_client_ids_in_one_request_reach_no_password_check(deployment: Deployment) -> None:
    """threats P9: a repeated header chooses no counter, because nothing is checked."""
    other = await deployment.another_application()
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    headers = [*deployment.client, ("client_id", other.application.client_id), ("Content-Type", JSON)]
    assert (await deployment.send("POST", TOKEN_PATH, headers, body)).status == 401
    assert not deployment.memory.rows(TALLIES)


async def test_a_refresh_works_while_the_origin_is_full(deployment: Deployment) -> None:
    """The refresh grant compares no password; an attacker must not end a session (threats A5)."""
    tokens = await deployment.tokens()
    await attempt(deployment, 6)
    assert (await deployment.refresh(tokens["refresh_token"])).status == 200


async def test_login_names_are_equal_in_any_case_and_unicode_form(deployment: Deployment) -> None:
    """threats A6: so no counter can be got round by spelling."""
    for spelling in ("ada", "ADA", "Ada", "\uff41da"):
        assert (await deployment.login(spelling, PASSWORD)).status == 200
    assert (await deployment.login(" ada", PASSWORD)).status == 401

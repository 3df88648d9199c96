"""Requests as existing clients send them, word for word in form; each must be answered as the specification says.

spec §1.2, §1.3, §2.2, §2.4, §4.1, §4.2, §5.1, §5.2, §8.3, §8.4, D1, D2, D10, D11.
"""

import base64
import json
from collections.abc import Callable
from urllib.parse import urlencode

import msgspec
import pytest

from tests.deployment import NOW, PASSWORD, REVOKE_PATH, TOKEN_PATH, Deployment, Header, Reply

JSON: Header = ("Content-Type", "application/json")
XML: Header = ("Content-Type", "application/xml")
FORM: Header = ("Content-Type", "application/x-www-form-urlencoded")
USER = {"username": "ada", "password": PASSWORD}

SECOND = NOW // 1000 * 1000
"""The whole second in which the tokens of these tests are issued (D4)."""

Sent = tuple[str, list[Header], bytes]


class TypedResponse(msgspec.Struct, forbid_unknown_fields=True):
    """A strictly typed client's idea of the answer: five strings."""

    issued_at: str
    expires_in: str
    token_type: str
    access_token: str
    refresh_token: str


def _all_four(deployment: Deployment) -> dict[str, str]:
    return USER | {"client_id": deployment.application.client_id, "client_secret": deployment.secret}


def _body(**members: str) -> bytes:
    return json.dumps(members).encode()


PASSWORD_REQUESTS: dict[str, Callable[[Deployment], Sent]] = {
    "client in headers, user in JSON": lambda d: (TOKEN_PATH, [JSON, *d.client], _body(**USER)),
    "header names capitalised": lambda d: (
        TOKEN_PATH,
        [JSON, ("Client_id", d.application.client_id), ("Client_secret", d.secret)],
        _body(**USER),
    ),
    "header names with hyphens": lambda d: (
        TOKEN_PATH,
        [JSON, ("client-id", d.application.client_id), ("client-secret", d.secret), ("grant-type", "password")],
        _body(**USER),
    ),
    "with a grant_type header": lambda d: (TOKEN_PATH, [JSON, *d.client, ("grant_type", "password")], _body(**USER)),
    "with a Grant_type header": lambda d: (
        TOKEN_PATH,
        [JSON, ("Grant_type", "password")],
        _body(**_all_four(d)),
    ),
    "all four in JSON": lambda d: (TOKEN_PATH, [JSON], _body(**_all_four(d))),
    "all four and grant_type in JSON": lambda d: (TOKEN_PATH, [JSON], _body(**_all_four(d), grant_type="password")),
    "Basic beside a JSON body with all four": lambda d: (TOKEN_PATH, [JSON, d.basic], _body(**_all_four(d))),
    "Basic beside a JSON body with the user": lambda d: (TOKEN_PATH, [JSON, d.basic], _body(**USER)),
    "the same client in headers and body": lambda d: (TOKEN_PATH, [JSON, *d.client], _body(**_all_four(d))),
    "charset in the content type": lambda d: (
        TOKEN_PATH,
        [("Content-Type", "application/json; charset=utf-8"), *d.client],
        _body(**USER),
    ),
    "an empty query": lambda d: (TOKEN_PATH + "?", [JSON, *d.client], _body(**USER)),
    "Cache-Control and Accept": lambda d: (
        TOKEN_PATH,
        [JSON, *d.client, ("Cache-Control", "no-cache"), ("Accept", "application/json, text/plain, */*")],
        _body(**USER),
    ),
    "members nobody asked for": lambda d: (
        TOKEN_PATH,
        [JSON, *d.client],
        json.dumps(USER | {"remember": True, "tries": 1, "device": {"os": "linux"}, "tags": ["a"]}).encode(),
    ),
    "a body that another library indented": lambda d: (
        TOKEN_PATH,
        [JSON, *d.client],
        b" \n" + json.dumps(USER, indent=4).encode() + b"\r\n",
    ),
}


@pytest.mark.parametrize("form", PASSWORD_REQUESTS)
async def test_a_token_request_is_answered_with_five_strings(deployment: Deployment, form: str) -> None:
    """spec §2.3, D2, D10; and a client that multiplies expires_in finds the expiry it expects."""
    target, headers, body = PASSWORD_REQUESTS[form](deployment)
    reply = await deployment.send("POST", target, headers, body)
    assert reply.status == 200, reply
    answer = msgspec.json.decode(reply.body, type=TypedResponse)
    assert (answer.issued_at, answer.expires_in, answer.token_type) == (str(SECOND), "10800", "Bearer")
    assert int(answer.issued_at) + int(answer.expires_in) * 1000 == SECOND + 10_800_000
    assert reply.headers["cache-control"] == "no-store"


REFRESH_REQUESTS: dict[str, Callable[[Deployment, str], Sent]] = {
    "headers without a body": lambda d, token: (
        TOKEN_PATH,
        [*d.client, ("grant_type", "refresh_token"), ("refresh_token", token)],
        b"",
    ),
    "headers without a body, with a content type": lambda d, token: (
        TOKEN_PATH,
        [JSON, *d.client, ("grant_type", "refresh_token"), ("refresh_token", token)],
        b"",
    ),
    "headers with an empty form": lambda d, token: (
        TOKEN_PATH,
        [FORM, *d.client, ("grant_type", "refresh_token"), ("refresh_token", token)],
        b"",
    ),
    "headers with an empty JSON object": lambda d, token: (
        TOKEN_PATH,
        [JSON, *d.client, ("grant_type", "refresh_token"), ("refresh_token", token)],
        b"{}",
    ),
    "headers with hyphens": lambda d, token: (
        TOKEN_PATH,
        [*d.client, ("grant-type", "refresh_token"), ("refresh-token", token)],
        b"",
    ),
    "no grant_type at all": lambda d, token: (TOKEN_PATH, [*d.client, ("refresh_token", token)], b""),
    "a JSON body": lambda d, token: (
        TOKEN_PATH,
        [JSON, *d.client],
        _body(grant_type="refresh_token", refresh_token=token),
    ),
    "a JSON body with everything": lambda d, token: (
        TOKEN_PATH,
        [JSON],
        _body(
            client_id=d.application.client_id,
            client_secret=d.secret,
            grant_type="refresh_token",
            refresh_token=token,
        ),
    ),
    "an XML body": lambda d, token: (
        TOKEN_PATH,
        [("Content-Type", "text/xml"), ("Accept", "application/json"), *d.client],
        f"<r><refresh_token>{token}</refresh_token></r>".encode(),
    ),
}


@pytest.mark.parametrize("form", REFRESH_REQUESTS)
async def test_a_refresh_is_answered_with_a_new_pair(deployment: Deployment, form: str) -> None:
    """spec §2.4, §5.6, D1, D7."""
    first = await deployment.tokens()
    target, headers, body = REFRESH_REQUESTS[form](deployment, first["refresh_token"])
    deployment.now += 1_000
    reply = await deployment.send("POST", target, headers, body)
    assert reply.status == 200, reply
    second = msgspec.json.decode(reply.body, type=TypedResponse)
    assert second.issued_at == str(SECOND + 1_000)
    assert second.access_token != first["access_token"]
    assert second.refresh_token != first["refresh_token"]


def _form(**fields: str) -> bytes:
    return urlencode(fields).encode()


async def test_basic_with_a_password_form_is_answered_in_the_standard_dialect(deployment: Deployment) -> None:
    """D1, D10, RFC 6749 §5.1: expires_in is a number there."""
    reply = await deployment.send("POST", TOKEN_PATH, [FORM, deployment.basic], _form(grant_type="password", **USER))
    assert reply.status == 200, reply
    assert reply.json["expires_in"] == 10_800
    assert reply.json["token_type"] == "Bearer"
    assert reply.headers["cache-control"] == "no-store"


async def test_basic_with_a_refresh_form_is_answered_in_the_standard_dialect(deployment: Deployment) -> None:
    """D1, D10, RFC 6749 §6."""
    token = (await deployment.tokens())["refresh_token"]
    form = _form(grant_type="refresh_token", refresh_token=token)
    reply = await deployment.send("POST", TOKEN_PATH, [FORM, deployment.basic], form)
    assert reply.status == 200, reply
    assert reply.json["expires_in"] == 10_800
    assert reply.json["refresh_token"] != token


async def test_a_password_form_without_basic_is_a_house_request_of_the_wrong_type(deployment: Deployment) -> None:
    """D1: the 415 row holds for everything but the standard dialect."""
    form = _form(grant_type="password", **_all_four(deployment))
    for headers in ([FORM], [FORM, *deployment.client]):
        assert (await deployment.send("POST", TOKEN_PATH, headers, form)).status == 415


@pytest.mark.parametrize(
    ("fields", "secret", "status", "error"),
    [
        ({"grant_type": "password", "username": "ada", "password": "wrong"}, None, 400, "invalid_grant"),
        ({"grant_type": "refresh_token", "refresh_token": "no"}, None, 400, "invalid_grant"),
        ({"grant_type": "refresh_token"}, None, 400, "invalid_request"),
        ({"grant_type": "authorization_code"}, None, 400, "invalid_request"),
        ({"grant_type": "implicit"}, None, 400, "unsupported_grant_type"),
        ({"grant_type": "password", "username": "ada", "password": PASSWORD}, "wrong", 401, "invalid_client"),
    ],
)
async def test_refusals_in_the_standard_dialect_carry_the_codes_of_rfc_6749(
    deployment: Deployment, fields: dict[str, str], secret: str | None, status: int, error: str
) -> None:
    """D9, RFC 6749 §5.2: `error` and `error_description` beside the house form, invalid_client with a challenge.

    The description repeats the message, but for a refresh token: it says what the program should do.
    """
    pair = f"{deployment.application.client_id}:{secret or deployment.secret}"
    basic = ("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    reply = await deployment.send("POST", TOKEN_PATH, [FORM, basic], _form(**fields))
    assert (reply.status, reply.json["error"]) == (status, error)
    assert reply.json["success"] is False
    message = reply.json["errors"][0]["message"].replace('"', "'")
    assert (reply.json["error_description"] == message) is (fields.get("refresh_token") is None)
    assert reply.headers.get("www-authenticate") == ('Basic realm="credence"' if status == 401 else None)


async def test_a_parameter_that_comes_twice_is_an_invalid_request(deployment: Deployment) -> None:
    """RFC 6749 §3.1."""
    form = b"grant_type=refresh_token&refresh_token=a&refresh_token=a"
    reply = await deployment.send("POST", TOKEN_PATH, [FORM, deployment.basic], form)
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")


REVOCATIONS: dict[str, Callable[[Deployment, str], Sent]] = {
    "headers": lambda d, token: (REVOKE_PATH, [*d.client, ("token", token)], b""),
    "headers beside an unused JSON body": lambda d, token: (
        REVOKE_PATH,
        [JSON, *d.client, ("token", token)],
        b'{"username": "someone", "token": "something else"}',
    ),
    "headers beside a body that does not even parse": lambda d, token: (
        REVOKE_PATH,
        [JSON, *d.client, ("token", token)],
        b"{{{",
    ),
    "headers beside an empty form": lambda d, token: (REVOKE_PATH, [FORM, *d.client, ("token", token)], b""),
    "a JSON body with the credentials too": lambda d, token: (
        REVOKE_PATH,
        [JSON],
        json.dumps({**dict(d.client), "token": token, "token_type_hint": "refresh_token"}).encode(),
    ),
    "a JSON body beside headers": lambda d, token: (
        REVOKE_PATH,
        [JSON, *d.client],
        json.dumps({"token": token}).encode(),
    ),
    "a JSON body with Basic": lambda d, token: (REVOKE_PATH, [JSON, d.basic], json.dumps({"token": token}).encode()),
    "an XML body with the credentials too": lambda d, token: (
        REVOKE_PATH,
        [XML],
        (
            f"<Revocation><client_id>{d.application.client_id}</client_id><client_secret>{d.secret}</client_secret>"
            f"<token>{token}</token></Revocation>"
        ).encode(),
    ),
    "the token in a header and the credentials in a body": lambda d, token: (
        REVOKE_PATH,
        [JSON, ("token", token)],
        json.dumps(dict(d.client)).encode(),
    ),
    "the form of RFC 7009 with Basic": lambda d, token: (
        REVOKE_PATH,
        [FORM, d.basic],
        _form(token=token, token_type_hint="access_token"),
    ),
}


@pytest.mark.parametrize("form", REVOCATIONS)
@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
async def test_a_revocation_is_answered_with_an_empty_object_and_holds(
    deployment: Deployment, form: str, kind: str
) -> None:
    """spec §2.5, §4.2, §3.4, D11, threats I5."""
    tokens = await deployment.tokens()
    target, headers, body = REVOCATIONS[form](deployment, tokens[kind])
    reply = await deployment.send("POST", target, headers, body)
    assert (reply.status, reply.json) == (200, {})
    assert (await deployment.report(tokens["access_token"])).status == 401


async def test_a_header_counts_before_the_body_of_a_revocation(deployment: Deployment) -> None:
    """D11: the body has only what no header has, so the token of the header is revoked and no other."""
    kept, ended = await deployment.tokens(), await deployment.tokens()
    body = json.dumps({**dict(deployment.client), "token": kept["access_token"], "client_secret": deployment.secret})
    reply = await deployment.send("POST", REVOKE_PATH, [JSON, ("token", ended["access_token"])], body.encode())
    assert reply.status == 200
    assert (await deployment.report(kept["access_token"])).status == 200
    assert (await deployment.report(ended["access_token"])).status == 401


@pytest.mark.parametrize("body", [b"{", b'{"token": 7}', b"[]"])
async def test_a_revocation_whose_body_is_needed_and_wrong_is_a_threat(deployment: Deployment, body: bytes) -> None:
    """D3, D16: structure before missing attributes, as at the token endpoint."""
    reply = await deployment.send("POST", REVOKE_PATH, [JSON, *deployment.client], body)
    assert reply.said == (401, "Unauthorized", "Access to the requested resource is not allowed.")


async def _expect_missing(deployment: Deployment, headers: list[Header]) -> Reply:
    return await deployment.send("POST", REVOKE_PATH, headers)


async def test_a_revocation_without_a_token_says_so(deployment: Deployment) -> None:
    """D11."""
    for headers in (deployment.client, [*deployment.client, ("token", " ")]):
        reply = await _expect_missing(deployment, headers)
        assert reply.said == (400, "Bad Request", "The 'token' attribute is required.")


async def test_a_refresh_without_a_token_says_so(deployment: Deployment) -> None:
    """D7."""
    reply = await deployment.send("POST", TOKEN_PATH, [*deployment.client, ("grant_type", "refresh_token")])
    assert reply.said == (400, "Bad Request", "The 'refresh_token' attribute is required.")


@pytest.mark.parametrize(
    ("grant_type", "basic", "status"),
    [
        ("grant_type=%70assword", False, 415),
        ("grant%5Ftype=password", False, 415),
        ("grant_type=%70assword", True, 200),
        ("grant%5Ftype=password", True, 200),
    ],
)
async def test_no_spelling_of_a_form_gets_round_the_rule_about_basic(
    deployment: Deployment, grant_type: str, basic: bool, status: int
) -> None:
    """D1: percent-encoding changes nothing of what a form says."""
    fields = USER if basic else _all_four(deployment)
    body = f"{grant_type}&{urlencode(fields)}".encode()
    headers = [FORM, deployment.basic] if basic else [FORM]
    assert (await deployment.send("POST", TOKEN_PATH, headers, body)).status == status

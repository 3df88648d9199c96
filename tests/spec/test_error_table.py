"""Section 7 of the specification, read from its own text and compared with the table in the code and on the wire."""

import json
import re
from pathlib import Path

import pytest

from credence.access.rules import AccessRules
from credence.refusals.credentials import (
    ACCOUNT_NOT_ACTIVE,
    AUTHENTICATION_FAILED,
    CLIENT_MISSING,
    INVALID_TOKEN,
    USER_MISSING,
    WRONG_CLIENT,
    WRONG_USER,
)
from credence.refusals.refusal import Refusal
from credence.refusals.requests import (
    FORBIDDEN,
    INTERNAL,
    METHOD_NOT_ALLOWED,
    SPIKE_ARREST,
    THREAT,
    UNSUPPORTED_MEDIA_TYPE,
)
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment, Reply

SPECIFICATION = Path(__file__).parents[2] / "docs" / "specification.md"

ROWS: list[Refusal] = [
    INVALID_TOKEN,
    CLIENT_MISSING,
    METHOD_NOT_ALLOWED,
    UNSUPPORTED_MEDIA_TYPE,
    USER_MISSING,
    WRONG_USER,
    WRONG_CLIENT,
    ACCOUNT_NOT_ACTIVE,
    THREAT,
    AUTHENTICATION_FAILED,
    FORBIDDEN,
    INTERNAL,
]
JSON = ("Content-Type", "application/json")


def table_of_the_specification() -> list[tuple[str, int, str, str]]:
    section = SPECIFICATION.read_text(encoding="utf-8").split("## 7. Errors")[1].split("## 8.")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if re.match(r"\|[^|]+\| \d{3} \|", line)
    ]
    return [(scenario, int(status), kind, message) for scenario, status, kind, message in rows]


@pytest.mark.parametrize("row", range(12))
def test_each_row_stands_in_the_code_to_the_letter(row: int) -> None:
    """spec §7: status, error type and message."""
    _, status, kind, message = table_of_the_specification()[row]
    refusal = ROWS[row]
    assert (refusal.status, refusal.error_type, refusal.message) == (status, kind, message)


def test_the_table_has_no_further_row() -> None:
    assert len(table_of_the_specification()) == len(ROWS)


def test_spike_arrest_says_what_the_other_threats_say() -> None:
    """spec §7.9: one row for regular-expression attack, JSON threat and spike arrest."""
    assert SPIKE_ARREST.message == THREAT.message
    assert SPIKE_ARREST.status == THREAT.status


def expect(reply: Reply, row: int) -> None:
    _, status, kind, message = table_of_the_specification()[row - 1]
    assert reply.said == (status, kind, message.replace("<SUPPORT_EMAIL>", "support@localhost"))


async def test_an_expired_access_token(deployment: Deployment) -> None:
    """spec §7.1, §3.2: from the very millisecond of its expiry."""
    tokens = await deployment.tokens()
    expiry = int(tokens["issued_at"]) // 1000 * 1000 + int(tokens["expires_in"]) * 1000
    deployment.now = expiry - 1
    assert (await deployment.report(tokens["access_token"])).status == 200
    deployment.now = expiry
    expect(await deployment.report(tokens["access_token"]), 1)


async def test_missing_client_credentials(deployment: Deployment) -> None:
    """spec §7.2: either of the two, absent or blank."""
    client_id, secret = deployment.client
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    for headers in ([], [client_id], [secret], [client_id, ("client_secret", " ")], [("client_id", ""), secret]):
        expect(await deployment.send("POST", TOKEN_PATH, [JSON, *headers], body), 2)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
async def test_a_token_request_with_another_method(deployment: Deployment, method: str) -> None:
    """spec §7.3, §4.1: and the answer says which method is right."""
    reply = await deployment.send(method, TOKEN_PATH, [*deployment.client, JSON])
    assert reply.status == 405
    assert reply.headers["allow"] == "POST"
    if method != "HEAD":
        expect(reply, 3)


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/x-www-form-urlencoded",
    ],
)
async def test_a_body_of_another_media_type(deployment: Deployment, content_type: str | None) -> None:
    """spec §7.4, §5.8, D1."""
    headers = [*deployment.client, *([("Content-Type", content_type)] if content_type is not None else [])]
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    expect(await deployment.send("POST", TOKEN_PATH, headers, body), 4)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"username": "ada"},
        {"password": PASSWORD},
        {"username": "", "password": PASSWORD},
        {"username": "  ", "password": PASSWORD},
        {"username": "ada", "password": ""},
        {"username": "ada", "password": "   "},
        {"username": None, "password": PASSWORD},
    ],
)
async def test_a_missing_or_blank_username_or_password(deployment: Deployment, body: dict[str, str | None]) -> None:
    """spec §7.5, threats P10."""
    reply = await deployment.send("POST", TOKEN_PATH, [*deployment.client, JSON], json.dumps(body).encode())
    expect(reply, 5)


async def test_a_wrong_password_and_an_unknown_user_get_the_same_answer(deployment: Deployment) -> None:
    """spec §7.6, threats A2, I7: the same bytes and the same headers but for the request id."""
    wrong = await deployment.login(password="wrong horse battery")
    unknown = await deployment.login(username="nobody")
    expect(wrong, 6)
    assert wrong.body == unknown.body
    assert {**wrong.headers, "x-request-id": ""} == {**unknown.headers, "x-request-id": ""}


async def test_a_wrong_client_secret_and_an_unknown_client(deployment: Deployment) -> None:
    """spec §7.7."""
    client_id, secret = deployment.client
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    for headers in (
        [client_id, ("client_secret", secret[1] + "x")],
        [("client_id", "crd_sbx_app_unknown"), secret],
    ):
        expect(await deployment.send("POST", TOKEN_PATH, [JSON, *headers], body), 7)


@pytest.mark.parametrize("status", ["suspended", "locked", "expired", "closed"])
async def test_an_account_that_is_not_active(deployment: Deployment, status: str) -> None:
    """spec §7.8, D3, D14: said only to whoever knows the password."""
    await deployment.set_status(status)
    expect(await deployment.login(), 8)
    expect(await deployment.login(password="wrong horse battery"), 6)


async def test_an_attack_on_the_patterns(deployment: Deployment) -> None:
    """spec §7.9, D17."""
    expect(await deployment.login(username="<script>alert(1)</script>"), 9)
    expect(await deployment.report((await deployment.tokens())["access_token"], "/%3Cscript%3Ealert(1)"), 9)


async def test_a_json_threat(deployment: Deployment) -> None:
    """spec §7.9, D16."""
    reply = await deployment.send("POST", TOKEN_PATH, [*deployment.client, JSON], b'{"a":' * 6 + b"1" + b"}" * 6)
    expect(reply, 9)


async def test_a_spike(deployment: Deployment) -> None:
    """spec §7.9, D16: one a minute; the answer says when to come again."""
    await deployment.change_application(spike_per_minute=1)
    assert (await deployment.login()).status == 200
    refused = await deployment.login()
    expect(refused, 9)
    assert refused.headers["retry-after"] == "60"
    deployment.now += 60_000
    assert (await deployment.login()).status == 200


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Bearer a b", "Basic abc", "Token abc", "abc"])
async def test_an_api_call_without_a_bearer_token(deployment: Deployment, header: str | None) -> None:
    """spec §7.10, D20: the default authentication failure."""
    headers = [] if header is None else [("Authorization", header)]
    reply = await deployment.send("GET", f"{REPORT_PATH}/99999999", headers)
    expect(reply, 10)
    where = 'resource_metadata="https://localhost:8443/.well-known/oauth-protected-resource"'  # RFC 9728 §5.1
    algorithms = 'algs="RS256 PS256 ES256 EdDSA Ed25519"'  # RFC 9449 §7.1
    assert reply.headers["www-authenticate"] == f"Bearer {where}, DPoP {algorithms}"


async def test_an_address_outside_the_allowed_range(deployment: Deployment) -> None:
    """spec §7.11, §5.10, D15: at the token endpoint and at the API, for application and account alike."""
    tokens = await deployment.tokens()
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    expect(await deployment.login(), 11)
    expect(await deployment.report(tokens["access_token"]), 11)
    await deployment.change_application(rules=AccessRules())
    await deployment.change_account(rules=AccessRules(networks=("198.51.100.0/24",)))
    expect(await deployment.login(), 11)
    expect(await deployment.report(tokens["access_token"]), 11)


async def test_a_surprise_is_one_generic_answer_and_the_service_lives(deployment: Deployment) -> None:
    """spec §7.12, threats E7."""
    expect(await deployment.report((await deployment.tokens())["access_token"], "/99999500"), 12)
    assert (await deployment.login()).status == 200

"""When several things are wrong at once, one order decides what is said (D3, threats P16).

Each fault is a change to a good request. Every pair of faults is sent, as JSON and as XML; the earlier one must be said.
"""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape

import pytest

from credence.access.rules import AccessRules
from credence.refusals.credentials import ACCOUNT_NOT_ACTIVE, CLIENT_MISSING, USER_MISSING, WRONG_CLIENT, WRONG_USER
from credence.refusals.grants import GRANT_NOT_ALLOWED, GRANT_UNKNOWN
from credence.refusals.refusal import SUPPORT_EMAIL, Refusal
from credence.refusals.requests import FORBIDDEN, METHOD_NOT_ALLOWED, SPIKE_ARREST, THREAT, UNSUPPORTED_MEDIA_TYPE
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header


@dataclass(frozen=True)
class Attempt:
    method: str = "POST"
    content_type: str | None = "application/json"
    client_id: str | None = "right"
    client_secret: str | None = "right"
    grant_type: str | None = None
    username: str | None = "ada"
    password: str | None = PASSWORD
    broken: bool = False
    long_header: bool = False
    world: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Fault:
    refusal: Refusal
    do: Callable[[Attempt], Attempt]


def _in_the_world(what: str) -> Callable[[Attempt], Attempt]:
    return lambda attempt: replace(attempt, world=attempt.world | {what})


# In the order of D3.
FAULTS: dict[str, Fault] = {
    "method": Fault(METHOD_NOT_ALLOWED, lambda a: replace(a, method="PUT")),
    "size": Fault(THREAT, lambda a: replace(a, long_header=True)),
    "media type": Fault(UNSUPPORTED_MEDIA_TYPE, lambda a: replace(a, content_type="text/plain")),
    "structure": Fault(THREAT, lambda a: replace(a, broken=True)),
    "client missing": Fault(CLIENT_MISSING, lambda a: replace(a, client_id=None)),
    "grant unknown": Fault(GRANT_UNKNOWN, lambda a: replace(a, grant_type="implicit")),
    "user missing": Fault(USER_MISSING, lambda a: replace(a, username=None)),
    "spike": Fault(SPIKE_ARREST, _in_the_world("spike")),
    "client wrong": Fault(WRONG_CLIENT, lambda a: replace(a, client_secret="wrong")),
    "grant not allowed": Fault(GRANT_NOT_ALLOWED, _in_the_world("grant not allowed")),
    "user wrong": Fault(WRONG_USER, lambda a: replace(a, password="wrong horse battery")),
    "account inactive": Fault(ACCOUNT_NOT_ACTIVE, _in_the_world("suspended")),
    "address": Fault(FORBIDDEN, _in_the_world("address")),
}
NAMES = list(FAULTS)


def _body(attempt: Attempt, form: str) -> bytes:
    members = {
        name: value
        for name, value in (
            ("username", attempt.username),
            ("password", attempt.password),
            ("grant_type", attempt.grant_type),
        )
        if value is not None
    }
    if form == "json":
        return json.dumps(members).encode() + (b"]" if attempt.broken else b"")
    elements = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in members.items())
    return f"<TokenRequest>{elements}{'<!-- -->' if attempt.broken else ''}</TokenRequest>".encode()


def _headers(attempt: Attempt, deployment: Deployment, form: str) -> list[Header]:
    content_type = f"application/{form}" if attempt.content_type == "application/json" else attempt.content_type
    client_id = deployment.application.client_id if attempt.client_id == "right" else attempt.client_id
    secret = deployment.secret if attempt.client_secret == "right" else attempt.client_secret
    fields: list[tuple[str, str | None]] = [
        ("Content-Type", content_type),
        ("Accept", f"application/{form}"),
        ("client_id", client_id),
        ("client_secret", secret),
        ("X-Long", "x" * 9_000 if attempt.long_header else None),
    ]
    return [(name, value) for name, value in fields if value is not None]


async def _prepare(deployment: Deployment, world: frozenset[str]) -> None:
    if "grant not allowed" in world:
        await deployment.change_application(grants=("refresh_token",))
    if "suspended" in world:
        await deployment.set_status("suspended")
    if "address" in world:
        await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    if "spike" in world:
        await deployment.change_application(spike_per_minute=1)
        body = json.dumps({"username": "ada", "password": "wrong"}).encode()
        await deployment.send("POST", TOKEN_PATH, [*deployment.client, ("Content-Type", "application/json")], body)


@pytest.mark.parametrize("form", ["json", "xml"])
@pytest.mark.parametrize("names", [*itertools.combinations(NAMES, 2), *((name,) for name in NAMES)])
async def test_of_several_faults_the_first_in_the_order_is_said(
    deployment: Deployment, names: tuple[str, ...], form: str
) -> None:
    attempt = Attempt()
    for name in names:
        attempt = FAULTS[name].do(attempt)
    await _prepare(deployment, attempt.world)
    reply = await deployment.send(attempt.method, TOKEN_PATH, _headers(attempt, deployment, form), _body(attempt, form))
    expected = FAULTS[names[0]].refusal
    message = expected.message.replace(SUPPORT_EMAIL, "support@localhost")
    assert reply.said == (expected.status, expected.error_type, message)


@pytest.mark.parametrize("form", ["json", "xml"])
async def test_without_a_fault_a_token_is_issued(deployment: Deployment, form: str) -> None:
    """The table above could not fail for this reason."""
    reply = await deployment.send("POST", TOKEN_PATH, _headers(Attempt(), deployment, form), _body(Attempt(), form))
    assert reply.status == 200, reply


@pytest.mark.parametrize(
    ("method", "target", "extra"),
    [
        ("PUT", TOKEN_PATH, []),
        ("POST", "/nowhere", []),
        ("POST", TOKEN_PATH, [("client_id", "a"), ("client_id", "b")]),
        ("POST", TOKEN_PATH, [("X-Long", "x" * 9_000)]),
    ],
)
async def test_even_the_earliest_refusals_are_said_in_the_form_that_was_asked_for(
    deployment: Deployment, method: str, target: str, extra: list[Header]
) -> None:
    """D8: XML when Accept asks for it, and when the request is XML."""
    for header in (("Accept", "application/xml"), ("Content-Type", "application/xml")):
        reply = await deployment.send(method, target, [header, *extra])
        assert reply.headers["content-type"] == "application/xml"


async def test_what_stands_in_the_query_is_judged_after_the_media_type(deployment: Deployment) -> None:
    """D3: 415 comes before structure and patterns, wherever these are broken."""
    for query in ("a=1&a=2", "a=%FF", "a=<script>alert(1)</script>"):
        for content_type, expected in (("text/plain", 415), ("application/json", 401)):
            headers = [*deployment.client, ("Content-Type", content_type)]
            body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
            reply = await deployment.send("POST", f"{TOKEN_PATH}?{query}", headers, body)
            assert reply.status == expected, query

"""Whom a request is counted against, and what the caller is told of it (spec §7.9, D16, threats A6)."""

import asyncio
import base64
import json
import re
import unicodedata
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

import msgspec
import pytest

from credence.api.reference.described import operation_of
from credence.api.reference.openapi import document
from credence.clock import monotonic_ms
from credence.identity.usernames import login_name
from credence.refusals.credentials import INVALID_TOKEN, WRONG_CLIENT, WRONG_USER
from credence.refusals.requests import SPIKE_ARREST
from credence.settings import Settings
from credence.web.routes import ROUTES
from credence.web.routing.route import Protection
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment, Header, OpenDeployment, Reply

JSON = ("Content-Type", "application/json")
NAME = "åda@example.com"
"""The normal form of a name that has many spellings."""

Ask = Callable[[Deployment], Awaitable[Reply]]


def is_arrested(reply: Reply) -> bool:
    return "retry-after" in reply.headers and reply.said == (401, "Unauthorized", SPIKE_ARREST.message)


async def _json(deployment: Deployment, name: str = NAME, headers: list[Header] | None = None, **more: str) -> Reply:
    body = json.dumps({"username": name, "password": PASSWORD, **more}).encode()
    return await deployment.send("POST", TOKEN_PATH, [*(deployment.client if headers is None else headers), JSON], body)


async def _xml(deployment: Deployment) -> Reply:
    body = f"<a><username>{NAME}</username><password>{PASSWORD}</password></a>".encode()
    return await deployment.send("POST", TOKEN_PATH, [*deployment.client, ("Content-Type", "application/xml")], body)


async def _form(deployment: Deployment) -> Reply:
    body = urlencode({"grant_type": "password", "username": NAME, "password": PASSWORD}).encode()
    form = ("Content-Type", "application/x-www-form-urlencoded")
    return await deployment.send("POST", TOKEN_PATH, [deployment.basic, form], body)


async def _another_application(deployment: Deployment) -> Reply:
    return await _json(await deployment.another_application())


CREDENTIALS_IN_BODY: Ask = lambda d: _json(d, headers=[], client_id=d.application.client_id, client_secret=d.secret)  # noqa: E731

WAYS: dict[str, Ask] = {
    "the same again": _json,
    "upper case": lambda deployment: _json(deployment, NAME.upper()),
    "decomposed": lambda deployment: _json(deployment, unicodedata.normalize("NFD", NAME)),
    "full width": lambda deployment: _json(deployment, NAME.replace("d", "\uff44").replace("e", "\uff25")),
    "credentials in the body": CREDENTIALS_IN_BODY,
    "HTTP Basic": lambda deployment: _json(deployment, headers=[deployment.basic]),
    "hyphens": lambda deployment: _json(
        deployment, headers=[(name.replace("_", "-"), value) for name, value in deployment.client]
    ),
    "a grant_type of its own": lambda deployment: _json(deployment, grant_type="password"),
    "XML": _xml,
    "a form": _form,
    "another application": _another_application,
}


async def _with_a_name(deployment: Deployment) -> dict[str, str]:
    """Give the account of the deployment a name with many spellings, and return tokens for it, for nothing."""
    ada = await deployment.store.account("ada")
    assert ada is not None
    await deployment.store.save_account(msgspec.structs.replace(ada, username=login_name(NAME)), deployment.now)
    reply = await _json(deployment)
    assert reply.status == 200, reply
    deployment.now += 60_000
    tokens: dict[str, str] = reply.json
    return tokens


async def _refused_after_one(deployment: Deployment, ask: Ask) -> None:
    """One request is allowed a minute; `ask` is one way to make a second."""
    assert (await _json(deployment)).status == 200
    assert is_arrested(await ask(deployment))
    deployment.now += 60_000
    assert not is_arrested(await ask(deployment))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.settings(spike_account_per_minute=1)
async def test_no_way_of_saying_it_gets_round_the_limit_of_an_account(deployment: Deployment, way: str) -> None:
    """threats A6: letter case, Unicode form, header or body, JSON or XML, another application."""
    await _with_a_name(deployment)
    await _refused_after_one(deployment, WAYS[way])


@pytest.mark.parametrize("way", [way for way in WAYS if way != "another application"])
@pytest.mark.settings(spike_per_minute=1)
async def test_no_way_of_saying_it_gets_round_the_limit_of_an_application(deployment: Deployment, way: str) -> None:
    """threats A6."""
    await _with_a_name(deployment)
    await _refused_after_one(deployment, WAYS[way])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.settings(spike_address_per_minute=1)
async def test_no_way_of_saying_it_gets_round_the_limit_of_an_address(deployment: Deployment, way: str) -> None:
    """threats A6."""
    await _with_a_name(deployment)
    await _refused_after_one(deployment, WAYS[way])


@pytest.mark.parametrize("kind", ["spike_per_minute", "spike_account_per_minute", "spike_address_per_minute"])
@pytest.mark.parametrize("first", ["login", "refresh", "report"])
@pytest.mark.parametrize("second", ["login", "refresh", "report"])
async def test_every_grant_and_every_call_counts_in_one_counter(
    open_deployment: OpenDeployment, kind: str, first: str, second: str
) -> None:
    """threats A6: another grant, and the tokens that it gave."""
    deployment = await open_deployment(None, **{kind: 1})
    tokens = await _with_a_name(deployment)
    ways: dict[str, Ask] = {
        "login": _json,
        "refresh": lambda deployment: deployment.refresh(tokens["refresh_token"]),
        "report": lambda deployment: deployment.report(tokens["access_token"]),
    }
    assert (await ways[first](deployment)).status == 200
    assert is_arrested(await ways[second](deployment))


@pytest.mark.parametrize(
    ("peer", "same"),
    [
        ("192.0.2.7", True),
        ("::ffff:192.0.2.7", True),
        ("192.0.2.8", False),
        ("2001:db8::1", False),
    ],
)
@pytest.mark.settings(spike_address_per_minute=1)
async def test_an_address_is_one_however_it_is_written(deployment: Deployment, peer: str, same: bool) -> None:
    """threats A4, A9: /32, and what a stranger says of his way here does not count."""
    await deployment.send("GET", REPORT_PATH)
    reply = await deployment.send("GET", REPORT_PATH, [("X-Forwarded-For", "198.51.100.1")], peer=peer)
    assert is_arrested(reply) is same


@pytest.mark.settings(spike_address_per_minute=1)
async def test_of_ipv6_the_network_of_64_bits_counts(deployment: Deployment) -> None:
    """threats A4."""
    replies = [
        await deployment.send("GET", REPORT_PATH, peer=peer)
        for peer in ("2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1")
    ]
    assert [is_arrested(reply) for reply in replies] == [False, True, False]


@pytest.mark.settings(spike_address_per_minute=1, trusted_proxies="192.0.2.7/32")
async def test_behind_a_trusted_proxy_each_caller_has_his_own_count(deployment: Deployment) -> None:
    """D26."""
    callers = ("198.51.100.1", "198.51.100.2", "198.51.100.1")
    replies = [await deployment.send("GET", REPORT_PATH, [("X-Forwarded-For", each)]) for each in callers]
    assert [is_arrested(reply) for reply in replies] == [False, False, True]


@pytest.mark.settings(spike_address_per_minute=1)
async def test_a_token_that_is_not_genuine_counts_for_its_address(deployment: Deployment) -> None:
    assert (await deployment.report("no.token.this")).said[2] == INVALID_TOKEN.message
    assert is_arrested(await deployment.report("no.token.this"))


@pytest.mark.settings(spike_per_minute=1, spike_account_per_minute=1)
async def test_a_stranger_uses_up_nothing_of_an_application_or_an_account(deployment: Deployment) -> None:
    """threats A5: whoever knows a client_id or a login name cannot have their owners arrested."""
    wrong: list[Header] = [("client_id", deployment.application.client_id), ("client_secret", "wrong")]
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    for _ in range(3):
        reply = await deployment.send("POST", TOKEN_PATH, [*wrong, JSON], body)
        assert reply.said[2] == WRONG_CLIENT.message
    assert (await deployment.login()).status == 200


@pytest.mark.settings(spike_account_per_minute=1)
async def test_whoever_has_an_application_uses_up_nothing_of_an_account_he_cannot_prove(deployment: Deployment) -> None:
    """threats A5: a login name with a wrong password, or in a refresh token that was made up, counts for no account."""
    for _ in range(3):
        assert (await deployment.login(password="wrong horse battery")).said[2] == WRONG_USER.message
    made_up = "crd_sbx_ref_" + base64.urlsafe_b64encode(bytes(42) + b"ada").decode().rstrip("=")
    for _ in range(3):
        assert (await deployment.refresh(made_up)).said[2] == INVALID_TOKEN.message
    assert (await deployment.login()).status == 200


@pytest.mark.settings(spike_per_minute=3, spike_account_per_minute=1, spike_address_per_minute=3)
async def test_what_is_refused_uses_up_nothing_elsewhere(deployment: Deployment) -> None:
    """D16: the account is full, so the application and the address keep what they have."""
    assert (await deployment.login()).status == 200
    for _ in range(5):
        assert is_arrested(await deployment.login())
    replies = [await deployment.login("bob"), await deployment.login("cyd"), await deployment.login("dot")]
    assert [is_arrested(reply) for reply in replies] == [False, False, True]


@pytest.mark.settings(
    spike_per_minute=600,
    spike_burst=10,
    spike_account_per_minute=30,
    spike_account_burst=3,
    spike_address_per_minute=1200,
)
async def test_an_answer_tells_the_rates_and_the_one_closest_to_its_end(deployment: Deployment) -> None:
    """draft-ietf-httpapi-ratelimit-headers-11 §3, §4."""
    first = await deployment.login()
    assert first.status == 200
    assert first.headers["ratelimit-policy"] == (
        '"application";q=600;w=60;credence-burst=10, "account";q=30;w=60;credence-burst=3, '
        '"address";q=1200;w=60;credence-burst=400'
    )
    assert first.headers["ratelimit"] == '"account";r=2;t=2'
    report = await deployment.report(first.json["access_token"])
    assert report.headers["ratelimit"] == '"account";r=1;t=2'
    assert report.headers["ratelimit-policy"] == first.headers["ratelimit-policy"]
    unknown = await deployment.report(first.json["access_token"], "/00000001")
    assert (unknown.status, unknown.headers["ratelimit"]) == (404, '"account";r=0;t=2')
    refused = await deployment.login()
    assert is_arrested(refused)
    assert refused.headers["ratelimit"] == '"account";r=0;t=2'
    assert refused.headers["retry-after"] == "2"


@pytest.mark.settings(spike_account_per_minute=60)
async def test_who_did_not_log_in_is_not_told_how_busy_an_account_is(deployment: Deployment) -> None:
    reply = await deployment.login(password="wrong horse battery")
    assert reply.said[2] == WRONG_USER.message
    assert not [name for name in reply.headers if name.startswith("ratelimit")]


async def test_without_limits_nothing_is_told(deployment: Deployment) -> None:
    reply = await deployment.login()
    assert reply.status == 200
    assert not [name for name in reply.headers if re.match("ratelimit|retry", name)]


def test_the_reference_names_the_fields_wherever_they_may_stand() -> None:
    """On what is counted and on its refusals, and on nothing public."""
    published = document(ROUTES, Settings(spike_status=429))
    fields = {"RateLimit", "RateLimit-Policy"}
    assert fields <= published["components"]["headers"].keys()
    for route in ROUTES:
        for method in route.methods:
            if method != "HEAD":
                responses = published["paths"][route.path][method.lower()]["responses"]
                told = {status for status, each in responses.items() if fields <= each["headers"].keys()}
                counted = {str(each.status) for each in operation_of(route).answers} | {"429"}
                assert told == (set() if route.protection is Protection.PUBLIC else counted), route.path


@pytest.mark.settings(spike_per_minute=6000, spike_burst=1)
async def test_a_clock_that_is_set_back_refuses_no_request(deployment: Deployment) -> None:
    """threats T11: an hour back, and the next request a moment later has its room by monotonic time."""
    deployment.service.rate_limiter.now = monotonic_ms
    assert (await deployment.login()).status == 200
    deployment.now -= 3_600_000
    await asyncio.sleep(0.02)
    assert not is_arrested(await deployment.login())

"""How many functions of the program a hot request calls, when what is read once has been read (docs/adr/speed.md).

A call costs as much as several steps of the interpreter, and what a function checks that cannot vary is found by counting.
Where a change needs fewer, write the new number here. The rate limits of the deployment are off.
"""

import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from credence import paths
from credence.scoring.model import current_model
from tests.architecture.walking import calls_by_room
from tests.deployment import Deployment, Reply
from tests.sign_in.browsing import request_of, with_browser_application

Ask = Callable[[Deployment, dict[str, str]], Awaitable[Reply]]

FORM = ("Content-Type", "application/x-www-form-urlencoded")

EVERY = Counter(web=15, access=2, request_context=1, oauth=1, store=1, loop_pass=3, telemetry=1, request_log=1)
"""Route, head, host and address are found, the caches are current, and the answer is written, counted and queued."""

CLIENT = Counter(oauth=5, identity=7, store=1, crypto=1, ratelimit=6, request_context=1)
"""The application is found and authenticated, its limits and its rules on addresses and hours are looked up."""

BODY = Counter(web=12, transport=2)
"""A form is received, its dialect known, its parameters are read and screened."""

BEARER = Counter(web=10, oauth=10, identity=7, store=4, crypto=1, generational_cache=1, ratelimit=6, request_context=2)
"""The token is found among those verified, with its application and account, its scope and the limits of all three."""

ROTATION = Counter(web=7, oauth=28, identity=9, store=11, crypto=11, ratelimit=3, request_context=1, telemetry=1)
"""The token that was sent is genuine, its family goes on by one commit, and the next pair is written and signed."""

_FACTORS = len(current_model().conduct.factors)
_ALERTS = len([rows for rows in current_model().reservations.by_code.values() if rows[0].alert and rows[0].find])

SCORE = Counter(scoring=12 * _FACTORS, report=3 * _FACTORS + _ALERTS)
"""Each factor of conduct is measured, finds its points and is said; each alert of a reservation asks for missing facts."""

ALLOWED: Mapping[str, Counter[str]] = {
    "introspection": EVERY
    + BODY
    + CLIENT
    + Counter(oauth=13, store=4, identity=6, crypto=1, generational_cache=1, api=1),
    "client_credentials": EVERY + BODY + CLIENT + Counter(web=3, oauth=22, identity=7, crypto=7),
    "refresh_by_form": EVERY + BODY + CLIENT + ROTATION,
    "refresh": EVERY + BODY + CLIENT + ROTATION + Counter(web=1),
    "password_remembered": EVERY
    + BODY
    + CLIENT
    + Counter(web=8, screening=7, oauth=31, identity=13, store=14, crypto=10, ratelimit=3)
    + Counter(generational_cache=1, request_context=1, telemetry=1),
    "sign_in_page": EVERY
    + Counter(web=2, access=1, request_context=3, ratelimit=4, store=1, oauth=45, sign_in=22, identity=6, crypto=6),
    "report_remembered": EVERY + BEARER + Counter(api=5, report=2, companies=1, sandbox=2),
    "report_built": EVERY
    + BEARER
    + SCORE
    + Counter(api=5, report=133, companies=40, sandbox=10, datasets=17, scoring=92)
    + Counter(computed_once=13, loop_pass=5, clock=3, generational_cache=1),
}
"""By request, what each room may be called: the parts that requests share, and what only this one does."""


async def introspection(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    body = f"token={tokens['access_token']}".encode()
    return await deployment.send("POST", paths.INTROSPECTION, [deployment.basic, FORM], body)


async def client_credentials(deployment: Deployment, _tokens: dict[str, str]) -> Reply:
    return await deployment.send("POST", paths.TOKEN, [deployment.basic, FORM], b"grant_type=client_credentials")


async def refresh(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    reply = await deployment.refresh(tokens["refresh_token"])
    tokens |= reply.json
    return reply


async def refresh_by_form(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    body = f"grant_type=refresh_token&refresh_token={tokens['refresh_token']}".encode()
    reply = await deployment.send("POST", paths.TOKEN, [deployment.basic, FORM], body)
    tokens |= reply.json
    return reply


async def password_remembered(deployment: Deployment, _tokens: dict[str, str]) -> Reply:
    return await deployment.login()


async def report_remembered(deployment: Deployment, tokens: dict[str, str]) -> Reply:
    return await deployment.report(tokens["access_token"])


ASKING: tuple[Ask, ...] = (
    introspection,
    client_credentials,
    refresh,
    refresh_by_form,
    password_remembered,
    report_remembered,
)


@pytest.mark.parametrize("ask", ASKING, ids=lambda ask: ask.__name__)
async def test_a_hot_request_calls_no_more_functions_than_each_room_is_allowed(
    deployment: Deployment, ask: Ask
) -> None:
    await deployment.change_application(grants=("password", "refresh_token", "client_credentials"))
    tokens = await deployment.tokens()
    for _ in range(2):
        assert (await ask(deployment, tokens)).status == 200
    with calls_by_room() as calls:
        reply = await ask(deployment, tokens)
    assert reply.status == 200
    require_allowed(ask.__name__, calls)


async def test_a_sign_in_page_calls_no_more_functions_than_each_room_is_allowed(deployment: Deployment) -> None:
    target = request_of(await with_browser_application(deployment))
    for _ in range(2):
        assert (await deployment.send("GET", target)).status == 200
    with calls_by_room() as calls:
        await deployment.send("GET", target)
    require_allowed("sign_in_page", calls)


async def test_a_report_that_is_built_calls_no_more_functions_than_each_room_is_allowed(
    register: Path, deployment: Deployment
) -> None:
    (file,) = register.glob("register-*.sqlite")
    with closing(sqlite3.connect(file)) as sample:
        numbers = [number for (number,) in sample.execute("SELECT number FROM company ORDER BY number LIMIT 3")]
    token = (await deployment.tokens())["access_token"]
    for number in numbers[:2]:
        assert (await deployment.report(token, f"/{number}")).status == 200
    with calls_by_room() as calls:
        reply = await deployment.report(token, f"/{numbers[2]}")
    assert reply.status == 200
    require_allowed("report_built", calls)


def require_allowed(request: str, calls: Counter[str]) -> None:
    """Fail if a room was called more often than it is allowed for this request."""
    assert calls - ALLOWED[request] == {}, f"{sum(calls.values())} calls: {dict(calls)}"

"""The test clock of an application of the sandbox: what follows it, and what it leaves alone (D18)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.identity.applications import application_time, real_time
from credence.operations.clocks import ClockBody, advanced
from credence.store.records import Application, ApplicationClock, ClockMove
from tests.deployment import NOW, Deployment, OpenDeployment, Reply, claims
from tests.management.conftest import Managed
from tests.management.test_applications import acts
from tests.oauth.exchanging import exchange, service
from tests.oauth.standard import ask, log_in

HOUR = 3_600_000
DAY = 24 * HOUR


async def advance(managed: Managed, by: str) -> Reply:
    reply = await managed.call("POST", f"/applications/{managed.main.application.client_id}/clock", {"by": by})
    assert reply.status == 200, reply
    return reply


async def reset(managed: Managed) -> Reply:
    path = f"/applications/{managed.main.application.client_id}/clock"
    tag = (await managed.call("GET", path)).headers["etag"]
    reply = await managed.call("DELETE", path, tag=tag)
    assert reply.status == 200, reply
    return reply


def refused_for(managed: Managed, reply: Reply, reason: str) -> bool:
    """Return whether a reply is a refusal, and the only one so far for this reason."""
    return reply.status >= 400 and managed.main.service.counts.refusals[reason] == 1


async def is_active(deployment: Deployment, token: str) -> bool:
    reply = await ask(deployment, {"token": token}, path="/oauth2/v1/introspect")
    assert reply.status == 200
    active: bool = reply.json["active"]
    return active


async def client_token(deployment: Deployment) -> str:
    reply = await ask(deployment, {"grant_type": "client_credentials"})
    assert reply.status == 200, reply
    token: str = reply.json["access_token"]
    return token


async def test_a_token_expires_when_the_clock_passes_its_end_and_others_do_not_notice(managed: Managed) -> None:
    """Spec §3.2: an access token lives three hours."""
    main, other = managed.main, await managed.main.another_application()
    mine, theirs = await main.tokens(), await other.tokens()
    await advance(managed, "2h")
    assert (await main.report(mine["access_token"])).status == 200
    await advance(managed, "1h")
    assert refused_for(managed, await main.report(mine["access_token"]), "token.expired")
    assert not await is_active(main, mine["access_token"])
    assert (await other.report(theirs["access_token"])).status == 200
    assert claims((await other.tokens())["access_token"])["iat"] == NOW // 1000


async def test_what_is_issued_has_the_time_of_the_application_and_is_valid_at_once(managed: Managed) -> None:
    """400 days are longer than any signing key lasts; the ID token is still signed by one of today."""
    await managed.main.change_application(scopes=("openid", "credit:report"))
    shown = (await advance(managed, "400d")).json
    assert (shown["time"], shown["ahead_seconds"]) == ("2024-12-18T22:13:20Z", 400 * 86_400)
    reply = await log_in(managed.main, scope="openid credit:report")
    token = reply.json["access_token"]
    said = claims(token)
    assert said["iat"] == said["auth_time"] == claims(reply.json["id_token"])["iat"] == (NOW + 400 * DAY) // 1000
    assert (await managed.main.report(token)).status == 200
    assert await is_active(managed.main, token)
    assert (await managed.main.refresh(reply.json["refresh_token"])).status == 200
    assert (await managed.main.revoke(token)).status == 200
    assert (await managed.main.report(token)).status == 401


async def test_a_login_ends_with_its_life_by_the_clock(managed: Managed) -> None:
    """D4: the refresh token lives a day, and no refresh moves its end."""
    first = (await managed.main.tokens())["refresh_token"]
    await advance(managed, "23h")
    second = (await managed.main.refresh(first)).json["refresh_token"]
    assert await is_active(managed.main, second)
    await advance(managed, "1h")
    assert not await is_active(managed.main, second)
    assert refused_for(managed, await managed.main.refresh(second), "refresh_token.expired")


async def test_the_hours_of_the_rules_open_and_close_with_the_clock(managed: Managed) -> None:
    """D15. It is a Tuesday, 22:13 UTC."""
    client = managed.main.application.client_id
    tag = (await managed.call("GET", f"/applications/{client}")).headers["etag"]
    rules = {"rules": {"windows": ["Wed 08:00-18:00"]}}
    assert (await managed.call("PATCH", f"/applications/{client}", rules, tag=tag)).status == 200
    assert refused_for(managed, await managed.main.login(), "access.hours_of_application")
    await advance(managed, "12h")
    token = (await managed.main.tokens())["access_token"]
    assert (await managed.main.report(token)).status == 200
    await managed.call("POST", f"/applications/{client}/clock", {"to": "2023-11-16T10:00:00Z"})
    assert (await managed.main.login()).status == 403


async def test_the_old_secret_ends_by_the_clock(managed: Managed) -> None:
    """threats A14: two secrets overlap for as long as the operator says, here two hours from a moved time."""
    await advance(managed, "30d")
    client = managed.main.application.client_id
    made = (await managed.call("POST", f"/applications/{client}/secrets", {"keep_old_seconds": 7200})).json
    assert (await managed.main.login()).status == 200
    await advance(managed, "2h")
    assert (await managed.main.login()).status == 401
    managed.main.secret = made["client_secret"]
    assert (await managed.main.login()).status == 200


async def test_a_sign_in_grows_too_old_by_the_clock(managed: Managed) -> None:
    """RFC 9470: the account asks for a sign-in of the last hour."""
    token = (await managed.main.tokens())["access_token"]
    tag = (await managed.call("GET", "/accounts/ada")).headers["etag"]
    await managed.call("PATCH", "/accounts/ada", {"rules": {"max_age": 3600}}, tag=tag)
    assert (await managed.main.report(token)).status == 200
    await advance(managed, "61m")
    assert refused_for(managed, await managed.main.report(token), "step_up.max_age")


async def test_a_change_of_the_account_ends_what_was_issued_before_it_and_nothing_after(managed: Managed) -> None:
    """D14: `not_before` is real, and holds at a moved time too; a move itself ends nothing."""
    await advance(managed, "10d")
    before = await managed.main.tokens()
    managed.main.now += 1000
    for status in ("suspended", "active"):
        await managed.main.set_status(status)
    assert (await managed.main.report(before["access_token"])).status == 401
    assert (await managed.main.refresh(before["refresh_token"])).status == 401
    managed.main.now += 2000
    after = await managed.main.tokens()
    await advance(managed, "2h")
    assert (await managed.main.report(after["access_token"])).status == 200
    assert (await managed.main.refresh(after["refresh_token"])).status == 200


async def test_a_reset_ends_everything_from_before_for_good(managed: Managed) -> None:
    """What was issued a day ahead is not valid a day later, when its time has come."""
    main = managed.main
    await main.change_application(grants=("password", "refresh_token", "client_credentials"))
    early, early_alone = await main.tokens(), await client_token(main)
    await advance(managed, "1d")
    ahead, ahead_alone = await main.tokens(), await client_token(main)
    assert (await reset(managed)).json == {
        "client_id": main.application.client_id,
        "ahead_seconds": 0,
        "moves": [],
        "resets": 1,
        "time": "2023-11-14T22:13:20Z",
    }
    fresh = await main.tokens()
    assert claims(fresh["access_token"])["iat"] == NOW // 1000
    for later in (0, DAY + HOUR):
        main.now = NOW + later
        for token in (early["access_token"], early_alone, ahead["access_token"], ahead_alone):
            assert (await main.report(token)).status == 401
            assert not await is_active(main, token)
        for kept in (early["refresh_token"], ahead["refresh_token"]):
            assert not await is_active(main, kept)
            assert (await main.refresh(kept)).status == 401
    main.now = NOW + HOUR
    assert (await main.report(fresh["access_token"])).status == 200
    assert (await main.refresh(fresh["refresh_token"])).status == 200


async def test_an_expired_secret_stays_expired_after_a_reset(managed: Managed) -> None:
    client = managed.main.application.client_id
    await managed.call("POST", f"/applications/{client}/secrets", {"keep_old_seconds": 3600})
    await advance(managed, "2h")
    await reset(managed)
    assert (await managed.main.login()).status == 401


async def test_applications_of_two_times_exchange_no_tokens(managed: Managed) -> None:
    gateway = await service(managed.main)
    token = (await managed.main.tokens())["access_token"]
    assert (await exchange(gateway, token)).status == 200
    await advance(managed, "1h")
    assert refused_for(managed, await exchange(gateway, token), "exchange.test_clock")


async def test_moves_are_recorded_first_previewed_and_repeated_once(managed: Managed) -> None:
    client = managed.main.application.client_id
    path = f"/applications/{client}/clock"
    assert (await managed.call("POST", f"{path}?preview=true", {"by": "1h"})).json["ahead_seconds"] == 3600
    assert (await managed.call("GET", path)).json["ahead_seconds"] == 0
    for _ in range(2):
        reply = await managed.call("POST", path, {"by": "1h"}, Idempotency_Key="one")
        assert (reply.status, reply.json["ahead_seconds"]) == (200, 3600)
    assert (await managed.call("DELETE", path)).status == 428
    await reset(managed)
    assert [(each["act"], each["application"]) for each in await acts(managed)] == [
        ("clock advance", client),
        ("clock reset", client),
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"by": "0s"},
        {"by": "soon"},
        {"by": "9999d"},
        {"to": "2020-01-01"},
        {"to": "1d"},
        {"by": "1d", "to": "2027-01-01"},
    ],
)
async def test_a_move_that_cannot_be_is_refused(managed: Managed, body: Any) -> None:
    path = f"/applications/{managed.main.application.client_id}/clock"
    assert (await managed.call("POST", path, body)).status == 422
    assert (await managed.call("GET", path)).json["moves"] == []


async def test_a_move_by_a_node_whose_clock_is_behind_does_not_set_the_clock_back(managed: Managed) -> None:
    settings = managed.main.service.settings
    first = advanced(Application("a", "A", (), 0), settings, ClockBody(by="7d"), NOW)
    second = advanced(first, settings, ClockBody(by="1h"), NOW - 1)
    assert application_time(second, NOW) == NOW + 7 * DAY + HOUR


async def test_a_clock_has_no_effect_outside_the_sandbox(open_deployment: OpenDeployment) -> None:
    """Not even one that was written into the record."""
    deployment = await open_deployment(environment="production", base_url="https://api.example.com")
    clock = ApplicationClock((ClockMove(NOW, DAY),))
    await deployment.change_application(clock=clock, grants=("client_credentials",))
    reply = await deployment.send(
        "POST",
        "/oauth2/v1/token",
        [("Content-Type", "application/x-www-form-urlencoded"), deployment.basic],
        b"grant_type=client_credentials",
        host="api.example.com",
    )
    assert claims(reply.json["access_token"])["iat"] == NOW // 1000


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), max_size=5), st.lists(st.integers(0, 400), max_size=20)
)
def test_time_never_goes_back_between_moves_and_is_undone_exactly(
    steps: list[tuple[int, int]], instants: list[int]
) -> None:
    moves: list[ClockMove] = []
    for pause, by in steps:
        last = moves[-1] if moves else ClockMove(0, 0)
        moves.append(ClockMove(last.at + pause, last.ahead + by * 10))
    application = Application("a", "A", (), 0, clock=ApplicationClock(tuple(moves)))
    times = [application_time(application, each) for each in sorted(instants)]
    assert times == sorted(times)
    assert [real_time(application, each) for each in times] == sorted(instants)
    reals = [real_time(application, each) for each in sorted(instants)]
    assert reals == sorted(reals)

"""What a program with a refused refresh token reads, and how the operator learns of one that repeats it."""

import pytest

from tests.deployment import NOW, Deployment
from tests.oauth.standard import ask, error, log_in

_STARTS_AGAIN = "start a new authorization"


async def _refresh(deployment: Deployment, token: str) -> tuple[tuple[int, str], str]:
    """Return status, code and description of the refusal."""
    reply = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": token})
    return error(reply), reply.json["error_description"]


async def test_the_answer_says_for_how_long_the_refresh_token_is_valid(deployment: Deployment) -> None:
    """D4: a login ends a day after it was opened, and no refresh prolongs it."""
    first = (await log_in(deployment)).json
    assert first["refresh_token_expires_in"] == 86_400
    deployment.now = NOW + 3_600_000
    second = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]})
    assert second.json["refresh_token_expires_in"] == 86_400 - 3_600
    deployment.now += 20_000
    repeated = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]})
    assert repeated.body == second.body  # D7: to the byte, within the retry window


async def test_the_house_dialect_has_the_members_of_the_specification_alone(deployment: Deployment) -> None:
    """Spec §2.3."""
    assert set(await deployment.tokens()) == {"issued_at", "expires_in", "token_type", "access_token", "refresh_token"}


async def test_a_refused_refresh_token_is_answered_with_what_to_do(deployment: Deployment) -> None:
    """RFC 6749 §5.2: the code is fixed, the description is for the developer, or for the agent that reads it."""
    first = (await log_in(deployment)).json["refresh_token"]
    deployment.now = NOW + 86_400_000
    for token in (first, "crd_sbx_ref_AAAA"):
        code, description = await _refresh(deployment, token)
        assert code == (400, "invalid_grant")
        assert _STARTS_AGAIN in description
    assert (await deployment.refresh(first)).said == (401, "Unauthorized", "Access token is Invalid.")  # spec §7


async def test_the_fifth_time_a_refused_token_is_sent_the_log_names_its_application(
    deployment: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    """The alert CredenceRefusedRefreshTokenRepeated counts the reason, and the line has the client_id once."""
    token = (await log_in(deployment)).json["refresh_token"]
    deployment.now = NOW + 86_400_000
    for _ in range(7):
        await _refresh(deployment, token)
    assert deployment.service.counts.refusals["refresh_token.expired"] == 4
    assert deployment.service.counts.refusals["refresh_token.repeated"] == 3
    named = [line for line in "".join(capfd.readouterr()).splitlines() if "refused_refresh_token_repeated" in line]
    assert len(named) == 1
    assert deployment.application.client_id in named[0]


async def test_a_token_of_another_application_raises_no_alert(deployment: Deployment) -> None:
    """threats A12: whoever knows a client_id could otherwise raise an alert about it."""
    token = (await log_in(deployment)).json["refresh_token"]
    other = await deployment.another_application()
    for _ in range(6):
        await _refresh(other, token)
    assert deployment.service.counts.refusals["refresh_token.invalid"] == 6

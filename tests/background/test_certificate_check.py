"""What a node says of the end of its certificate (threats E6)."""

import dataclasses

from structlog.testing import capture_logs

from credence.background.monitoring import certificate_check
from tests.deployment import NOW, Deployment

DAY_MS = 86_400_000


def ending(deployment: Deployment, days: float) -> None:
    deployment.service = dataclasses.replace(deployment.service, certificate_until=NOW + round(days * DAY_MS))
    deployment.asgi._service = deployment.service


async def test_the_log_names_the_end_once_a_day_from_twenty_one_days_before(deployment: Deployment) -> None:
    ending(deployment, 23)
    check = certificate_check(deployment.service)
    with capture_logs() as logged:
        for _ in range(25 * 12):  # a look every two hours
            await check()
            deployment.now += DAY_MS // 12
    named = [(line["event"], line["days"]) for line in logged]
    assert [event for event, _ in named] == ["certificate_expires_soon"] * 22 + ["certificate_expired"] * 2
    assert named[0] == ("certificate_expires_soon", 21)
    assert [days for _, days in named] == sorted((days for _, days in named), reverse=True)


async def test_a_node_without_a_certificate_of_its_own_says_nothing(deployment: Deployment) -> None:
    with capture_logs() as logged:
        await certificate_check(deployment.service)()
    assert logged == []


async def test_the_probe_says_that_the_certificate_has_expired_and_takes_no_node_away(deployment: Deployment) -> None:
    """A balancer that verifies certificates has left the node already; one that does not may use it."""
    for days, body in ((1, b'{"status":"ready"}'), (-1, b'{"status":"ready","certificate":"expired"}')):
        deployment.now += 1_000
        ending(deployment, days)
        reply = await deployment.send("GET", "/readyz")
        assert (reply.status, reply.body) == (200, body)

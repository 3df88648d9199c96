"""What the edge does when a start fails, a body dawdles, or a file cannot be read (threats E7, F9, P13)."""

import asyncio
from pathlib import Path
from typing import Any

from credence.app import close_service
from credence.datasets import catalogue
from credence.service import READINESS_SHARED_MS, Service
from credence.settings import Settings
from credence.transport.bodies import BODY_DEADLINE_SECONDS
from credence.web.asgi import AsgiApplication
from tests.deployment import TOKEN_PATH, Deployment, OpenDeployment
from tests.waiting import until


async def test_a_failed_start_is_reported_to_the_server() -> None:
    """The server then ends, instead of answering 500 for ever."""

    async def fail() -> Service:
        raise RuntimeError("no store")

    told: asyncio.Queue[Any] = asyncio.Queue()
    said: list[Any] = []

    async def keep(message: Any) -> None:
        said.append(message)

    told.put_nowait({"type": "lifespan.startup"})
    await AsgiApplication(Settings(), fail, close_service)({"type": "lifespan"}, told.get, keep)
    (message,) = said
    assert message == {"type": "lifespan.startup.failed", "message": "RuntimeError"}


async def test_a_body_that_does_not_come_in_time_is_refused(deployment: Deployment) -> None:
    """threats P13: half a body and then silence."""
    said: list[Any] = []
    pieces = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> Any:
        piece = next(pieces, None)
        return piece if piece is not None else await asyncio.Event().wait()

    async def keep(message: Any) -> None:
        said.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "raw_path": TOKEN_PATH.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"60")],
        "client": ("192.0.2.7", 1),
    }
    answered = asyncio.create_task(deployment.asgi(scope, receive, keep))
    await asyncio.sleep(0)
    for _ in range(BODY_DEADLINE_SECONDS + 1):
        deployment.service.bodies.tick()
    await asyncio.wait_for(answered, timeout=60)
    assert said[0]["status"] == 401
    assert b"Access to the requested resource is not allowed." in said[1]["body"]


async def test_a_service_whose_credit_data_cannot_be_read_is_not_ready_and_recovers(
    register: Path, open_deployment: OpenDeployment
) -> None:
    """threats F9: no green probe beside reports that fail."""
    (good,) = register.glob("register-*.sqlite")
    entry, contents = catalogue.read(register).sources["register"], good.read_bytes()

    deployment = await open_deployment()
    assert (await deployment.send("GET", "/readyz")).status == 200
    for data, status in ((b"not a data set", 503), (contents, 200)):
        (register / "draft").write_bytes(data)
        catalogue.activate(register, "register", register / "draft", entry)
        deployment.now += READINESS_SHARED_MS
        assert (await deployment.send("GET", "/readyz")).status == status
        assert (await deployment.send("GET", "/livez")).status == 200


async def test_probes_within_a_second_share_one_look(deployment: Deployment) -> None:
    """threats A12: a look writes to the store, and anybody may ask. A prober who hangs up takes nothing from the others."""
    looks = 0
    check, going = deployment.store.check_writable, asyncio.Event()

    async def counted() -> None:
        nonlocal looks
        looks += 1
        await going.wait()
        await check()

    deployment.store.check_writable = counted  # type: ignore[method-assign]
    probes = [asyncio.create_task(deployment.send("GET", "/readyz")) for _ in range(20)]
    await until(lambda: looks == 1, 10)
    probes[0].cancel()
    going.set()
    assert {probe.status for probe in await asyncio.gather(*probes[1:])} == {200}
    assert looks == 1
    deployment.now += READINESS_SHARED_MS - 1
    await deployment.send("GET", "/readyz")
    assert looks == 1
    deployment.now += 1
    await deployment.send("GET", "/readyz")
    assert looks == 2
    deployment.now -= 3_600_000  # a clock that is set back does not keep an old look
    await deployment.send("GET", "/readyz")
    assert looks == 3

"""Health probes: liveness without any check; readiness only if the store accepts writes (threats F9)."""

import asyncio
from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

import credence
from credence import paths
from credence.clock import Milliseconds
from credence.management.instants import instant
from credence.management.service_schema import ConnectionState, NodeState, ServiceHealth
from credence.meanings import meaning
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import StoreDamaged, StoreUnavailable
from credence.store.nodes import SILENT_AFTER_MS, NodeProcess
from credence.store.revocation_cache import StaleRevocationState
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Content

OK = 200
ALIVE = Answer(200, JSON, b'{"status":"alive"}', (NO_STORE,))
STORE_UNAVAILABLE = Answer(503, JSON, b'{"status":"store unavailable"}', (NO_STORE,))


class Health(Struct):
    """The state of one process."""

    status: Annotated[
        Literal[
            "alive",
            "ready",
            "store unavailable",
            "revocation state stale",
            "audit trail unavailable",
            "credit data unavailable",
            "credit data unreadable",
        ],
        meaning("State of the process."),
    ]
    credit_data: Annotated[
        Literal["behind"] | UnsetType,
        Meta(description="A newer data set is published than this node serves."),
    ] = UNSET


_READY = Content(JSON, (Health,), {"Ready": {"status": "ready"}})
_NOT_READY = Content(JSON, (Health,), {"Not ready": {"status": "store unavailable"}}, status=503)


async def live(_service: Service, _request: RequestContext) -> Annotated[Answer, Health]:
    """Is the process alive?

    Responds without any check, as a liveness probe.
    """
    return ALIVE


async def ready(service: Service, request: RequestContext) -> Annotated[Answer, _READY, _NOT_READY]:
    """Is the process ready?

    Responds 200 only while the store is writable and its changes arrive, as a readiness probe.
    """
    # The audit trail must be writable and the credit data readable too. The result is shared for a second.
    answered = await service.readiness.look(request.now, partial(_examine, service, request.now))
    if not isinstance(answered, Answer):
        raise TypeError("a look at the readiness is an answer")
    return answered


async def _examine(service: Service, now: Milliseconds) -> Answer:
    try:
        await service.authority.follow(now)
        await service.authority.store.check_writable()
    except StaleRevocationState:
        return Answer(503, JSON, b'{"status":"revocation state stale"}', (NO_STORE,))
    except StoreDamaged:
        return Answer(503, JSON, b'{"status":"store damaged"}', (NO_STORE,))
    except StoreUnavailable:
        return STORE_UNAVAILABLE
    if service.audit.fault is not None:
        await asyncio.to_thread(service.audit.flush)  # `flush` retries the failed write
    if service.audit.fault is not None:
        return Answer(503, JSON, b'{"status":"audit trail unavailable"}', (NO_STORE,))
    match _credit_data(service):
        case "current":
            return _ready(service, now)
        case "behind":
            return _ready(service, now, {"credit_data": "behind"})
        case "unavailable":
            return Answer(503, JSON, b'{"status":"credit data unavailable"}', (NO_STORE,))
    return Answer(503, JSON, b'{"status":"credit data unreadable"}', (NO_STORE,))


async def health_of(service: Service) -> ServiceHealth:
    """Return the state of the service for operators."""
    now = service.clock()
    answer = msgspec.json.decode((await ready(service, _probe(now))).body)
    store, backup, pool = service.authority.store, service.settings.backup_time_file, service.authority.store.pool_use
    processes = None if store.nodes is None else await store.nodes.noted()
    return ServiceHealth(
        answer["status"],
        credence.__version__,
        service.settings.environment,
        service.settings.node,
        answer.get("credit_data", "current"),
        service.audit.fault,
        service.audit.lost,
        instant(service.certificate_until),
        store.clock_offset(),
        None if pool is None else ConnectionState(pool.used, pool.idle, pool.waiting),
        instant(int(backup.stat().st_mtime * 1000)) if backup.exists() else None,
        None if processes is None else [_node(each, now) for each in processes],
    )


def _node(process: NodeProcess, now: Milliseconds) -> NodeState:
    return NodeState(process.node, instant(process.seen_at) or "", now - process.seen_at <= SILENT_AFTER_MS)


async def is_ready(service: Service) -> bool:
    """Return whether `/readyz` would answer 200 now."""
    return (await ready(service, _probe(service.clock()))).status == OK


def _probe(now: Milliseconds) -> RequestContext:
    return RequestContext("", "GET", paths.READY, b"", (), "", now=now)


def _ready(service: Service, now: Milliseconds, further: dict[str, str] | None = None) -> Answer:
    """Return the answer of a node that serves.

    It says if the certificate has expired: a balancer that does not verify it can still use the node.
    """
    body = {"status": "ready"} | (further or {})
    if service.certificate_until is not None and service.certificate_until < now:
        body["certificate"] = "expired"
    return Answer(200, JSON, msgspec.json.encode(body), (NO_STORE,))


def _credit_data(service: Service) -> Literal["current", "behind", "unavailable", "unreadable"]:
    """Return the state of the credit data: `behind` with an earlier version, `unavailable` without any."""
    credit_data = service.credit_data
    try:
        if credit_data.unavailable:
            return "unavailable"
        credit_data.company("00000000")
        if credit_data.reload_errors:
            return "unreadable"
        return "behind" if credit_data.pending else "current"
    except Exception:  # noqa: BLE001 - with any error here, reports would be 500
        return "unreadable"

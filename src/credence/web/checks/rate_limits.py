"""What a request counts against, and the refusal of one that comes too fast (spec §7.9, D16, threats A6, A12, F7).

A request that proved its application counts against that application and its address prefix, and one that proved its
account against that too. What a request merely names is looked at and not counted: a stranger who knows a client_id or a
login name cannot use up what belongs to others. He is refused all the same while that has no room, so the order of D3 holds.
`docs/adr/spike-arrest.md` says more.
"""

from functools import lru_cache

from credence.crypto.digest import keyed_digest
from credence.ratelimit.limiter import SECOND, Claim, Verdict
from credence.refusals import SPIKE_ARREST, Refused
from credence.service import Service
from credence.store.records import Application
from credence.web.messages.rate_limit import rate_limit_fields
from credence.web.messages.request import Request

_KEY_BYTES = 16


async def count_unproven(
    service: Service, request: Request, application: Application | None, account: bytes | None = None
) -> None:
    """Count a request whose credentials are wrong, or that needs none, whoever it says it is."""
    consulted = _of_application(service, application) if application is not None else []
    await _count(service, request, [], consulted + _of_account(service, account))


async def count_client(service: Service, request: Request, application: Application, account: bytes | None) -> None:
    """Count a request of this application, which names an account; `count_account` counts that once it is proven."""
    await _count(service, request, _of_application(service, application), _of_account(service, account))


async def count_account(service: Service, request: Request, account: bytes | None) -> None:
    """Count a request that `count_client` has counted, for the account that its password or token proved."""
    counted = _of_account(service, account)
    _judged(request, await service.spikes.admit(counted, [], request.now), counted)


async def count_proven(service: Service, request: Request, application: Application, account: bytes | None) -> None:
    """Count a request of this application, and for this account if it speaks for one, both proven by one token."""
    await _count(service, request, _of_application(service, application) + _of_account(service, account), [])


def named_account(digest_key: bytes, username: str) -> bytes:
    """Return the key of the account of this login name, which is in its normal form and may be anybody's text (A6, A12)."""
    return keyed_digest(digest_key, "spike account", username.encode())[:_KEY_BYTES]


known_account = lru_cache(maxsize=4096)(named_account)
"""The same for an account that exists: it makes one request after the other."""


def _of_application(service: Service, application: Application) -> list[Claim]:
    pace = service.spike_limits.application(application.spike_per_minute)
    return [] if pace is None else [(pace, application.client_id)]


def _of_account(service: Service, account: bytes | None) -> list[Claim]:
    limit = service.spike_limits.account
    return [] if limit is None or account is None else [(limit, account)]


async def _count(service: Service, request: Request, counted: list[Claim], consulted: list[Claim]) -> None:
    address = service.spike_limits.address
    if address is not None:
        counted.append((address, service.prefixes.of(request.peer, request.forwarded)))
    _judged(request, await service.spikes.admit(counted, consulted, request.now), counted)


def _judged(request: Request, verdict: Verdict | None, counted: list[Claim]) -> None:
    """Note what may be told of a verdict beside one before it, and refuse if it says so."""
    if verdict is None:
        return
    trace = request.trace
    trace.counted = (*trace.counted, *counted)
    if trace.verdict is None or not verdict.admitted or verdict.room < trace.verdict.room:
        trace.verdict = verdict
    trace.rate_limit = rate_limit_fields(trace.verdict, trace.counted)
    if not verdict.admitted:
        raise Refused(SPIKE_ARREST, f"spike.{verdict.pace.kind}", retry_after=-(-verdict.wait // SECOND))

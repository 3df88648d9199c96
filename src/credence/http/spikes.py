"""What a request counts against, and the refusal of one that comes too fast (spec §7.9, D16, threats A6, A12, F7).

A request that proved its application counts against that application, the account it speaks of and its address prefix. One
that did not counts against its address alone: a stranger who knows a client_id or a login name cannot use up what
belongs to others. It is refused all the same while the application it names has no room, so the order of D3 holds.
`docs/decisions/spike-arrest.md` says more.
"""

from functools import lru_cache

from credence.crypto.digest import keyed_digest
from credence.guard.spike import SECOND, Claim
from credence.http.rate_limit import rate_limit_fields
from credence.http.request import Request
from credence.refusals import SPIKE_ARREST, Refused
from credence.service import Service
from credence.store.records import Application

_KEY_BYTES = 16


async def count_unproven(service: Service, request: Request, application: Application | None) -> None:
    """Count a request whose credentials are wrong, whoever it says it is."""
    consulted = _of_application(service, application) if application is not None else []
    await _count(service, request, [], consulted)


async def count_proven(service: Service, request: Request, application: Application, account: bytes | None) -> None:
    """Count a request of this application for this account, which is a key of `named_account` or `known_account`."""
    counted, limit = _of_application(service, application), service.spike_limits.account
    if account is not None and limit is not None:
        counted.append((limit, account))
    await _count(service, request, counted, [])


def named_account(digest_key: bytes, username: str) -> bytes:
    """Return the key of the account of this login name, which is in its normal form and may be anybody's text (A6, A12)."""
    return keyed_digest(digest_key, "spike account", username.encode())[:_KEY_BYTES]


known_account = lru_cache(maxsize=4096)(named_account)
"""The same for an account that exists: it makes one request after the other."""


def _of_application(service: Service, application: Application) -> list[Claim]:
    pace = service.spike_limits.application(application.spike_per_minute)
    return [] if pace is None else [(pace, application.client_id)]


async def _count(service: Service, request: Request, counted: list[Claim], consulted: list[Claim]) -> None:
    address = service.spike_limits.address
    if address is not None:
        counted.append((address, service.prefixes.of(request.peer, request.forwarded)))
    verdict = await service.spikes.admit(counted, consulted, request.now)
    if verdict is None:
        return
    request.trace.rate_limit = rate_limit_fields(verdict, counted)
    if not verdict.admitted:
        raise Refused(SPIKE_ARREST, f"spike.{verdict.pace.kind}", retry_after=-(-verdict.wait // SECOND))

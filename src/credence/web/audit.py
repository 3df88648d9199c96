"""What the audit trail says of a request: only what was verified, or was never the caller's to choose (threats A11, I12)."""

from credence.access.caller_address import caller_address, peer_address
from credence.clock import Milliseconds
from credence.identity.usernames import login_name
from credence.refusals import Refused
from credence.service import Service
from credence.telemetry.log import event
from credence.web.exchange import Exchange

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
"""Methods named in the trail (RFC 9110 §9.3, RFC 5789). Any other word is the caller's own and is left out."""


def record_refusal(service: Service, exchange: Exchange, refused: Refused, status: int) -> None:
    """Write the one line of a refusal to the trail, and a short one to the log."""
    name, reason, trace = refused.refusal.name, refused.reason, exchange.trace
    service.audit.record(
        "refused",
        service.clock(),
        **_request(service, exchange),
        status=status,
        refusal=name,
        reason=reason,
        application=refused.application or trace.application,
        account=refused.account or trace.account or _known(service, trace.asked_for),
    )
    event("refused", request_id=exchange.request_id, refusal=name, reason=reason, peer=exchange.peer)


def record_deed(service: Service, exchange: Exchange, now: Milliseconds) -> None:
    """Write the line of something that was done and is worth one, such as a revocation."""
    trace = exchange.trace
    service.audit.record(
        trace.deed or "done", now, **_request(service, exchange), application=trace.application, account=trace.account
    )


def _request(service: Service, exchange: Exchange) -> dict[str, str | None]:
    forwarded = [value.decode("latin-1") for name, value in exchange.headers if name == b"x-forwarded-for"]
    address = str(caller_address(exchange.peer, forwarded, service.settings.trusted_proxies))
    peer = str(peer_address(exchange.peer))
    return {
        "request_id": exchange.request_id,
        "correlation_id": exchange.correlation_id,
        "route": exchange.route.path if exchange.route else None,
        "method": exchange.method if exchange.method in METHODS else None,
        "address": address,
        "peer": peer if peer != address else None,
    }


def _known(service: Service, asked_for: str | None) -> str | None:
    """Return the login name if its account exists. Memory alone is asked, where the password check has just put it."""
    account = service.authority.revocation_cache.cached_account(login_name(asked_for)) if asked_for else None
    return account.username if account else None

"""Writes requests to the audit trail: only verified values, and values that the caller cannot choose (threats A11, I12)."""

import json

from credence.access.caller_address import counted_networks
from credence.crypto import base64url
from credence.identity.usernames import login_name
from credence.oauth.issue import Issued
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.service import Service
from credence.telemetry.log import event
from credence.web.messages.recorded import described, forwarded


def record_refusal(service: Service, request: RequestContext, refused: Refused, status: int) -> None:
    """Write a line on a refusal to the audit trail, and a short line to the log.

    Refusals of callers without authentication are combined to one line a second for each network (/32, /48).
    """
    name, reason, now = refused.refusal.name, refused.reason, service.clock()
    network = counted_networks(prefix_of(service, request))[-1]
    if not (request.proven or refused.application) and not service.audit.has_own_line(network, now):
        return
    service.audit.refused(
        now,
        **described(service.settings, request),
        status=status,
        refusal=name,
        reason=reason,
        application=refused.application or request.client_id,
        account=refused.account or request.username or _existing(service, request.claimed_username),
    )
    event("refused", **request.ids, refusal=name, reason=reason, peer=request.peer)


def prefix_of(service: Service, request: RequestContext) -> str:
    """Return the address prefix that counts as one caller, even for a request whose header fields were not read."""
    return request.address_prefix or service.prefixes.of(request.peer, ", ".join(forwarded(request)))


def audit_event(service: Service, request: RequestContext, name: str) -> None:
    """Write a line to the audit trail on an act of an endpoint. `name` is the act, such as `revoked`."""
    service.audit.record(
        name,
        request.now,
        **described(service.settings, request),
        application=request.client_id,
        account=request.username,
    )


def record_issued(service: Service, request: RequestContext, issued: Issued) -> None:
    """Write a line to the audit trail on an issued access token: its account, application, scopes and `jti`."""
    claims = json.loads(base64url.decode(issued.access_token.split(".")[1]))
    rights = claims.get("authorization_details")
    service.audit.record(
        "issued",
        request.now,
        **described(service.settings, request),
        application=request.client_id,
        account=claims.get("sub"),
        scope=claims.get("scope"),
        jti=claims["jti"],
        **({"authorization_details": rights} if rights else {}),
    )


def _existing(service: Service, claimed_username: str | None) -> str | None:
    """Return the login name if its account exists. It is read from the cache, where the password check has put it."""
    account = (
        service.authority.revocation_cache.cached_account(login_name(claimed_username)) if claimed_username else None
    )
    return account.username if account else None

"""Checks the bearer token of a request (spec §5.3, §5.5, D14, D20).

Verified signatures are cached (`verified_tokens`). Expiry, revocation and the state of application and account are checked
for every request, in memory.
"""

from collections.abc import Sequence

import msgspec

from credence.access.report_rights import ReportRights, shared
from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.crypto.jws import InvalidSignature
from credence.identity.applications import application_time, is_public, resets
from credence.oauth.authority import Authority
from credence.oauth.liveness import liveness_error
from credence.oauth.parameters import scopes
from credence.oauth.tokens.access_token import Claims, parties
from credence.refusals.credentials import INVALID_TOKEN
from credence.refusals.refusal import Refused
from credence.store.records import Account, Application
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS


class Bearer(msgspec.Struct, frozen=True):
    """The claims of a valid token, with its application and account."""

    claims: Claims
    application: Application
    account: Account | None
    """None when the token was issued to the application itself."""
    scopes: frozenset[str]
    """The usable scopes: those of the token that its application still has (threats A15)."""
    rights: ReportRights | None = None
    """What the scope `credit:report` opens, if that is not every company: the rights of token and application."""


async def check(
    authority: Authority,
    token: str,
    now: Milliseconds,
    *,
    resource: str | None = None,
    for_any_resource: bool = False,
) -> Bearer:
    """Return the valid token; raise Refused for any other.

    `now` is the real time; a token of an application with a test clock is checked at the time of that clock.

    Expiry is spec §3.2, revocation spec §3.4; the strictest rule applies (threats L5). A token for another resource than
    `resource` is refused (RFC 9068 §4); None means this service. Introspection sets `for_any_resource` and accepts all.
    """
    try:
        claims = authority.verified.claims(authority.ring.verifying, token, authority.ring.revoked)
    except InvalidSignature as invalid:
        raise Refused(INVALID_TOKEN, str(invalid)) from None
    settings, revocation_cache = authority.settings, authority.revocation_cache
    if claims.iss != settings.issuer or (claims.aud != (resource or settings.token_audience) and not for_any_resource):
        raise _invalid(claims, "token.wrong_issuer")
    client_id = claims.client_id
    application = revocation_cache.cached_application(client_id) or await revocation_cache.application(client_id)
    if application is not None and application.clock is not None:
        if (claims.clock_resets or 0) != resets(application):
            raise _invalid(claims, "token.clock_reset")
        now = application_time(application, now)
    if claims.typ == "JWT" and (application is None or application.access_token_type != claims.typ):
        raise _invalid(claims, "token.unexpected_header")
    if now >= claims.exp * 1000:
        raise _invalid(claims, "token.expired")
    if claims.iat * 1000 > now + NODE_TOLERANCE_MS or claims.exp - claims.iat > MAX_ACCESS_TOKEN_SECONDS:
        raise _invalid(claims, "token.times")
    for_account, account = claims.speaks_for_account, None
    if for_account:
        account = revocation_cache.cached_account(claims.sub) or await revocation_cache.account(claims.sub)
    others = [await revocation_cache.application(client_id) for client_id in parties(claims)[1:]] if claims.act else ()
    lapsed = liveness_error(
        application,
        account,
        issued_at=claims.iat * 1000,
        logged_in_at=(claims.auth_time or claims.iat) * 1000,
        for_account=for_account,
        revoked=revocation_cache.is_revoked(claims.jti)
        or (claims.sid is not None and revocation_cache.is_revoked(claims.sid)),
        exchanged_through=others,
    )
    if lapsed is not None or application is None:
        raise _invalid(claims, f"token.{lapsed}")
    opened = scopes.effective(claims.scope, application.scopes, is_public(application))
    for other in others:
        opened &= scopes.effective(claims.scope, other.scopes, is_public(other)) if other else frozenset()
    rights = _rights(claims, application, others)
    if rights is not None:
        opened &= scopes.WITH_RIGHTS
    return Bearer(claims, application, account, opened, rights)


def _rights(claims: Claims, application: Application, others: Sequence[Application | None]) -> ReportRights | None:
    """Return the rights of the token within those of all its applications; None if none of them has any."""
    rights = None if claims.authorization_details is None else claims.authorization_details[0]
    for each in (application, *others):
        if each is not None and each.rights is not None:
            rights = each.rights if rights is None else shared(rights, each.rights)
    return rights


def _invalid(claims: Claims, reason: str) -> Refused:
    """Return the refusal of a genuine but invalid token; it names the token's owners in the audit trail."""
    account = claims.sub if claims.speaks_for_account else None
    return Refused(INVALID_TOKEN, reason, application=claims.client_id, account=account)

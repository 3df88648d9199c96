"""Client authentication by a token of the platform on which a program runs (RFC 7523 §2.2, threats E16).

Kubernetes, cloud platforms and CI services sign a token about the program, for this service as audience. The operator binds
its subject to an application, so the program needs no secret. Such a token is a bearer credential that platforms hand out
for up to an hour and programs send more than once, so it is not refused as a replay.
"""

from credence.clock import Milliseconds
from credence.crypto.client_jws import ClientJws
from credence.oauth import fapi
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.verifying import Expected, UntrustedToken, issuer_of, matches, verified
from credence.paths import PUSHED_REQUESTS, TOKEN
from credence.store.records import Application

_TYPES = frozenset({"", "jwt"})
"""Kubernetes sends no `typ`."""


async def authentication_error(
    authority: Authority, application: Application, assertion: ClientJws, text: str, now: Milliseconds
) -> str | None:
    """Return the reason code if the token does not authenticate the application; None if it does."""
    if fapi.is_fapi2(application):  # FAPI 2.0 §5.3.2.1: the client signs its assertions itself
        return "assertion.issuer"
    issuer = issuer_of(authority, assertion.claims, "clients")
    if issuer is None or (issuer.applications and application.client_id not in issuer.applications):
        return "assertion.issuer"
    own = authority.settings.issuer
    audiences = frozenset({own, own + TOKEN, own + PUSHED_REQUESTS})
    try:
        claims = await verified(authority, issuer, text, Expected(_TYPES, audiences, about_person=False), now)
    except UntrustedToken as untrusted:
        return str(untrusted)
    subject = claims.get("sub")
    bound = (each.subject for each in application.workloads if each.issuer == issuer.id)
    if not isinstance(subject, str) or not any(matches(pattern, subject) for pattern in bound):
        return "assertion.subject"
    return None

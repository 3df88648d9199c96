"""Checks an identity assertion authorization grant: an employer's word about a person, for one client here (ID-JAG).

The claims are those of draft-ietf-oauth-identity-assertion-authz-grant §3 and of MCP's extension Enterprise-Managed
Authorization §4.3. What the issuer may assert is limited by the table of trusted issuers (`verifying.py`); this file adds
what belongs to the grant: the client, the account, replay, and what the assertion itself limits (threats E15).
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import ASSERTION_TOLERANCE_SECONDS
from credence.crypto.client_jws import read
from credence.crypto.digest import keyed_digest
from credence.crypto.jws import InvalidSignature
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.verifying import Expected, UntrustedToken, issuer_of, verified
from credence.store.records import Account, Application
from credence.store.trusted_issuers import LINKS, TrustedIssuer, link_id

PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag"
"""The profile of the JWT bearer grant, in the metadata (§7.2 of the draft)."""

TYPE = "oauth-id-jag+jwt"

MAX_AGE_SECONDS = 300
"""Seconds from `iat` to the use of an assertion, at most: its `jti` is kept in the replay cache for this time."""

MAX_ID_CHARACTERS = 255


class Assertion(NamedTuple):
    """A genuine assertion for this client, used up, with the account that it is about."""

    issuer: TrustedIssuer
    account: Account
    claims: "AssertedClaims"


class AssertedClaims(msgspec.Struct, frozen=True):
    """The claims that limit what is issued; `iss`, `aud`, `exp` and `iat` are checked by `verified`."""

    sub: str
    client_id: str
    jti: str
    exp: int | float
    iat: int | float
    resource: str | list[str] | None = None
    scope: str | None = None
    authorization_details: list[dict[str, Any]] | None = None
    auth_time: int | float | None = None
    acr: str | None = None

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that the assertion is for; empty if it does not say."""
        named = [self.resource] if isinstance(self.resource, str) else self.resource
        return tuple(named or ())


async def use_assertion(authority: Authority, application: Application, text: str, now: Milliseconds) -> Assertion:
    """Return the assertion; raises UntrustedToken for any other text, and for one that was used before on any node.

    Raises StoreUnavailable if its use could not be recorded.
    """
    issuer = _issuer(authority, text)
    expected = Expected(frozenset({TYPE}), frozenset({authority.settings.issuer}), max_age_seconds=MAX_AGE_SECONDS)
    claims = _typed(await verified(authority, issuer, text, expected, now))
    if claims.client_id != application.client_id:
        raise UntrustedToken("assertion_grant.client")
    if issuer.applications and application.client_id not in issuer.applications:
        raise UntrustedToken("assertion_grant.application")
    account = await _account(authority, issuer, claims.sub)
    mark = keyed_digest(authority.secrets.digest, "id-jag", issuer.id.encode(), claims.jti.encode())
    until = math.ceil(min(claims.exp, claims.iat + MAX_AGE_SECONDS) * 1000) + 1
    if not await authority.store.consume_once(mark, max(now + 1, until)):
        raise UntrustedToken("assertion_grant.replayed")
    return Assertion(issuer, account, claims)


def _issuer(authority: Authority, text: str) -> TrustedIssuer:
    try:
        claims = read(text).claims
    except InvalidSignature:
        raise UntrustedToken("issuer_token.malformed") from None
    issuer = issuer_of(authority, claims, "assertions")
    if issuer is None:
        raise UntrustedToken("assertion_grant.issuer")
    return issuer


def _typed(claims: Mapping[str, Any]) -> AssertedClaims:
    try:
        found = msgspec.convert(claims, AssertedClaims)
    except msgspec.ValidationError:
        raise UntrustedToken("assertion_grant.claims") from None
    if not 0 < len(found.jti) <= MAX_ID_CHARACTERS or not found.sub:
        raise UntrustedToken("assertion_grant.claims")
    if found.auth_time is not None and not 0 < found.auth_time <= found.iat + ASSERTION_TOLERANCE_SECONDS:
        raise UntrustedToken("assertion_grant.claims")
    return found


async def _account(authority: Authority, issuer: TrustedIssuer, subject: str) -> Account:
    """Return the account that is linked to a subject of this issuer, never one of another issuer or by mail address."""
    link = await authority.store.get(LINKS, link_id(issuer.id, subject))
    account = None if link is None else await authority.revocation_cache.account(link.username)
    if account is None:
        raise UntrustedToken("assertion_grant.subject")
    return account

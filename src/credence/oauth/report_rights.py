"""Enforces the rights of a token that names companies (RFC 9396, threats A19), at the API and over MCP."""

from collections.abc import Collection

from credence.access.report_rights import lacking
from credence.clock import Milliseconds, london_day
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.tokens.access_token import Claims
from credence.oauth.tokens.refresh_token import expiry_of
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS


async def use_rights(authority: Authority, bearer: Bearer, companies: Collection[str], now: Milliseconds) -> None:
    """Count a report on each of these companies; Refused unless the rights of the token, if it has any, include all.

    `companies` are normalised numbers. A company counts once in each request that names it, whether or not the register
    has it. The number is that of the whole login, or of the token if it has no login, over all nodes.

    Raises StoreUnavailable if the count could not be stored.
    """
    rights = bearer.rights
    if rights is None:
        return
    reason = lacking(rights, companies, london_day(now))
    if reason is None and rights.count is not None and companies:
        wanted = len(set(companies))
        if not await authority.store.use_reports(_key(bearer.claims), wanted, rights.count, _until(bearer.claims)):
            reason = "rights.count"
    if reason is not None:
        raise Refused(INSUFFICIENT_SCOPE, reason)


def _key(claims: Claims) -> bytes:
    return sha256((claims.sid or claims.jti).encode())


def _until(claims: Claims) -> Milliseconds:
    """Return when the last token of the login expires: an access token may outlive its family."""
    if claims.sid is None:
        return claims.exp * 1000
    return max(claims.exp * 1000, expiry_of(base64url.decode(claims.sid)) + MAX_ACCESS_TOKEN_SECONDS * 1000)

"""The UserInfo endpoint: returns claims about the account of an access token (OpenID Connect Core §5.3)."""

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jws import sign
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.tokens.standard_claims import Claim, about_to


def claims_of(bearer: Bearer) -> dict[str, Claim]:
    """Return `sub`, as in the ID token, and the claims of the account that the token's scopes allow (§5.3.2, §5.4)."""
    if bearer.account is None:  # `openid` is granted only with an account
        raise LookupError("a token with the scope openid belongs to an account")
    return {"sub": bearer.claims.sub, **about_to(bearer.application, bearer.account, bearer.scopes)}


TYPE = "JWT"

SIGNED = "application/jwt"
"""The media type of the signed form (§5.3.2)."""


def signed_user_info(authority: Authority, bearer: Bearer, algorithm: str, now: Milliseconds) -> str:
    """Return the user information as a JWT for the application (§5.3.2).

    It has neither `iat` nor `exp`, so that no verifier accepts it as an ID token (threats T8).
    """
    content = {"iss": authority.settings.issuer, "aud": bearer.claims.client_id, **claims_of(bearer)}
    return sign(authority.id_token_key(algorithm, now), TYPE, msgspec.json.encode(content))
